/* ddi_play.h - feed a recording of a driver's calls (.ddirec) back into a driver, for regression runs.  MIT licence, at the end.
 *
 * One header, C89, the standard library only.  It belongs into a test program, not into a driver.  In ONE source file:
 *
 *     #define DDI_PLAY_IMPLEMENTATION
 *     #include "ddi_play.h"
 *
 *     static ddip_u32 carry_out(void *driver, const ddip_call *call)      the entry points, by name
 *     {
 *         if (!strcmp(call->entry, "DrawPrimitives2")) {
 *             ddip_u32 size;
 *             const unsigned char *commands = ddip_data(call, "commands", &size);
 *             return my_draw_primitives2(driver, ddip_u32_of(call, "context", 0), commands, size);
 *         }
 *         return ddip_nothing;                                           nothing to be done: the result is not compared
 *     }
 *     static const unsigned char *show(void *driver, ddip_u32 handle, ddip_u32 *pitch, ddip_u32 *width, ddip_u32 *height,
 *                                      ddip_u32 *bytes);                  what a surface holds now
 *     ...
 *     ddip_player player;
 *     ddip_start(&player, carry_out, show, driver);
 *     ddip_file(&player, "game.ddirec");                                  0: the file could not be read
 *     printf("%lu calls, %lu results and %lu pictures differ\n", player.calls, player.wrong_results, player.wrong_pictures);
 *
 * Calls come in the order in which they were recorded, with the names of docs/formats/calls.md; so do "Contents" and
 * "BufferContents" (memory that the program wrote), without a result.  A call's result is compared with the recorded one, unless
 * that was DDERR_WASSTILLDRAWING.  A record "Picture" is not passed on: the surface is compared with it, bit by bit as far as
 * `player.mask` has bits, and differences are counted.  `player.report`, if set, is told of each.
 */
#ifndef DDI_PLAY_H
#define DDI_PLAY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int ddip_u32; /* 32 bits */
typedef char ddip_check_u32[sizeof(ddip_u32) == 4 ? 1 : -1];

enum { DDIP_FIELDS = 40, DDIP_NAME = 40 };
enum { DDIP_ARGUMENT, DDIP_RESULT, DDIP_DATA };
enum { DDIP_U32 = 1, DDIP_I32, DDIP_F32, DDIP_U32S, DDIP_I32S, DDIP_F32S, DDIP_TEXT, DDIP_BYTES, DDIP_BLOB, DDIP_SAME };
#define ddip_nothing 0xFFFFFFFEu /* of an entry point: nothing was done */

typedef struct ddip_field {
    int role, type;
    char name[DDIP_NAME];
    const unsigned char *value;
    ddip_u32 bytes;
} ddip_field;

typedef struct ddip_call {
    char entry[DDIP_NAME];
    ddip_u32 number, result, thread; /* of the record; `result`: what the recorded driver returned */
    ddip_u32 fields;
    ddip_field field[DDIP_FIELDS];
} ddip_call;

typedef struct ddip_difference { /* pixel < 0: the result, recorded and now; else a picture: the first pixel, its bytes */
    const ddip_call *call;
    long x, y;
    unsigned long pixels;
    ddip_u32 recorded, now;
} ddip_difference;

typedef ddip_u32 (*ddip_entry)(void *driver, const ddip_call *call);
typedef const unsigned char *(*ddip_show)(void *driver, ddip_u32 handle, ddip_u32 *pitch, ddip_u32 *width, ddip_u32 *height,
                                          ddip_u32 *bytes);
typedef void (*ddip_report)(void *driver, const ddip_difference *difference);

typedef struct ddip_player {
    ddip_entry entry;
    ddip_show show;
    ddip_report report; /* 0: none */
    void *driver;
    ddip_u32 mask;      /* bits of a pixel's first four bytes that count; all */
    unsigned long calls, pictures, wrong_results, wrong_pictures;
    const char *problem; /* why the recording ended before its end, or 0 */
} ddip_player;

void ddip_start(ddip_player *p, ddip_entry entry, ddip_show show, void *driver);
/* Plays a file, or one in memory; 0 if it is no recording. What is damaged is played up to its last whole record. */
int ddip_file(ddip_player *p, const char *path);
int ddip_memory(ddip_player *p, const unsigned char *bytes, size_t size);

/* ---- of a call ---- */
const ddip_field *ddip_find(const ddip_call *call, const char *name);
ddip_u32 ddip_u32_of(const ddip_call *call, const char *name, ddip_u32 otherwise);
/* Number n of a list; `otherwise` beyond its end. */
ddip_u32 ddip_item_of(const ddip_call *call, const char *name, ddip_u32 n, ddip_u32 otherwise);
/* Bytes of a field, 0 if there is none. */
const unsigned char *ddip_data(const ddip_call *call, const char *name, ddip_u32 *size);

#ifdef __cplusplus
}
#endif
#endif

#ifdef DDI_PLAY_IMPLEMENTATION

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ddip_blobs { /* where those with a number are */
    const unsigned char **place;
    ddip_u32 *bytes, count, room;
} ddip_blobs;

static ddip_u32 ddip_word(const unsigned char *p)
{
    return (ddip_u32)p[0] | (ddip_u32)p[1] << 8 | (ddip_u32)p[2] << 16 | (ddip_u32)p[3] << 24;
}

static ddip_u32 ddip_crc(const unsigned char *p, size_t size)
{
    static ddip_u32 table[256];
    ddip_u32 crc = 0xFFFFFFFFu, n, k;
    if (!table[1])
        for (n = 0; n < 256; n++) {
            ddip_u32 c = n;
            for (k = 0; k < 8; k++)
                c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
            table[n] = c;
        }
    while (size--)
        crc = table[(crc ^ *p++) & 255] ^ crc >> 8;
    return ~crc;
}

void ddip_start(ddip_player *p, ddip_entry entry, ddip_show show, void *driver)
{
    memset(p, 0, sizeof *p);
    p->entry = entry;
    p->show = show;
    p->driver = driver;
    p->mask = 0xFFFFFFFFu;
}

const ddip_field *ddip_find(const ddip_call *call, const char *name)
{
    ddip_u32 n;
    for (n = 0; n < call->fields; n++)
        if (!strcmp(call->field[n].name, name))
            return &call->field[n];
    return 0;
}

ddip_u32 ddip_item_of(const ddip_call *call, const char *name, ddip_u32 n, ddip_u32 otherwise)
{
    const ddip_field *f = ddip_find(call, name);
    return f && f->type <= DDIP_F32S && n < f->bytes / 4 ? ddip_word(f->value + 4 * (size_t)n) : otherwise;
}

ddip_u32 ddip_u32_of(const ddip_call *call, const char *name, ddip_u32 otherwise)
{
    return ddip_item_of(call, name, 0, otherwise);
}

const unsigned char *ddip_data(const ddip_call *call, const char *name, ddip_u32 *size)
{
    const ddip_field *f = ddip_find(call, name);
    *size = f ? f->bytes : 0;
    return f ? f->value : 0;
}

/* ---- pictures and results ---- */

static void ddip_tell(const ddip_player *p, const ddip_call *call, long x, long y, unsigned long pixels, ddip_u32 recorded,
                      ddip_u32 now)
{
    ddip_difference d;
    d.call = call;
    d.x = x;
    d.y = y;
    d.pixels = pixels;
    d.recorded = recorded;
    d.now = now;
    if (p->report)
        p->report(p->driver, &d);
}

static ddip_u32 ddip_pixel(const unsigned char *at, ddip_u32 bytes)
{
    ddip_u32 n, word = 0;
    for (n = 0; n < bytes && n < 4; n++)
        word |= (ddip_u32)at[n] << 8 * n;
    return word;
}

static void ddip_picture(ddip_player *p, const ddip_call *call)
{
    ddip_u32 pitch = 0, width = 0, height = 0, bytes = 4, size, x, y, left, top, right, bottom, rows, first[2] = {0, 0};
    ddip_u32 was = 0, is = 0;
    unsigned long wrong = 0;
    const unsigned char *then = ddip_data(call, "contents", &size);
    const unsigned char *now = p->show ? p->show(p->driver, ddip_u32_of(call, "handle", 0), &pitch, &width, &height, &bytes) : 0;
    p->pictures++;
    left = ddip_item_of(call, "box", 0, 0);
    top = ddip_item_of(call, "box", 1, 0);
    right = ddip_item_of(call, "box", 2, width);
    bottom = ddip_item_of(call, "box", 3, height);
    rows = ddip_u32_of(call, "pitch", (right - left) * bytes);
    if (!then || !now || !bytes || left >= right || top >= bottom || right > width || bottom > height || rows < (right - left) * bytes
        || size < (right - left) * bytes || (size - (right - left) * bytes) / rows < bottom - top - 1) {
        p->wrong_pictures++;
        ddip_tell(p, call, 0, 0, 0, 0, 0);
        return;
    }
    for (y = top; y < bottom; y++)
        for (x = left; x < right; x++) {
            const unsigned char *a = then + (size_t)(y - top) * rows + (size_t)(x - left) * bytes;
            const unsigned char *b = now + (size_t)y * pitch + (size_t)x * bytes;
            ddip_u32 old = ddip_pixel(a, bytes), new_one = ddip_pixel(b, bytes);
            if (!((old ^ new_one) & p->mask) && (bytes <= 4 || !memcmp(a + 4, b + 4, bytes - 4)))
                continue;
            if (!wrong++) {
                first[0] = x;
                first[1] = y;
                was = old;
                is = new_one;
            }
        }
    if (wrong) {
        p->wrong_pictures++;
        ddip_tell(p, call, (long)first[0], (long)first[1], wrong, was, is);
    }
}

static void ddip_carry_out(ddip_player *p, const ddip_call *call, ddip_u32 recorded)
{
    ddip_u32 result;
    if (!strcmp(call->entry, "Picture")) {
        ddip_picture(p, call);
        return;
    }
    if (!strcmp(call->entry, "Note") || !strcmp(call->entry, "Result") || !strcmp(call->entry, "ParseUnknownCommand"))
        return;
    p->calls++;
    result = p->entry(p->driver, call);
    if (result != ddip_nothing && result != recorded && recorded != 0x8876021Cu) {
        p->wrong_results++;
        ddip_tell(p, call, -1, -1, 0, recorded, result);
    }
}

/* ---- the file: core/spec/calls.py has the names, ddi_record.h the form ---- */

static int ddip_remember(ddip_blobs *b, const unsigned char *value, ddip_u32 bytes)
{
    if (b->count == b->room) {
        ddip_u32 room = b->room ? 2 * b->room : 64;
        const unsigned char **place = (const unsigned char **)realloc((void *)b->place, room * sizeof *place);
        ddip_u32 *sizes;
        if (!place)
            return 0;
        b->place = place;
        sizes = (ddip_u32 *)realloc(b->bytes, room * sizeof *sizes);
        if (!sizes)
            return 0;
        b->bytes = sizes;
        b->room = room;
    }
    b->place[b->count] = value;
    b->bytes[b->count++] = bytes;
    return 1;
}

/* Text of `bytes` at `at`, within `size`, to a buffer; how far it reaches, 0: too far. */
static size_t ddip_text(char *to, const unsigned char *at, size_t bytes, size_t size)
{
    size_t padded = (bytes + 3) & ~(size_t)3;
    if (bytes > size || padded > size)
        return 0;
    memset(to, 0, DDIP_NAME);
    memcpy(to, at, bytes < DDIP_NAME - 1 ? bytes : DDIP_NAME - 1);
    return padded ? padded : 0;
}

static int ddip_field_of(ddip_blobs *blobs, ddip_call *call, const unsigned char *at, size_t size, size_t *used)
{
    ddip_field f;
    size_t name, padded;
    if (size < 8)
        return 0;
    f.role = at[0];
    f.type = at[1];
    name = ddip_text(f.name, at + 8, (size_t)at[2] | (size_t)at[3] << 8, size - 8);
    f.bytes = ddip_word(at + 4);
    padded = ((size_t)f.bytes + 3) & ~(size_t)3;
    if (!name || padded < f.bytes || padded > size - 8 - name)
        return 0;
    f.value = at + 8 + name;
    *used = 8 + name + padded;
    if (f.type == DDIP_BLOB && !ddip_remember(blobs, f.value, f.bytes))
        return 0;
    if (f.type == DDIP_SAME) {
        ddip_u32 number = f.bytes == 4 ? ddip_word(f.value) : 0xFFFFFFFFu;
        if (number >= blobs->count)
            return 0;
        f.value = blobs->place[number];
        f.bytes = blobs->bytes[number];
    }
    if (call->fields < DDIP_FIELDS)
        call->field[call->fields++] = f;
    return 1;
}

static int ddip_parse(ddip_blobs *blobs, ddip_call *call, const unsigned char *at, size_t size)
{
    size_t used;
    call->fields = 0;
    if (size < 4)
        return 0;
    used = ddip_text(call->entry, at + 4, ddip_word(at), size - 4);
    if (!used)
        return 0;
    for (used += 4; used < size;) {
        size_t more;
        if (!ddip_field_of(blobs, call, at + used, size - used, &more))
            return 0;
        used += more;
    }
    return 1;
}

/* The result of a pending call is in the next record "Result" of its thread. */
static ddip_u32 ddip_later(const unsigned char *bytes, size_t size, size_t at, const ddip_call *call)
{
    while (size - at >= 40 && ddip_word(bytes + at) == 0x44445231u && ddip_word(bytes + at + 4) <= size - at - 40) {
        const unsigned char *record = bytes + at;
        if (ddip_word(record + 20) == call->thread && ddip_word(record + 4) >= 12 && ddip_word(record + 40) == 6
            && !memcmp(record + 44, "Result", 6))
            return ddip_word(record + 12);
        at += 40 + (size_t)ddip_word(record + 4);
    }
    return 0x8876021Cu;
}

int ddip_memory(ddip_player *p, const unsigned char *bytes, size_t size)
{
    static const unsigned char magic[8] = {0x44, 0x44, 0x49, 0x52, 0x45, 0x43, 0x1A, 0x0A};
    ddip_blobs blobs;
    ddip_call call;
    size_t at;
    if (size < 32 || memcmp(bytes, magic, 8) || bytes[8] != 1 || bytes[9] || ddip_word(bytes + 28) != ddip_crc(bytes, 28)) {
        p->problem = "this is no recording of version 1";
        return 0;
    }
    memset(&blobs, 0, sizeof blobs);
    for (at = ddip_word(bytes + 12); at < size;) {
        const unsigned char *record = bytes + at;
        size_t payload;
        if (size - at < 40 || ddip_word(record) != 0x44445231u || ddip_word(record + 36) != ddip_crc(record, 36)) {
            p->problem = "a record is damaged, or the file breaks off";
            break;
        }
        payload = ddip_word(record + 4);
        if (payload > size - at - 40 || ddip_word(record + 32) != ddip_crc(record + 40, payload)) {
            p->problem = "a record is damaged, or the file breaks off";
            break;
        }
        at += 40 + payload;
        call.number = ddip_word(record + 8);
        call.result = ddip_word(record + 12);
        call.thread = ddip_word(record + 20);
        if (!ddip_parse(&blobs, &call, record + 40, payload)) {
            p->problem = "a record cannot be read";
            break;
        }
        if (ddip_word(record + 16) & 1)
            call.result = ddip_later(bytes, size, at, &call);
        ddip_carry_out(p, &call, call.result);
    }
    free((void *)blobs.place);
    free(blobs.bytes);
    return 1;
}

int ddip_file(ddip_player *p, const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = 0;
    long size = -1;
    int done = 0;
    if (file && !fseek(file, 0, SEEK_END))
        size = ftell(file);
    if (size > 0 && !fseek(file, 0, SEEK_SET))
        bytes = (unsigned char *)malloc((size_t)size);
    if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size)
        done = ddip_memory(p, bytes, (size_t)size);
    else
        p->problem = "the file cannot be read";
    free(bytes);
    if (file)
        fclose(file);
    return done;
}

#endif /* DDI_PLAY_IMPLEMENTATION */

/* MIT License
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
 * files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
 * modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
