/* A driver of four surfaces of 32 bits a pixel: it clears, fills and takes what programs write.  Plays a recording and says what differs.
   -DWRONG_EDGE: clears miss the last column.  -DREFUSES: Blt fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DDI_PLAY_IMPLEMENTATION
#include "ddi_play.h"

enum { SURFACES = 4 };

typedef struct surface {
    ddip_u32 handle, width, height, *pixels;
} surface;

typedef struct driver {
    surface surfaces[SURFACES];
    int count;
    ddip_u32 target;
} driver;

static surface *find(driver *d, ddip_u32 handle)
{
    int n;
    for (n = 0; n < d->count; n++)
        if (d->surfaces[n].handle == handle)
            return &d->surfaces[n];
    return 0;
}

static void fill(surface *s, const ddip_u32 *box, ddip_u32 color)
{
    ddip_u32 x, y;
    for (y = box[1]; y < box[3] && y < s->height; y++)
        for (x = box[0]; x < box[2] && x < s->width; x++)
            s->pixels[y * s->width + x] = color;
}

static ddip_u32 create(driver *d, const ddip_call *call)
{
    surface *s = &d->surfaces[d->count];
    if (d->count == SURFACES)
        return 0x8007000Eu;
    s->handle = ddip_u32_of(call, "handle", 0);
    s->width = ddip_u32_of(call, "width", 0);
    s->height = ddip_u32_of(call, "height", 0);
    s->pixels = (ddip_u32 *)calloc(s->width * s->height, 4);
    d->count++;
    return 0;
}

static ddip_u32 take(driver *d, const ddip_call *call)
{
    ddip_u32 size, y, pitch;
    surface *s = find(d, ddip_u32_of(call, "handle", 0));
    const unsigned char *bytes = ddip_data(call, "contents", &size);
    if (!s)
        return 0x88760082u;
    pitch = ddip_u32_of(call, "pitch", 4 * s->width);
    for (y = 0; bytes && y < s->height && (y + 1) * pitch <= size; y++)
        memcpy(s->pixels + y * s->width, bytes + y * pitch, 4 * s->width);
    return 0;
}

static ddip_u32 word(const unsigned char *p)
{
    return (ddip_u32)p[0] | (ddip_u32)p[1] << 8 | (ddip_u32)p[2] << 16 | (ddip_u32)p[3] << 24;
}

/* D3DDP2OP_CLEAR: flags, colour, depth, stencil, rectangles. */
static ddip_u32 draw(driver *d, const ddip_call *call)
{
    ddip_u32 size, at = 0, n, k, count, box[4];
    const unsigned char *bytes = ddip_data(call, "commands", &size);
    surface *s = find(d, d->target);
    while (s && at + 20 <= size && bytes[at] == 42) {
        count = word(bytes + at) >> 16;
        for (n = 0; n < count; n++) {
            for (k = 0; k < 4; k++)
                box[k] = word(bytes + at + 20 + 16 * n + 4 * k);
#ifdef WRONG_EDGE
            box[2]--;
#endif
            fill(s, box, word(bytes + at + 8));
        }
        at += 20 + 16 * count;
    }
    return 0;
}

static ddip_u32 carry_out(void *user, const ddip_call *call)
{
    driver *d = (driver *)user;
    if (!strcmp(call->entry, "CreateSurface"))
        return create(d, call);
    if (!strcmp(call->entry, "ContextCreate")) {
        d->target = ddip_u32_of(call, "render_target", 0);
        return 0;
    }
    if (!strcmp(call->entry, "Unlock") || !strcmp(call->entry, "Contents"))
        return take(d, call);
    if (!strcmp(call->entry, "DrawPrimitives2"))
        return draw(d, call);
    if (!strcmp(call->entry, "Blt")) {
        ddip_u32 box[4], n;
        surface *s = find(d, ddip_u32_of(call, "destination", 0));
        for (n = 0; n < 4; n++)
            box[n] = ddip_item_of(call, "destination_box", n, 0);
#ifdef REFUSES
        s = 0;
#endif
        if (!s)
            return 0x88760082u;
        fill(s, box, ddip_u32_of(call, "color", 0));
        return 0;
    }
    return ddip_nothing;
}

static const unsigned char *show(void *user, ddip_u32 handle, ddip_u32 *pitch, ddip_u32 *width, ddip_u32 *height, ddip_u32 *bytes)
{
    surface *s = find((driver *)user, handle);
    if (!s)
        return 0;
    *pitch = 4 * s->width;
    *width = s->width;
    *height = s->height;
    *bytes = 4;
    return (const unsigned char *)s->pixels;
}

static void tell(void *user, const ddip_difference *d)
{
    (void)user;
    if (d->x < 0)
        printf("record %u: %s returned %08x, recorded %08x\n", d->call->number, d->call->entry, d->now, d->recorded);
    else
        printf("record %u: %lu pixels, first (%ld, %ld): %06x, recorded %06x\n", d->call->number, d->pixels, d->x, d->y, d->now,
               d->recorded);
}

int main(int count, char **words)
{
    static driver d;
    ddip_player p;
    ddip_start(&p, carry_out, show, &d);
    p.mask = 0x00FFFFFFu; /* X8R8G8B8 */
    p.report = tell;
    if (count < 2 || !ddip_file(&p, words[1])) {
        printf("%s\n", p.problem ? p.problem : "no file");
        return 0;
    }
    printf("%lu calls, %lu pictures; %lu results and %lu pictures differ\n", p.calls, p.pictures, p.wrong_results, p.wrong_pictures);
    if (p.problem)
        printf("%s\n", p.problem);
    return 0;
}
