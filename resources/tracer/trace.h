/* What the parts of the recorder know of each other. */
#ifndef TRACE_H
#define TRACE_H
#define COBJMACROS
#include <windows.h>
#include <d3d8.h>

/* Of a function that calculates: the 32-bit DLL leaves the x87 to the program (build.py). */
#ifdef __i386__
#define IN_SSE __attribute__((target("sse2,fpmath=sse"), force_align_arg_pointer, noinline))
#else
#define IN_SSE
#endif

/* ---- values.c, trace.c: a call is written into a record first, and from there into the file ----

   apitrace's docs/FORMAT.markdown, version 6: what an event tells, and the tags of values. */

enum { END, ARGUMENT, RESULT, FLAGS = 5 };
enum { T_NULL, T_FALSE, T_TRUE, T_SINT, T_UINT, T_FLOAT, T_DOUBLE, T_STRING, T_BLOB, T_ENUM, T_MASK, T_ARRAY, T_STRUCT, T_OPAQUE };

typedef struct { const char *name; int count; const char *const *members; int kept; } Signature;
typedef struct { const char *name; long long value; } Member;
typedef struct { int count; const Member *members; } Words;

extern const Signature functions[], structs[];
extern const Words enums[], masks[];
extern const int function_count, struct_count, enum_count, mask_count;

/* A call as it is being written down: the details of ENTER, from `split` on those of LEAVE.  Numbers of functions, structures,
   enumerations and masks are those of the tables; their definitions come when it goes into the file. */
typedef struct {
    unsigned char *data;
    size_t used, size, split;
    int function, on;
    DWORD number, file; /* of the call in a file; of the file */
    unsigned char first[1024];
} Call;

void enter(Call *call, int function, const void *self);
void end_arguments(Call *call);
void entered(Call *call);
void left(Call *call);
void done(Call *call);

void put_byte(Call *call, int byte);
void put_number(Call *call, unsigned long long value);
void put_argument(Call *call, int index);
void put_result(Call *call);
void put_null(Call *call);
void put_u(Call *call, unsigned long long value);
void put_i(Call *call, long long value);
void put_f(Call *call, float value);
void put_enum(Call *call, int words, long long value);
void put_mask(Call *call, int words, DWORD value);
void put_pointer(Call *call, const void *pointer);
void put_text(Call *call, const char *text);
void put_blob(Call *call, const void *data, size_t size);
void put_array(Call *call, size_t count);
void put_struct(Call *call, int structure);
void write_memory(const void *memory, size_t size); /* the made-up call memcpy */

typedef struct Record Record;
Record *record_of(const Call *call); /* a copy, with one reference; NULL if the call was not written down */
Record *hold(Record *record);
void let_go(Record *record);
void write_record(const Record *record);
void matrix_of(const Record *record, D3DMATRIX *matrix); /* the last argument of a call, which is one */

extern CRITICAL_SECTION lock;
extern int recording, keeping;
void begin_file(void);
void end_file(void);
void flush(void);
void finish(void); /* when the process ends */

size_t snappy(const unsigned char *data, size_t size, unsigned char *out);
size_t snappy_room(size_t size);

/* ---- objects.c ---- */

typedef enum { K_8, K_Device8, K_SwapChain8, K_Texture8, K_CubeTexture8, K_VolumeTexture8, K_Surface8, K_Volume8, K_VertexBuffer8,
               K_IndexBuffer8, K_BaseTexture8, K_unknown } Kind;

typedef struct Locked { struct Locked *next; UINT face, level, offset; void *memory; size_t size; } Locked;

/* Stands in for an interface pointer of the real Direct3D.  It is never freed: programs use surfaces that they have released, and
   an address that comes again has its object again. */
typedef struct Object {
    const void *table;
    void *real;
    struct Object *next, *parent;
    Kind kind;
    UINT face, level; /* of a surface or volume that belongs to a texture */
    int alive;
    Locked *locked;
    Record *made, *detail; /* the call that made it; Reset of a device, SetLOD of a texture */
    DWORD serial;
    unsigned char *contents; /* of a buffer, while `keeping` */
    UINT size;
    struct State *state; /* of a device */
} Object;

extern const void *const tables[]; /* by kind */
int is_ours(const void *pointer);
void *real_of(const void *pointer);
Object *find_object(void *real, Kind kind);
void *wrap(const Call *call, Object *parent, Kind kind, void *real, int created);
Kind kind_of_iid(REFIID iid);
Kind kind_of_texture(void *real);
void each_object(void (*visit)(Object *object));
DWORD newest_serial(void); /* of an object */
size_t picture_size(D3DFORMAT format, UINT width, UINT height, UINT depth, INT pitch, INT slice_pitch);
void remember(Object *object, UINT face, UINT level, UINT offset, void *memory, size_t size);
void written(Object *object, UINT face, UINT level);

/* ---- generated: the layouts of formats ---- */

typedef struct { DWORD format; UINT width, height, bytes; } Layout;
extern const Layout layouts[];
extern const int layout_count;

/* ---- keep.c ---- */

void keep(const Call *call, Object *device, DWORD first, DWORD second, const void *object, const void *other);
void note(const Call *call, Object *device, DWORD first, DWORD second);
void drop_object(Object *object);
void write_kept(void);
void write_contents(Object *object); /* contents.c */

/* ---- d3d8.c ---- */

void frame_shown(Object *self);

static inline UINT vertices_of(D3DPRIMITIVETYPE type, UINT count)
{
    static const unsigned char each[] = {0, 1, 2, 1, 3, 1, 1}, more[] = {0, 0, 0, 1, 0, 2, 2};
    return type >= 1 && type <= 6 && count ? count * each[type] + more[type] : 0;
}
size_t declaration_length(const DWORD *declaration); /* dwords, with the end */
size_t code_size(const DWORD *code);                 /* bytes, with the end */
#endif
