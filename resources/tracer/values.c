/* Values, into the record of a call. */
#include <stdlib.h>
#include <string.h>
#include "trace.h"

static int room(Call *call, size_t more)
{
    if (call->used + more <= call->size)
        return 1;
    size_t size = 2 * call->size + more;
    unsigned char *data = call->data == call->first ? malloc(size) : realloc(call->data, size);
    if (!data) {
        call->on = 0;
        return 0;
    }
    if (call->data == call->first)
        memcpy(data, call->first, call->used);
    call->data = data;
    call->size = size;
    return 1;
}

void put_byte(Call *call, int byte)
{
    if (call->on && room(call, 1))
        call->data[call->used++] = (unsigned char)byte;
}

void put_number(Call *call, unsigned long long value)
{
    for (; value > 127; value >>= 7)
        put_byte(call, (int)(value & 127) | 128);
    put_byte(call, (int)value);
}

static void put_bytes(Call *call, const void *data, size_t size)
{
    if (call->on && room(call, size)) {
        memcpy(call->data + call->used, data, size);
        call->used += size;
    }
}

void put_argument(Call *call, int index) { put_byte(call, ARGUMENT); put_number(call, index); }
void put_result(Call *call) { put_byte(call, RESULT); }
void put_null(Call *call) { put_byte(call, T_NULL); }
void put_u(Call *call, unsigned long long value) { put_byte(call, T_UINT); put_number(call, value); }

void put_i(Call *call, long long value)
{
    put_byte(call, value < 0 ? T_SINT : T_UINT);
    put_number(call, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
}

void put_f(Call *call, float value) { put_byte(call, T_FLOAT); put_bytes(call, &value, 4); }
void put_enum(Call *call, int words, long long value) { put_byte(call, T_ENUM); put_number(call, words); put_i(call, value); }
void put_mask(Call *call, int words, DWORD value) { put_byte(call, T_MASK); put_number(call, words); put_number(call, value); }

void put_pointer(Call *call, const void *pointer)
{
    if (!pointer) {
        put_null(call);
        return;
    }
    put_byte(call, T_OPAQUE);
    put_number(call, (ULONG_PTR)pointer);
}

void put_text(Call *call, const char *text)
{
    size_t size = strlen(text);
    put_byte(call, T_STRING);
    put_number(call, size);
    put_bytes(call, text, size);
}

void put_blob(Call *call, const void *data, size_t size)
{
    if (!data) {
        put_null(call);
        return;
    }
    put_byte(call, T_BLOB);
    put_number(call, size);
    put_bytes(call, data, size);
}

void put_array(Call *call, size_t count) { put_byte(call, T_ARRAY); put_number(call, count); }
void put_struct(Call *call, int structure) { put_byte(call, T_STRUCT); put_number(call, structure); }
