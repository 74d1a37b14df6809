/* A Direct3D 8 program that uses much of the interface, for the recorder's tests: drawing.exe FRAMES CALLS PIXELS [SHAPE]

   CALLS gets the name of every call in order, and its result; PIXELS the back buffer before each Present, as packed X8R8G8B8.
   SHAPE "end": exits without releasing anything; "hang": waits to be killed after the last frame; "key": F12 is down in frame 2;
   "keys": in frame 5, too; "taps": pressed and released in frames 2 and 3. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define COBJMACROS
#include <initguid.h>
#include <windows.h>
#include <d3d8.h>

enum { WIDTH = 96, HEIGHT = 64 };
static FILE *calls, *pixels;
static IDirect3DDevice8 *device;

static HRESULT told(const char *name, HRESULT result)
{
    fprintf(calls, "%s %ld\n", name, (long)result);
    return result;
}
#define D(method, ...) told("IDirect3DDevice8::" #method, IDirect3DDevice8_##method(device, ##__VA_ARGS__))
#define O(interface, method, ...) told(#interface "::" #method, interface##_##method(__VA_ARGS__))

typedef struct { float x, y, z, rhw; DWORD color; float u, v; } Flat;
typedef struct { float x, y, z; float nx, ny, nz; float u, v; } Lit;
#define FLAT (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)
#define LIT (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1)

static IDirect3DTexture8 *managed, *lower, *source, *target_texture, *held;
static IDirect3DCubeTexture8 *cube;
static IDirect3DVolumeTexture8 *volume;
static IDirect3DVertexBuffer8 *moving, *still;
static IDirect3DIndexBuffer8 *indices;
static IDirect3DSurface8 *target, *image, *screen, *depth;
static DWORD recorded, moved, everything, shader, program;
static const D3DMATRIX turned = {{{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};

static void fill(IDirect3DTexture8 *texture, UINT level, UINT size, DWORD seed)
{
    D3DLOCKED_RECT got;
    O(IDirect3DTexture8, LockRect, texture, level, &got, NULL, 0);
    for (UINT y = 0; y < size; y++)
        for (UINT x = 0; x < size; x++)
            *(DWORD *)((char *)got.pBits + y * got.Pitch + 4 * x) = 0xFF000000 | (seed * (x + 1) ^ 0x10305 * (y + 7) * 16) & 0xFFFFFF;
    O(IDirect3DTexture8, UnlockRect, texture, level);
}

/* A level that is locked through its texture and unlocked as a surface, and the other way round. */
static void lock_across(void)
{
    IDirect3DSurface8 *level;
    D3DLOCKED_RECT got;
    RECT parts[2] = {{8, 2, 12, 5}, {9, 8, 14, 12}};
    O(IDirect3DTexture8, GetSurfaceLevel, managed, 0, &level);
    O(IDirect3DTexture8, LockRect, managed, 0, &got, &parts[0], 0);
    for (int y = 0; y < 3; y++)
        memset((char *)got.pBits + y * got.Pitch, 0x40, 16);
    O(IDirect3DSurface8, UnlockRect, level);
    O(IDirect3DSurface8, LockRect, level, &got, &parts[1], 0);
    for (int y = 0; y < 4; y++)
        memset((char *)got.pBits + y * got.Pitch, 0xE0, 20);
    O(IDirect3DTexture8, UnlockRect, managed, 0);
    O(IDirect3DSurface8, Release, level);
}

/* A texture that only the device holds, asked for by a level of it. */
static void ask_for_released(void)
{
    IDirect3DTexture8 *texture;
    IDirect3DSurface8 *level;
    D(CreateTexture, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture);
    O(IDirect3DTexture8, GetSurfaceLevel, texture, 0, &level);
    D(SetTexture, 3, (IDirect3DBaseTexture8 *)texture);
    O(IDirect3DSurface8, Release, level);
    O(IDirect3DTexture8, Release, texture);
    O(IDirect3DSurface8, GetContainer, level, &IID_IDirect3DTexture8, (void **)&held);
}

static void make_textures(void)
{
    D3DLOCKED_RECT got;
    D3DLOCKED_BOX box;
    RECT part = {2, 3, 7, 6};
    D(CreateTexture, 16, 16, 2, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &managed);
    fill(managed, 0, 16, 0x51A3);
    fill(managed, 1, 8, 0x0FF7);
    O(IDirect3DTexture8, LockRect, managed, 0, &got, &part, 0);
    for (int y = 0; y < 3; y++)
        memset((char *)got.pBits + y * got.Pitch, 0xC0, 20);
    O(IDirect3DTexture8, UnlockRect, managed, 0);
    lock_across();
    D(CreateTexture, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &source);
    fill(source, 0, 8, 0x3C1F);
    D(CreateTexture, 8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &lower);
    D(UpdateTexture, (IDirect3DBaseTexture8 *)source, (IDirect3DBaseTexture8 *)lower);
    fill(source, 0, 8, 0x7777); /* what the other holds can no longer be had from here */
    D(CreateTexture, 32, 32, 1, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &target_texture);
    O(IDirect3DTexture8, GetSurfaceLevel, target_texture, 0, &target);
    D(CreateCubeTexture, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &cube);
    for (int face = 0; face < 6; face++) {
        O(IDirect3DCubeTexture8, LockRect, cube, face, 0, &got, NULL, 0);
        memset(got.pBits, 40 * face, 4 * got.Pitch);
        O(IDirect3DCubeTexture8, UnlockRect, cube, face, 0);
    }
    D(CreateVolumeTexture, 4, 4, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &volume);
    O(IDirect3DVolumeTexture8, LockBox, volume, 0, &box, NULL, 0);
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 4; y++)
            memset((char *)box.pBits + z * box.SlicePitch + y * box.RowPitch, 60 + 90 * z, 16);
    O(IDirect3DVolumeTexture8, UnlockBox, volume, 0);
    D(CreateImageSurface, 8, 8, D3DFMT_X8R8G8B8, &image);
    O(IDirect3DSurface8, LockRect, image, &got, NULL, 0);
    for (int y = 0; y < 8; y++)
        memset((char *)got.pBits + y * got.Pitch, 30 * y, 32);
    O(IDirect3DSurface8, UnlockRect, image);
}

/* The last reference of a texture is one to a level of it. */
static void make_and_drop(void)
{
    IDirect3DTexture8 *texture;
    IDirect3DCubeTexture8 *box;
    IDirect3DVolumeTexture8 *block;
    IDirect3DSurface8 *levels[2];
    IDirect3DVolume8 *slices;
    D(CreateTexture, 64, 64, 2, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture);
    O(IDirect3DTexture8, GetSurfaceLevel, texture, 0, &levels[0]);
    O(IDirect3DTexture8, GetSurfaceLevel, texture, 1, &levels[1]);
    O(IDirect3DTexture8, Release, texture);
    O(IDirect3DSurface8, Release, levels[0]);
    O(IDirect3DSurface8, Release, levels[1]);
    D(CreateCubeTexture, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &box);
    O(IDirect3DCubeTexture8, GetCubeMapSurface, box, D3DCUBEMAP_FACE_NEGATIVE_Y, 0, &levels[0]);
    O(IDirect3DCubeTexture8, Release, box);
    O(IDirect3DSurface8, Release, levels[0]);
    D(CreateVolumeTexture, 64, 4, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &block);
    O(IDirect3DVolumeTexture8, GetVolumeLevel, block, 0, &slices);
    O(IDirect3DVolumeTexture8, Release, block);
    O(IDirect3DVolume8, Release, slices);
}

static void make_buffers(void)
{
    static const Lit quad[4] = {{-1, -1, 0, 0, 0, -1, 0, 1}, {-1, 1, 0, 0, 0, -1, 0, 0}, {1, -1, 0, 0, 0, -1, 1, 1}, {1, 1, 0, 0, 0, -1, 1, 0}};
    static const WORD order[6] = {0, 1, 2, 2, 1, 3};
    BYTE *memory;
    D(CreateVertexBuffer, sizeof quad, D3DUSAGE_WRITEONLY, LIT, D3DPOOL_DEFAULT, &still);
    O(IDirect3DVertexBuffer8, Lock, still, 0, 0, &memory, 0);
    memcpy(memory, quad, sizeof quad);
    O(IDirect3DVertexBuffer8, Unlock, still);
    D(CreateIndexBuffer, sizeof order, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, &indices);
    O(IDirect3DIndexBuffer8, Lock, indices, 0, 0, &memory, 0);
    memcpy(memory, order, sizeof order);
    O(IDirect3DIndexBuffer8, Unlock, indices);
    D(CreateVertexBuffer, 8 * sizeof(Flat), D3DUSAGE_WRITEONLY | D3DUSAGE_DYNAMIC, FLAT, D3DPOOL_DEFAULT, &moving);
}

static void make_state(void)
{
    static const DWORD declaration[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT3), D3DVSD_REG(3, D3DVSDT_FLOAT3),
                                        D3DVSD_REG(7, D3DVSDT_FLOAT2), D3DVSD_CONST(40, 1), 0xFFFFFFFF, 0, 0, 0, D3DVSD_END()};
    static const DWORD code[] = {0xFFFE0101, 1, 0xC00F0000, 0x90E40000, 1, 0xD00F0000, 0xA0E40005, 1, 0xE0030000, 0x90540007, 0xFFFF};
    static const DWORD pixel[] = {0xFFFF0101, 0x51, 0xA00F0001, 0x3F000000, 0xFFFF, 0x3F000000, 0x3F800000, 0x42, 0xB00F0000, 5,
                                  0x800F0000, 0xB0E40000, 0xA0E40001, 0xFFFF};
    D3DMATRIX half = {{{0.51f, 0, 0, 0, 0, 0.53f, 0, 0, 0, 0, 1, 0, 0.013f, 0.017f, 0.5f, 1}}},
              wide = {{{0.77f, 0, 0, 0, 0, 0.39f, 0, 0, 0, 0, 1, 0, 0.021f, 0.037f, 0.5f, 1}}};
    D3DMATERIAL8 material = {{0.9f, 0.8f, 0.7f, 1}, {0.2f, 0.2f, 0.2f, 1}, {0}, {0}, 0};
    D3DLIGHT8 light = {D3DLIGHT_DIRECTIONAL, {1, 1, 0.5f, 1}, {0}, {0}, {0}, {0.3f, 0, 1}, 0, 0, 0, 0, 0, 0, 0};
    float constant[4] = {0.25f, 0.75f, 0.5f, 1};
    D(SetTransform, D3DTS_WORLD, &half);
    D(MultiplyTransform, D3DTS_WORLD, &turned);
    D(SetMaterial, &material);
    D(SetLight, 0, &light);
    D(LightEnable, 0, TRUE);
    D(SetRenderState, D3DRS_AMBIENT, 0xFF202020);
    D(SetRenderState, D3DRS_CULLMODE, D3DCULL_NONE);
    D(SetTextureStageState, 0, D3DTSS_MINFILTER, D3DTEXF_POINT);
    D(CreateVertexShader, declaration, code, &shader, 0);
    D(CreatePixelShader, pixel, &program);
    D(SetVertexShaderConstant, 5, constant, 1);
    D(BeginStateBlock);
    D(SetRenderState, D3DRS_ALPHABLENDENABLE, TRUE);
    D(SetRenderState, D3DRS_SRCBLEND, D3DBLEND_ONE);
    D(SetRenderState, D3DRS_DESTBLEND, D3DBLEND_ONE);
    D(EndStateBlock, &recorded);
    D(BeginStateBlock);
    D(SetTransform, D3DTS_WORLD, &wide);
    D(MultiplyTransform, D3DTS_WORLD, &turned);
    D(EndStateBlock, &moved);
    D(CreateStateBlock, D3DSBT_ALL, &everything);
}

static void draw_to_texture(int frame)
{
    D3DVIEWPORT8 whole = {0, 0, WIDTH, HEIGHT, 0, 1};
    Flat bar[4];
    for (int i = 0; i < 4; i++)
        bar[i] = (Flat){(i & 1) * 16.f + 4.f * (frame % 5) + 0.3f, (i >> 1) * 32.f, 0, 1, 0xFF2060FF + 0x300000 * (frame % 4), 0, 0};
    D(SetRenderTarget, target, NULL);
    if (frame == 0) /* later frames draw over what is there */
        D(Clear, 0, NULL, D3DCLEAR_TARGET, 0xFF102030, 1, 0);
    D(SetVertexShader, FLAT);
    D(SetTexture, 0, NULL);
    D(DrawPrimitiveUP, D3DPT_TRIANGLESTRIP, 2, bar, sizeof *bar);
    D(SetRenderTarget, screen, depth);
    D(SetViewport, &whole);
}

static void draw_quads(int frame)
{
    BYTE *memory;
    D(SetTexture, 0, (IDirect3DBaseTexture8 *)managed);
    D(SetVertexShader, LIT);
    if (frame % 4 == 2)
        D(ApplyStateBlock, moved);
    D(MultiplyTransform, D3DTS_WORLD, &turned); /* a quarter more in each frame */
    D(SetStreamSource, 0, still, sizeof(Lit));
    D(SetIndices, indices, 0);
    D(DrawIndexedPrimitive, D3DPT_TRIANGLELIST, 0, 4, 0, 2);
    O(IDirect3DVertexBuffer8, Lock, moving, 4 * sizeof(Flat) * (frame & 1), 4 * sizeof(Flat), &memory,
      frame & 1 ? D3DLOCK_NOOVERWRITE : D3DLOCK_DISCARD);
    for (int i = 0; i < 4; i++)
        ((Flat *)memory)[i] = (Flat){60.3f + (i & 1) * 30.f, 4.3f + (i >> 1) * 26.f + frame % 7, 0, 1, 0xFFFFFFFF, (float)(i & 1), (float)(i >> 1)};
    O(IDirect3DVertexBuffer8, Unlock, moving);
    D(SetVertexShader, FLAT);
    D(SetTexture, 0, (IDirect3DBaseTexture8 *)lower);
    D(SetStreamSource, 0, moving, sizeof(Flat));
    D(DrawPrimitive, D3DPT_TRIANGLESTRIP, 4 * (frame & 1), 2);
    if (frame % 3 == 1)
        D(ApplyStateBlock, recorded);
    D(SetTexture, 0, (IDirect3DBaseTexture8 *)target_texture);
    Flat box[4];
    for (int i = 0; i < 4; i++)
        box[i] = (Flat){4.3f + (i & 1) * 32.f, 28.3f + (i >> 1) * 32.f, 0, 1, 0xFFFFFFFF, (float)(i & 1), (float)(i >> 1)};
    WORD order[4] = {0, 1, 2, 3};
    D(DrawIndexedPrimitiveUP, D3DPT_TRIANGLESTRIP, 0, 4, 2, order, D3DFMT_INDEX16, box, sizeof *box);
    D(SetTexture, 0, (IDirect3DBaseTexture8 *)managed);
    D(SetPixelShader, program);
    for (int i = 0; i < 4; i++)
        box[i].x += 56;
    D(DrawPrimitiveUP, D3DPT_TRIANGLESTRIP, 2, box, sizeof *box);
    D(SetPixelShader, 0);
    if (frame % 3 == 1) {
        D3DMATRIX aside = {{{0.5f, 0, 0, 0, 0, 0.25f, 0, 0, 0, 0, 1, 0, 0.3f, 0.3f, 0, 1}}};
        D(SetTransform, D3DTS_VIEW, &aside); /* first set after the block was made: it is set back to what devices begin with */
        D(ApplyStateBlock, everything);
    }
}

static void keep_pixels(void)
{
    IDirect3DSurface8 *copy;
    D3DLOCKED_RECT got;
    D(CreateImageSurface, WIDTH, HEIGHT, D3DFMT_X8R8G8B8, &copy);
    D(CopyRects, screen, NULL, 0, copy, NULL);
    O(IDirect3DSurface8, LockRect, copy, &got, NULL, D3DLOCK_READONLY);
    for (int y = 0; y < HEIGHT; y++)
        fwrite((char *)got.pBits + y * got.Pitch, 4, WIDTH, pixels);
    O(IDirect3DSurface8, UnlockRect, copy);
    told("IDirect3DSurface8::Release", IDirect3DSurface8_Release(copy));
    fflush(pixels);
}

static void draw(int frame, int presses)
{
    RECT from = {1, 1, 7, 5};
    POINT to = {80, 50};
    D(BeginScene);
    draw_to_texture(frame);
    D(Clear, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF000000 + 0x0A0B0C * (frame % 9), 1, 0);
    draw_quads(frame);
    D(EndScene);
    D(CopyRects, image, &from, 1, screen, &to);
    keep_pixels();
    if (frame % 3 == 2 ? frame < 3 * presses : frame % 3 == 0 && frame && frame <= 3 * presses)
        keybd_event(VK_F12, 0, frame % 3 ? 0 : KEYEVENTF_KEYUP, 0);
    if (presses < 0 && (frame == 2 || frame == 3)) {
        keybd_event(VK_F12, 0, 0, 0);
        keybd_event(VK_F12, 0, KEYEVENTF_KEYUP, 0);
    }
    D(Present, NULL, NULL, NULL, NULL);
}

int main(int count, char **words)
{
    HWND window = CreateWindowA("STATIC", "drawing", WS_OVERLAPPEDWINDOW, 0, 0, WIDTH, HEIGHT, NULL, NULL, NULL, NULL);
    D3DPRESENT_PARAMETERS parameters = {WIDTH, HEIGHT, D3DFMT_X8R8G8B8, 1, D3DMULTISAMPLE_NONE, D3DSWAPEFFECT_COPY, window, TRUE,
                                        TRUE, D3DFMT_D16};
    if (count < 4 || !(calls = fopen(words[2], "w")) || !(pixels = fopen(words[3], "wb")))
        return 2;
    IDirect3D8 *direct3d = Direct3DCreate8(D3D_SDK_VERSION);
    told("Direct3DCreate8", direct3d ? 0 : 1);
    if (!direct3d || FAILED(O(IDirect3D8, CreateDevice, direct3d, 0, D3DDEVTYPE_HAL, window, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                              &parameters, &device)))
        return 3;
    D(GetBackBuffer, 0, D3DBACKBUFFER_TYPE_MONO, &screen);
    D(GetDepthStencilSurface, &depth);
    make_textures();
    make_buffers();
    make_state();
    make_and_drop();
    ask_for_released();
    int presses = count < 5 ? 0 : !strcmp(words[4], "keys") ? 2 : !strcmp(words[4], "taps") ? -1 : !strcmp(words[4], "key");
    for (int frame = 0; frame < atoi(words[1]); frame++)
        draw(frame, presses);
    fflush(calls);
    if (count > 4 && !strcmp(words[4], "hang"))
        Sleep(600000);
    if (count > 4)
        return 0;
    IUnknown *all[] = {(IUnknown *)managed, (IUnknown *)lower, (IUnknown *)source, (IUnknown *)target, (IUnknown *)target_texture,
                       (IUnknown *)cube, (IUnknown *)volume, (IUnknown *)moving, (IUnknown *)still, (IUnknown *)indices,
                       (IUnknown *)image, (IUnknown *)screen, (IUnknown *)depth, (IUnknown *)held, (IUnknown *)device,
                       (IUnknown *)direct3d};
    for (int i = 0; i < 16; i++)
        told("Release", all[i]->lpVtbl->Release(all[i]));
    fclose(calls);
    fclose(pixels);
    return 0;
}
