"""Writes the files of today's version for the corpus.

python -m tests.corpus.make FOLDER
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from core.ddi.calls import DdiCall
from inspector.query.what_if.what_if import NOTE as NOTE_BEGINS
from inspector.query.what_if.what_if import WhatIf
from inspector.tape import TapeWriter

WIDTH, HEIGHT, COLOR = 16, 8, 0xFF336699
NOTE, PNG = "a note of this version", b"\x89PNG\r\n\x1a\n"
WHAT_IF = "force ALPHAREF=0x20"
PROGRAM = r"""#include <string.h>
#define DDI_RECORD_IMPLEMENTATION
#include "ddi_record.h"
static ddir_recorder recorder;
int main(int count, char **words)
{
    unsigned char bytes[2048];
    unsigned int n;
    memset(bytes, 7, sizeof bytes);
    if (count < 2 || !ddir_open(&recorder, words[1])) return 1;
    for (n = 1; n <= 3; n++) {
        ddir_call(&recorder, "CreateSurface", 0);
        ddir_u32_field(&recorder, DDIR_ARGUMENT, "handle", n);
        ddir_u32_field(&recorder, DDIR_ARGUMENT, "width", 16);
        ddir_u32_field(&recorder, DDIR_ARGUMENT, "height", 32);
        ddir_u32_field(&recorder, DDIR_ARGUMENT, "format", 21);
        if (!ddir_end(&recorder)) return 2;
        ddir_call(&recorder, "Lock", 0);
        ddir_u32_field(&recorder, DDIR_ARGUMENT, "handle", n);
        if (!ddir_end(&recorder)) return 2;
        ddir_call(&recorder, "Unlock", 0);
        ddir_u32_field(&recorder, DDIR_ARGUMENT, "handle", n);
        ddir_data_field(&recorder, "contents", bytes, sizeof bytes);
        if (!ddir_end(&recorder)) return 2;
    }
    return !ddir_close(&recorder);
}
"""


def calls() -> Iterator[DdiCall]:
    """A target of WIDTH x HEIGHT that is cleared to COLOR and presented."""
    for handle, label in ((1, "primary"), (2, "back_buffer")):
        args = {"handle": handle, "width": WIDTH, "height": HEIGHT, "format": 22, "label": label}
        yield DdiCall("CreateSurface", args, {})
    yield DdiCall("ContextCreate", {"context": 1, "render_target": 2, "depth_stencil": 0}, {})
    stream = struct.pack("<BBHII", 8, 0, 1, 24, 64)  # ALPHAREF
    stream += struct.pack("<BBHIIfIiiii", 42, 0, 1, 1, COLOR, 1.0, 0, 0, 0, WIDTH, HEIGHT)
    yield DdiCall("DrawPrimitives2", {"context": 1, "command_length": len(stream)}, {"commands": stream})
    yield DdiCall("Flip", {"surfaces": (1, 2)}, {})


def write_capture(path: Path) -> None:
    with TapeWriter(path) as writer:
        number = writer.append_source("IDirect3D8::GetAdapterCount", {"this": 4096}, 1)
        for call in calls():
            call.source = number
            writer.append(call)
        writer.set_thumbnail(PNG)
        writer.add_annotation("event 3", NOTE, "2026-11-22T12:00:00+00:00")
        text = NOTE_BEGINS + WhatIf.of(WHAT_IF).json()
        writer.add_annotation("event 3", text, "2026-11-22T12:00:01+00:00")


def write_settings(path: Path) -> None:
    from PySide6.QtCore import QByteArray, QSettings

    from ui.settings import Settings

    store = QSettings(str(path), QSettings.Format.IniFormat)
    settings = Settings(store)
    settings.theme = "dark"
    settings.save_layout(QByteArray(b"geometry"), QByteArray(b"layout"))
    store.sync()


def main() -> None:
    from tests.resources.recorder_kit import compiled, run

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_capture(folder / "small.ddicap")
    program = compiled(folder, PROGRAM)
    run(program, folder / "small.ddirec")
    for path in (program, folder / "program.c"):
        path.unlink()
    write_settings(folder / "settings.ini")


if __name__ == "__main__":
    main()
