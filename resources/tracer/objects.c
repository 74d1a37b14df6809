/* What stands in for interface pointers, and what the program wrote into locked memory. */
#include <initguid.h>
#include <stdlib.h>
#include <string.h>
#include "trace.h"
#include "calls.h"

enum { SLOTS = 4096 };

static Object *objects[SLOTS]; /* by real address */
static DWORD next_serial;

static Object **slot_of(void *real) { return &objects[(ULONG_PTR)real / 8 % SLOTS]; }

int is_ours(const void *pointer)
{
    const void *table = pointer ? *(const void *const *)pointer : NULL;
    for (int kind = K_8; kind <= K_IndexBuffer8; kind++)
        if (table == tables[kind])
            return 1;
    return 0;
}

void *real_of(const void *pointer) { return is_ours(pointer) ? ((const Object *)pointer)->real : (void *)pointer; }

Object *find_object(void *real, Kind kind)
{
    for (Object *object = *slot_of(real); object; object = object->next)
        if (object->real == real && (object->kind == kind || (kind == K_unknown && object->alive)))
            return object;
    return NULL;
}

void each_object(void (*visit)(Object *object))
{
    for (int i = 0; i < SLOTS; i++)
        for (Object *object = objects[i]; object; object = object->next)
            visit(object);
}

Kind kind_of_texture(void *real)
{
    switch (IDirect3DResource8_GetType((IDirect3DResource8 *)real)) {
    case D3DRTYPE_VOLUMETEXTURE: return K_VolumeTexture8;
    case D3DRTYPE_CUBETEXTURE: return K_CubeTexture8;
    default: return K_Texture8;
    }
}

static const struct { const IID *id; Kind kind; } ids[] = {
    {&IID_IDirect3D8, K_8}, {&IID_IDirect3DDevice8, K_Device8}, {&IID_IDirect3DSwapChain8, K_SwapChain8},
    {&IID_IDirect3DTexture8, K_Texture8}, {&IID_IDirect3DCubeTexture8, K_CubeTexture8},
    {&IID_IDirect3DVolumeTexture8, K_VolumeTexture8}, {&IID_IDirect3DSurface8, K_Surface8}, {&IID_IDirect3DVolume8, K_Volume8},
    {&IID_IDirect3DVertexBuffer8, K_VertexBuffer8}, {&IID_IDirect3DIndexBuffer8, K_IndexBuffer8},
    {&IID_IDirect3DBaseTexture8, K_BaseTexture8},
};

Kind kind_of_iid(REFIID iid)
{
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (IsEqualGUID(ids[i].id, iid))
            return ids[i].kind;
    return K_unknown;
}

static Object *new_object(void *real, Kind kind)
{
    Object *object = calloc(1, sizeof *object), **slot = slot_of(real);
    if (object) {
        object->table = tables[kind];
        object->real = real;
        object->kind = kind;
        object->next = *slot;
        *slot = object;
    }
    return object;
}

/* Whether an object is another one, or was made by it. */
static int is_within(const Object *object, const Object *other)
{
    while (object && object != other)
        object = object->parent;
    return object != NULL;
}

/* Our object for a real one; the real one itself where it is of no known kind.  `call` gave it; `created`: it is new. */
void *wrap(const Call *call, Object *parent, Kind kind, void *real, int created)
{
    if (is_ours(real))
        return real;
    EnterCriticalSection(&lock);
    Object *object = NULL;
    if (kind == K_unknown)
        object = find_object(real, kind); /* IUnknown, or a base of it */
    else
        object = find_object(real, kind == K_BaseTexture8 ? (kind = kind_of_texture(real)) : kind);
    if (!object && kind != K_unknown)
        object = new_object(real, kind);
    /* a texture that the program has released, asked for by a level of it, stays dead: who made it is no longer known */
    if (object && (created || !object->alive) && call && !is_within(parent, object)) {
        drop_object(object);
        object->parent = parent;
        let_go(object->made);
        object->made = keeping ? record_of(call) : NULL;
        object->serial = ++next_serial;
        object->alive = 1;
    }
    LeaveCriticalSection(&lock);
    return object ? object : real;
}

static int found_dead;

/* A parent that is younger than its child came at the address of the one that the child belonged to. */
static void child_of_dead(Object *object)
{
    Object *parent = object->parent;
    if (object->alive && parent && parent->kind != K_8 && (!parent->alive || parent->serial > object->serial)) {
        drop_object(object);
        found_dead = 1;
    }
}

static int has_levels(const Object *object) { return object->kind >= K_Texture8 && object->kind <= K_VolumeTexture8; }

DWORD newest_serial(void) { return next_serial; }

/* `newest`: newest_serial() before it.  Since then another thread may have got an object at the same address: it is left alone. */
void after_Release(Object *self, ULONG result, DWORD newest)
{
    if (result)
        return;
    EnterCriticalSection(&lock);
    Object *parent = self->parent;
    if (self->serial <= newest)
        drop_object(self);
    if (keeping && parent && has_levels(parent) && parent->alive && parent->serial <= newest)
        drop_object(parent); /* levels share the texture's count of references: this was the last of both */
    do {
        found_dead = 0;
        if (keeping)
            each_object(child_of_dead);
    } while (found_dead); /* children of those that were found */
    LeaveCriticalSection(&lock);
}

/* ---- locked memory ---- */

static const Layout *layout_of(D3DFORMAT format)
{
    for (int i = 0; i < layout_count; i++)
        if (layouts[i].format == (DWORD)format)
            return &layouts[i];
    return NULL;
}

/* Bytes from the first texel of a locked area to its last. */
size_t picture_size(D3DFORMAT format, UINT width, UINT height, UINT depth, INT pitch, INT slice_pitch)
{
    const Layout *layout = layout_of(format);
    UINT rows = layout ? (height + layout->height - 1) / layout->height : height;
    size_t row = layout ? (size_t)(width + layout->width - 1) / layout->width * layout->bytes : (size_t)abs(pitch);
    if (!rows || !width || !depth || pitch < 0 || slice_pitch < 0)
        return 0;
    return (size_t)(depth - 1) * slice_pitch + (size_t)(rows - 1) * pitch + row;
}

/* A level may be locked through its texture and unlocked through its surface: what is locked is kept with the texture. */
static Object *holder(Object *object, UINT *face, UINT *level)
{
    if ((object->kind != K_Surface8 && object->kind != K_Volume8) || !object->parent || !has_levels(object->parent))
        return object;
    *face = object->face;
    *level = object->level;
    return object->parent;
}

void remember(Object *object, UINT face, UINT level, UINT offset, void *memory, size_t size)
{
    object = holder(object, &face, &level);
    Locked *locked = memory && size ? malloc(sizeof *locked) : NULL;
    if (!locked)
        return;
    *locked = (Locked){NULL, face, level, offset, memory, size};
    EnterCriticalSection(&lock);
    locked->next = object->locked;
    object->locked = locked;
    LeaveCriticalSection(&lock);
}

/* Before it is unlocked: writes down what is there. */
void written(Object *object, UINT face, UINT level)
{
    object = holder(object, &face, &level);
    EnterCriticalSection(&lock);
    for (Locked **place = &object->locked; *place; place = &(*place)->next) {
        Locked *locked = *place;
        if (locked->face != face || locked->level != level)
            continue;
        if (recording)
            write_memory(locked->memory, locked->size);
        if (object->contents && locked->offset <= object->size && locked->size <= object->size - locked->offset)
            memcpy(object->contents + locked->offset, locked->memory, locked->size);
        *place = locked->next;
        free(locked);
        break;
    }
    LeaveCriticalSection(&lock);
}

static void is_level(Object *texture, void *part, UINT face, UINT level)
{
    Object *object = is_ours(part) ? part : NULL;
    if (!object || is_within(texture, object))
        return;
    EnterCriticalSection(&lock);
    object->parent = texture;
    object->face = face;
    object->level = level;
    LeaveCriticalSection(&lock);
}

void after_IDirect3DTexture8_GetSurfaceLevel(Object *self, UINT level, IDirect3DSurface8 **surface, HRESULT result)
{
    if (SUCCEEDED(result) && surface)
        is_level(self, *surface, 0, level);
}

void after_IDirect3DCubeTexture8_GetCubeMapSurface(Object *self, D3DCUBEMAP_FACES face, UINT level, IDirect3DSurface8 **surface,
                                                   HRESULT result)
{
    if (SUCCEEDED(result) && surface)
        is_level(self, *surface, face, level);
}

void after_IDirect3DVolumeTexture8_GetVolumeLevel(Object *self, UINT level, IDirect3DVolume8 **volume, HRESULT result)
{
    if (SUCCEEDED(result) && volume)
        is_level(self, *volume, 0, level);
}

static void of_surface(Object *object, UINT face, UINT level, const D3DSURFACE_DESC *desc, const D3DLOCKED_RECT *got,
                       const RECT *part)
{
    UINT width = part ? (UINT)(part->right - part->left) : desc->Width;
    UINT height = part ? (UINT)(part->bottom - part->top) : desc->Height;
    remember(object, face, level, 0, got->pBits, picture_size(desc->Format, width, height, 1, got->Pitch, 0));
}

static void of_volume(Object *object, UINT level, const D3DVOLUME_DESC *desc, const D3DLOCKED_BOX *got, const D3DBOX *part)
{
    UINT width = part ? part->Right - part->Left : desc->Width, height = part ? part->Bottom - part->Top : desc->Height;
    UINT depth = part ? part->Back - part->Front : desc->Depth;
    remember(object, 0, level, 0, got->pBits, picture_size(desc->Format, width, height, depth, got->RowPitch, got->SlicePitch));
}

void after_IDirect3DTexture8_LockRect(Object *self, UINT level, D3DLOCKED_RECT *got, const RECT *part, DWORD flags, HRESULT result)
{
    D3DSURFACE_DESC desc;
    if (SUCCEEDED(result) && !(flags & D3DLOCK_READONLY) && got &&
        SUCCEEDED(IDirect3DTexture8_GetLevelDesc((IDirect3DTexture8 *)self->real, level, &desc)))
        of_surface(self, 0, level, &desc, got, part);
}

void after_IDirect3DCubeTexture8_LockRect(Object *self, D3DCUBEMAP_FACES face, UINT level, D3DLOCKED_RECT *got, const RECT *part,
                                          DWORD flags, HRESULT result)
{
    D3DSURFACE_DESC desc;
    if (SUCCEEDED(result) && !(flags & D3DLOCK_READONLY) && got &&
        SUCCEEDED(IDirect3DCubeTexture8_GetLevelDesc((IDirect3DCubeTexture8 *)self->real, level, &desc)))
        of_surface(self, face, level, &desc, got, part);
}

void after_IDirect3DSurface8_LockRect(Object *self, D3DLOCKED_RECT *got, const RECT *part, DWORD flags, HRESULT result)
{
    D3DSURFACE_DESC desc;
    if (SUCCEEDED(result) && !(flags & D3DLOCK_READONLY) && got &&
        SUCCEEDED(IDirect3DSurface8_GetDesc((IDirect3DSurface8 *)self->real, &desc)))
        of_surface(self, 0, 0, &desc, got, part);
}

void after_IDirect3DVolumeTexture8_LockBox(Object *self, UINT level, D3DLOCKED_BOX *got, const D3DBOX *part, DWORD flags,
                                           HRESULT result)
{
    D3DVOLUME_DESC desc;
    if (SUCCEEDED(result) && !(flags & D3DLOCK_READONLY) && got &&
        SUCCEEDED(IDirect3DVolumeTexture8_GetLevelDesc((IDirect3DVolumeTexture8 *)self->real, level, &desc)))
        of_volume(self, level, &desc, got, part);
}

void after_IDirect3DVolume8_LockBox(Object *self, D3DLOCKED_BOX *got, const D3DBOX *part, DWORD flags, HRESULT result)
{
    D3DVOLUME_DESC desc;
    if (SUCCEEDED(result) && !(flags & D3DLOCK_READONLY) && got &&
        SUCCEEDED(IDirect3DVolume8_GetDesc((IDirect3DVolume8 *)self->real, &desc)))
        of_volume(self, 0, &desc, got, part);
}

static int contents_of(Object *buffer, UINT size)
{
    if (!buffer->contents && (buffer->contents = calloc(1, size)))
        buffer->size = size;
    return buffer->contents != NULL;
}

/* Direct3D wrote into the buffer: it is read back.  Such a buffer is in the memory of the processor. */
void after_IDirect3DDevice8_ProcessVertices(Object *self, UINT first, UINT to, UINT count, IDirect3DVertexBuffer8 *buffer, DWORD flags,
                                            HRESULT result, const Call *call)
{
    Object *object = keeping && SUCCEEDED(result) && is_ours(buffer) ? (Object *)buffer : NULL;
    IDirect3DVertexBuffer8 *real = object ? object->real : NULL;
    D3DVERTEXBUFFER_DESC desc;
    BYTE *memory;
    (void)self, (void)first, (void)to, (void)count, (void)flags, (void)call;
    if (!real || FAILED(IDirect3DVertexBuffer8_GetDesc(real, &desc)) || FAILED(IDirect3DVertexBuffer8_Lock(real, 0, 0, &memory, 0)))
        return;
    EnterCriticalSection(&lock);
    if (contents_of(object, desc.Size))
        memcpy(object->contents, memory, object->size);
    LeaveCriticalSection(&lock);
    IDirect3DVertexBuffer8_Unlock(real);
}

static void of_buffer(Object *self, UINT whole, UINT offset, UINT size, BYTE *memory)
{
    if (offset > whole)
        return;
    if (!size || size > whole - offset)
        size = whole - offset;
    if (keeping)
        contents_of(self, whole);
    remember(self, 0, 0, offset, memory, size);
}

void after_IDirect3DVertexBuffer8_Lock(Object *self, UINT offset, UINT size, BYTE **data, DWORD flags, HRESULT result)
{
    D3DVERTEXBUFFER_DESC desc;
    if (SUCCEEDED(result) && !(flags & D3DLOCK_READONLY) && data &&
        SUCCEEDED(IDirect3DVertexBuffer8_GetDesc((IDirect3DVertexBuffer8 *)self->real, &desc)))
        of_buffer(self, desc.Size, offset, size, *data);
}

void after_IDirect3DIndexBuffer8_Lock(Object *self, UINT offset, UINT size, BYTE **data, DWORD flags, HRESULT result)
{
    D3DINDEXBUFFER_DESC desc;
    if (SUCCEEDED(result) && !(flags & D3DLOCK_READONLY) && data &&
        SUCCEEDED(IDirect3DIndexBuffer8_GetDesc((IDirect3DIndexBuffer8 *)self->real, &desc)))
        of_buffer(self, desc.Size, offset, size, *data);
}

void before_IDirect3DTexture8_UnlockRect(Object *self, UINT level) { written(self, 0, level); }
void before_IDirect3DCubeTexture8_UnlockRect(Object *self, D3DCUBEMAP_FACES face, UINT level) { written(self, face, level); }
void before_IDirect3DSurface8_UnlockRect(Object *self) { written(self, 0, 0); }
void before_IDirect3DVolumeTexture8_UnlockBox(Object *self, UINT level) { written(self, 0, level); }
void before_IDirect3DVolume8_UnlockBox(Object *self) { written(self, 0, 0); }
void before_IDirect3DVertexBuffer8_Unlock(Object *self) { written(self, 0, 0); }
void before_IDirect3DIndexBuffer8_Unlock(Object *self) { written(self, 0, 0); }
