/* What has to be known to begin in the middle: how live objects were made, the state, what resources hold.

   The last call counts, for each state that a call sets, and those calls are written in the order in which they were made; so what
   one of them does to another's state is done again.  State blocks keep the calls in force when they were made.  What textures and
   surfaces hold is asked of Direct3D when recording begins, by calls that are recorded like the program's; what buffers hold is
   copied when they are unlocked: they may be write-only. */
#include <stdlib.h>
#include <string.h>
#include "trace.h"
#include "keep.h"

DWORD next_state;

/* ---- maps of calls ---- */

Entry **place_of(Map *map, int function, DWORD first, DWORD second)
{
    Entry **place = &map->slots[((unsigned)function * 31 + first * 7 + second) % SLOTS];
    while (*place && ((*place)->function != function || (*place)->first != first || (*place)->second != second))
        place = &(*place)->next;
    return place;
}

void forget(Map *map, Entry **place)
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

void put_copy(Map *map, const Entry *entry, DWORD serial)
{
    Entry copy = *entry;
    copy.next = NULL;
    copy.serial = serial;
    hold(copy.record);
    put(map, copy);
}

void clear_map(Map *map)
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

/* The entries of a map in the order in which they were called; NULL without memory.  Whoever asks frees it. */
Entry **in_order(const Map *map, int *count)
{
    Entry **all = malloc((map->count + 1) * sizeof *all);
    *count = 0;
    for (int i = 0; all && i < SLOTS; i++)
        for (Entry *entry = map->slots[i]; entry; entry = entry->next)
            all[(*count)++] = entry;
    if (all)
        qsort(all, *count, sizeof *all, by_serial);
    return all;
}

static int is_true(const Entry *entry) { return (!entry->object || entry->object->alive) && (!entry->other || entry->other->alive); }

/* What of a map is true now: shaders, or all else. */
void write_map(Map *map, int shaders)
{
    int count;
    Entry **all = in_order(map, &count);
    for (int i = 0; i < count; i++)
        if (is_shader(all[i]->function) == shaders && is_true(all[i]))
            write_record(all[i]->record);
    free(all);
}

/* ---- state ---- */

struct State *state_of(Object *device)
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
        put(map, (Entry){NULL, call->function, first, second, ++next_state, record, known(object), known(other)});
    }
    LeaveCriticalSection(&lock);
}

/* A call that would set what the state is now; nobody made it. */
void note(const Call *call, Object *device, DWORD first, DWORD second)
{
    struct State *state = state_of(device);
    Record *record = state ? record_of(call) : NULL;
    if (record)
        put(&state->map, (Entry){NULL, call->function, first, second, ++next_state, record, NULL, NULL});
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
    if (object->kind != K_8) { /* devices outlive it, and were made by it */
        let_go(object->made);
        object->made = NULL;
    }
    let_go(object->detail);
    free(object->contents);
    while (object->locked) {
        Locked *locked = object->locked;
        object->locked = locked->next;
        free(locked);
    }
    if (object->state) {
        free_blocks(object->state);
        clear_map(&object->state->map);
        free(object->state);
    }
    object->detail = NULL;
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

/* ---- products of matrices ---- */

IN_SSE static void multiply(D3DMATRIX *product, const D3DMATRIX *left, const D3DMATRIX *right)
{
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            product->m[row][column] = 0;
            for (int i = 0; i < 4; i++)
                product->m[row][column] += left->m[row][i] * right->m[i][column];
        }
}

/* What was kept of a transformation; else as devices begin with it. */
static void kept_matrix(struct State *state, DWORD which, D3DMATRIX *matrix)
{
    Entry *entry = *place_of(&state->map, F_IDirect3DDevice8_SetTransform, which, 0);
    memset(matrix, 0, sizeof *matrix);
    for (int i = 0; i < 4; i++)
        matrix->m[i][i] = 1;
    if (entry)
        matrix_of(entry->record, matrix);
}

/* The product as if it had been set: to whatever follows it is one matrix.  It is the device's even while a block is recorded.  Pure
   devices do not tell it: it is worked out. */
void after_IDirect3DDevice8_MultiplyTransform(Object *self, D3DTRANSFORMSTATETYPE which, const D3DMATRIX *matrix, HRESULT result,
                                              const Call *call)
{
    struct State *state = keeping && SUCCEEDED(result) ? state_of(self) : NULL;
    D3DMATRIX product, before;
    (void)call;
    if (!state)
        return;
    EnterCriticalSection(&lock);
    if (FAILED(IDirect3DDevice8_GetTransform((IDirect3DDevice8 *)self->real, which, &product))) {
        kept_matrix(state, which, &before);
        multiply(&product, matrix, &before);
    }
    note_IDirect3DDevice8_SetTransform(self, which, &product);
    LeaveCriticalSection(&lock);
}

/* ---- what is written when recording begins ---- */

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
