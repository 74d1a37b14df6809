/* A disk that is full from the write number NO_SPACE_AT on: for regular files only.  Preloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long count, limit;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("NO_SPACE_AT");
    limit = text ? atol(text) : 0;
}

static int full(int file)
{
    struct stat status;
    if (!limit || fstat(file, &status) || !S_ISREG(status.st_mode) || __sync_add_and_fetch(&count, 1) < limit) return 0;
    errno = ENOSPC;
    return 1;
}

ssize_t write(int file, const void *data, size_t size)
{
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    return full(file) ? -1 : next(file, data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t at)
{
    static ssize_t (*next)(int, const void *, size_t, off_t);
    if (!next) next = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
    return full(file) ? -1 : next(file, data, size, at);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at)
{
    static ssize_t (*next)(int, const void *, size_t, off64_t);
    if (!next) next = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    return full(file) ? -1 : next(file, data, size, at);
}
