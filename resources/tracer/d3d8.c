/* The DLL: what it exports, the settings, and when frames are recorded.

   TRACE_FILE            the trace; otherwise the program's name, in the current folder
   DDI_RECORD_FRAMES     FIRST or FIRST-LAST: only these frames, counted from 0
   DDI_RECORD_KEY        F1 ... F24, or a letter or digit: frames are recorded when it is pressed
   DDI_RECORD_COUNT      how many, with a key (1)
   DDI_RECORD_D3D8       the d3d8.dll that is recorded, instead of the system's */
#include <stdlib.h>
#include "trace.h"
#include "calls.h"

static HMODULE system_dll;
static DWORD frame, first_frame, count = 1, left_to_record;
static int key, was_down, wanted, begun;

static DWORD number_of(const char *name, DWORD otherwise)
{
    char text[32];
    return GetEnvironmentVariableA(name, text, sizeof text) ? strtoul(text, NULL, 10) : otherwise;
}

static void read_settings(void)
{
    char text[64] = "", *end;
    if (GetEnvironmentVariableA("DDI_RECORD_FRAMES", text, sizeof text)) {
        DWORD last = first_frame = strtoul(text, &end, 10);
        if (*end == '-')
            last = strtoul(end + 1, NULL, 10);
        count = last >= first_frame ? last - first_frame + 1 : 1;
        keeping = 1;
    } else if (GetEnvironmentVariableA("DDI_RECORD_KEY", text, sizeof text)) {
        count = number_of("DDI_RECORD_COUNT", 1);
        count += !count;
        CharUpperA(text);
        key = text[0] == 'F' && text[1] ? VK_F1 - 1 + atoi(text + 1) : text[0];
        first_frame = ~0u;
        keeping = 1;
        GetAsyncKeyState(key); /* forgets presses before */
    }
}

static void begin_some(void)
{
    wanted = 0;
    begin_file();
    left_to_record = count;
    write_kept();
    flush();
}

/* Under the lock; recorded from the beginning, or from a frame on. */
static void begin_recording(void)
{
    if (begun)
        return;
    begun = 1;
    read_settings();
    if (!keeping)
        begin_file();
    else if (!first_frame)
        begin_some();
}

/* Also a key that was pressed and released since the frame before: the lowest bit.  Held keys count once. */
static int is_pressed(void)
{
    int state = key ? GetAsyncKeyState(key) : 0, pressed = state & 0x8001 && !was_down;
    was_down = state & 0x8000;
    return pressed;
}

/* Presses while frames are recorded are kept until these are. */
void frame_shown(Object *self)
{
    (void)self;
    EnterCriticalSection(&lock);
    frame++;
    wanted |= is_pressed();
    if (recording && keeping && !--left_to_record)
        end_file();
    else if (recording)
        flush();
    if (!recording && keeping && (frame == first_frame || wanted))
        begin_some();
    LeaveCriticalSection(&lock);
}

void after_Present(Object *self) { frame_shown(self); }

void after_IDirect3D8_CreateDevice(Object *self, UINT adapter, D3DDEVTYPE type, HWND window, DWORD behavior,
                                   D3DPRESENT_PARAMETERS *parameters, IDirect3DDevice8 **device, HRESULT result, const Call *call)
{
    (void)self, (void)adapter, (void)type, (void)window, (void)behavior, (void)parameters, (void)device, (void)result, (void)call;
    EnterCriticalSection(&lock);
    if (recording)
        flush();
    LeaveCriticalSection(&lock);
}

static FARPROC real_function(const char *name)
{
    EnterCriticalSection(&lock);
    if (!system_dll) {
        char path[MAX_PATH] = "";
        DWORD length = GetEnvironmentVariableA("DDI_RECORD_D3D8", path, MAX_PATH);
        if (!length || length >= MAX_PATH) {
            GetSystemDirectoryA(path, MAX_PATH - 10);
            lstrcatA(path, "\\d3d8.dll");
        }
        system_dll = LoadLibraryA(path);
    }
    LeaveCriticalSection(&lock);
    return system_dll ? GetProcAddress(system_dll, name) : NULL;
}

__declspec(dllexport) IDirect3D8 *WINAPI Direct3DCreate8(UINT version)
{
    IDirect3D8 *(WINAPI *create)(UINT) = (void *)real_function("Direct3DCreate8");
    IDirect3D8 *made;
    Call call;
    if (!create)
        return NULL;
    EnterCriticalSection(&lock);
    begin_recording();
    LeaveCriticalSection(&lock);
    enter(&call, F_Direct3DCreate8, NULL);
    put_argument(&call, 0);
    put_u(&call, version);
    entered(&call);
    made = create(version);
    put_result(&call);
    put_pointer(&call, made);
    left(&call);
    if (made)
        made = wrap(&call, NULL, K_8, made, 1);
    done(&call);
    return made;
}

__declspec(dllexport) HRESULT WINAPI ValidateVertexShader(const DWORD *a, const DWORD *b, const D3DCAPS8 *c, BOOL d, char **e)
{
    HRESULT(WINAPI *real)(const DWORD *, const DWORD *, const D3DCAPS8 *, BOOL, char **) = (void *)real_function("ValidateVertexShader");
    return real ? real(a, b, c, d, e) : E_FAIL;
}

__declspec(dllexport) HRESULT WINAPI ValidatePixelShader(const DWORD *a, const D3DCAPS8 *b, BOOL c, char **d)
{
    HRESULT(WINAPI *real)(const DWORD *, const D3DCAPS8 *, BOOL, char **) = (void *)real_function("ValidatePixelShader");
    return real ? real(a, b, c, d) : E_FAIL;
}

__declspec(dllexport) void WINAPI DebugSetMute(void)
{
    void(WINAPI *real)(void) = (void *)real_function("DebugSetMute");
    if (real)
        real();
}

__declspec(dllexport) void *WINAPI D3D8GetSWInfo(void)
{
    void *(WINAPI *real)(void) = (void *)real_function("D3D8GetSWInfo");
    return real ? real() : NULL;
}

/* Dwords with the end; constants are skipped, as they may look like one (D3DVSD_CONST). */
size_t declaration_length(const DWORD *declaration)
{
    size_t n = 0;
    if (!declaration)
        return 0;
    while (declaration[n] != 0xFFFFFFFF && n < 4096)
        n += declaration[n] >> 29 == 4 ? 1 + 4 * (declaration[n] >> 25 & 15) : 1;
    return n + 1;
}

/* Bytes with the end (0xFFFF); comments say how long they are, `def` has four floats. */
size_t code_size(const DWORD *code)
{
    size_t n = 0;
    if (!code)
        return 0;
    while ((code[n] & 0xFFFF) != 0xFFFF && n < 1 << 16)
        n += (code[n] & 0xFFFF) == 0xFFFE ? 1 + (code[n] >> 16 & 0x7FFF) : code[n] >> 31 == 0 && (code[n] & 0xFFFF) == 0x51 ? 6 : 1;
    return 4 * (n + 1);
}

/* In place of mingw-w64's, which its startup code calls as threads begin: the program's threads keep their x87. */
void _fpreset(void) {}

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, void *reserved)
{
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH) {
        DisableThreadLibraryCalls(self);
        InitializeCriticalSection(&lock);
    } else if (reason == DLL_PROCESS_DETACH) {
        finish();
    }
    return TRUE;
}
