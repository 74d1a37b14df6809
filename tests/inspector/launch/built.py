"""Windows programs for the tests, built with mingw: one with a window, and what stands in for apitrace's DLL."""

from __future__ import annotations

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPILERS = {32: "i686-w64-mingw32-gcc", 64: "x86_64-w64-mingw32-gcc"}


def build(folder: Path, compiler: str) -> tuple[Path, Path]:
    """(program.exe, tracer/d3d8.dll) in a folder."""
    program, dll = folder / "game" / "program.exe", folder / "tracer" / "d3d8.dll"
    program.parent.mkdir()
    dll.parent.mkdir()
    options = ["-O1", "-Wall", "-Werror", "-Wno-cast-function-type"]
    subprocess.run([compiler, *options, "-shared", "-Wl,--kill-at", str(HERE / "tracer.c"), "-o", str(dll)], check=True)
    library = import_library(folder, compiler)
    subprocess.run([compiler, *options, str(HERE / "program.c"), str(library), "-o", str(program)], check=True)
    return program, dll


def import_library(folder: Path, compiler: str) -> Path:
    """What links programs with d3d8.dll: mingw-w64's own names other symbols than its header in 32-bit programs."""
    imports, library = folder / "d3d8.def", folder / "libd3d8.a"
    decorated = "Direct3DCreate8@4" if "i686" in compiler else "Direct3DCreate8"
    imports.write_text(f"LIBRARY d3d8.dll\nEXPORTS\n{decorated}\n")
    dlltool = compiler.replace("gcc", "dlltool")
    subprocess.run([dlltool, "--kill-at", "-d", str(imports), "-l", str(library)], check=True)
    return library


def build_pure(folder: Path, compiler: str) -> Path:
    """d3d8.dll with pure devices."""
    dll = folder / "d3d8.dll"
    options = ["-O1", "-Wall", "-Werror", "-Wno-cast-function-type", "-shared", "-Wl,--kill-at"]
    subprocess.run([compiler, *options, str(HERE / "pure.c"), "-o", str(dll)], check=True)
    return dll


def build_game(name: str, folder: Path, compiler: str) -> Path:
    """NAME.exe of NAME.c."""
    program = folder / "game" / f"{name}.exe"
    program.parent.mkdir()
    options = ["-O1", "-Wall", "-Werror", "-Wno-parentheses"]
    sources = [str(HERE / f"{name}.c"), str(import_library(folder, compiler))]
    subprocess.run([compiler, *options, *sources, "-o", str(program)], check=True)
    return program
