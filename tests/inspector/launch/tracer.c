/* Stands in for apitrace's d3d8.dll: passes Direct3DCreate8 on to the system's and writes a given trace to TRACE_FILE, the first part
   (TRACE_FIRST bytes of TRACE_SOURCE) when Direct3D starts and the rest when the program ends. */

#include <windows.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *source, *target;

static void copy(long count)
{
    for (int c; count-- && source && target && (c = fgetc(source)) != EOF;)
        fputc(c, target);
    if (target)
        fflush(target);
}

__declspec(dllexport) void *WINAPI Direct3DCreate8(UINT version)
{
    char path[MAX_PATH];
    GetSystemDirectoryA(path, MAX_PATH);
    strcat(path, "\\d3d8.dll");
    HMODULE system = LoadLibraryA(path);
    void *(WINAPI *create)(UINT) = (void *)GetProcAddress(system, "Direct3DCreate8");
    if (!target && getenv("TRACE_SOURCE")) {
        source = fopen(getenv("TRACE_SOURCE"), "rb");
        target = fopen(getenv("TRACE_FILE"), "wb");
        copy(atol(getenv("TRACE_FIRST")));
    }
    return create ? create(version) : NULL;
}

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, void *reserved)
{
    if (reason == DLL_PROCESS_DETACH)
        copy(1L << 30);
    return TRUE;
}
