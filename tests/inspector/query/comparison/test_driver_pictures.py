"""Pictures of a recorded driver against what is drawn here: what differs, and which primitive is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.spec.enums import Fvf
from core.spec.formats import FORMAT_BY_NAME
from inspector import DriverPictures, Subresource
from inspector.cli import main
from inspector.tape import TapeWriter
from inspector.tape.record import Recorder
from tests.driver_calls import call, stream
from tests.resources.recorder_kit import START, compiled, run

SIDE, TARGET = 16, 3
COLORED = int(Fvf.XYZRHW | Fvf.DIFFUSE)
STATES = ((22, 1), (27, 0), (7, 0))  # no culling, blending, depth test


def squares(*boxes: tuple[int, int, int, int, int]) -> Any:
    """One triangle list: two triangles for each (left, top, right, bottom, colour)."""
    rows = []
    for left, top, right, bottom, color in boxes:
        a, b, c, d = ((x - 0.5, y - 0.5) for y in (top, bottom) for x in (left, right))
        rows += [(*place, 0.5, 1.0, color) for place in (a, b, c, b, d, c)]
    data = np.array(rows, [("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4"), ("color", "u4")]).tobytes()
    commands = stream(
        *(("RENDERSTATE", {"items": [{"state": state, "value": value}]}) for state, value in STATES),
        ("SETVERTEXSHADER", {"shader": COLORED}), ("SETSTREAMSOURCEUM", {"stream": 0, "stride": 20}),
        ("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": 2 * len(boxes)}),
    )  # fmt: skip
    memory = {"flags": 1, "vertex_size": 1, "vertex_length": len(data), "command_length": len(commands)}
    return call("DrawPrimitives2", {"commands": commands, "vertices": data}, context=1, **memory)


def recorded(path: Path, spoil: Callable[[int, np.ndarray], None], **picture: Any) -> Path:
    """Two draws, each followed by the driver's picture, in which `spoil(number, rows)` may change pixels."""
    path.unlink(missing_ok=True)
    with TapeWriter(path, durable=False) as writer:
        driver = EmulatedDriver()
        recorder = Recorder(driver, writer)
        make = {
            "handle": TARGET,
            "width": SIDE,
            "height": SIDE,
            "format": FORMAT_BY_NAME["X8R8G8B8"].id,
            "label": "render_target",
        }
        recorder.call(call("CreateSurface", **make))
        recorder.call(call("ContextCreate", context=1, render_target=TARGET, depth_stencil=0, width=SIDE, height=SIDE))
        for number, boxes in enumerate((((0, 0, 8, 8, 0xFFFF0000), (4, 4, 12, 12, 0xFF00FF00)), ((8, 8, 16, 16, 0xFF0000FF),))):
            recorder.call(squares(*boxes))
            rows = driver.read(TARGET)[0].copy().view("<u4")
            rows |= np.uint32(0xFF000000)  # bits of no channel: may hold anything
            spoil(number, rows)
            recorder.call(call("Picture", {"contents": rows.tobytes()}, handle=TARGET, **({"pitch": 4 * SIDE} | picture)))
    return path


def spoiled(picture: int, *pixels: tuple[int, int, int]) -> Callable[[int, np.ndarray], None]:
    """Flips bits of pixels (x, y, bits) of one picture."""

    def spoil(number: int, rows: np.ndarray) -> None:
        for x, y, bits in pixels if number == picture else ():
            rows[y, x] ^= np.uint32(bits)

    return spoil


def asked(path: Path, tolerance: int = 0) -> Any:
    with inspector.open(path) as capture:
        return capture.ask(DriverPictures(tolerance))


def test_alike(tmp_path: Path) -> None:
    found = asked(recorded(tmp_path / "a.ddicap", spoiled(0)))
    assert [(one.where, one.difference, one.problem, one.culprit) for one in found] == [
        (Subresource(TARGET), None, "", None)
    ] * 2
    assert found[1].since == found[0].event


@pytest.mark.parametrize(
    ("picture", "pixels", "primitive", "at", "largest"),
    [
        (0, [(2, 1, 0x10000)], 0, (2, 1), 1), (0, [(1, 6, 0xFF0000)], 1, (1, 6), 255),
        (0, [(6, 5, 4), (10, 11, 1)], 2, (6, 5), 4),  # the later square covers both; its first triangle wrote (6, 5)
        (1, [(15, 9, 0x80)], 1, (15, 9), 128), (1, [(5, 5, 1)], None, None, 1),  # nothing has written there since
    ],
)  # fmt: skip
def test_the_first_primitive_that_differs(
    tmp_path: Path,
    picture: int,
    pixels: list[tuple[int, int, int]],
    primitive: int | None,
    at: tuple[int, int] | None,
    largest: int,
) -> None:
    path = recorded(tmp_path / "a.ddicap", spoiled(picture, *pixels))
    found = asked(path)
    assert [one.difference is not None for one in found] == [number == picture for number in range(2)]
    one = found[picture]
    xs, ys = [x for x, *_ in pixels], [y for _, y, _ in pixels]
    assert one.difference.count == len(pixels) and one.difference.largest == largest
    assert one.difference.box == (min(xs), min(ys), max(xs) + 1, max(ys) + 1)
    assert one.difference.ours ^ one.difference.theirs & 0xFFFFFF == pixels[0][2]
    if primitive is None:
        assert one.culprit is None
        return
    with inspector.open(path) as capture:
        assert one.culprit.event == capture.draws[picture]
    assert (one.culprit.primitive, (one.culprit.x, one.culprit.y)) == (primitive, at)


def test_a_tolerance_counts_steps_of_a_channel(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.ddicap", spoiled(0, (2, 1, 0x010002)))
    assert asked(path)[0].difference.largest == 2 and asked(path, 1)[0].difference is not None
    assert asked(path, 2)[0].difference is None


def test_what_cannot_be_compared_says_why(tmp_path: Path) -> None:
    for more, words in (
        ({"pitch": 65}, "65 were recorded"),
        ({"handle": 99}, "no surface 99"),
        ({"box": (0, 0, 99, 1)}, "box"),
    ):
        path = recorded(tmp_path / "a.ddicap", spoiled(0))
        with TapeWriter(tmp_path / "b.ddicap", durable=False) as writer, inspector.open(path) as capture:
            for one in capture.calls:
                if one.entry == "Picture":
                    one.args.update(more)
                writer.append(one)
        assert words in asked(tmp_path / "b.ddicap")[0].problem
        (tmp_path / "b.ddicap").unlink()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "a.ddicap", spoiled(1, (15, 9, 0x80)))
    assert main(["verify", str(path), "--pictures"]) == 1
    out = capsys.readouterr().out
    assert "surface 3: alike" in out and "1 pixel in (15 9 16 10) differs, by up to 128" in out
    assert "first difference: primitive 1 of event" in out and "2 pictures, 1 differ" in out
    assert main(["verify", str(path), "--pictures", "--tolerance", "128"]) == 0


RECORDING = (
    START
    + """
int main(int count, char **words)
{
    static ddir_recorder r;
    static ddir_u32 texels[4] = {0xFF0000u, 0xFF00u, 0xFFu, 0};
    ddir_surface s;
    ddir_lock l;
    ddir_open(&r, words[count - 1]);
    memset(&s, 0, sizeof s);
    s.handle = 3;
    s.width = s.height = 2;
    s.format = 22;
    s.caps = 0x1000;
    ddir_create_surface(&r, &s);
    memset(&l, 0, sizeof l);
    l.handle = 3;
    l.pitch = 8;
    l.contents = texels;
    l.size = sizeof texels;
    ddir_surface_contents(&r, &l);
    ddir_picture(&r, &l);
    texels[2] ^= 0x20;
    ddir_picture(&r, &l);
    return !ddir_close(&r);
}
"""
)


def test_the_recorder_writes_them(tmp_path: Path) -> None:
    """By the C recorder, through the importer; what an unlock wrote is named as a culprit, too."""
    path = tmp_path / "driver.ddirec"
    run(compiled(tmp_path, RECORDING), path)
    right, wrong = asked(path)
    assert right.difference is None
    assert (wrong.difference.x, wrong.difference.y, wrong.difference.largest) == (0, 1, 0x20)
    assert wrong.since == right.event and wrong.culprit is None
