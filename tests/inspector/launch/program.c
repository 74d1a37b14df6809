/* A program with a window that uses Direct3D 8: asks for the adapter, then waits until its window is closed.

   program.exe MILLISECONDS [FILE]    closes its window by itself; writes its arguments, folder and variables into FILE */

#include <windows.h>
#include <d3d8.h>
#include <stdio.h>
#include <stdlib.h>

static LRESULT CALLBACK proc(HWND window, UINT message, WPARAM w, LPARAM l)
{
    if (message == WM_DESTROY || message == WM_TIMER)
        PostQuitMessage(message == WM_DESTROY ? 7 : 0);
    return DefWindowProcA(window, message, w, l);
}

int main(int count, char **words)
{
    WNDCLASSA kind = {0};
    MSG message = {0};
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);
    if (!d3d)
        return 3;
    if (count > 2) {
        FILE *file = fopen(words[2], "w");
        char folder[MAX_PATH];
        GetCurrentDirectoryA(MAX_PATH, folder);
        fprintf(file, "%u adapters\n%s\n%s\n", IDirect3D8_GetAdapterCount(d3d), folder, getenv("GREETING") ? getenv("GREETING") : "");
        fclose(file);
    }
    kind.lpfnWndProc = proc;
    kind.lpszClassName = "program";
    RegisterClassA(&kind);
    HWND window = CreateWindowA("program", "program", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0, 100, 100, 0, 0, 0, 0);
    SetTimer(window, 1, count > 1 ? atoi(words[1]) : 60000, 0);
    while (GetMessageA(&message, 0, 0, 0) > 0)
        DispatchMessageA(&message);
    IDirect3D8_Release(d3d);
    return (int)message.wParam;
}
