/* Calls, and the file that they are written into. */
#include <stdlib.h>
#include <string.h>
#include "trace.h"

enum { ENTER, LEAVE };
enum { BLOCK = 1 << 20, IDS = 1024 };

struct Record { LONG references; int function; DWORD thread; size_t split, used; unsigned char data[]; };

CRITICAL_SECTION lock;
int recording, keeping;

typedef struct { unsigned char *data; size_t used, size; } Bytes;

static Bytes stream;         /* not yet written */
static unsigned char *packed;
static int failed; /* no memory, or no room on the disk */
static HANDLE file = INVALID_HANDLE_VALUE;
static DWORD next_number, file_number;
static unsigned char known[4][IDS]; /* functions, structures, enumerations, masks that the file has defined */
static DWORD threads[256];

/* ---- into the file ---- */

static void out_bytes(const void *data, size_t size)
{
    if (stream.used + size > stream.size) {
        size_t more = 2 * (stream.used + size) + BLOCK;
        unsigned char *larger = failed ? NULL : realloc(stream.data, more);
        if (!larger) {
            failed = 1; /* half an event cannot be taken back: nothing more is written */
            return;
        }
        stream.data = larger;
        stream.size = more;
    }
    memcpy(stream.data + stream.used, data, size);
    stream.used += size;
}

static void out_byte(int byte) { unsigned char one = (unsigned char)byte; out_bytes(&one, 1); }

static void out_number(unsigned long long value)
{
    for (; value > 127; value >>= 7)
        out_byte((int)(value & 127) | 128);
    out_byte((int)value);
}

static void out_text(const char *text)
{
    size_t size = strlen(text);
    out_number(size);
    out_bytes(text, size);
}

static void define_names(const Signature *signature)
{
    out_text(signature->name);
    out_number(signature->count);
    for (int i = 0; i < signature->count; i++)
        out_text(signature->members[i]);
}

static void define_words(const Words *words, int is_enum)
{
    out_number(words->count);
    for (int i = 0; i < words->count; i++) {
        long long value = words->members[i].value;
        out_text(words->members[i].name);
        if (is_enum)
            out_byte(value < 0 ? T_SINT : T_UINT);
        out_number(value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
    }
}

static int is_new(int space, int number)
{
    int first = !known[space][number];
    known[space][number] = 1;
    return first;
}

static unsigned long long number_at(const unsigned char **p)
{
    unsigned long long value = 0;
    int shift = 0;
    for (; **p > 127; shift += 7)
        value |= (unsigned long long)(*(*p)++ & 127) << shift;
    return value | (unsigned long long)*(*p)++ << shift;
}

/* Copies one value of a record, with the definitions that the file lacks. */
static void out_value(const unsigned char **p)
{
    const unsigned char *begin = *p;
    int tag = *(*p)++, count = 0, number;
    if (tag == T_SINT || tag == T_UINT || tag == T_OPAQUE) {
        number_at(p);
    } else if (tag == T_FLOAT) {
        *p += 4;
    } else if (tag == T_STRING || tag == T_BLOB) {
        size_t size = (size_t)number_at(p);
        *p += size;
    } else if (tag == T_ENUM || tag == T_MASK) {
        number = (int)number_at(p);
        out_bytes(begin, *p - begin);
        if (is_new(tag == T_ENUM ? 2 : 3, number))
            define_words(tag == T_ENUM ? &enums[number] : &masks[number], tag == T_ENUM);
        begin = *p;
        *p += tag == T_ENUM;
        number_at(p);
    } else if (tag == T_STRUCT || tag == T_ARRAY) {
        number = count = (int)number_at(p);
        out_bytes(begin, *p - begin);
        if (tag == T_STRUCT && is_new(1, number))
            define_names(&structs[number]);
        begin = *p;
        for (count = tag == T_STRUCT ? structs[number].count : count; count; count--)
            out_value(p);
        return;
    }
    out_bytes(begin, *p - begin);
}

static void out_details(const unsigned char *p, const unsigned char *end)
{
    while (p < end) {
        const unsigned char *begin = p;
        int detail = *p++;
        if (detail == ARGUMENT || detail == FLAGS)
            number_at(&p);
        out_bytes(begin, p - begin);
        if (detail == ARGUMENT || detail == RESULT)
            out_value(&p);
    }
}

/* Threads by the order in which they called first, as apitrace numbers them. */
static DWORD thread_number(void)
{
    DWORD id = GetCurrentThreadId();
    for (int i = 0; i < 255; i++)
        if (!threads[i] || threads[i] == id) {
            threads[i] = id;
            return i;
        }
    return 255;
}

static DWORD out_enter(int function, DWORD thread, const unsigned char *data, size_t size)
{
    out_byte(ENTER);
    out_number(thread);
    out_number(function);
    if (is_new(0, function))
        define_names(&functions[function]);
    out_details(data, data + size);
    return next_number++;
}

static void out_leave(DWORD number, const unsigned char *data, size_t size)
{
    out_byte(LEAVE);
    out_number(number);
    out_details(data, data + size);
    if (stream.used >= BLOCK)
        flush();
}

/* ---- calls ---- */

void enter(Call *call, int function, const void *self)
{
    call->data = call->first;
    call->used = call->split = 0;
    call->size = sizeof call->first;
    call->function = function;
    call->file = 0;
    call->on = recording || (keeping && functions[function].kept);
    if (self) {
        put_argument(call, 0);
        put_pointer(call, self);
    }
}

void end_arguments(Call *call)
{
    put_byte(call, END);
    call->split = call->used;
}

void entered(Call *call)
{
    end_arguments(call);
    if (!call->on)
        return;
    EnterCriticalSection(&lock);
    if (recording) {
        call->number = out_enter(call->function, thread_number(), call->data, call->split);
        call->file = file_number;
    }
    LeaveCriticalSection(&lock);
}

void left(Call *call)
{
    put_byte(call, END);
    EnterCriticalSection(&lock);
    if (recording && call->file == file_number && call->on)
        out_leave(call->number, call->data + call->split, call->used - call->split);
    LeaveCriticalSection(&lock);
}

void done(Call *call)
{
    if (call->data != call->first)
        free(call->data);
    call->data = call->first;
}

/* Under the lock. */
void write_memory(const void *memory, size_t size)
{
    Call call;
    enter(&call, 0, NULL);
    put_byte(&call, FLAGS);
    put_number(&call, 1); /* made up */
    put_argument(&call, 0);
    put_pointer(&call, memory);
    put_argument(&call, 1);
    put_blob(&call, memory, size);
    put_argument(&call, 2);
    put_u(&call, size);
    entered(&call);
    left(&call);
    done(&call);
}

/* ---- records ---- */

Record *record_of(const Call *call)
{
    if (!call->on || !call->split)
        return NULL;
    Record *record = malloc(sizeof *record + call->used);
    if (!record)
        return NULL;
    record->references = 1;
    record->function = call->function;
    record->thread = thread_number();
    record->split = call->split;
    record->used = call->used;
    memcpy(record->data, call->data, call->used);
    return record;
}

Record *hold(Record *record)
{
    if (record)
        record->references++;
    return record;
}

void let_go(Record *record)
{
    if (record && !--record->references)
        free(record);
}

void write_record(const Record *record)
{
    if (!record || !recording)
        return;
    DWORD number = out_enter(record->function, record->thread, record->data, record->split);
    out_leave(number, record->data + record->split, record->used - record->split);
}

/* As put_D3DMATRIX wrote it, at the end of the arguments: four arrays of four floats, each with its tag. */
void matrix_of(const Record *record, D3DMATRIX *matrix)
{
    enum { NUMBER = 1 + sizeof(float), ROW = 2 + 4 * NUMBER };
    const unsigned char *begin = record->data + record->split - 1 - 4 * ROW;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            memcpy(&matrix->m[row][column], begin + row * ROW + 2 + column * NUMBER + 1, sizeof(float));
}

/* ---- the file ---- */

static void property(const char *name, const char *value) { out_text(name); out_text(value); }

/* Begins to record: into memory first, the file is made when there is something for it. */
void begin_file(void)
{
    char path[MAX_PATH] = "";
    memset(known, 0, sizeof known);
    stream.used = 0;
    next_number = 0;
    failed = 0;
    file_number++;
    GetModuleFileNameA(NULL, path, MAX_PATH - 1);
    out_number(6);
    out_number(1);
    property("process.name", path);
    property("recorder", "DDI Inspector");
    out_text("");
    recording = 1;
}

/* TRACE_FILE, or the program's name in the current folder; with a number if it is there already.  Nothing is overwritten. */
static HANDLE new_file(void)
{
    WCHAR name[MAX_PATH] = L"", path[MAX_PATH + 16];
    HANDLE made = INVALID_HANDLE_VALUE;
    DWORD length = GetEnvironmentVariableW(L"TRACE_FILE", name, MAX_PATH);
    if (!length || length >= MAX_PATH) {
        WCHAR program[MAX_PATH] = L"";
        GetModuleFileNameW(NULL, program, MAX_PATH - 1);
        WCHAR *base = wcsrchr(program, L'\\');
        lstrcpyW(name, base ? base + 1 : program);
    }
    WCHAR *dot = wcsrchr(name, L'.');
    if (dot && !wcspbrk(dot, L"\\/"))
        *dot = 0;
    for (int n = 0; n < 1000 && made == INVALID_HANDLE_VALUE; n++) {
        wsprintfW(path, n ? L"%s.%d.trace" : L"%s.trace", name, n);
        made = CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (made == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS)
            break;
    }
    return made;
}

static int put_file(const void *data, DWORD size)
{
    DWORD count = 0;
    return WriteFile(file, data, size, &count, NULL) && count == size;
}

static void close_file(void)
{
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    file = INVALID_HANDLE_VALUE;
}

/* Under the lock: everything so far into the file, in whole blocks. */
void flush(void)
{
    if (!packed)
        packed = malloc(4 + snappy_room(BLOCK));
    failed |= !packed;
    if (file == INVALID_HANDLE_VALUE && stream.used && !failed) {
        file = new_file();
        failed = file == INVALID_HANDLE_VALUE || !put_file("at", 2);
    }
    for (size_t at = 0; at < stream.used && !failed; at += BLOCK) {
        size_t size = stream.used - at < BLOCK ? stream.used - at : BLOCK;
        DWORD length = (DWORD)snappy(stream.data + at, size, packed + 4);
        memcpy(packed, &length, 4);
        failed = !put_file(packed, length + 4);
    }
    stream.used = 0;
    if (failed)
        close_file(); /* what is recorded later gets a file of its own */
    if (failed && recording) {
        OutputDebugStringA("DDI Inspector: the trace cannot be written; nothing more is recorded\n");
        recording = 0;
    }
}

void end_file(void)
{
    flush();
    recording = 0;
    close_file();
}

void finish(void)
{
    if (recording && TryEnterCriticalSection(&lock)) { /* a thread that had it may be gone */
        end_file();
        LeaveCriticalSection(&lock);
    }
}
