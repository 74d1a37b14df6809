/* ddi_record.h - write down the Direct3D DDI calls that a display driver receives.  MIT licence, at the end.
 *
 * One header, C89, no dependencies beyond the standard library; with DDIR_NO_STDIO not even a file system: give it a
 * function that appends bytes somewhere.  No memory is allocated, no DDK header is needed.  In ONE source file:
 *
 *     #define DDI_RECORD_IMPLEMENTATION
 *     #include "ddi_record.h"
 *
 * and in the others just the include.  Then
 *
 *     static ddir_recorder recorder;
 *     ddir_open(&recorder, "game.ddirec");                     or  ddir_begin(&recorder, my_write, my_pointer);
 *     ddir_create_surface(&recorder, &surface);                one call per driver entry, after it was carried out
 *     ddir_draw_primitives2(&recorder, &draw);
 *     ddir_close(&recorder);                                   not needed: every record is complete by itself
 *
 * Open the file with DDI Inspector.  docs/recording-a-driver.md has a complete program, the mapping from the DDK's
 * structures, and what to do about memory that a driver never sees being written.
 *
 * Structures: set them to zero (memset), fill in what there is, point to the bytes.  Nothing is kept after the call.
 * Handles are the numbers that DP2 tokens use: dwSurfaceHandle of a surface or buffer, dwhContext of a context.
 * `result` is ddRVal / ddrval.  A refused call is recorded too, with its result: it shows, and has no effect when replayed.
 *
 * Options, before the include of the implementation:
 *     DDIR_API            storage class of all functions (default: none)
 *     DDIR_NO_STDIO       no ddir_open, no stdio.h
 *     DDIR_ENTER(r), DDIR_LEAVE(r)   taking and releasing a lock around a record (default: nothing)
 *     DDIR_THREAD()       a number for the current thread (default: 0)
 *     DDIR_BLOBS          how many large blobs are remembered so that equal ones are written once (default: 512; 0: none)
 *     DDIR_DDK            also the functions ddir_ddk_*, which read the structures of the DDK (include its headers first)
 *
 * FILE FORMAT (little endian, append only): a header, then records
 *     file header, 32 bytes
 *          0  8 bytes  44 44 49 52 45 43 1A 0A  ("DDIREC", ^Z, newline)
 *          8  u16      version, 1: a reader refuses others
 *         10  u16      minor version, 0: a reader ignores it
 *         12  u32      bytes of this header (32)
 *         16  u32      ticks a second of the time stamps; 0: there are none
 *         20  8 bytes  zero
 *         28  u32      CRC-32 of the 28 bytes before
 *     record header, 40 bytes; the payload follows
 *          0  u32      mark, 31 52 44 44 ("1RDD")
 *          4  u32      bytes of the payload, a multiple of 4
 *          8  u32      number of the record: 0, 1, 2 ...
 *         12  u32      result (ddRVal)
 *         16  u32      flags: DDIR_PENDING: the result follows in a record "Result"
 *         20  u32      thread
 *         24  u32      time, low half
 *         28  u32      time, high half
 *         32  u32      CRC-32 of the payload
 *         36  u32      CRC-32 of the 36 bytes before
 *     field header, 8 bytes; name and value follow
 *          0  u8       what it is: 0 argument, 1 result, 2 data
 *          1  u8       type: DDIR_U32 ... DDIR_SAME
 *          2  u16      bytes of the name
 *          4  u32      bytes of the value
 *     A payload is the entry's name as text (u32 bytes, then the letters), then fields.  The entry's name, and name and value of a
 *     field, are each followed by zeros up to a multiple of 4.  DDIR_BLOB is bytes that get the next number (0, 1, 2 ... in the
 *     file); DDIR_SAME is one u32, the number of equal bytes.  CRC-32 is that of zlib (polynomial EDB88320).  Names of entries and
 *     fields are those of core/spec/calls.py; a reader keeps fields that it does not know.  A file that stops in the middle of a
 *     record is whole up to that record.
 */
#ifndef DDI_RECORD_H
#define DDI_RECORD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DDIR_API
#define DDIR_API
#endif
#ifndef DDIR_BLOBS
#define DDIR_BLOBS 512
#endif

typedef unsigned char ddir_u8;
typedef unsigned int ddir_u32; /* 32 bits: checked below */
typedef int ddir_i32;
typedef char ddir_check_u32[sizeof(ddir_u32) == 4 ? 1 : -1];
typedef char ddir_check_f32[sizeof(float) == 4 ? 1 : -1];

enum { DDIR_ARGUMENT, DDIR_RESULT, DDIR_DATA };
enum {
    DDIR_U32 = 1, DDIR_I32, DDIR_F32,    /* one number */
    DDIR_U32S, DDIR_I32S, DDIR_F32S,     /* a list of them */
    DDIR_TEXT, DDIR_BYTES, DDIR_BLOB, DDIR_SAME /* of data: bytes, bytes with a number, the number of such bytes */
};
enum { DDIR_PENDING = 1 }; /* flag of a record */
/* What DrawPrimitives2 did: waited for the vertex buffer or not, gave buffers other memory. */
enum { DDIR_STALLED = 1, DDIR_DID_NOT_STALL = 2, DDIR_SWAPPED_VERTEX_BUFFER = 4, DDIR_SWAPPED_COMMAND_BUFFER = 8 };
enum { DDIR_HEADER = 32, DDIR_RECORD = 40, DDIR_FIELDS = 40, DDIR_SCRATCH = 96, DDIR_STAGE = 1024, DDIR_LARGE = 1024 };

/* Appends `size` bytes; returns 0 if it could not.  `last` is not 0 with the last bytes of a record: make them safe. */
typedef int (*ddir_write)(void *user, const void *bytes, size_t size, int last);
/* The time in ticks. */
typedef void (*ddir_clock)(void *user, ddir_u32 *low, ddir_u32 *high);

typedef struct ddir_field {
    ddir_u8 role, type;
    const char *name;
    const void *value;
    ddir_u32 bytes;
} ddir_field;

typedef struct ddir_known {
    ddir_u32 crc, other, bytes, number; /* bytes 0: free */
} ddir_known;

typedef struct ddir_recorder {
    ddir_write write;
    void *user;
    ddir_clock clock;
    int failed; /* not 0: a write failed, nothing more is written */
    ddir_u32 records, blobs;
    ddir_u32 crc_table[256];
    /* the record that is being put together */
    const char *entry;
    ddir_u32 result, flags, fields, scratch_used;
    ddir_field field[DDIR_FIELDS];
    ddir_u32 scratch[DDIR_SCRATCH];
    ddir_u8 stage[DDIR_STAGE];
    size_t staged;
#if DDIR_BLOBS
    ddir_known known[DDIR_BLOBS];
#endif
} ddir_recorder;

/* ---- opening and closing; all return 0 if they failed ---- */

/* Starts a recording that goes through `write`.  `ticks` a second of `clock`; both 0 for none. */
DDIR_API int ddir_begin(ddir_recorder *r, ddir_write write, void *user);
DDIR_API int ddir_begin_timed(ddir_recorder *r, ddir_write write, void *user, ddir_clock clock, ddir_u32 ticks);
#ifndef DDIR_NO_STDIO
/* Starts a recording in a new file; flushed after every record, so a killed process loses at most the record in the making. */
DDIR_API int ddir_open(ddir_recorder *r, const char *path);
DDIR_API int ddir_close(ddir_recorder *r);
#endif

/* ---- any entry: name it, add fields, end it ---- */

DDIR_API void ddir_call(ddir_recorder *r, const char *entry, ddir_u32 result);
DDIR_API void ddir_u32_field(ddir_recorder *r, int role, const char *name, ddir_u32 value);
DDIR_API void ddir_f32_field(ddir_recorder *r, int role, const char *name, float value);
/* Lists, text and bytes: `value` must stay until ddir_end.  `count` elements of 4 bytes, or bytes. */
DDIR_API void ddir_list_field(ddir_recorder *r, int role, int type, const char *name, const void *value, ddir_u32 count);
DDIR_API void ddir_text_field(ddir_recorder *r, int role, const char *name, const char *value);
DDIR_API void ddir_data_field(ddir_recorder *r, const char *name, const void *bytes, ddir_u32 size);
DDIR_API int ddir_end(ddir_recorder *r);

/* ---- surfaces ---- */

typedef struct ddir_surface { /* of the DDRAWI_DDRAWSURFACE_LCL that CreateSurfaceEx names, see the documentation */
    ddir_u32 handle;          /* dwSurfaceHandle of the first level of the first face */
    ddir_u32 width, height;   /* lpGbl->wWidth, wHeight */
    ddir_u32 levels;          /* dwMipMapCount; 0 means 1 */
    ddir_u32 format;          /* D3DFORMAT or FOURCC: ddir_format() */
    ddir_u32 caps, caps2, caps3, caps4; /* ddsCaps.dwCaps; ddsCapsEx.dwCaps2, dwCaps3 (samples), dwCaps4 (depth) */
    const ddir_u32 *handles;  /* of all subresources, face by face, level by level, where they do not simply count on */
    ddir_u32 handle_count;
    ddir_u32 result;
} ddir_surface;
DDIR_API int ddir_create_surface(ddir_recorder *r, const ddir_surface *s);
DDIR_API int ddir_create_surface_ex(ddir_recorder *r, ddir_u32 handle, ddir_u32 context, ddir_u32 result);
DDIR_API int ddir_destroy_surface(ddir_recorder *r, ddir_u32 handle, ddir_u32 result);
DDIR_API int ddir_add_attached_surface(ddir_recorder *r, ddir_u32 handle, ddir_u32 attached, ddir_u32 result);
DDIR_API int ddir_can_create_surface(ddir_recorder *r, ddir_u32 width, ddir_u32 height, ddir_u32 format, ddir_u32 caps,
                                     ddir_u32 result);
/* DDPIXELFORMAT (dwFlags, dwFourCC, dwRGBBitCount, the four masks) as a D3DFORMAT; 0 if there is none such. */
DDIR_API ddir_u32 ddir_format(ddir_u32 flags, ddir_u32 fourcc, ddir_u32 bits, ddir_u32 mask1, ddir_u32 mask2, ddir_u32 mask3,
                              ddir_u32 mask4);

typedef struct ddir_lock {
    ddir_u32 handle;
    int has_box;      /* 0: everything */
    ddir_i32 box[6];  /* left, top, right, bottom, front, back; front = back = 0 where there are no slices */
    ddir_u32 flags;   /* DDLOCK_* */
    ddir_u32 pitch, slice_pitch;
    const void *contents; /* unlock: the bytes from the box's corner on, rows at `pitch`; 0: nothing was written */
    ddir_u32 size;
    ddir_u32 result;
} ddir_lock;
DDIR_API int ddir_lock_surface(ddir_recorder *r, const ddir_lock *l);
DDIR_API int ddir_unlock_surface(ddir_recorder *r, const ddir_lock *l);
/* What a surface or buffer holds although the driver saw nobody write it: before a token reads from system memory. */
DDIR_API int ddir_surface_contents(ddir_recorder *r, const ddir_lock *l);
DDIR_API int ddir_buffer_contents(ddir_recorder *r, ddir_u32 handle, ddir_u32 offset, const void *bytes, ddir_u32 size);
/* What the driver has drawn so far, to be compared with what DDI Inspector draws (verify --pictures): handle, box, pitch and
   contents as for an unlock, after the call that drew it.  Changes nothing. */
DDIR_API int ddir_picture(ddir_recorder *r, const ddir_lock *l);

typedef struct ddir_blt {
    ddir_u32 destination, source; /* source 0: none */
    int has_destination_box, has_source_box;
    ddir_i32 destination_box[4], source_box[4];
    ddir_u32 flags;           /* DDBLT_*, DDBLT_PRESENTATION and DDBLT_LAST_PRESENTATION included */
    ddir_u32 rop;             /* bltFX.dwROP if flags & DDBLT_ROP */
    ddir_u32 color;           /* bltFX.dwFillColor or dwFillDepth */
    int has_queued;           /* not 0: `queued` is how many presentations of the source were waiting before this one */
    ddir_u32 queued;
    ddir_u32 result;
} ddir_blt;
DDIR_API int ddir_blt_surface(ddir_recorder *r, const ddir_blt *b);
/* The chain: the visible surface first, then the one that becomes visible, then the others. */
DDIR_API int ddir_flip(ddir_recorder *r, const ddir_u32 *chain, ddir_u32 count, ddir_u32 flags, ddir_u32 result);
DDIR_API int ddir_status(ddir_recorder *r, int of_flip, ddir_u32 handle, ddir_u32 flags, ddir_u32 result);
DDIR_API int ddir_set_color_key(ddir_recorder *r, ddir_u32 handle, ddir_u32 flags, ddir_u32 low, ddir_u32 high,
                                ddir_u32 result);
DDIR_API int ddir_wait_for_vertical_blank(ddir_recorder *r, ddir_u32 flags, ddir_u32 result);

/* ---- D3D buffers (vertex, index, command: the *ExecuteBuffer callbacks) ---- */

typedef struct ddir_buffer {
    ddir_u32 handle;
    ddir_u32 size;            /* creation: bytes; lock: bytes, 0 for all from `offset` on */
    ddir_u32 fvf, caps, caps2; /* creation: dwFVF, ddsCaps.dwCaps, ddsCapsEx.dwCaps2 */
    ddir_u32 offset, flags;   /* lock: DDLOCK_* */
    const void *contents;     /* unlock: the bytes from `offset` on; 0: nothing was written */
    ddir_u32 content_size;
    int has_answer;           /* not 0: the fields that follow are the driver's answer, and are checked */
    ddir_u32 handled;         /* what the callback returned: DDHAL_DRIVER_HANDLED (1) or NOTHANDLED (0) */
    ddir_u32 fp_vid_mem, fp_heap_offset, fp_start; /* of lpGbl after the call, and of its heap */
    ddir_u32 surf_data;       /* lock: lpSurfData; 0: not set */
    int renamed;              /* lock: the buffer has other memory now */
    ddir_u32 result;
} ddir_buffer;
DDIR_API int ddir_create_buffer(ddir_recorder *r, const ddir_buffer *b);
DDIR_API int ddir_lock_buffer(ddir_recorder *r, const ddir_buffer *b);
DDIR_API int ddir_unlock_buffer(ddir_recorder *r, const ddir_buffer *b);
DDIR_API int ddir_destroy_buffer(ddir_recorder *r, ddir_u32 handle, ddir_u32 result);

/* ---- contexts and drawing ---- */

DDIR_API int ddir_context_create(ddir_recorder *r, ddir_u32 context, ddir_u32 render_target, ddir_u32 depth_stencil,
                                 ddir_u32 result);
DDIR_API int ddir_context_destroy(ddir_recorder *r, ddir_u32 context, ddir_u32 result);
DDIR_API int ddir_context_destroy_all(ddir_recorder *r, ddir_u32 process, ddir_u32 result);

typedef struct ddir_draw {    /* D3DHAL_DRAWPRIMITIVES2DATA */
    ddir_u32 context, flags;  /* dwhContext; dwFlags: D3DHALDP2_* */
    const void *commands;     /* the first command: lpDDCommands' memory + dwCommandOffset */
    ddir_u32 command_offset, command_length;
    ddir_u32 vertex_type, vertex_size;     /* dwVertexType (FVF), dwVertexSize as it was passed: bytes a vertex */
    const void *vertices;     /* the first vertex: lpVertices + dwVertexOffset, or lpDDVertex's memory; 0 if unused */
    ddir_u32 vertex_length;   /* dwVertexLength: vertices */
    ddir_u32 vertex_buffer;   /* dwSurfaceHandle of lpDDVertex; 0 with D3DHALDP2_USERMEMVERTICES */
    ddir_u32 answer;          /* DDIR_STALLED ...: what the driver did, where it is known */
    ddir_u32 error_offset;    /* dwErrorOffset, as it is returned */
    ddir_u32 result;
} ddir_draw;
DDIR_API int ddir_draw_primitives2(ddir_recorder *r, const ddir_draw *d);
/* The same in two parts, so that a call that brings the machine down is in the recording: before, and after. */
DDIR_API int ddir_draw_primitives2_pending(ddir_recorder *r, const ddir_draw *d);
DDIR_API int ddir_draw_primitives2_result(ddir_recorder *r, ddir_u32 answer, ddir_u32 error_offset, ddir_u32 result);
/* D3dParseUnknownCommand, which the driver has called about the unknown command at `command_offset` from lpDDCommands' memory:
   where the runtime has it resume, counted likewise.  Before the record, or the result, of the draw that it belongs to. */
DDIR_API int ddir_parse_unknown_command(ddir_recorder *r, ddir_u32 command_offset, ddir_u32 resume_offset, ddir_u32 result);
/* D3dClear2; `rects`: 4 numbers each. */
DDIR_API int ddir_clear2(ddir_recorder *r, ddir_u32 context, ddir_u32 flags, ddir_u32 color, float depth, ddir_u32 stencil,
                         const ddir_i32 *rects, ddir_u32 rect_count, ddir_u32 result);
DDIR_API int ddir_validate_texture_stage_state(ddir_recorder *r, ddir_u32 context, ddir_u32 passes, ddir_u32 result);

/* ---- what the driver says about itself ---- */

/* DDHALINFO: dwFlags, and the legacy texture formats of D3DHAL_GLOBALDRIVERDATA (DDPIXELFORMATs of 32 bytes each). */
DDIR_API int ddir_get_hal_info(ddir_recorder *r, ddir_u32 flags, const void *texture_formats, ddir_u32 size);
typedef struct ddir_driver_info { /* DD_GETDRIVERINFODATA */
    const char *guid;         /* 0: GUID_GetDriverInfo2 or GUID_DDStereoMode, which are one; else its name without GUID_ */
    const void *request;      /* lpvData's bytes as they came: copy them before answering, 20 bytes are enough */
    ddir_u32 request_size;
    const void *reply;        /* lpvData's bytes afterwards */
    ddir_u32 reply_size;
    ddir_u32 handled;         /* what the callback returned */
    ddir_u32 actual_size;     /* dwActualSize */
    ddir_u32 result;
} ddir_driver_info;
DDIR_API int ddir_get_driver_info(ddir_recorder *r, const ddir_driver_info *i);
/* A sentence for whoever opens the recording. */
DDIR_API int ddir_note(ddir_recorder *r, const char *sentence);

/* ---- the same from the DDK's structures; notes at each function below ---- */
#ifdef DDIR_DDK
DDIR_API int ddir_ddk_create_surface(ddir_recorder *r, LPDDRAWI_DDRAWSURFACE_LCL lcl, const ddir_u32 *handles, ddir_u32 count,
                                     ddir_u32 context);
DDIR_API int ddir_ddk_lock(ddir_recorder *r, const DDHAL_LOCKDATA *d);
DDIR_API int ddir_ddk_unlock(ddir_recorder *r, const DDHAL_UNLOCKDATA *d, const void *memory, ddir_u32 size);
DDIR_API int ddir_ddk_blt(ddir_recorder *r, const DDHAL_BLTDATA *d);
DDIR_API int ddir_ddk_flip(ddir_recorder *r, const DDHAL_FLIPDATA *d);
DDIR_API int ddir_ddk_get_driver_info(ddir_recorder *r, const DDHAL_GETDRIVERINFODATA *d, const void *request, ddir_u32 size,
                                      ddir_u32 returned);
DDIR_API int ddir_ddk_destroy_surface(ddir_recorder *r, const DDHAL_DESTROYSURFACEDATA *d);
DDIR_API int ddir_ddk_context_create(ddir_recorder *r, const D3DHAL_CONTEXTCREATEDATA *d, LPDDRAWI_DDRAWSURFACE_LCL target,
                                     LPDDRAWI_DDRAWSURFACE_LCL depth);
DDIR_API int ddir_ddk_draw_primitives2_pending(ddir_recorder *r, const D3DHAL_DRAWPRIMITIVES2DATA *d, DWORD vertex_size,
                                               LPDDRAWI_DDRAWSURFACE_LCL buffer, const void *memory);
#endif

#ifdef __cplusplus
}
#endif
#endif /* DDI_RECORD_H */

/* ================================================================================================================== */
#ifdef DDI_RECORD_IMPLEMENTATION
#undef DDI_RECORD_IMPLEMENTATION

#include <string.h>
#ifndef DDIR_NO_STDIO
#include <stdio.h>
#endif
#ifndef DDIR_ENTER
#define DDIR_ENTER(r) ((void)0)
#define DDIR_LEAVE(r) ((void)0)
#endif
#ifndef DDIR_THREAD
#define DDIR_THREAD() 0
#endif

static ddir_u32 ddir_crc(const ddir_recorder *r, ddir_u32 crc, const void *bytes, size_t size)
{
    const ddir_u8 *p = (const ddir_u8 *)bytes;
    crc = ~crc;
    while (size--)
        crc = r->crc_table[(crc ^ *p++) & 255] ^ (crc >> 8);
    return ~crc;
}

static void ddir_put(ddir_u8 *out, ddir_u32 value)
{
    out[0] = (ddir_u8)value;
    out[1] = (ddir_u8)(value >> 8);
    out[2] = (ddir_u8)(value >> 16);
    out[3] = (ddir_u8)(value >> 24);
}

static void ddir_put_name(ddir_u8 *out, const char *name, size_t size)
{
    memcpy(out, name, size);
    memset(out + size, 0, (4 - (size & 3)) & 3);
}

static void ddir_flush(ddir_recorder *r, int last)
{
    if (r->staged && !r->failed && !r->write(r->user, r->stage, r->staged, last))
        r->failed = 1;
    r->staged = 0;
}

static void ddir_append(ddir_recorder *r, const void *bytes, size_t size)
{
    if (r->staged + size > DDIR_STAGE)
        ddir_flush(r, 0);
    if (size > DDIR_STAGE) {
        if (!r->failed && !r->write(r->user, bytes, size, 0))
            r->failed = 1;
        return;
    }
    memcpy(r->stage + r->staged, bytes, size);
    r->staged += size;
}

DDIR_API int ddir_begin_timed(ddir_recorder *r, ddir_write write, void *user, ddir_clock clock, ddir_u32 ticks)
{
    static const ddir_u8 magic[8] = {0x44, 0x44, 0x49, 0x52, 0x45, 0x43, 0x1A, 0x0A};
    ddir_u8 head[DDIR_HEADER];
    ddir_u32 i, bit, crc;
    memset(r, 0, sizeof *r);
    r->write = write;
    r->user = user;
    r->clock = clock;
    for (i = 0; i < 256; i++) {
        crc = i;
        for (bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        r->crc_table[i] = crc;
    }
    memset(head, 0, sizeof head);
    memcpy(head, magic, 8);
    head[8] = 1;
    ddir_put(head + 12, DDIR_HEADER);
    ddir_put(head + 16, clock ? ticks : 0);
    ddir_put(head + 28, ddir_crc(r, 0, head, 28));
    ddir_append(r, head, sizeof head);
    ddir_flush(r, 1);
    return !r->failed;
}

DDIR_API int ddir_begin(ddir_recorder *r, ddir_write write, void *user)
{
    return ddir_begin_timed(r, write, user, 0, 0);
}

#ifndef DDIR_NO_STDIO
static int ddir_write_file(void *user, const void *bytes, size_t size, int last)
{
    FILE *file = (FILE *)user;
    return fwrite(bytes, 1, size, file) == size && (!last || fflush(file) == 0);
}

DDIR_API int ddir_open(ddir_recorder *r, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        memset(r, 0, sizeof *r);
        r->failed = 1;
        return 0;
    }
    return ddir_begin(r, ddir_write_file, file);
}

DDIR_API int ddir_close(ddir_recorder *r)
{
    int closed = r->user && fclose((FILE *)r->user) == 0;
    r->user = 0;
    if (!closed)
        r->failed = 1;
    return !r->failed;
}
#endif

/* ---- one record ---- */

DDIR_API void ddir_call(ddir_recorder *r, const char *entry, ddir_u32 result)
{
    DDIR_ENTER(r);
    r->entry = entry;
    r->result = result;
    r->flags = r->fields = r->scratch_used = 0;
}

DDIR_API void ddir_list_field(ddir_recorder *r, int role, int type, const char *name, const void *value, ddir_u32 count)
{
    ddir_field *f;
    if (r->fields == DDIR_FIELDS)
        return;
    f = &r->field[r->fields++];
    f->role = (ddir_u8)role;
    f->type = (ddir_u8)type;
    f->name = name;
    f->value = value;
    f->bytes = type >= DDIR_TEXT && type != DDIR_SAME ? count : 4 * count;
}

/* Until ddir_end single numbers stay in the scratch area. */
static void ddir_number(ddir_recorder *r, int role, int type, const char *name, ddir_u32 bits)
{
    if (r->scratch_used == DDIR_SCRATCH)
        return;
    r->scratch[r->scratch_used] = bits;
    ddir_list_field(r, role, type, name, &r->scratch[r->scratch_used++], 1);
}

DDIR_API void ddir_u32_field(ddir_recorder *r, int role, const char *name, ddir_u32 value)
{
    ddir_number(r, role, DDIR_U32, name, value);
}

DDIR_API void ddir_f32_field(ddir_recorder *r, int role, const char *name, float value)
{
    ddir_u32 bits;
    memcpy(&bits, &value, 4);
    ddir_number(r, role, DDIR_F32, name, bits);
}

DDIR_API void ddir_text_field(ddir_recorder *r, int role, const char *name, const char *value)
{
    ddir_list_field(r, role, DDIR_TEXT, name, value, (ddir_u32)strlen(value));
}

#if DDIR_BLOBS
static ddir_u32 ddir_second_hash(const void *bytes, size_t size)
{
    const ddir_u8 *p = (const ddir_u8 *)bytes;
    ddir_u32 hash = 2166136261u;
    while (size--)
        hash = (hash ^ *p++) * 16777619u & 0xFFFFFFFFu;
    return hash;
}

static int ddir_seen(ddir_recorder *r, const void *bytes, ddir_u32 size, ddir_u32 *number)
{
    ddir_u32 crc = ddir_crc(r, 0, bytes, size), other = ddir_second_hash(bytes, size);
    ddir_known *known = &r->known[crc % DDIR_BLOBS];
    if (known->bytes == size && known->crc == crc && known->other == other) {
        *number = known->number;
        return 1;
    }
    known->bytes = size;
    known->crc = crc;
    known->other = other;
    known->number = r->blobs++;
    return 0;
}
#endif

DDIR_API void ddir_data_field(ddir_recorder *r, const char *name, const void *bytes, ddir_u32 size)
{
    if (!bytes)
        return;
#if DDIR_BLOBS
    if (size >= DDIR_LARGE) {
        ddir_u32 number;
        if (ddir_seen(r, bytes, size, &number))
            ddir_number(r, DDIR_DATA, DDIR_SAME, name, number);
        else
            ddir_list_field(r, DDIR_DATA, DDIR_BLOB, name, bytes, size);
        return;
    }
#endif
    ddir_list_field(r, DDIR_DATA, DDIR_BYTES, name, bytes, size);
}

/* Whether a value is dwords in the machine's own byte order. */
static int ddir_is_dwords(const ddir_field *f)
{
    return f->type < DDIR_TEXT || f->type == DDIR_SAME;
}

/* Gives the pieces of the payload to `crc` (write 0) or to the file (write 1); returns their bytes. */
static ddir_u32 ddir_pieces(ddir_recorder *r, int write, ddir_u32 *crc)
{
    ddir_u8 small[8 + 64], dword[4];
    ddir_u32 i, k, total = 0, padded, size;
    const ddir_field *f;
    for (i = 0; i <= r->fields; i++) {
        const char *name = i ? r->field[i - 1].name : r->entry;
        size = (ddir_u32)strlen(name);
        if (size > 56)
            size = 56;
        padded = (size + 3) & ~3u;
        if (i == 0) {
            ddir_put(small, size);
            ddir_put_name(small + 4, name, size);
            padded += 4;
        } else {
            f = &r->field[i - 1];
            small[0] = f->role;
            small[1] = f->type;
            small[2] = (ddir_u8)size;
            small[3] = 0;
            ddir_put(small + 4, f->bytes);
            ddir_put_name(small + 8, name, size);
            padded += 8;
        }
        if (write)
            ddir_append(r, small, padded);
        else
            *crc = ddir_crc(r, *crc, small, padded);
        total += padded;
        if (i == 0)
            continue;
        f = &r->field[i - 1];
        if (ddir_is_dwords(f)) {
            for (k = 0; k < f->bytes / 4; k++) {
                ddir_u32 value;
                memcpy(&value, (const ddir_u8 *)f->value + 4 * k, 4);
                ddir_put(dword, value);
                if (write)
                    ddir_append(r, dword, 4);
                else
                    *crc = ddir_crc(r, *crc, dword, 4);
            }
        } else if (f->bytes) {
            memset(dword, 0, 4);
            size = (4 - (f->bytes & 3)) & 3;
            if (write) {
                ddir_append(r, f->value, f->bytes);
                ddir_append(r, dword, size);
            } else {
                *crc = ddir_crc(r, *crc, f->value, f->bytes);
                *crc = ddir_crc(r, *crc, dword, size);
            }
        }
        total += (f->bytes + 3) & ~3u;
    }
    return total;
}

DDIR_API int ddir_end(ddir_recorder *r)
{
    ddir_u8 head[DDIR_RECORD];
    ddir_u32 crc = 0, size, low = 0, high = 0;
    if (!r->failed) {
        size = ddir_pieces(r, 0, &crc);
        if (r->clock)
            r->clock(r->user, &low, &high);
        ddir_put(head, 0x44445231u);
        ddir_put(head + 4, size);
        ddir_put(head + 8, r->records);
        ddir_put(head + 12, r->result);
        ddir_put(head + 16, r->flags);
        ddir_put(head + 20, (ddir_u32)DDIR_THREAD());
        ddir_put(head + 24, low);
        ddir_put(head + 28, high);
        ddir_put(head + 32, crc);
        ddir_put(head + 36, ddir_crc(r, 0, head, 36));
        ddir_append(r, head, sizeof head);
        ddir_pieces(r, 1, 0);
        if (!r->staged) { /* the last piece went out by itself: have it made safe */
            if (!r->failed && !r->write(r->user, head, 0, 1))
                r->failed = 1;
        }
        ddir_flush(r, 1);
        r->records++;
    }
    DDIR_LEAVE(r);
    return !r->failed;
}

/* ---- the entries ---- */

#define DDIR_A(name, value) ddir_u32_field(r, DDIR_ARGUMENT, name, value)

DDIR_API int ddir_create_surface(ddir_recorder *r, const ddir_surface *s)
{
    ddir_call(r, "CreateSurface", s->result);
    DDIR_A("handle", s->handle);
    DDIR_A("width", s->width);
    DDIR_A("height", s->height);
    DDIR_A("levels", s->levels ? s->levels : 1);
    DDIR_A("format", s->format);
    DDIR_A("caps", s->caps);
    DDIR_A("caps2", s->caps2);
    DDIR_A("caps3", s->caps3);
    DDIR_A("caps4", s->caps4);
    if (s->handles)
        ddir_list_field(r, DDIR_ARGUMENT, DDIR_U32S, "handles", s->handles, s->handle_count);
    return ddir_end(r);
}

static int ddir_numbers(ddir_recorder *r, const char *entry, ddir_u32 result, const char *name1, ddir_u32 value1,
                        const char *name2, ddir_u32 value2, const char *name3, ddir_u32 value3, const char *name4,
                        ddir_u32 value4)
{
    ddir_call(r, entry, result);
    if (name1) DDIR_A(name1, value1);
    if (name2) DDIR_A(name2, value2);
    if (name3) DDIR_A(name3, value3);
    if (name4) DDIR_A(name4, value4);
    return ddir_end(r);
}

DDIR_API int ddir_create_surface_ex(ddir_recorder *r, ddir_u32 handle, ddir_u32 context, ddir_u32 result)
{
    return ddir_numbers(r, "CreateSurfaceEx", result, "handle", handle, "context", context, 0, 0, 0, 0);
}

DDIR_API int ddir_destroy_surface(ddir_recorder *r, ddir_u32 handle, ddir_u32 result)
{
    return ddir_numbers(r, "DestroySurface", result, "handle", handle, 0, 0, 0, 0, 0, 0);
}

DDIR_API int ddir_add_attached_surface(ddir_recorder *r, ddir_u32 handle, ddir_u32 attached, ddir_u32 result)
{
    return ddir_numbers(r, "AddAttachedSurface", result, "handle", handle, "attached", attached, 0, 0, 0, 0);
}

DDIR_API int ddir_can_create_surface(ddir_recorder *r, ddir_u32 width, ddir_u32 height, ddir_u32 format, ddir_u32 caps,
                                     ddir_u32 result)
{
    return ddir_numbers(r, "CanCreateSurface", result, "width", width, "height", height, "format", format, "caps", caps);
}

typedef struct ddir_masks {
    ddir_u32 kind, bits, mask1, mask2, mask3, mask4, format;
} ddir_masks;

DDIR_API ddir_u32 ddir_format(ddir_u32 flags, ddir_u32 fourcc, ddir_u32 bits, ddir_u32 mask1, ddir_u32 mask2, ddir_u32 mask3,
                              ddir_u32 mask4)
{
    static const ddir_u32 kinds[] = {0x400, 0x80000, 0x20000, 0x40, 2}; /* DDPF_ZBUFFER BUMPDUDV LUMINANCE RGB ALPHA */
    static const ddir_masks table[] = {
        {0x40, 24, 0xFF0000, 0xFF00, 0xFF, 0, 20}, {0x40, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000u, 21},
        {0x40, 32, 0xFF0000, 0xFF00, 0xFF, 0, 22}, {0x40, 16, 0xF800, 0x7E0, 0x1F, 0, 23},
        {0x40, 16, 0x7C00, 0x3E0, 0x1F, 0, 24}, {0x40, 16, 0x7C00, 0x3E0, 0x1F, 0x8000, 25},
        {0x40, 16, 0xF00, 0xF0, 0xF, 0xF000, 26}, {0x40, 8, 0xE0, 0x1C, 3, 0, 27}, {2, 8, 0, 0, 0, 0xFF, 28},
        {0x40, 16, 0xE0, 0x1C, 3, 0xFF00, 29}, {0x40, 16, 0xF00, 0xF0, 0xF, 0, 30},
        {0x40, 32, 0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000u, 31}, {0x40, 32, 0xFFFF, 0xFFFF0000u, 0, 0, 34},
        {0x20000, 8, 0xFF, 0, 0, 0, 50}, {0x20000, 16, 0xFF, 0, 0, 0xFF00, 51}, {0x20000, 8, 0xF, 0, 0, 0xF0, 52},
        {0x80000, 16, 0xFF, 0xFF00, 0, 0, 60}, {0x80000, 16, 0x1F, 0x3E0, 0xFC00, 0, 61},
        {0x80000, 32, 0xFF, 0xFF00, 0xFF0000, 0, 62},
        /* depth: bits, stencil bits (mask 1), depth mask, stencil mask */
        {0x400, 16, 0, 0xFFFF, 0, 0, 80}, {0x400, 16, 1, 0xFFFE, 1, 0, 73}, {0x400, 32, 0, 0xFFFFFFFFu, 0, 0, 71},
        {0x400, 32, 8, 0xFFFFFF00u, 0xFF, 0, 75}, {0x400, 32, 0, 0xFFFFFF00u, 0, 0, 77},
        {0x400, 32, 4, 0xFFFFFF00u, 0xF, 0, 79}
    };
    ddir_u32 i, kind = 0;
    if (flags & (4 | 0x200000)) /* DDPF_FOURCC, DDPF_D3DFORMAT */
        return fourcc;
    if (flags & 0x20) /* DDPF_PALETTEINDEXED8 */
        return bits == 16 ? 40 : 41;
    for (i = 0; i < sizeof kinds / sizeof kinds[0] && !kind; i++)
        if (flags & kinds[i])
            kind = kinds[i];
    if (!(flags & 3)) /* DDPF_ALPHAPIXELS, DDPF_ALPHA */
        mask4 = 0;
    if (kind == 0x400 && !(flags & 0x4000)) /* DDPF_STENCILBUFFER */
        mask1 = mask3 = 0;
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        const ddir_masks *m = &table[i];
        if (m->kind != kind || m->bits != bits || m->mask4 != mask4)
            continue;
        if (kind == 2 || (m->mask1 == mask1 && m->mask2 == mask2 && m->mask3 == mask3))
            return m->format;
    }
    return 0;
}

static void ddir_box(ddir_recorder *r, const ddir_lock *l)
{
    if (l->has_box)
        ddir_list_field(r, DDIR_ARGUMENT, DDIR_I32S, "box", l->box, l->box[5] > l->box[4] ? 6 : 4);
}

DDIR_API int ddir_lock_surface(ddir_recorder *r, const ddir_lock *l)
{
    ddir_call(r, "Lock", l->result);
    DDIR_A("handle", l->handle);
    DDIR_A("flags", l->flags);
    ddir_box(r, l);
    ddir_u32_field(r, DDIR_RESULT, "pitch", l->pitch);
    ddir_u32_field(r, DDIR_RESULT, "slice_pitch", l->slice_pitch);
    return ddir_end(r);
}

static int ddir_put_contents(ddir_recorder *r, const char *entry, const ddir_lock *l)
{
    ddir_call(r, entry, l->result);
    DDIR_A("handle", l->handle);
    ddir_box(r, l);
    if (l->pitch)
        DDIR_A("pitch", l->pitch);
    if (l->slice_pitch)
        DDIR_A("slice_pitch", l->slice_pitch);
    ddir_data_field(r, "contents", l->contents, l->size);
    return ddir_end(r);
}

DDIR_API int ddir_unlock_surface(ddir_recorder *r, const ddir_lock *l)
{
    return ddir_put_contents(r, "Unlock", l);
}

DDIR_API int ddir_surface_contents(ddir_recorder *r, const ddir_lock *l)
{
    return ddir_put_contents(r, "Contents", l);
}

DDIR_API int ddir_picture(ddir_recorder *r, const ddir_lock *l)
{
    return ddir_put_contents(r, "Picture", l);
}

DDIR_API int ddir_buffer_contents(ddir_recorder *r, ddir_u32 handle, ddir_u32 offset, const void *bytes, ddir_u32 size)
{
    ddir_call(r, "BufferContents", 0);
    DDIR_A("handle", handle);
    DDIR_A("offset", offset);
    ddir_data_field(r, "contents", bytes, size);
    return ddir_end(r);
}

DDIR_API int ddir_blt_surface(ddir_recorder *r, const ddir_blt *b)
{
    ddir_call(r, "Blt", b->result);
    DDIR_A("destination", b->destination);
    if (b->source)
        DDIR_A("source", b->source);
    if (b->has_destination_box)
        ddir_list_field(r, DDIR_ARGUMENT, DDIR_I32S, "destination_box", b->destination_box, 4);
    if (b->has_source_box)
        ddir_list_field(r, DDIR_ARGUMENT, DDIR_I32S, "source_box", b->source_box, 4);
    DDIR_A("flags", b->flags);
    if (b->flags & 0x20000) /* DDBLT_ROP */
        DDIR_A("rop", b->rop);
    if (b->flags & 0x2000400) /* DDBLT_COLORFILL, DDBLT_DEPTHFILL */
        DDIR_A("color", b->color);
    if (b->has_queued)
        ddir_u32_field(r, DDIR_RESULT, "queued", b->queued);
    return ddir_end(r);
}

DDIR_API int ddir_flip(ddir_recorder *r, const ddir_u32 *chain, ddir_u32 count, ddir_u32 flags, ddir_u32 result)
{
    ddir_call(r, "Flip", result);
    ddir_list_field(r, DDIR_ARGUMENT, DDIR_U32S, "surface", chain, count);
    DDIR_A("flags", flags);
    return ddir_end(r);
}

DDIR_API int ddir_status(ddir_recorder *r, int of_flip, ddir_u32 handle, ddir_u32 flags, ddir_u32 result)
{
    return ddir_numbers(r, of_flip ? "GetFlipStatus" : "GetBltStatus", result, "handle", handle, "flags", flags, 0, 0, 0, 0);
}

DDIR_API int ddir_set_color_key(ddir_recorder *r, ddir_u32 handle, ddir_u32 flags, ddir_u32 low, ddir_u32 high,
                                ddir_u32 result)
{
    return ddir_numbers(r, "SetColorKey", result, "handle", handle, "flags", flags, "low", low, "high", high);
}

DDIR_API int ddir_wait_for_vertical_blank(ddir_recorder *r, ddir_u32 flags, ddir_u32 result)
{
    return ddir_numbers(r, "WaitForVerticalBlank", result, "flags", flags, 0, 0, 0, 0, 0, 0);
}

static void ddir_place(ddir_recorder *r, const ddir_buffer *b)
{
    if (!b->has_answer)
        return;
    ddir_u32_field(r, DDIR_RESULT, "handled", b->handled);
    ddir_u32_field(r, DDIR_RESULT, "fp_vid_mem", b->fp_vid_mem);
    ddir_u32_field(r, DDIR_RESULT, "fp_heap_offset", b->fp_heap_offset);
}

DDIR_API int ddir_create_buffer(ddir_recorder *r, const ddir_buffer *b)
{
    ddir_call(r, "CreateD3DBuffer", b->result);
    DDIR_A("handle", b->handle);
    DDIR_A("size", b->size);
    DDIR_A("fvf", b->fvf);
    DDIR_A("caps", b->caps);
    DDIR_A("caps2", b->caps2);
    ddir_place(r, b);
    return ddir_end(r);
}

DDIR_API int ddir_lock_buffer(ddir_recorder *r, const ddir_buffer *b)
{
    ddir_call(r, "LockD3DBuffer", b->result);
    DDIR_A("handle", b->handle);
    DDIR_A("offset", b->offset);
    DDIR_A("size", b->size);
    DDIR_A("flags", b->flags);
    ddir_u32_field(r, DDIR_RESULT, "renamed", b->renamed ? 1 : 0);
    ddir_place(r, b);
    if (b->has_answer) {
        ddir_u32_field(r, DDIR_RESULT, "fp_start", b->fp_start);
        if (b->surf_data)
            ddir_u32_field(r, DDIR_RESULT, "surf_data", b->surf_data);
    }
    return ddir_end(r);
}

DDIR_API int ddir_unlock_buffer(ddir_recorder *r, const ddir_buffer *b)
{
    ddir_call(r, "UnlockD3DBuffer", b->result);
    DDIR_A("handle", b->handle);
    DDIR_A("offset", b->offset);
    ddir_data_field(r, "contents", b->contents, b->content_size);
    return ddir_end(r);
}

DDIR_API int ddir_destroy_buffer(ddir_recorder *r, ddir_u32 handle, ddir_u32 result)
{
    return ddir_numbers(r, "DestroyD3DBuffer", result, "handle", handle, 0, 0, 0, 0, 0, 0);
}

DDIR_API int ddir_context_create(ddir_recorder *r, ddir_u32 context, ddir_u32 render_target, ddir_u32 depth_stencil,
                                 ddir_u32 result)
{
    return ddir_numbers(r, "ContextCreate", result, "context", context, "render_target", render_target, "depth_stencil",
                        depth_stencil, 0, 0);
}

DDIR_API int ddir_context_destroy(ddir_recorder *r, ddir_u32 context, ddir_u32 result)
{
    return ddir_numbers(r, "ContextDestroy", result, "context", context, 0, 0, 0, 0, 0, 0);
}

DDIR_API int ddir_context_destroy_all(ddir_recorder *r, ddir_u32 process, ddir_u32 result)
{
    return ddir_numbers(r, "ContextDestroyAll", result, "process", process, 0, 0, 0, 0, 0, 0);
}

static void ddir_draw_answer(ddir_recorder *r, ddir_u32 answer, ddir_u32 error_offset)
{
    ddir_u32_field(r, DDIR_RESULT, "error_offset", error_offset);
    if (answer & (DDIR_STALLED | DDIR_DID_NOT_STALL))
        ddir_u32_field(r, DDIR_RESULT, "stalled", answer & DDIR_STALLED ? 1 : 0);
    if (answer & DDIR_SWAPPED_VERTEX_BUFFER)
        ddir_u32_field(r, DDIR_RESULT, "swapped_vertex_buffer", 1);
    if (answer & DDIR_SWAPPED_COMMAND_BUFFER)
        ddir_u32_field(r, DDIR_RESULT, "swapped_command_buffer", 1);
}

static int ddir_draw_record(ddir_recorder *r, const ddir_draw *d, ddir_u32 flags)
{
    ddir_call(r, "DrawPrimitives2", flags ? 0 : d->result);
    r->flags = flags;
    DDIR_A("context", d->context);
    DDIR_A("flags", d->flags);
    DDIR_A("command_offset", d->command_offset);
    DDIR_A("command_length", d->command_length);
    DDIR_A("vertex_type", d->vertex_type);
    DDIR_A("vertex_size", d->vertex_size);
    DDIR_A("vertex_length", d->vertex_length);
    if (d->vertex_buffer)
        DDIR_A("vertex_buffer", d->vertex_buffer);
    ddir_data_field(r, "commands", d->commands, d->command_length);
    ddir_data_field(r, "vertices", d->vertices, d->vertex_length * d->vertex_size);
    if (!flags)
        ddir_draw_answer(r, d->answer, d->error_offset);
    return ddir_end(r);
}

DDIR_API int ddir_draw_primitives2(ddir_recorder *r, const ddir_draw *d)
{
    return ddir_draw_record(r, d, 0);
}

DDIR_API int ddir_draw_primitives2_pending(ddir_recorder *r, const ddir_draw *d)
{
    return ddir_draw_record(r, d, DDIR_PENDING);
}

DDIR_API int ddir_draw_primitives2_result(ddir_recorder *r, ddir_u32 answer, ddir_u32 error_offset, ddir_u32 result)
{
    ddir_call(r, "Result", result);
    ddir_draw_answer(r, answer, error_offset);
    return ddir_end(r);
}

DDIR_API int ddir_parse_unknown_command(ddir_recorder *r, ddir_u32 command_offset, ddir_u32 resume_offset, ddir_u32 result)
{
    ddir_call(r, "ParseUnknownCommand", result);
    DDIR_A("command_offset", command_offset);
    ddir_u32_field(r, DDIR_RESULT, "resume_offset", resume_offset);
    return ddir_end(r);
}

DDIR_API int ddir_clear2(ddir_recorder *r, ddir_u32 context, ddir_u32 flags, ddir_u32 color, float depth, ddir_u32 stencil,
                         const ddir_i32 *rects, ddir_u32 rect_count, ddir_u32 result)
{
    ddir_call(r, "Clear2", result);
    DDIR_A("context", context);
    DDIR_A("flags", flags);
    DDIR_A("color", color);
    ddir_f32_field(r, DDIR_ARGUMENT, "fill_depth", depth);
    DDIR_A("stencil", stencil);
    ddir_list_field(r, DDIR_ARGUMENT, DDIR_I32S, "rects", rects, 4 * rect_count);
    return ddir_end(r);
}

DDIR_API int ddir_validate_texture_stage_state(ddir_recorder *r, ddir_u32 context, ddir_u32 passes, ddir_u32 result)
{
    ddir_call(r, "ValidateTextureStageState", result);
    DDIR_A("context", context);
    ddir_u32_field(r, DDIR_RESULT, "passes", passes);
    return ddir_end(r);
}

DDIR_API int ddir_get_hal_info(ddir_recorder *r, ddir_u32 flags, const void *texture_formats, ddir_u32 size)
{
    ddir_call(r, "GetHalInfo", 0);
    ddir_u32_field(r, DDIR_RESULT, "flags", flags);
    ddir_u32_field(r, DDIR_RESULT, "texture_formats", size / 32);
    ddir_data_field(r, "texture_formats", texture_formats, size);
    return ddir_end(r);
}

DDIR_API int ddir_get_driver_info(ddir_recorder *r, const ddir_driver_info *i)
{
    ddir_call(r, "GetDriverInfo", i->result);
    if (i->guid)
        ddir_text_field(r, DDIR_ARGUMENT, "guid", i->guid);
    ddir_data_field(r, "request", i->request, i->request_size);
    ddir_data_field(r, "reply", i->reply, i->reply_size);
    ddir_u32_field(r, DDIR_RESULT, "handled", i->handled);
    ddir_u32_field(r, DDIR_RESULT, "actual_size", i->actual_size);
    return ddir_end(r);
}

DDIR_API int ddir_note(ddir_recorder *r, const char *sentence)
{
    ddir_call(r, "Note", 0);
    ddir_text_field(r, DDIR_ARGUMENT, "text", sentence);
    return ddir_end(r);
}

#undef DDIR_A

/* ---- from the DDK's structures (ddraw.h, d3d.h, ddrawi.h, d3dhal.h) ---- */
#ifdef DDIR_DDK

static ddir_u32 ddir_ddk_handle(LPDDRAWI_DDRAWSURFACE_LCL lcl)
{
    return lcl && lcl->lpSurfMore ? (ddir_u32)lcl->lpSurfMore->dwSurfaceHandle : 0;
}

/* The surface that CreateSurfaceEx names, both entries: call it there, with its context (dwContext or 0).  Levels and faces
   that do not count on from the first one's handle: give them in `handles`. */
DDIR_API int ddir_ddk_create_surface(ddir_recorder *r, LPDDRAWI_DDRAWSURFACE_LCL lcl, const ddir_u32 *handles, ddir_u32 count,
                                     ddir_u32 context)
{
    const DDPIXELFORMAT *p = &lcl->lpGbl->ddpfSurface;
    ddir_surface s;
    memset(&s, 0, sizeof s);
    s.handle = ddir_ddk_handle(lcl);
    s.width = lcl->lpGbl->wWidth;
    s.height = lcl->lpGbl->wHeight;
    s.levels = lcl->lpSurfMore->dwMipMapCount;
    if (lcl->dwFlags & DDRAWISURF_HASPIXELFORMAT) /* else the display mode's */
        s.format = ddir_format(p->dwFlags, p->dwFourCC, p->dwRGBBitCount, p->dwRBitMask, p->dwGBitMask, p->dwBBitMask,
                               p->dwRGBAlphaBitMask);
    else
        s.format = 22;
    s.caps = lcl->ddsCaps.dwCaps;
    s.caps2 = lcl->lpSurfMore->ddsCapsEx.dwCaps2;
    s.caps3 = lcl->lpSurfMore->ddsCapsEx.dwCaps3;
    s.caps4 = lcl->lpSurfMore->ddsCapsEx.dwCaps4;
    s.handles = handles;
    s.handle_count = count;
    return ddir_create_surface(r, &s) && ddir_create_surface_ex(r, s.handle, context, 0);
}

DDIR_API int ddir_ddk_lock(ddir_recorder *r, const DDHAL_LOCKDATA *d)
{
    ddir_lock l;
    memset(&l, 0, sizeof l);
    l.handle = ddir_ddk_handle(d->lpDDSurface);
    l.has_box = d->bHasRect != 0;
    l.box[0] = d->rArea.left;
    l.box[1] = d->rArea.top;
    l.box[2] = d->rArea.right;
    l.box[3] = d->rArea.bottom;
    l.flags = d->dwFlags;
    l.pitch = (ddir_u32)d->lpDDSurface->lpGbl->lPitch;
    l.result = (ddir_u32)d->ddRVal;
    return ddir_lock_surface(r, &l);
}

/* `memory`: the first byte of the surface, `size` bytes of it; the rectangle is that of the lock before. */
DDIR_API int ddir_ddk_unlock(ddir_recorder *r, const DDHAL_UNLOCKDATA *d, const void *memory, ddir_u32 size)
{
    ddir_lock l;
    memset(&l, 0, sizeof l);
    l.handle = ddir_ddk_handle(d->lpDDSurface);
    l.pitch = (ddir_u32)d->lpDDSurface->lpGbl->lPitch;
    l.has_box = 1;
    l.box[2] = (ddir_i32)d->lpDDSurface->lpGbl->wWidth;
    l.box[3] = (ddir_i32)d->lpDDSurface->lpGbl->wHeight;
    l.contents = memory;
    l.size = size;
    l.result = (ddir_u32)d->ddRVal;
    return ddir_unlock_surface(r, &l);
}

DDIR_API int ddir_ddk_blt(ddir_recorder *r, const DDHAL_BLTDATA *d)
{
    ddir_blt b;
    memset(&b, 0, sizeof b);
    b.destination = ddir_ddk_handle(d->lpDDDestSurface);
    b.source = ddir_ddk_handle(d->lpDDSrcSurface);
    b.has_destination_box = 1;
    b.destination_box[0] = d->rDest.left;
    b.destination_box[1] = d->rDest.top;
    b.destination_box[2] = d->rDest.right;
    b.destination_box[3] = d->rDest.bottom;
    b.has_source_box = b.source != 0;
    b.source_box[0] = d->rSrc.left;
    b.source_box[1] = d->rSrc.top;
    b.source_box[2] = d->rSrc.right;
    b.source_box[3] = d->rSrc.bottom;
    b.flags = d->dwFlags;
    b.rop = d->bltFX.dwROP;
    b.color = d->bltFX.dwFillColor;
    b.result = (ddir_u32)d->ddRVal;
    return ddir_blt_surface(r, &b);
}

/* `request`: the first bytes of lpvData as they came (20 or more); `returned`: what the callback returns. */
DDIR_API int ddir_ddk_get_driver_info(ddir_recorder *r, const DDHAL_GETDRIVERINFODATA *d, const void *request, ddir_u32 size,
                                      ddir_u32 returned)
{
    ddir_driver_info i;
    memset(&i, 0, sizeof i);
    i.request = request;
    i.request_size = size;
    i.reply = d->lpvData;
    i.reply_size = d->dwActualSize;
    i.handled = returned;
    i.actual_size = d->dwActualSize;
    i.result = (ddir_u32)d->ddRVal;
    return ddir_get_driver_info(r, &i);
}

/* Two surfaces; a longer chain goes through ddir_flip. */
DDIR_API int ddir_ddk_flip(ddir_recorder *r, const DDHAL_FLIPDATA *d)
{
    ddir_u32 chain[2];
    chain[0] = ddir_ddk_handle(d->lpSurfCurr);
    chain[1] = ddir_ddk_handle(d->lpSurfTarg);
    return ddir_flip(r, chain, 2, d->dwFlags, (ddir_u32)d->ddRVal);
}

DDIR_API int ddir_ddk_destroy_surface(ddir_recorder *r, const DDHAL_DESTROYSURFACEDATA *d)
{
    return ddir_destroy_surface(r, ddir_ddk_handle(d->lpDDSurface), (ddir_u32)d->ddRVal);
}

/* `target`, `depth`: lpDDSLcl and lpDDSZLcl of the data. */
DDIR_API int ddir_ddk_context_create(ddir_recorder *r, const D3DHAL_CONTEXTCREATEDATA *d, LPDDRAWI_DDRAWSURFACE_LCL target,
                                   LPDDRAWI_DDRAWSURFACE_LCL depth)
{
    return ddir_context_create(r, (ddir_u32)d->dwhContext, ddir_ddk_handle(target), ddir_ddk_handle(depth),
                               (ddir_u32)d->ddrval);
}

/* At the start of D3dDrawPrimitives2: dwVertexSize and ddrval share their place.  `buffer`: lpDDVertex, `memory`: where its
   bytes are; with D3DHALDP2_USERMEMVERTICES (flag 1) 0 and lpVertices. */
DDIR_API int ddir_ddk_draw_primitives2_pending(ddir_recorder *r, const D3DHAL_DRAWPRIMITIVES2DATA *d, DWORD vertex_size,
                                             LPDDRAWI_DDRAWSURFACE_LCL buffer, const void *memory)
{
    ddir_draw n;
    memset(&n, 0, sizeof n);
    n.context = (ddir_u32)d->dwhContext;
    n.flags = d->dwFlags;
    n.commands = (const ddir_u8 *)d->lpDDCommands->lpGbl->fpVidMem + d->dwCommandOffset;
    n.command_offset = d->dwCommandOffset;
    n.command_length = d->dwCommandLength;
    n.vertex_type = d->dwVertexType;
    n.vertex_size = vertex_size;
    n.vertex_length = d->dwVertexLength;
    n.vertices = memory ? (const ddir_u8 *)memory + d->dwVertexOffset : 0;
    n.vertex_buffer = d->dwFlags & 1 ? 0 : ddir_ddk_handle(buffer);
    return ddir_draw_primitives2_pending(r, &n);
}

#endif /* DDIR_DDK */

#endif /* DDI_RECORD_IMPLEMENTATION */

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
