/* Plays the programs of a script (tests/wine/script7.py) on DirectDraw and Direct3D 7 or older: player7.exe SCRIPT ANSWERS.

   Each command is answered by its HRESULT, and what it brought: bytes of arguments of kind BACK, the rows that READ reads.  A
   program ends with END, and what it made is released. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <ddraw.h>
#include <d3d.h>

enum { END, CALL, WRITE, WRITE_BUFFER, READ, READ_BUFFER, MODE };                                  /* commands */
#include "player.h"

static HWND window;

static HRESULT lock(IDirectDrawSurface7 *surface, RECT *rect, DWORD flags, DDSURFACEDESC2 *desc) {
    memset(desc, 0, sizeof *desc);
    desc->dwSize = sizeof *desc;
    return surface ? IDirectDrawSurface7_Lock(surface, rect, desc, flags | DDLOCK_WAIT, NULL) : E_POINTER;
}

static IDirectDrawSurface7 *surface_at(DWORD slot) {
    IDirectDrawSurface7 *surface = NULL;
    if (objects[slot]) objects[slot]->lpVtbl->QueryInterface(objects[slot], &IID_IDirectDrawSurface7, (void **)&surface);
    return surface;
}

static void write_surface(void) {
    DWORD slot = word(), flags = word(), has_rect = word(), rows, pitch, dense;
    RECT rect;
    memcpy(&rect, bytes(sizeof rect), sizeof rect);
    rows = word(); pitch = word(); dense = word();
    unsigned char *data = bytes(rows * pitch);
    DDSURFACEDESC2 desc;
    IDirectDrawSurface7 *surface = surface_at(slot);
    HRESULT result = lock(surface, has_rect ? &rect : NULL, flags, &desc);
    if (SUCCEEDED(result)) {
        if (dense) memcpy(desc.lpSurface, data, rows * pitch);
        else for (DWORD y = 0; y < rows; y++) memcpy((char *)desc.lpSurface + y * desc.lPitch, data + y * pitch, pitch);
        IDirectDrawSurface7_Unlock(surface, has_rect ? &rect : NULL);
    }
    if (surface) IDirectDrawSurface7_Release(surface);
    answer_word(result);
}

static void read_surface(void) {
    DWORD slot = word(), rows = word(), size = word();
    DDSURFACEDESC2 desc;
    IDirectDrawSurface7 *surface = surface_at(slot);
    HRESULT result = lock(surface, NULL, DDLOCK_READONLY, &desc);
    answer_word(result);
    for (DWORD y = 0; y < rows; y++) {
        static BYTE nothing[65536];
        answer(SUCCEEDED(result) && y < desc.dwHeight ? (BYTE *)desc.lpSurface + y * desc.lPitch : nothing, size);
    }
    if (SUCCEEDED(result)) IDirectDrawSurface7_Unlock(surface, NULL);
    if (surface) IDirectDrawSurface7_Release(surface);
}

static void vertex_buffer(int reads) {
    DWORD slot = word(), flags = word(), size = word(), found = 0;
    unsigned char *data = reads ? NULL : bytes(size);
    void *memory = NULL;
    IDirect3DVertexBuffer7 *buffer = (void *)objects[slot];
    HRESULT result = buffer ? IDirect3DVertexBuffer7_Lock(buffer, flags | DDLOCK_WAIT, &memory, &found) : E_POINTER;
    answer_word(result);
    if (SUCCEEDED(result) && !reads) memcpy(memory, data, size);
    if (reads) { void *zero = calloc(1, size); answer(SUCCEEDED(result) ? memory : zero, size); free(zero); }
    if (SUCCEEDED(result)) IDirect3DVertexBuffer7_Unlock(buffer);
}

static void play(void) {
    static IDirectDraw7 *draw; /* one for all programs that only copy: each takes half a second */
    DWORD slot = word(), alone = word(), width, height, bits;
    if (alone & 2) { /* Wine lights devices of 5 and 6 by their rules only if DirectDraw was not made as version 7 */
        IDirectDraw *old;
        if (draw) IDirectDraw7_Release(draw);
        if (FAILED(DirectDrawCreate(NULL, &old, NULL))) exit(3);
        if (FAILED(IDirectDraw_QueryInterface(old, &IID_IDirectDraw7, (void **)&draw))) exit(3);
        IDirectDraw_Release(old);
        IDirectDraw7_SetCooperativeLevel(draw, window, DDSCL_NORMAL);
    }
    if (!draw) {
        if (FAILED(DirectDrawCreateEx(NULL, (void **)&draw, &IID_IDirectDraw7, NULL))) exit(3);
        IDirectDraw7_SetCooperativeLevel(draw, window, DDSCL_NORMAL);
    }
    keep(slot, draw);
    IDirectDraw7_AddRef(draw);
    for (;;) switch (word()) {
        case CALL: call(); break;
        case WRITE: write_surface(); break;
        case WRITE_BUFFER: vertex_buffer(0); break;
        case READ: read_surface(); break;
        case READ_BUFFER: vertex_buffer(1); break;
        case MODE:
            width = word(); height = word(); bits = word();
            IDirectDraw7_SetCooperativeLevel(draw, window, DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN | DDSCL_ALLOWREBOOT);
            answer_word(IDirectDraw7_SetDisplayMode(draw, width, height, bits, 0, 0));
            break;
        case END:
            forget();
            if (alone) { IDirectDraw7_Release(draw); draw = NULL; }
            return;
        default: exit(4);
        }
}

int main(int argc, char **argv) {
    if (!opened(argc, argv)) return 2;
    window = CreateWindowA("STATIC", "player", WS_POPUP | WS_VISIBLE, 0, 0, 640, 480, NULL, NULL, NULL, NULL);
    for (DWORD programs = word(); programs; programs--) {
        play();
        fflush(out);
    }
    fclose(out);
    ExitProcess(0); /* Wine's libraries stay behind otherwise */
}
