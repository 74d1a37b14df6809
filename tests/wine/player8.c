/* Plays the programs of a script (tests/wine/script8.py) on Direct3D 8: player8.exe SCRIPT ANSWERS.

   Each program has a device of its own.  Each command is answered by its HRESULT, and what it brought.  A program ends with END,
   and what it made is released. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <d3d8.h>

enum { END, CALL, WRITE, WRITE_BUFFER, READ, READ_BUFFER };                                        /* commands */
enum { TEXTURE, CUBE, VOLUME, SURFACE };
#include "player.h"

static void write_level(void) {
    DWORD slot = word(), kind = word(), face = word(), level = word(), rows = word(), pitch = word(), slices = word();
    unsigned char *data = bytes(rows * pitch * slices);
    void *object = objects[slot];
    D3DLOCKED_BOX box = {0};
    D3DLOCKED_RECT rect = {0};
    HRESULT result = E_POINTER;
    if (object) switch (kind) {
        case TEXTURE: result = IDirect3DTexture8_LockRect((IDirect3DTexture8 *)object, level, &rect, NULL, 0); break;
        case CUBE: result = IDirect3DCubeTexture8_LockRect((IDirect3DCubeTexture8 *)object, face, level, &rect, NULL, 0); break;
        case VOLUME: result = IDirect3DVolumeTexture8_LockBox((IDirect3DVolumeTexture8 *)object, level, &box, NULL, 0); break;
        case SURFACE: result = IDirect3DSurface8_LockRect((IDirect3DSurface8 *)object, &rect, NULL, 0); break;
        }
    answer_word(result);
    if (FAILED(result)) return;
    if (kind != VOLUME) { box.pBits = rect.pBits; box.RowPitch = rect.Pitch; }
    for (DWORD z = 0; z < slices; z++)
        for (DWORD y = 0; y < rows; y++)
            memcpy((char *)box.pBits + z * box.SlicePitch + y * box.RowPitch, data + (z * rows + y) * pitch, pitch);
    switch (kind) {
    case TEXTURE: IDirect3DTexture8_UnlockRect((IDirect3DTexture8 *)object, level); break;
    case CUBE: IDirect3DCubeTexture8_UnlockRect((IDirect3DCubeTexture8 *)object, face, level); break;
    case VOLUME: IDirect3DVolumeTexture8_UnlockBox((IDirect3DVolumeTexture8 *)object, level); break;
    case SURFACE: IDirect3DSurface8_UnlockRect((IDirect3DSurface8 *)object); break;
    }
}

static void read_surface(IDirect3DDevice8 *device) {
    static BYTE nothing[65536];
    DWORD slot = word(), width = word(), height = word(), format = word(), rows = word(), size = word();
    IDirect3DSurface8 *copy = NULL;
    D3DLOCKED_RECT rect;
    HRESULT result = IDirect3DDevice8_CreateImageSurface(device, width, height, format, &copy);
    if (SUCCEEDED(result)) result = IDirect3DDevice8_CopyRects(device, (IDirect3DSurface8 *)objects[slot], NULL, 0, copy, NULL);
    if (SUCCEEDED(result)) result = IDirect3DSurface8_LockRect(copy, &rect, NULL, D3DLOCK_READONLY);
    answer_word(result);
    for (DWORD y = 0; y < rows; y++) answer(SUCCEEDED(result) ? (BYTE *)rect.pBits + y * rect.Pitch : nothing, size);
    if (SUCCEEDED(result)) IDirect3DSurface8_UnlockRect(copy);
    if (copy) IDirect3DSurface8_Release(copy);
}

static void vertex_buffer(int reads) {
    DWORD slot = word(), flags = word(), size = word();
    unsigned char *data = reads ? NULL : bytes(size);
    BYTE *memory = NULL;
    IDirect3DVertexBuffer8 *buffer = (void *)objects[slot]; /* index buffers have Lock at the same place */
    HRESULT result = buffer ? IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &memory, flags) : E_POINTER;
    answer_word(result);
    if (SUCCEEDED(result) && !reads) memcpy(memory, data, size);
    if (reads) { void *zero = calloc(1, size); answer(SUCCEEDED(result) ? memory : zero, size); free(zero); }
    if (SUCCEEDED(result)) IDirect3DVertexBuffer8_Unlock(buffer);
}

static void play(IDirect3D8 *direct3d, HWND window) {
    DWORD slot = word(), software = word();
    D3DPRESENT_PARAMETERS parameters = {64, 48, D3DFMT_X8R8G8B8, 1, D3DMULTISAMPLE_NONE, D3DSWAPEFFECT_DISCARD, window, TRUE};
    DWORD behavior = software ? D3DCREATE_SOFTWARE_VERTEXPROCESSING : D3DCREATE_HARDWARE_VERTEXPROCESSING;
    IDirect3DDevice8 *device = NULL;
    if (FAILED(IDirect3D8_CreateDevice(direct3d, 0, D3DDEVTYPE_HAL, window, behavior, &parameters, &device))) exit(3);
    keep(slot, device);
    for (;;) switch (word()) {
        case CALL: call(); break;
        case WRITE: write_level(); break;
        case WRITE_BUFFER: vertex_buffer(0); break;
        case READ: read_surface(device); break;
        case READ_BUFFER: vertex_buffer(1); break;
        case END: forget(); return;
        default: exit(4);
        }
}

int main(int argc, char **argv) {
    if (!opened(argc, argv)) return 2;
    HMODULE library = LoadLibraryA("d3d8.dll");
    IDirect3D8 *(WINAPI *create)(UINT) = library ? (void *)GetProcAddress(library, "Direct3DCreate8") : NULL;
    IDirect3D8 *direct3d = create ? create(D3D_SDK_VERSION) : NULL;
    HWND window = CreateWindowA("STATIC", "player", WS_OVERLAPPEDWINDOW, 0, 0, 64, 64, NULL, NULL, NULL, NULL);
    if (!direct3d) return 3;
    for (DWORD programs = word(); programs; programs--) {
        play(direct3d, window);
        fflush(out);
    }
    fclose(out);
    ExitProcess(0); /* Wine's libraries stay behind otherwise */
}
