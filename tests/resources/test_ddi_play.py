"""The player for recordings: a driver in C gets what was recorded, and is told where it differs now."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.ddi.driver.emulated import EmulatedDriver
from core.spec.enums import DdBlt
from inspector.cli import main
from inspector.tape import TapeWriter
from inspector.tape.record import Recorder
from tests.conftest import ROOT
from tests.driver_calls import call, stream
from tests.resources.recorder_kit import STRICT, compiled, run

SIDE, TARGET, TEXTURE, OTHER = 8, 1, 2, 3
SOURCE = (Path(__file__).parent / "software_driver.c").read_text()


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the emulated driver does: an upload, two clears, a fill; after each a picture of what it has drawn."""
    folder = tmp_path_factory.mktemp("play")
    with TapeWriter(folder / "a.ddicap", durable=False) as writer:
        driver = EmulatedDriver()
        recorder = Recorder(driver, writer)

        def picture(handle: int) -> None:
            recorder.call(call("Picture", {"contents": driver.read(handle)[0].tobytes()}, handle=handle, pitch=4 * SIDE))

        def clear(color: int, *boxes: tuple[int, int, int, int]) -> None:
            rects = [dict(zip(("left", "top", "right", "bottom"), box, strict=True)) for box in boxes]
            commands = stream(("CLEAR", {"items": [tuple(rect.values()) for rect in rects], "flags": 1, "color": color}))
            recorder.call(call("DrawPrimitives2", {"commands": commands}, context=1, command_length=len(commands)))

        for handle in (TARGET, TEXTURE):
            recorder.call(call("CreateSurface", handle=handle, width=SIDE, height=SIDE, format=22, caps=0x1000))
        recorder.call(call("ContextCreate", context=1, render_target=TARGET, depth_stencil=0, width=SIDE, height=SIDE))
        for _ in range(2):  # the second time, the recording names the bytes by number
            texels = np.arange(SIDE * SIDE, dtype="<u4").tobytes()
            recorder.call(call("Lock", handle=TEXTURE, flags=0))
            recorder.call(call("Unlock", {"contents": texels}, handle=TEXTURE, pitch=4 * SIDE))
            picture(TEXTURE)
        clear(0xFF00FF00, (0, 0, SIDE, SIDE))
        picture(TARGET)
        clear(0xFF0000FF, (1, 2, 4, 5), (6, 6, 8, 8))
        picture(TARGET)
        fill = {"destination": TEXTURE, "destination_box": (2, 2, 5, 5), "flags": int(DdBlt.COLORFILL), "color": 0x123456}
        recorder.call(call("Blt", **fill))
        picture(TEXTURE)
        assert not driver.findings
    path = folder / "a.ddirec"
    assert main(["convert", str(folder / "a.ddicap"), str(path)]) == 0
    return path


def played(folder: Path, recording: Path, *flags: str, compiler: str = "gcc") -> list[str]:
    return run(compiled(folder, SOURCE, compiler, STRICT + flags), recording).splitlines()


def test_a_driver_that_draws_the_same(tmp_path: Path, recording: Path) -> None:
    assert played(tmp_path, recording) == ["10 calls, 5 pictures; 0 results and 0 pictures differ"]


def test_a_driver_that_draws_otherwise(tmp_path: Path, recording: Path) -> None:
    """The last column is never cleared; neither is, in the second clear, the last of three columns."""
    lines = played(tmp_path, recording, "-DWRONG_EDGE")
    assert [line.partition(": ")[2] for line in lines[:2]] == [
        "8 pixels, first (7, 0): 000000, recorded 00ff00", "11 pixels, first (7, 0): 000000, recorded 00ff00"
    ]  # fmt: skip
    assert lines[2] == "10 calls, 5 pictures; 0 results and 2 pictures differ"


def test_a_driver_that_answers_otherwise(tmp_path: Path, recording: Path) -> None:
    lines = played(tmp_path, recording, "-DREFUSES")
    assert lines[0].endswith("Blt returned 88760082, recorded 00000000")
    assert lines[1].endswith("9 pixels, first (2, 2): 000012, recorded 123456")
    assert lines[2] == "10 calls, 5 pictures; 1 results and 1 pictures differ"


def test_a_damaged_recording_is_played_up_to_the_damage(tmp_path: Path, recording: Path) -> None:
    data = recording.read_bytes()
    broken = tmp_path / "broken.ddirec"
    program = compiled(tmp_path, SOURCE)
    for end in (0, 31, 200, len(data) // 2, len(data) - 1):
        broken.write_bytes(data[:end])
        lines = run(program, broken).splitlines()
        assert lines[-1] in ("a record is damaged, or the file breaks off", "this is no recording of version 1",
                             "the file cannot be read")  # fmt: skip
    for at in range(40, len(data), 97):
        broken.write_bytes(data[:at] + bytes([data[at] ^ 0x5A]) + data[at + 1 :])
        assert run(program, broken).splitlines()[-1] == "a record is damaged, or the file breaks off"


@pytest.mark.parametrize("compiler", ["gcc", "i686-w64-mingw32-gcc"])
def test_it_compiles_without_a_warning(tmp_path: Path, compiler: str) -> None:
    compiled(tmp_path, SOURCE, compiler)


def test_the_manuals_player_runs_as_it_stands(tmp_path: Path, recording: Path) -> None:
    """The page's lines, with what they leave to the reader: a driver that refuses every draw and shows nothing."""
    page = (ROOT / "docs" / "recording-a-driver.md").read_text(encoding="utf-8")
    lines = page.split("## Playing a recording")[1].split("## The file")[0].splitlines()
    shown = [line[4:] for line in lines if line.startswith("    ") and "pictures differ" not in line]
    begin = next(n for n, line in enumerate(shown) if line.startswith("ddip_player"))
    head = next(n for n, line in enumerate(shown) if line.startswith("static"))
    own = """
typedef struct { int drawn; } my_driver;
static ddip_u32 my_draw_primitives2(void *driver, ddip_u32 context, const unsigned char *commands, ddip_u32 size)
{ ((my_driver *)driver)->drawn += context == 1 && commands && size; return 0x80004005; }
"""
    rest = """
static const unsigned char *show(void *driver, ddip_u32 handle, ddip_u32 *pitch, ddip_u32 *width, ddip_u32 *height,
                                 ddip_u32 *bytes)
{ (void)driver; (void)handle; (void)pitch; (void)width; (void)height; (void)bytes; return 0; }
static void tell(void *driver, const ddip_difference *difference) { (void)driver; puts(difference->call->entry); }
int main(int argc, char **argv)
{
    my_driver driver = {0};
"""
    body = "\n".join(shown[begin:]).replace('"game.ddirec"', "argv[argc - 1]")
    source = "#include <stdio.h>\n#include <string.h>\n" + "\n".join([*shown[:head], own, *shown[head:begin], rest, body])
    out = run(compiled(tmp_path, source + '\nprintf("%d\\n", driver.drawn); return 0; }\n', "gcc", STRICT), recording)
    assert out.splitlines()[-1] == "2" and out.count("DrawPrimitives2") == 2, out
