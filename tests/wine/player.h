/* What player7.c and player8.c share: the script, the objects that programs make, and calls of their methods.

   A call names an object, a place in its table of methods, and arguments.  Of 64-bit programs each is 8 bytes, in registers or on
   the stack, where more of them than a method takes do no harm; floats come fifth or later, on the stack. */
enum { NUMBER, OBJECT, DATA, MADE, BACK, KEPT_NUMBER, NUMBER_MADE, STRIDED };                           /* arguments */
enum { MOST = 4096, MOST_ARGUMENTS = 12 };

typedef HRESULT(WINAPI *Method)(void *, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64, UINT64);

static unsigned char *at;
static IUnknown *objects[MOST];
static DWORD handles[MOST];
static DWORD made[MOST], count;
static FILE *out;

static DWORD word(void) { DWORD value = *(DWORD *)at; at += 4; return value; }
static void *bytes(DWORD size) { void *first = at; at += (size + 3) & ~3u; return first; }
static void answer(const void *data, DWORD size) { fwrite(data, 1, size, out); }
static void answer_word(DWORD value) { answer(&value, 4); }

static void keep(DWORD slot, void *object) {
    objects[slot] = object;
    made[count++] = slot;
}

static void forget(void) {
    while (count) {
        DWORD slot = made[--count];
        if (objects[slot]) objects[slot]->lpVtbl->Release(objects[slot]);
        objects[slot] = NULL;
    }
}

static HRESULT call(void) {
    static BYTE back[65536];
    static struct { void *data; DWORD stride; } component[12]; /* D3DDRAWPRIMITIVESTRIDEDDATA */
    DWORD slot = word(), place = word(), given = word(), brought = 0, place_made = 0;
    UINT64 argument[MOST_ARGUMENTS] = {0};
    void *object = NULL;
    int makes = 0;
    memset(back, 0, sizeof back);
    for (DWORD i = 0; i < given; i++) {
        DWORD kind = word(), size;
        switch (kind) {
        case NUMBER: argument[i] = word(); argument[i] |= (UINT64)word() << 32; break;
        case OBJECT: argument[i] = (UINT64)objects[word()]; break;
        case DATA: size = word(); argument[i] = (UINT64)bytes(size); break;
        case MADE: place_made = word(); makes = 1; argument[i] = (UINT64)&object; break;
        case BACK: size = word(); memcpy(back + brought, bytes(size), size); argument[i] = (UINT64)(back + brought); brought += size; break;
        case KEPT_NUMBER: argument[i] = handles[word()]; break;
        case NUMBER_MADE: argument[i] = (UINT64)&handles[word()]; break;
        case STRIDED:
            for (int n = 0; n < 12; n++) {
                component[n].stride = word();
                size = word();
                component[n].data = size ? bytes(size) : NULL;
            }
            argument[i] = (UINT64)component;
        }
    }
    IUnknown *this = objects[slot];
    HRESULT result = E_POINTER;
    if (this) result = (*(Method **)this)[place](this, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5],
                                                 argument[6], argument[7], argument[8], argument[9], argument[10]);
    if (makes && SUCCEEDED(result) && object) keep(place_made, object);
    if (place == 2 && result == 0) objects[slot] = NULL; /* Release */
    answer_word(result);
    answer(back, brought);
    return result;
}

/* Reads the script and opens the file of answers. */
static int opened(int argc, char **argv) {
    FILE *script = argc == 3 ? fopen(argv[1], "rb") : NULL;
    out = script ? fopen(argv[2], "wb") : NULL;
    if (!out) return 0;
    fseek(script, 0, SEEK_END);
    long size = ftell(script);
    rewind(script);
    at = malloc(size);
    return at && fread(at, 1, size, script) == (size_t)size;
}
