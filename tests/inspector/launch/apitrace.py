"""apitrace's d3d8.dll of 32 and 64 bits, built from Debian's sources: python -m tests.inspector.launch.apitrace FOLDER

Debian packages apitrace for OpenGL only, but its sources have the wrappers for Windows.  FOLDER: where `apt-get source
--download-only apitrace snappy` was run (apitrace 13.0 or newer, as in sid), with both archives unpacked: apitrace-*/ and
snappy-*/.  It gets win32/lib/wrappers/d3d8.dll and win64/...; with DDI_APITRACE=FOLDER the tests compare them with ours.
Needs g++-mingw-w64-i686 and g++-mingw-w64-x86-64; takes two minutes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

COMPILERS = {32: "i686-w64-mingw32-g++-posix", 64: "x86_64-w64-mingw32-g++-posix"}
HEADER = Path("/usr/share/mingw-w64/include/d3d8.h")
OPTIONS = ["-O2", "-std=c++17", "-fno-rtti", "-fno-exceptions", "-w", "-D_WIN32_WINNT=0x0602", "-DWINVER=0x0602", "-DNDEBUG"]
ONLY_32 = ["-msse2", "-mfpmath=sse", "-mincoming-stack-boundary=2"]
INCLUDED = [
    "lib/os",
    "lib/trace",
    "lib/guids",
    "lib/highlight",
    "lib/image",
    "helpers",
    "dispatch",
    "wrappers",
    "thirdparty",
    "compat",
]
SOURCES = [
    "wrappers/d3d9shader.cpp", "lib/trace/trace_writer.cpp", "lib/trace/trace_writer_local.cpp", "lib/trace/trace_option.cpp",
    "lib/trace/trace_ostream_snappy.cpp", "lib/os/os_win32.cpp", "lib/os/os_crtdbg.cpp", "lib/os/os_backtrace.cpp",
    "lib/guids/guids.cpp", "helpers/d3dshader.cpp",
]  # fmt: skip
OF_SNAPPY = ["snappy.cc", "snappy-sinksource.cc", "snappy-stubs-internal.cc"]
CONSTANTS = {
    "D3DCREATE_DISABLE_DRIVER_MANAGEMENT": 0x100, "D3DCURSOR_IMMEDIATE_UPDATE": 1, "D3DSGR_NO_CALIBRATION": 0,
    "D3DSGR_CALIBRATE": 1, "D3DDEVINFOID_RESOURCEMANAGER": 5, "D3DDEVINFOID_VERTEXSTATS": 6, "D3DPV_DONOTCOPYDATA": 1,
}  # fmt: skip
"""Of the DirectX 8.1 SDK, which mingw-w64's header lacks."""
STUBS = """#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#define SNAPPY_MAJOR 1
#define SNAPPY_MINOR 1
#define SNAPPY_PATCHLEVEL 9
namespace snappy {
using int8 = std::int8_t; using uint8 = std::uint8_t; using int16 = std::int16_t; using uint16 = std::uint16_t;
using int32 = std::int32_t; using uint32 = std::uint32_t; using int64 = std::int64_t; using uint64 = std::uint64_t;
struct iovec { void *iov_base; size_t iov_len; };
}
"""


def build(folder: Path, bits: int) -> Path:
    """The DLL.  The folder holds both sources."""
    apitrace, snappy = (next(path for path in folder.glob(f"{name}-*") if path.is_dir()) for name in ("apitrace", "snappy"))
    dll = folder / f"win{bits}" / "lib" / "wrappers" / "d3d8.dll"
    dll.parent.mkdir(parents=True, exist_ok=True)
    headers = folder / "headers"
    headers.mkdir(exist_ok=True)
    rows = re.sub(r"(?m)^(.*SetCursorPosition.*)$", lambda line: line[1].replace("UINT", "int"), HEADER.read_text("utf-8"))
    missing = "".join(f"#ifndef {name}\n#define {name} {value}\n#endif\n" for name, value in CONSTANTS.items())
    (headers / "d3d8.h").write_text(rows + missing, "utf-8")
    (headers / "snappy-stubs-public.h").write_text(STUBS, "utf-8")
    wrapper = folder / "d3d8trace.cpp"
    wrapper.write_bytes(subprocess.check_output([sys.executable, str(apitrace / "wrappers" / "d3d8trace.py")]))
    files = [
        wrapper,
        *(apitrace / name for name in SOURCES),
        *(snappy / name for name in OF_SNAPPY),
        apitrace / "wrappers" / "d3d8.def",
    ]
    places = [headers, *(apitrace / name for name in INCLUDED), snappy, apitrace]
    command = [
        COMPILERS[bits],
        *OPTIONS,
        *(ONLY_32 if bits == 32 else []),
        *(f"-I{place}" for place in places),
        "-shared",
        "-static",
    ]
    link = ["-Wl,--enable-stdcall-fixup", "-lshell32", "-luuid", "-lpsapi", "-o", dll]
    subprocess.run([*command, *files, *link], check=True)
    return dll


if __name__ == "__main__":
    for of in COMPILERS:
        print(build(Path(sys.argv[1]).resolve(), of))
