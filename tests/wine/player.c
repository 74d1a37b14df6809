/* Plays the scenes of a script (tests/wine/script.py) on Direct3D 8 and writes the pixels of each: player.exe SCRIPT PIXELS.
   A scene is answered by 1 and its packed pixels, or by 0, the HRESULT and the number of the command that failed. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
#include <d3d8.h>

enum { CLEAR = 1, RENDER_STATE, STAGE_STATE, TEXTURE, SET_TEXTURE, TRANSFORM, MATERIAL, LIGHT, LIGHT_ENABLE, VIEWPORT,
       VERTEX_SHADER, PIXEL_SHADER, CONSTANTS, DRAW, PALETTE };
enum { FLAT, CUBE, VOLUME };
enum { MOST_TEXTURES = 64 };

static unsigned char *at;

static DWORD word(void) { DWORD value = *(DWORD *)at; at += 4; return value; }
static float number(void) { float value = *(float *)at; at += 4; return value; }
static void *bytes(DWORD count) { void *first = at; at += (count + 3) & ~3u; return first; }

static HRESULT fill(IDirect3DBaseTexture8 *texture, DWORD kind, DWORD face, DWORD level) {
    DWORD rows = word(), pitch = word(), slices = word();
    unsigned char *data = bytes(rows * pitch * slices);
    D3DLOCKED_BOX box = {0};
    D3DLOCKED_RECT rect = {0};
    HRESULT result;
    if (!texture) return D3D_OK;
    if (kind == VOLUME) result = IDirect3DVolumeTexture8_LockBox((IDirect3DVolumeTexture8 *)texture, level, &box, NULL, 0);
    else if (kind == CUBE) result = IDirect3DCubeTexture8_LockRect((IDirect3DCubeTexture8 *)texture, face, level, &rect, NULL, 0);
    else result = IDirect3DTexture8_LockRect((IDirect3DTexture8 *)texture, level, &rect, NULL, 0);
    if (FAILED(result)) return result;
    if (kind != VOLUME) { box.pBits = rect.pBits; box.RowPitch = rect.Pitch; }
    for (DWORD z = 0; z < slices; z++)
        for (DWORD y = 0; y < rows; y++)
            memcpy((char *)box.pBits + z * box.SlicePitch + y * box.RowPitch, data + (z * rows + y) * pitch, pitch);
    if (kind == VOLUME) return IDirect3DVolumeTexture8_UnlockBox((IDirect3DVolumeTexture8 *)texture, level);
    if (kind == CUBE) return IDirect3DCubeTexture8_UnlockRect((IDirect3DCubeTexture8 *)texture, face, level);
    return IDirect3DTexture8_UnlockRect((IDirect3DTexture8 *)texture, level);
}

static HRESULT make_texture(IDirect3DDevice8 *device, IDirect3DBaseTexture8 **made) {
    DWORD kind = word(), width = word(), height = word(), depth = word(), levels = word(), format = word();
    HRESULT result;
    if (kind == VOLUME)
        result = IDirect3DDevice8_CreateVolumeTexture(device, width, height, depth, levels, 0, format, D3DPOOL_MANAGED,
                                                      (IDirect3DVolumeTexture8 **)made);
    else if (kind == CUBE)
        result = IDirect3DDevice8_CreateCubeTexture(device, width, levels, 0, format, D3DPOOL_MANAGED,
                                                    (IDirect3DCubeTexture8 **)made);
    else
        result = IDirect3DDevice8_CreateTexture(device, width, height, levels, 0, format, D3DPOOL_MANAGED,
                                                (IDirect3DTexture8 **)made);
    if (FAILED(result)) *made = NULL;
    for (DWORD face = 0; face < (kind == CUBE ? 6u : 1u); face++)
        for (DWORD level = 0; level < levels; level++) {
            HRESULT filled = fill(*made, kind, face, level);
            if (SUCCEEDED(result)) result = filled;
        }
    return result;
}

static HRESULT command(IDirect3DDevice8 *device, DWORD op, IDirect3DBaseTexture8 **textures, int *count) {
    DWORD a, b, c, d;
    float z;
    HRESULT result;
    switch (op) {
    case CLEAR: a = word(); b = word(); z = number(); c = word(); return IDirect3DDevice8_Clear(device, 0, NULL, a, b, z, c);
    case RENDER_STATE: a = word(); b = word(); return IDirect3DDevice8_SetRenderState(device, a, b);
    case STAGE_STATE: a = word(); b = word(); c = word(); return IDirect3DDevice8_SetTextureStageState(device, a, b, c);
    case TEXTURE: return *count < MOST_TEXTURES ? make_texture(device, &textures[(*count)++]) : E_OUTOFMEMORY;
    case SET_TEXTURE: a = word(); b = word(); return IDirect3DDevice8_SetTexture(device, a, (int)b < 0 ? NULL : textures[b]);
    case TRANSFORM: a = word(); return IDirect3DDevice8_SetTransform(device, a, bytes(64));
    case MATERIAL: return IDirect3DDevice8_SetMaterial(device, bytes(sizeof(D3DMATERIAL8)));
    case LIGHT: a = word(); return IDirect3DDevice8_SetLight(device, a, bytes(sizeof(D3DLIGHT8)));
    case LIGHT_ENABLE: a = word(); b = word(); return IDirect3DDevice8_LightEnable(device, a, b);
    case VIEWPORT: return IDirect3DDevice8_SetViewport(device, bytes(sizeof(D3DVIEWPORT8)));
    case VERTEX_SHADER: return IDirect3DDevice8_SetVertexShader(device, word());
    case PIXEL_SHADER:
        a = word(); b = 0;
        result = a ? IDirect3DDevice8_CreatePixelShader(device, bytes(a * 4), &b) : D3D_OK;
        return FAILED(result) ? result : IDirect3DDevice8_SetPixelShader(device, b);
    case CONSTANTS: a = word(); return IDirect3DDevice8_SetPixelShaderConstant(device, 0, bytes(a * 16), a);
    case DRAW:
        a = word(); b = word(); c = word(); d = word();
        IDirect3DDevice8_BeginScene(device);
        result = IDirect3DDevice8_DrawPrimitiveUP(device, a, b, bytes(d), c);
        IDirect3DDevice8_EndScene(device);
        return result;
    case PALETTE:
        result = IDirect3DDevice8_SetPaletteEntries(device, 0, bytes(1024));
        return FAILED(result) ? result : IDirect3DDevice8_SetCurrentTexturePalette(device, 0);
    }
    return E_NOTIMPL;
}

static HRESULT read_back(IDirect3DDevice8 *device, IDirect3DSurface8 *target, DWORD width, DWORD height, DWORD format, FILE *out) {
    DWORD size = format == D3DFMT_A8R8G8B8 || format == D3DFMT_X8R8G8B8 ? 4 : 2, good = 1;
    IDirect3DSurface8 *copy = NULL;
    D3DLOCKED_RECT rect;
    HRESULT result = IDirect3DDevice8_CreateImageSurface(device, width, height, format, &copy);
    if (SUCCEEDED(result)) result = IDirect3DDevice8_CopyRects(device, target, NULL, 0, copy, NULL);
    if (SUCCEEDED(result)) result = IDirect3DSurface8_LockRect(copy, &rect, NULL, D3DLOCK_READONLY);
    if (SUCCEEDED(result)) {
        fwrite(&good, 4, 1, out);
        for (DWORD y = 0; y < height; y++) fwrite((char *)rect.pBits + y * rect.Pitch, size, width, out);
        IDirect3DSurface8_UnlockRect(copy);
    }
    if (copy) IDirect3DSurface8_Release(copy);
    return result;
}

static void play(IDirect3DDevice8 *device, unsigned char *end, FILE *out) {
    DWORD width = word(), height = word(), format = word(), depth_format = word(), failed[3] = {0};
    IDirect3DBaseTexture8 *textures[MOST_TEXTURES] = {0};
    IDirect3DSurface8 *target = NULL, *depth = NULL;
    int count = 0;
    HRESULT result = IDirect3DDevice8_CreateRenderTarget(device, width, height, format, D3DMULTISAMPLE_NONE, FALSE, &target);
    if (SUCCEEDED(result) && depth_format)
        result = IDirect3DDevice8_CreateDepthStencilSurface(device, width, height, depth_format, D3DMULTISAMPLE_NONE, &depth);
    if (SUCCEEDED(result)) result = IDirect3DDevice8_SetRenderTarget(device, target, depth);
    while (SUCCEEDED(result) && at < end) {
        failed[2] = word();
        result = command(device, failed[2], textures, &count);
    }
    at = end;
    if (SUCCEEDED(result)) result = read_back(device, target, width, height, format, out);
    failed[1] = result;
    if (FAILED(result)) fwrite(failed, 4, 3, out);
    while (count) if (textures[--count]) IDirect3DBaseTexture8_Release(textures[count]);
    if (target) IDirect3DSurface8_Release(target);
    if (depth) IDirect3DSurface8_Release(depth);
}

int main(int argc, char **argv) {
    FILE *script = argc == 3 ? fopen(argv[1], "rb") : NULL, *out = script ? fopen(argv[2], "wb") : NULL;
    if (!out) return 2;
    fseek(script, 0, SEEK_END);
    long size = ftell(script);
    rewind(script);
    at = malloc(size);
    if (!at || fread(at, 1, size, script) != (size_t)size) return 2;
    HMODULE library = LoadLibraryA("d3d8.dll");
    IDirect3D8 *(WINAPI *create)(UINT) = library ? (void *)GetProcAddress(library, "Direct3DCreate8") : NULL;
    IDirect3D8 *direct3d = create ? create(D3D_SDK_VERSION) : NULL;
    HWND window = CreateWindowA("STATIC", "player", WS_OVERLAPPEDWINDOW, 0, 0, 64, 64, NULL, NULL, NULL, NULL);
    D3DPRESENT_PARAMETERS parameters = {64, 64, D3DFMT_X8R8G8B8, 1, D3DMULTISAMPLE_NONE, D3DSWAPEFFECT_DISCARD, window, TRUE};
    if (!direct3d) return 3;
    for (DWORD scenes = word(); scenes; scenes--) {
        DWORD length = word();
        IDirect3DDevice8 *device = NULL;
        if (FAILED(IDirect3D8_CreateDevice(direct3d, 0, D3DDEVTYPE_HAL, window, D3DCREATE_HARDWARE_VERTEXPROCESSING, &parameters,
                                           &device)))
            return 3;
        play(device, at + length, out);
        fflush(out);
        IDirect3DDevice8_Release(device);
    }
    fclose(out);
    ExitProcess(0); /* Wine's libraries stay behind otherwise */
}
