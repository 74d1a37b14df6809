/* Plays the programs of a script (tests/wine/script7.py) on DirectDraw and Direct3D 7 or older: player7.exe SCRIPT ANSWERS.

   A call names an object, a place in its table of methods, and arguments.  Of 64-bit programs each is 8 bytes, in registers or on
   the stack, where more of them than a method takes do no harm; floats come fifth or later, on the stack.  Each command is
   answered by its HRESULT, and what it brought: bytes of arguments of kind BACK, the rows that READ reads.  A program ends with
   END, and what it made is released. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <ddraw.h>
#include <d3d.h>

enum { END, CALL, WRITE, WRITE_BUFFER, READ, READ_BUFFER, MODE };                                  /* commands */
enum { NUMBER, OBJECT, DATA, MADE, BACK, KEPT_NUMBER, NUMBER_MADE, STRIDED };                           /* arguments */
enum { MOST = 4096, MOST_ARGUMENTS = 12 };

typedef HRESULT(WINAPI *Method)(void *, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64);

static unsigned char *at;
static IUnknown *objects[MOST];
static DWORD handles[MOST];
static DWORD made[MOST], count;
static HWND window;
static FILE *out;

static DWORD word(void) { DWORD value = *(DWORD *)at; at += 4; return value; }
static void *bytes(DWORD size) { void *first = at; at += (size + 3) & ~3u; return first; }
static void answer(const void *data, DWORD size) { fwrite(data, 1, size, out); }
static void answer_word(DWORD value) { answer(&value, 4); }

static void keep(DWORD slot, void *object) {
    objects[slot] = object;
    made[count++] = slot;
}

static void forget(void) {
    while (count) {
        DWORD slot = made[--count];
        if (objects[slot]) objects[slot]->lpVtbl->Release(objects[slot]);
        objects[slot] = NULL;
    }
}

static HRESULT call(void) {
    static BYTE back[65536];
    D3DDRAWPRIMITIVESTRIDEDDATA strided = {0};
    D3DDP_PTRSTRIDE *component = &strided.position;
    DWORD slot = word(), place = word(), given = word(), brought = 0, place_made = 0;
    UINT64 argument[MOST_ARGUMENTS] = {0};
    void *object = NULL;
    int makes = 0;
    memset(back, 0, sizeof back);
    for (DWORD i = 0; i < given; i++) {
        DWORD kind = word(), size;
        switch (kind) {
        case NUMBER: argument[i] = word(); argument[i] |= (UINT64)word() << 32; break;
        case OBJECT: argument[i] = (UINT64)objects[word()]; break;
        case DATA: size = word(); argument[i] = (UINT64)bytes(size); break;
        case MADE: place_made = word(); makes = 1; argument[i] = (UINT64)&object; break;
        case BACK: size = word(); memcpy(back + brought, bytes(size), size); argument[i] = (UINT64)(back + brought); brought += size; break;
        case KEPT_NUMBER: argument[i] = handles[word()]; break;
        case NUMBER_MADE: argument[i] = (UINT64)&handles[word()]; break;
        case STRIDED:
            for (int n = 0; n < 12; n++) {
                component[n].dwStride = word();
                size = word();
                component[n].lpvData = size ? bytes(size) : NULL;
            }
            argument[i] = (UINT64)&strided;
        }
    }
    IUnknown *this = objects[slot];
    HRESULT result = E_POINTER;
    if (this) result = (*(Method **)this)[place](this, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5],
                                                 argument[6], argument[7], argument[8], argument[9], argument[10]);
    if (makes && SUCCEEDED(result) && object) keep(place_made, object);
    if (place == 2 && result == 0) objects[slot] = NULL; /* Release */
    answer_word(result);
    answer(back, brought);
    return result;
}

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
    FILE *script = argc == 3 ? fopen(argv[1], "rb") : NULL;
    out = script ? fopen(argv[2], "wb") : NULL;
    if (!out) return 2;
    fseek(script, 0, SEEK_END);
    long size = ftell(script);
    rewind(script);
    at = malloc(size);
    if (!at || fread(at, 1, size, script) != (size_t)size) return 2;
    window = CreateWindowA("STATIC", "player", WS_POPUP | WS_VISIBLE, 0, 0, 640, 480, NULL, NULL, NULL, NULL);
    for (DWORD programs = word(); programs; programs--) {
        play();
        fflush(out);
    }
    fclose(out);
    ExitProcess(0); /* Wine's libraries stay behind otherwise */
}
