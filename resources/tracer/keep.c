/* What has to be known to begin in the middle: how live objects were made, the state, what resources hold.

   The last call counts, for each state that a call sets, and those calls are written in the order in which they were made; so what
   one of them does to another's state is done again.  State blocks keep the calls in force when they were made.  What textures and
   surfaces hold is asked of Direct3D when recording begins, by calls that are recorded like the program's; what buffers hold is
   copied when they are unlocked: they may be write-only. */
#include <stdlib.h>
#include <string.h>
#include "trace.h"
#include "calls.h"

enum { SLOTS = 512, ALL = 1, PIXEL = 2, VERTEX = 3 };

typedef struct Entry {
    struct Entry *next;
    int function;
    DWORD first, second, serial;
    Record *record;
    const Object *object, *other; /* that the call names */
} Entry;

typedef struct { Entry *slots[SLOTS]; int count; } Map;

typedef struct Block {
    struct Block *next;
    DWORD token, serial;
    int type; /* 0: the program recorded it */
    Map map;
    Record *begin, *made;
} Block;

struct State { Map map; Block *blocks, *open; };

static DWORD next_serial;

/* ---- maps of calls ---- */

static Entry **place_of(Map *map, int function, DWORD first, DWORD second)
{
    Entry **place = &map->slots[((unsigned)function * 31 + first * 7 + second) % SLOTS];
    while (*place && ((*place)->function != function || (*place)->first != first || (*place)->second != second))
        place = &(*place)->next;
    return place;
}

static void forget(Map *map, Entry **place)
{
    Entry *entry = *place;
    if (!entry)
        return;
    *place = entry->next;
    let_go(entry->record);
    free(entry);
    map->count--;
}

/* Takes over one reference of entry.record. */
static void put(Map *map, Entry entry)
{
    Entry **place = place_of(map, entry.function, entry.first, entry.second);
    if (!*place) {
        if (!(*place = calloc(1, sizeof **place))) {
            let_go(entry.record);
            return;
        }
        map->count++;
    } else {
        let_go((*place)->record);
        entry.next = (*place)->next;
    }
    **place = entry;
}

static void put_copy(Map *map, const Entry *entry, DWORD serial)
{
    Entry copy = *entry;
    copy.next = NULL;
    copy.serial = serial;
    hold(copy.record);
    put(map, copy);
}

static void clear(Map *map)
{
    for (int i = 0; i < SLOTS; i++)
        while (map->slots[i])
            forget(map, &map->slots[i]);
}

static int is_shader(int function)
{
    return function == F_IDirect3DDevice8_CreateVertexShader || function == F_IDirect3DDevice8_CreatePixelShader;
}

static int by_serial(const void *a, const void *b)
{
    DWORD x = (*(Entry *const *)a)->serial, y = (*(Entry *const *)b)->serial;
    return x < y ? -1 : x > y;
}

/* What of a map is true now, in the order in which it was called: shaders, or all else. */
static void write_map(Map *map, int shaders)
{
    Entry **all = malloc((map->count + 1) * sizeof *all);
    int count = 0;
    for (int i = 0; all && i < SLOTS; i++)
        for (Entry *entry = map->slots[i]; entry; entry = entry->next)
            if (is_shader(entry->function) == shaders && (!entry->object || entry->object->alive) &&
                (!entry->other || entry->other->alive))
                all[count++] = entry;
    if (all)
        qsort(all, count, sizeof *all, by_serial);
    for (int i = 0; i < count; i++)
        write_record(all[i]->record);
    free(all);
}

/* ---- state ---- */

static struct State *state_of(Object *device)
{
    if (!device->state)
        device->state = calloc(1, sizeof *device->state);
    return device->state;
}

static const Object *known(const void *pointer) { return is_ours(pointer) ? pointer : NULL; }

/* A call that succeeded; `object`, `other`: interfaces that it was given. */
void keep(const Call *call, Object *device, DWORD first, DWORD second, const void *object, const void *other)
{
    if (!keeping)
        return;
    EnterCriticalSection(&lock);
    struct State *state = state_of(device);
    Record *record = state ? record_of(call) : NULL;
    if (record) {
        Map *map = state->open && !is_shader(call->function) ? &state->open->map : &state->map;
        put(map, (Entry){NULL, call->function, first, second, ++next_serial, record, known(object), known(other)});
    }
    LeaveCriticalSection(&lock);
}

static void free_block(Block *block)
{
    clear(&block->map);
    let_go(block->begin);
    let_go(block->made);
    free(block);
}

static void free_blocks(struct State *state)
{
    while (state->blocks) {
        Block *block = state->blocks;
        state->blocks = block->next;
        free_block(block);
    }
    if (state->open)
        free_block(state->open);
    state->open = NULL;
}

void after_IDirect3DDevice8_Reset(Object *self, D3DPRESENT_PARAMETERS *parameters, HRESULT result, const Call *call)
{
    (void)parameters;
    if (FAILED(result) || !keeping)
        return;
    EnterCriticalSection(&lock);
    let_go(self->detail);
    self->detail = record_of(call);
    if (self->state) {
        Map *map = &self->state->map;
        free_blocks(self->state);
        for (int i = 0; i < SLOTS; i++)
            for (Entry **place = &map->slots[i]; *place;)
                if (is_shader((*place)->function) || (*place)->function == F_IDirect3DDevice8_GetDeviceCaps)
                    place = &(*place)->next;
                else
                    forget(map, place);
    }
    LeaveCriticalSection(&lock);
}

void after_SetLOD(Object *self, const Call *call)
{
    if (!keeping)
        return;
    EnterCriticalSection(&lock);
    let_go(self->detail);
    self->detail = record_of(call);
    LeaveCriticalSection(&lock);
}

/* Under the lock. */
void drop_object(Object *object)
{
    let_go(object->made);
    let_go(object->detail);
    free(object->contents);
    while (object->locked) {
        Locked *locked = object->locked;
        object->locked = locked->next;
        free(locked);
    }
    if (object->state) {
        free_blocks(object->state);
        clear(&object->state->map);
        free(object->state);
    }
    object->made = object->detail = NULL;
    object->contents = NULL;
    object->state = NULL;
    object->alive = 0;
}

static void forget_shader(Object *self, int function, DWORD handle)
{
    EnterCriticalSection(&lock);
    if (self->state)
        forget(&self->state->map, place_of(&self->state->map, function, handle, 0));
    LeaveCriticalSection(&lock);
}

void after_IDirect3DDevice8_DeleteVertexShader(Object *self, DWORD handle, HRESULT result, const Call *call)
{
    (void)call;
    if (SUCCEEDED(result))
        forget_shader(self, F_IDirect3DDevice8_CreateVertexShader, handle);
}

void after_IDirect3DDevice8_DeletePixelShader(Object *self, DWORD handle, HRESULT result, const Call *call)
{
    (void)call;
    if (SUCCEEDED(result))
        forget_shader(self, F_IDirect3DDevice8_CreatePixelShader, handle);
}

/* The product is set once more, as it is: to whatever follows it is one matrix. */
void after_IDirect3DDevice8_MultiplyTransform(Object *self, D3DTRANSFORMSTATETYPE state, const D3DMATRIX *matrix, HRESULT result,
                                              const Call *call)
{
    D3DMATRIX product;
    (void)matrix, (void)call;
    if (keeping && !recording && SUCCEEDED(result) &&
        SUCCEEDED(IDirect3DDevice8_GetTransform((IDirect3DDevice8 *)self->real, state, &product)))
        IDirect3DDevice8_SetTransform((IDirect3DDevice8 *)self, state, &product);
}

/* ---- state blocks ---- */

static Block **block_of(struct State *state, DWORD token)
{
    Block **place = &state->blocks;
    while (*place && (*place)->token != token)
        place = &(*place)->next;
    return place;
}

static int in_block(const Entry *entry, int type)
{
    int is_pixel = 0, is_vertex = 0;
    switch (entry->function) {
    case F_IDirect3DDevice8_SetRenderTarget: case F_IDirect3DDevice8_GetDeviceCaps: case F_IDirect3DDevice8_SetPaletteEntries:
    case F_IDirect3DDevice8_CreateVertexShader: case F_IDirect3DDevice8_CreatePixelShader: return 0;
    case F_IDirect3DDevice8_SetPixelShader: case F_IDirect3DDevice8_SetPixelShaderConstant: is_pixel = 1; break;
    case F_IDirect3DDevice8_SetVertexShader: case F_IDirect3DDevice8_SetVertexShaderConstant: case F_IDirect3DDevice8_SetLight:
    case F_IDirect3DDevice8_LightEnable: is_vertex = 1; break;
    case F_IDirect3DDevice8_SetRenderState:
        is_pixel = entry->first < 256 && render_classes[entry->first] & 1;
        is_vertex = entry->first < 256 && render_classes[entry->first] & 2;
        break;
    case F_IDirect3DDevice8_SetTextureStageState:
        is_pixel = entry->second < 64 && stage_classes[entry->second] & 1;
        is_vertex = entry->second < 64 && stage_classes[entry->second] & 2;
        break;
    }
    return type == ALL || (type == PIXEL && is_pixel) || (type == VERTEX && is_vertex);
}

static void take_snapshot(Map *to, const Map *from, int type)
{
    clear(to);
    for (int i = 0; i < SLOTS; i++)
        for (Entry *entry = from->slots[i]; entry; entry = entry->next)
            if (in_block(entry, type))
                put_copy(to, entry, entry->serial);
}

void after_IDirect3DDevice8_BeginStateBlock(Object *self, HRESULT result, const Call *call)
{
    struct State *state = keeping && SUCCEEDED(result) ? state_of(self) : NULL;
    if (!state)
        return;
    EnterCriticalSection(&lock);
    if (!state->open && (state->open = calloc(1, sizeof(Block))))
        state->open->begin = record_of(call);
    LeaveCriticalSection(&lock);
}

static void add_block(struct State *state, Block *block, DWORD token, const Call *call)
{
    block->token = token;
    block->made = record_of(call);
    block->serial = ++next_serial;
    block->next = state->blocks;
    state->blocks = block;
}

void after_IDirect3DDevice8_EndStateBlock(Object *self, DWORD *token, HRESULT result, const Call *call)
{
    EnterCriticalSection(&lock);
    if (self->state && self->state->open && SUCCEEDED(result)) {
        add_block(self->state, self->state->open, *token, call);
        self->state->open = NULL;
    }
    LeaveCriticalSection(&lock);
}

void after_IDirect3DDevice8_CreateStateBlock(Object *self, D3DSTATEBLOCKTYPE type, DWORD *token, HRESULT result, const Call *call)
{
    struct State *state = keeping && SUCCEEDED(result) ? state_of(self) : NULL;
    Block *block = state ? calloc(1, sizeof *block) : NULL;
    if (!block)
        return;
    EnterCriticalSection(&lock);
    block->type = type;
    take_snapshot(&block->map, &state->map, type);
    add_block(state, block, *token, call);
    LeaveCriticalSection(&lock);
}

void after_IDirect3DDevice8_CaptureStateBlock(Object *self, DWORD token, HRESULT result, const Call *call)
{
    (void)call;
    EnterCriticalSection(&lock);
    Block *block = self->state && SUCCEEDED(result) ? *block_of(self->state, token) : NULL;
    if (block && block->type)
        take_snapshot(&block->map, &self->state->map, block->type);
    for (int i = 0; block && !block->type && i < SLOTS; i++)
        for (Entry *entry = block->map.slots[i]; entry; entry = entry->next) {
            Entry *now = *place_of(&self->state->map, entry->function, entry->first, entry->second);
            if (now) {
                hold(now->record);
                let_go(entry->record);
                entry->record = now->record;
                entry->object = now->object;
                entry->other = now->other;
            }
        }
    if (block)
        block->serial = ++next_serial;
    LeaveCriticalSection(&lock);
}

void after_IDirect3DDevice8_DeleteStateBlock(Object *self, DWORD token, HRESULT result, const Call *call)
{
    (void)call;
    EnterCriticalSection(&lock);
    Block **place = self->state && SUCCEEDED(result) ? block_of(self->state, token) : NULL;
    if (place && *place) {
        Block *block = *place;
        *place = block->next;
        free_block(block);
    }
    LeaveCriticalSection(&lock);
}

/* What the block set back to what it was before anybody set it: the device says what that is. */
static void ask_again(Object *self, const Entry *entry)
{
    IDirect3DDevice8 *device = (IDirect3DDevice8 *)self, *real = self->real;
    DWORD value;
    if (entry->function == F_IDirect3DDevice8_SetRenderState && SUCCEEDED(IDirect3DDevice8_GetRenderState(real, entry->first, &value)))
        IDirect3DDevice8_SetRenderState(device, entry->first, value);
    if (entry->function == F_IDirect3DDevice8_SetTextureStageState &&
        SUCCEEDED(IDirect3DDevice8_GetTextureStageState(real, entry->first, entry->second, &value)))
        IDirect3DDevice8_SetTextureStageState(device, entry->first, entry->second, value);
    if (entry->function == F_IDirect3DDevice8_SetTexture) {
        IDirect3DBaseTexture8 *texture = NULL;
        if (SUCCEEDED(IDirect3DDevice8_GetTexture(real, entry->first, &texture)) && !texture)
            IDirect3DDevice8_SetTexture(device, entry->first, NULL);
        if (texture)
            IDirect3DBaseTexture8_Release(texture);
    }
}

void after_IDirect3DDevice8_ApplyStateBlock(Object *self, DWORD token, HRESULT result, const Call *call)
{
    (void)call;
    EnterCriticalSection(&lock);
    Block *block = self->state && SUCCEEDED(result) ? *block_of(self->state, token) : NULL;
    Map absent = {0};
    for (int i = 0; block && i < SLOTS; i++) {
        for (Entry *entry = block->map.slots[i]; entry; entry = entry->next)
            put_copy(&self->state->map, entry, ++next_serial);
        for (Entry *entry = self->state->map.slots[i]; entry && block->type; entry = entry->next)
            if (in_block(entry, block->type) && !*place_of(&block->map, entry->function, entry->first, entry->second))
                put_copy(&absent, entry, entry->serial);
    }
    for (int i = 0; i < SLOTS; i++)
        for (Entry *entry = absent.slots[i]; entry; entry = entry->next)
            ask_again(self, entry);
    clear(&absent);
    LeaveCriticalSection(&lock);
}

/* ---- what is written when recording begins ---- */

static void write_blocks(struct State *state)
{
    for (DWORD written = 0;;) { /* by serial: what was in force grows from one to the next */
        Block *next = NULL;
        for (Block *block = state->blocks; block; block = block->next)
            if (block->serial > written && (!next || block->serial < next->serial))
                next = block;
        if (!next)
            break;
        write_record(next->begin);
        write_map(&next->map, 0);
        write_record(next->made);
        written = next->serial;
    }
}

static Object **live;
static int live_count;

static void count_live(Object *object) { live_count += object->made != NULL; }

static void collect_live(Object *object)
{
    if (object->made)
        live[live_count++] = object;
}

static int older(const void *a, const void *b)
{
    DWORD x = (*(Object *const *)a)->serial, y = (*(Object *const *)b)->serial;
    return x < y ? -1 : x > y;
}

/* Under the lock. */
void write_kept(void)
{
    live_count = 0;
    each_object(count_live);
    live = malloc((live_count + 1) * sizeof *live);
    live_count = 0;
    if (!live)
        return;
    each_object(collect_live);
    qsort(live, live_count, sizeof *live, older);
    for (int i = 0; i < live_count; i++) {
        write_record(live[i]->made);
        write_record(live[i]->detail);
        if (live[i]->kind == K_Device8 && live[i]->state)
            write_map(&live[i]->state->map, 1);
    }
    for (int i = 0; i < live_count; i++)
        write_contents(live[i]);
    for (int i = 0; i < live_count; i++)
        if (live[i]->state) {
            write_blocks(live[i]->state);
            write_map(&live[i]->state->map, 0);
        }
    free(live);
    live = NULL;
}
