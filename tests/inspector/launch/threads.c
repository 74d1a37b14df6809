/* Threads that call Direct3D at the same time, and look at their x87: threads.exe TOLD ROUNDS

   TOLD gets a line for each thread: the control word that it began with and the one after its calls, and how many of its matrices
   came back other than they were set.  They hold signalling NaNs, and invalid operations are unmasked: whoever loads one as a
   number ends the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define COBJMACROS
#include <initguid.h>
#include <windows.h>
#include <d3d8.h>

enum { THREADS = 4, SIGNALLING = 0x7FA00000 };
static IDirect3DDevice8 *device;
static int rounds;
static struct { WORD begin, end; int wrong; } told[THREADS];

static WORD control(void)
{
    WORD word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

static void set_control(WORD word) { __asm__ volatile("fldcw %0" : : "m"(word)); }

static DWORD WINAPI call(void *which)
{
    DWORD matrix[16], found[16];
    int n = (int)(INT_PTR)which;
    told[n].begin = control();
    set_control(told[n].begin & ~1); /* invalid operations */
    for (int i = 0; i < 16; i++)
        matrix[i] = SIGNALLING - 1 - i;
    for (int i = 0; i < rounds; i++) {
        matrix[15] = SIGNALLING + (n << 16) + i;
        IDirect3DDevice8_SetTransform(device, D3DTS_WORLDMATRIX(n), (D3DMATRIX *)matrix);
        IDirect3DDevice8_SetRenderState(device, D3DRS_TEXTUREFACTOR, n << 16 | i);
        IDirect3DDevice8_GetTransform(device, D3DTS_WORLDMATRIX(n), (D3DMATRIX *)found);
        told[n].wrong += memcmp(matrix, found, sizeof found) != 0;
    }
    told[n].end = control();
    return 0;
}

int main(int count, char **words)
{
    HWND window = CreateWindowA("STATIC", "threads", WS_OVERLAPPEDWINDOW, 0, 0, 32, 32, NULL, NULL, NULL, NULL);
    D3DPRESENT_PARAMETERS parameters = {32, 32, D3DFMT_X8R8G8B8, 1, D3DMULTISAMPLE_NONE, D3DSWAPEFFECT_COPY, window, TRUE};
    IDirect3D8 *direct3d = Direct3DCreate8(D3D_SDK_VERSION);
    HANDLE all[THREADS];
    FILE *file = count > 2 ? fopen(words[1], "w") : NULL;
    if (!file || !direct3d ||
        FAILED(IDirect3D8_CreateDevice(direct3d, 0, D3DDEVTYPE_HAL, window, D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED,
                                       &parameters, &device)))
        return 3;
    rounds = atoi(words[2]);
    for (int n = 0; n < THREADS; n++)
        all[n] = CreateThread(NULL, 0, call, (void *)(INT_PTR)n, 0, NULL);
    WaitForMultipleObjects(THREADS, all, TRUE, INFINITE);
    fprintf(file, "%x\n", control());
    for (int n = 0; n < THREADS; n++)
        fprintf(file, "%x %x %d\n", told[n].begin, told[n].end, told[n].wrong);
    fclose(file);
    IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL);
    IDirect3DDevice8_Release(device);
    IDirect3D8_Release(direct3d);
    return 0;
}
