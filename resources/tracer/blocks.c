/* State blocks: they keep the calls in force when they were made. */
#include <stdlib.h>
#include "trace.h"
#include "keep.h"

static void free_block(Block *block)
{
    clear_map(&block->map);
    let_go(block->begin);
    let_go(block->made);
    free(block);
}

void free_blocks(struct State *state)
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
    clear_map(to);
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
    block->serial = ++next_state;
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
        block->serial = ++next_state;
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

/* ---- what a block sets back ----

   A block of a whole class also sets what nobody had set when it was made: the device says what that is now.  Where it does not, as
   pure devices, it is what a new device has, and no call is needed; so it is with what the device is not asked for. */

static int ask_value(Object *self, IDirect3DDevice8 *real, const Entry *entry)
{
    DWORD value;
    BOOL is_on;
    IDirect3DBaseTexture8 *texture = NULL;
    HRESULT result = E_FAIL;
    switch (entry->function) {
    case F_IDirect3DDevice8_SetRenderState:
        if (SUCCEEDED(result = IDirect3DDevice8_GetRenderState(real, entry->first, &value)))
            note_IDirect3DDevice8_SetRenderState(self, entry->first, value);
        break;
    case F_IDirect3DDevice8_SetTextureStageState:
        if (SUCCEEDED(result = IDirect3DDevice8_GetTextureStageState(real, entry->first, entry->second, &value)))
            note_IDirect3DDevice8_SetTextureStageState(self, entry->first, entry->second, value);
        break;
    case F_IDirect3DDevice8_LightEnable:
        if (SUCCEEDED(result = IDirect3DDevice8_GetLightEnable(real, entry->first, &is_on)))
            note_IDirect3DDevice8_LightEnable(self, entry->first, is_on);
        break;
    case F_IDirect3DDevice8_SetTexture:
        if (SUCCEEDED(result = IDirect3DDevice8_GetTexture(real, entry->first, &texture)) && texture)
            IDirect3DBaseTexture8_Release(texture); /* what was kept holds */
        else if (SUCCEEDED(result))
            note_IDirect3DDevice8_SetTexture(self, entry->first, NULL);
        break;
    }
    return SUCCEEDED(result);
}

static int ask_geometry(Object *self, IDirect3DDevice8 *real, const Entry *entry)
{
    D3DMATRIX matrix;
    D3DMATERIAL8 material;
    D3DVIEWPORT8 viewport;
    D3DLIGHT8 light;
    float plane[4];
    HRESULT result = E_FAIL;
    switch (entry->function) {
    case F_IDirect3DDevice8_SetTransform:
        if (SUCCEEDED(result = IDirect3DDevice8_GetTransform(real, entry->first, &matrix)))
            note_IDirect3DDevice8_SetTransform(self, entry->first, &matrix);
        break;
    case F_IDirect3DDevice8_SetMaterial:
        if (SUCCEEDED(result = IDirect3DDevice8_GetMaterial(real, &material)))
            note_IDirect3DDevice8_SetMaterial(self, &material);
        break;
    case F_IDirect3DDevice8_SetViewport:
        if (SUCCEEDED(result = IDirect3DDevice8_GetViewport(real, &viewport)))
            note_IDirect3DDevice8_SetViewport(self, &viewport);
        break;
    case F_IDirect3DDevice8_SetLight:
        if (SUCCEEDED(result = IDirect3DDevice8_GetLight(real, entry->first, &light)))
            note_IDirect3DDevice8_SetLight(self, entry->first, &light);
        break;
    case F_IDirect3DDevice8_SetClipPlane:
        if (SUCCEEDED(result = IDirect3DDevice8_GetClipPlane(real, entry->first, plane)))
            note_IDirect3DDevice8_SetClipPlane(self, entry->first, plane);
        break;
    }
    return SUCCEEDED(result);
}

static void ask_again(Object *self, const Entry *entry)
{
    if (!ask_value(self, self->real, entry) && !ask_geometry(self, self->real, entry))
        forget(&self->state->map, place_of(&self->state->map, entry->function, entry->first, entry->second));
}

static void apply_entries(struct State *state, const Block *block)
{
    int count;
    Entry **all = in_order(&block->map, &count);
    for (int i = 0; i < count; i++)
        put_copy(&state->map, all[i], ++next_state);
    free(all);
}

void after_IDirect3DDevice8_ApplyStateBlock(Object *self, DWORD token, HRESULT result, const Call *call)
{
    (void)call;
    EnterCriticalSection(&lock);
    Block *block = self->state && SUCCEEDED(result) ? *block_of(self->state, token) : NULL;
    Map absent = {0};
    if (block)
        apply_entries(self->state, block);
    for (int i = 0; block && block->type && i < SLOTS; i++)
        for (Entry *entry = self->state->map.slots[i]; entry; entry = entry->next)
            if (in_block(entry, block->type) && !*place_of(&block->map, entry->function, entry->first, entry->second))
                put_copy(&absent, entry, entry->serial);
    for (int i = 0; i < SLOTS; i++)
        for (Entry *entry = absent.slots[i]; entry; entry = entry->next)
            ask_again(self, entry);
    clear_map(&absent);
    LeaveCriticalSection(&lock);
}

void write_blocks(struct State *state)
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
