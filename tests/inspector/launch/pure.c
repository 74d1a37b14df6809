/* A d3d8.dll whose devices do not tell their state, as pure devices on Windows: it passes all else on to the system's. */
#include <string.h>
#define COBJMACROS
#include <windows.h>
#include <d3d8.h>

static IDirect3D8Vtbl own_8;
static IDirect3DDevice8Vtbl own_device;
static HRESULT(WINAPI *create_device)(IDirect3D8 *, UINT, D3DDEVTYPE, HWND, DWORD, D3DPRESENT_PARAMETERS *, IDirect3DDevice8 **);

static HRESULT WINAPI refuse_2(void *self, void *a) { (void)self, (void)a; return D3DERR_INVALIDCALL; }
static HRESULT WINAPI refuse_3(void *self, DWORD a, void *b) { (void)self, (void)a, (void)b; return D3DERR_INVALIDCALL; }
static HRESULT WINAPI refuse_4(void *self, DWORD a, DWORD b, void *c) { (void)self, (void)a, (void)b, (void)c; return D3DERR_INVALIDCALL; }

static HRESULT WINAPI create_pure(IDirect3D8 *self, UINT adapter, D3DDEVTYPE type, HWND window, DWORD flags,
                                  D3DPRESENT_PARAMETERS *parameters, IDirect3DDevice8 **device)
{
    HRESULT result = create_device(self, adapter, type, window, flags, parameters, device);
    if (FAILED(result))
        return result;
    memcpy(&own_device, (*device)->lpVtbl, sizeof own_device);
    own_device.GetTransform = (void *)refuse_3;
    own_device.GetViewport = (void *)refuse_2;
    own_device.GetMaterial = (void *)refuse_2;
    own_device.GetLight = (void *)refuse_3;
    own_device.GetLightEnable = (void *)refuse_3;
    own_device.GetClipPlane = (void *)refuse_3;
    own_device.GetRenderState = (void *)refuse_3;
    own_device.GetTexture = (void *)refuse_3;
    own_device.GetTextureStageState = (void *)refuse_4;
    (*device)->lpVtbl = &own_device;
    return result;
}

__declspec(dllexport) IDirect3D8 *WINAPI Direct3DCreate8(UINT version)
{
    char path[MAX_PATH];
    GetSystemDirectoryA(path, MAX_PATH - 10);
    IDirect3D8 *(WINAPI *create)(UINT) = (void *)GetProcAddress(LoadLibraryA(lstrcatA(path, "\\d3d8.dll")), "Direct3DCreate8");
    IDirect3D8 *made = create(version);
    memcpy(&own_8, made->lpVtbl, sizeof own_8);
    create_device = own_8.CreateDevice;
    own_8.CreateDevice = create_pure;
    made->lpVtbl = &own_8;
    return made;
}
