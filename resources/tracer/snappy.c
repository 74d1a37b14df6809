/* Raw snappy blocks (google/snappy, format_description.txt): literals and copies of what stands up to 64 KB before. */
#include <string.h>
#include "trace.h"

enum { BITS = 14, FRAGMENT = 1 << 16 };

size_t snappy_room(size_t size) { return 32 + size + size / 6; }

static unsigned char *literal(unsigned char *out, const unsigned char *data, size_t size)
{
    size_t n = size - 1;
    if (n < 60) {
        *out++ = (unsigned char)(n << 2);
    } else {
        unsigned char *tag = out++;
        int bytes = 0;
        for (; n; n >>= 8, bytes++)
            *out++ = (unsigned char)n;
        *tag = (unsigned char)((59 + bytes) << 2);
    }
    memcpy(out, data, size);
    return out + size;
}

static unsigned char *copy(unsigned char *out, size_t offset, size_t size)
{
    while (size) {
        size_t n = size > 64 ? (size < 68 ? 60 : 64) : size; /* never leaves fewer than four */
        *out++ = (unsigned char)((n - 1) << 2 | 2);
        *out++ = (unsigned char)offset;
        *out++ = (unsigned char)(offset >> 8);
        size -= n;
    }
    return out;
}

static unsigned dword_at(const unsigned char *p)
{
    unsigned value;
    memcpy(&value, p, 4);
    return value;
}

/* One fragment: offsets fit 16 bits. */
static unsigned char *fragment(const unsigned char *data, size_t size, unsigned char *out)
{
    static unsigned short seen[1 << BITS]; /* under the lock */
    size_t begin = 0, p = 1;
    memset(seen, 0, sizeof seen);
    while (size >= 8 && p <= size - 4) {
        unsigned word = dword_at(data + p), slot = word * 0x1E35A7BDu >> (32 - BITS);
        size_t before = seen[slot], n = 4;
        seen[slot] = (unsigned short)p;
        if (dword_at(data + before) != word) {
            p += 1 + ((p - begin) >> 6); /* faster where nothing repeats */
            continue;
        }
        while (p + n < size && data[before + n] == data[p + n])
            n++;
        if (p > begin)
            out = literal(out, data + begin, p - begin);
        out = copy(out, p - before, n);
        begin = p += n;
    }
    return begin < size ? literal(out, data + begin, size - begin) : out;
}

size_t snappy(const unsigned char *data, size_t size, unsigned char *out)
{
    unsigned char *first = out;
    size_t n = size;
    for (; n > 127; n >>= 7)
        *out++ = (unsigned char)(n | 128);
    *out++ = (unsigned char)n;
    for (; size; data += n, size -= n) {
        n = size < FRAGMENT ? size : FRAGMENT;
        out = fragment(data, n, out);
    }
    return out - first;
}
