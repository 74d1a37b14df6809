/* What resources hold when recording begins, by calls that are recorded like the program's own and change nothing. */
#include <string.h>
#include "trace.h"

static IDirect3DDevice8 *device_of(Object *object)
{
    while (object && object->kind != K_Device8)
        object = object->parent;
    return object && object->alive ? (IDirect3DDevice8 *)object : NULL;
}

/* Copies a surface that cannot be locked out of the way and back: the copy back is what brings its pixels into the trace. */
static void through_a_copy(IDirect3DDevice8 *device, IDirect3DSurface8 *surface, const D3DSURFACE_DESC *desc)
{
    IDirect3DSurface8 *image = NULL;
    D3DLOCKED_RECT got;
    if (!device || desc->MultiSampleType != D3DMULTISAMPLE_NONE || desc->Usage & D3DUSAGE_DEPTHSTENCIL ||
        FAILED(IDirect3DDevice8_CreateImageSurface(device, desc->Width, desc->Height, desc->Format, &image)))
        return;
    if (SUCCEEDED(IDirect3DDevice8_CopyRects(device, surface, NULL, 0, image, NULL)) &&
        SUCCEEDED(IDirect3DSurface8_LockRect(image, &got, NULL, 0))) {
        IDirect3DSurface8_UnlockRect(image);
        IDirect3DDevice8_CopyRects(device, image, NULL, 0, surface, NULL);
    }
    IDirect3DSurface8_Release(image);
}

static int can_be_locked(D3DPOOL pool, DWORD usage) { return pool != D3DPOOL_DEFAULT || usage & D3DUSAGE_DYNAMIC; }

static void of_texture(Object *object)
{
    IDirect3DTexture8 *texture = (IDirect3DTexture8 *)object;
    for (UINT level = 0; level < IDirect3DTexture8_GetLevelCount((IDirect3DTexture8 *)object->real); level++) {
        D3DSURFACE_DESC desc;
        D3DLOCKED_RECT got;
        IDirect3DSurface8 *surface = NULL;
        if (FAILED(IDirect3DTexture8_GetLevelDesc((IDirect3DTexture8 *)object->real, level, &desc)))
            return;
        if (can_be_locked(desc.Pool, desc.Usage)) {
            if (SUCCEEDED(IDirect3DTexture8_LockRect(texture, level, &got, NULL, 0)))
                IDirect3DTexture8_UnlockRect(texture, level);
        } else if (SUCCEEDED(IDirect3DTexture8_GetSurfaceLevel(texture, level, &surface))) {
            through_a_copy(device_of(object), surface, &desc);
            IDirect3DSurface8_Release(surface);
        }
    }
}

static void of_cube(Object *object)
{
    IDirect3DCubeTexture8 *texture = (IDirect3DCubeTexture8 *)object;
    UINT levels = IDirect3DCubeTexture8_GetLevelCount((IDirect3DCubeTexture8 *)object->real);
    for (UINT n = 0; n < 6 * levels; n++) {
        D3DCUBEMAP_FACES face = n / levels;
        UINT level = n % levels;
        D3DSURFACE_DESC desc;
        D3DLOCKED_RECT got;
        IDirect3DSurface8 *surface = NULL;
        if (FAILED(IDirect3DCubeTexture8_GetLevelDesc((IDirect3DCubeTexture8 *)object->real, level, &desc)))
            return;
        if (can_be_locked(desc.Pool, desc.Usage)) {
            if (SUCCEEDED(IDirect3DCubeTexture8_LockRect(texture, face, level, &got, NULL, 0)))
                IDirect3DCubeTexture8_UnlockRect(texture, face, level);
        } else if (SUCCEEDED(IDirect3DCubeTexture8_GetCubeMapSurface(texture, face, level, &surface))) {
            through_a_copy(device_of(object), surface, &desc);
            IDirect3DSurface8_Release(surface);
        }
    }
}

/* Those of the default pool stay empty: nothing copies volumes back. */
static void of_volume_texture(Object *object)
{
    IDirect3DVolumeTexture8 *texture = (IDirect3DVolumeTexture8 *)object;
    for (UINT level = 0; level < IDirect3DVolumeTexture8_GetLevelCount((IDirect3DVolumeTexture8 *)object->real); level++) {
        D3DVOLUME_DESC desc;
        D3DLOCKED_BOX got;
        if (SUCCEEDED(IDirect3DVolumeTexture8_GetLevelDesc((IDirect3DVolumeTexture8 *)object->real, level, &desc)) &&
            can_be_locked(desc.Pool, desc.Usage) && SUCCEEDED(IDirect3DVolumeTexture8_LockBox(texture, level, &got, NULL, 0)))
            IDirect3DVolumeTexture8_UnlockBox(texture, level);
    }
}

/* Surfaces that belong to no texture. */
static void of_surface(Object *object)
{
    IDirect3DSurface8 *surface = (IDirect3DSurface8 *)object;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT got;
    if (!object->parent || object->parent->kind > K_SwapChain8 ||
        FAILED(IDirect3DSurface8_GetDesc((IDirect3DSurface8 *)object->real, &desc)))
        return;
    if (!can_be_locked(desc.Pool, desc.Usage))
        through_a_copy(device_of(object), surface, &desc);
    else if (SUCCEEDED(IDirect3DSurface8_LockRect(surface, &got, NULL, 0)))
        IDirect3DSurface8_UnlockRect(surface);
}

/* Not one that the program is writing into: what it has written so far would be lost. */
static void of_vertex_buffer(Object *object)
{
    IDirect3DVertexBuffer8 *buffer = (IDirect3DVertexBuffer8 *)object;
    D3DVERTEXBUFFER_DESC desc;
    BYTE *memory;
    if (object->contents && !object->locked && SUCCEEDED(IDirect3DVertexBuffer8_GetDesc((IDirect3DVertexBuffer8 *)object->real, &desc)) &&
        SUCCEEDED(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &memory, desc.Usage & D3DUSAGE_DYNAMIC ? D3DLOCK_DISCARD : 0))) {
        memcpy(memory, object->contents, object->size);
        IDirect3DVertexBuffer8_Unlock(buffer);
    }
}

static void of_index_buffer(Object *object)
{
    IDirect3DIndexBuffer8 *buffer = (IDirect3DIndexBuffer8 *)object;
    D3DINDEXBUFFER_DESC desc;
    BYTE *memory;
    if (object->contents && !object->locked && SUCCEEDED(IDirect3DIndexBuffer8_GetDesc((IDirect3DIndexBuffer8 *)object->real, &desc)) &&
        SUCCEEDED(IDirect3DIndexBuffer8_Lock(buffer, 0, 0, &memory, desc.Usage & D3DUSAGE_DYNAMIC ? D3DLOCK_DISCARD : 0))) {
        memcpy(memory, object->contents, object->size);
        IDirect3DIndexBuffer8_Unlock(buffer);
    }
}

static void of_device(Object *object)
{
    IDirect3DSurface8 *surface = NULL;
    if (SUCCEEDED(IDirect3DDevice8_GetBackBuffer((IDirect3DDevice8 *)object, 0, D3DBACKBUFFER_TYPE_MONO, &surface)))
        IDirect3DSurface8_Release(surface); /* its object is among the live ones from now on, if the program had it before, too */
}

/* Under the lock, while recording. */
void write_contents(Object *object)
{
    if (!object->alive)
        return;
    switch (object->kind) {
    case K_Device8: of_device(object); break;
    case K_Texture8: of_texture(object); break;
    case K_CubeTexture8: of_cube(object); break;
    case K_VolumeTexture8: of_volume_texture(object); break;
    case K_Surface8: of_surface(object); break;
    case K_VertexBuffer8: of_vertex_buffer(object); break;
    case K_IndexBuffer8: of_index_buffer(object); break;
    default: break;
    }
}
