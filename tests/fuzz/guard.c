/* A malloc for fuzzing, to be preloaded: every block of GUARD_LEAST bytes or more lies on pages of its own.

   GUARD_MODE=over (the default) puts its end before an inaccessible page, under its beginning behind one.  The bytes
   between a block's end and its page's hold a pattern that free() looks at.  Freed pages become inaccessible and are
   never given out again.  guard_arm(seed, rate): from now on one of `rate` blocks of GUARD_FAIL_LEAST bytes or more is
   refused, chosen by the seed; rate 0: none.  guard_refused(): how many were.

   guard_handler is what NumPy takes its arrays from (PyDataMem_Handler), so that small ones are guarded and refused, too.
   Other small blocks are not refused: NumPy 2.4 dies where the buffers of an operation on two types are (u32 + i64).

   Smaller blocks, and those beyond MOST_LIVE at a time (the system has 65,530 mappings), are glibc's.
*/
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

#define PAGE ((size_t)4096)
#define RESERVED ((size_t)1 << 43)
#define MOST_LIVE 24000
#define PATTERN 0xA5

static char *arena;         /* reserved, inaccessible */
static size_t *sizes;       /* of the block that begins in a page, by page */
static size_t next_page, least = 200, fail_least = 136 << 10, rate;
static long live, refused;
static uint64_t chosen;
static int under, ready;

static void set_up(void) {
    const char *mode = getenv("GUARD_MODE"), *from = getenv("GUARD_LEAST"), *fails = getenv("GUARD_FAIL_LEAST");
    ready = 1;
    under = mode && !strcmp(mode, "under");
    if (from) least = (size_t)atol(from);
    if (fails) fail_least = (size_t)atol(fails);
    arena = mmap(NULL, RESERVED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    sizes = mmap(NULL, RESERVED / PAGE * sizeof(size_t), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED || sizes == MAP_FAILED) arena = NULL;
}

void guard_arm(uint64_t seed, uint64_t one_of) {
    chosen = seed * 2654435761u + 88172645463325252u;
    __atomic_store_n(&rate, (size_t)one_of, __ATOMIC_SEQ_CST);
}

long guard_refused(void) { return refused; }
int guard_is_there(void) { return arena != NULL; }

static int refuse(size_t size, size_t from) {
    if (!rate || size < from) return 0;
    chosen ^= chosen << 13, chosen ^= chosen >> 7, chosen ^= chosen << 17;
    if (chosen % rate) return 0;
    refused++;
    errno = ENOMEM;
    return 1;
}

static int ours(const void *p) { return arena && (char *)p >= arena && (char *)p < arena + RESERVED; }

static size_t *size_of(const void *p) { return &sizes[((char *)p - arena) / PAGE]; }

static void *guarded(size_t size, size_t align) {
    size_t pages = (size + PAGE - 1) / PAGE, at;
    char *base, *p;
    if (__atomic_add_fetch(&live, 1, __ATOMIC_RELAXED) > MOST_LIVE || size > RESERVED / 4) goto full;
    at = __atomic_fetch_add(&next_page, pages + 1, __ATOMIC_RELAXED);
    if ((at + pages + 2) * PAGE > RESERVED) goto full;
    base = arena + (at + 1) * PAGE; /* the page before, and the one after, stay inaccessible */
    if (mprotect(base, pages * PAGE, PROT_READ | PROT_WRITE)) goto full;
    p = under ? base : (char *)((uintptr_t)(base + pages * PAGE - size) & ~(uintptr_t)(align - 1));
    memset(p + size, PATTERN, (size_t)(base + pages * PAGE - (p + size)));
    *size_of(p) = size;
    return p;
full:
    __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    return __libc_memalign(align, size);
}

static void give_up(const char *what) {
    ssize_t done = write(2, what, strlen(what));
    (void)done;
    abort();
}

static void release(void *p) {
    size_t size = *size_of(p), begin = (size_t)((char *)p - arena) / PAGE * PAGE, end, n;
    if (!size) give_up("guard: freed twice, or not a block\n");
    end = ((size_t)((char *)p - arena) + size + PAGE - 1) / PAGE * PAGE;
    for (n = (size_t)((char *)p - arena) + size; n < end; n++)
        if ((unsigned char)arena[n] != PATTERN) give_up("guard: written behind a block\n");
    *size_of(p) = 0;
    mmap(arena + begin, end - begin, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
}

static void *block(size_t size, size_t align) {
    if (!ready) set_up();
    if (refuse(size, fail_least)) return NULL;
    if (!arena || size < least || align > PAGE) return align > 16 ? __libc_memalign(align, size) : __libc_malloc(size);
    return guarded(size, align < 16 ? 16 : align);
}

void *malloc(size_t size) { return block(size, 16); }

void *calloc(size_t count, size_t each) {
    size_t size;
    void *p;
    if (__builtin_mul_overflow(count, each, &size)) return errno = ENOMEM, NULL;
    if (!ready) set_up();
    if (!arena || size < least) return refuse(size, fail_least) ? NULL : __libc_calloc(count, each);
    p = block(size, 16);
    if (p && !ours(p)) memset(p, 0, size); /* fresh pages hold zeros */
    return p;
}

void free(void *p) {
    if (ours(p)) release(p);
    else __libc_free(p);
}

void *realloc(void *p, size_t size) {
    size_t old;
    void *q;
    if (!p) return malloc(size);
    if (!ours(p)) return refuse(size, fail_least) ? NULL : __libc_realloc(p, size);
    if (!size) return free(p), NULL;
    old = *size_of(p);
    if (!(q = malloc(size))) return NULL;
    memcpy(q, p, old < size ? old : size);
    free(p);
    return q;
}

void *memalign(size_t align, size_t size) { return block(size, align); }
void *aligned_alloc(size_t align, size_t size) { return block(size, align); }

int posix_memalign(void **p, size_t align, size_t size) { return (*p = block(size, align)) ? 0 : ENOMEM; }

size_t malloc_usable_size(void *p) {
    extern size_t __malloc_usable_size(void *) __attribute__((weak));
    return ours(p) ? *size_of(p) : p && __malloc_usable_size ? __malloc_usable_size(p) : 0;
}

/* ---- NumPy's arrays */

#define ARRAY_LEAST 64

static void *array_malloc(void *context, size_t size) {
    (void)context;
    return refuse(size, ARRAY_LEAST) ? NULL : malloc(size);
}

static void *array_calloc(void *context, size_t count, size_t each) {
    (void)context;
    return refuse(count * each, ARRAY_LEAST) ? NULL : calloc(count, each);
}

static void *array_realloc(void *context, void *p, size_t size) {
    (void)context;
    return refuse(size, ARRAY_LEAST) ? NULL : realloc(p, size);
}

static void array_free(void *context, void *p, size_t size) {
    (void)context, (void)size;
    free(p);
}

struct {
    char name[127];
    uint8_t version;
    struct {
        void *context;
        void *(*malloc)(void *, size_t), *(*calloc)(void *, size_t, size_t), *(*realloc)(void *, void *, size_t);
        void (*free)(void *, void *, size_t);
    } allocator;
} guard_handler = {"guard", 1, {NULL, array_malloc, array_calloc, array_realloc, array_free}};
