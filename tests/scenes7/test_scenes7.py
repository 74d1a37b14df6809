"""The zoo of ddraw.dll: what must be seen is seen, every question is answered, and nothing is without a scene."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import core.runtime.directdraw
import inspector
from core.runtime.directdraw.blits import FILLS_OR_ROP, KEYS
from core.runtime.directdraw.table import METHODS7
from core.runtime.methods.old_draws import LEGACY
from core.runtime.rows import table7
from core.runtime.rows.table7 import ROW7_OF
from core.spec.enums import DdBlt, DdFlip, SurfaceCaps, SurfaceCaps2
from core.spec.tokens import Op
from inspector.cli import main
from tests.scenes7 import all_scenes, record
from tests.scenes7.kit import HEIGHT, WIDTH, Scene, Stage, Used
from tests.soak.questions import ask_all

BLT_FLAGS = FILLS_OR_ROP | KEYS | DdBlt.WAIT | DdBlt.DONOTWAIT | DdBlt.ASYNC | DdBlt.DDFX | DdBlt.ROTATIONANGLE
EFFECTS = 0x7F  # ARITHSTRETCHY, MIRRORLEFTRIGHT, MIRRORUPDOWN, NOTEARING, ROTATE180, ROTATE270, ROTATE90
FAST = 1 | 2 | 0x10 | 0x20 | 1 << 31  # SRCCOLORKEY, DESTCOLORKEY, WAIT, DONOTWAIT; none
KINDS = (
    SurfaceCaps.PRIMARYSURFACE | SurfaceCaps.FLIP | SurfaceCaps.COMPLEX | SurfaceCaps.OFFSCREENPLAIN | SurfaceCaps.SYSTEMMEMORY
    | SurfaceCaps.VIDEOMEMORY | SurfaceCaps.LOCALVIDMEM | SurfaceCaps.NONLOCALVIDMEM | SurfaceCaps.TEXTURE | SurfaceCaps.MIPMAP
    | SurfaceCaps.ZBUFFER | SurfaceCaps.DEVICE_3D
)  # fmt: skip
KINDS2 = (
    SurfaceCaps2.CUBEMAP | SurfaceCaps2.CUBEMAP_ALLFACES | SurfaceCaps2.TEXTUREMANAGE | SurfaceCaps2.D3DTEXTUREMANAGE
    | SurfaceCaps2.HINTDYNAMIC | SurfaceCaps2.HINTSTATIC
)  # fmt: skip
ELSEWHERE = {"STATESET"}  # tokens that the sources of the runtime name, and only a driver's own state sets need


@pytest.mark.parametrize("scene", all_scenes(), ids=lambda scene: scene.name)
def test_scene(scene: Scene, tmp_path: Path) -> None:
    stage = record(scene, tmp_path / "scene.ddicap")
    assert stage.seen
    with inspector.open(tmp_path / "scene.ddicap") as capture:
        for call, pointer, wanted in stage.seen:
            event = capture.event_of_source_call(call)
            shown = capture.image(event, capture.surface_of_source(pointer, event))[..., :3].astype(np.uint32)
            np.testing.assert_array_equal(shown[..., 0] << 16 | shown[..., 1] << 8 | shown[..., 2], wanted, f"call {call}")
        for event in range(len(capture.events)):
            detail = capture.event(event)
            assert detail.name and detail.text
        assert ask_all(capture)


@cache
def used() -> tuple[Used, set[str]]:
    """What all scenes together make use of; the names of their events."""
    total, names = Used(), set()
    with TemporaryDirectory() as folder:
        for scene in all_scenes():
            stage = record(scene, path := Path(folder, "scene.ddicap"))
            for name in ("flags", "effects", "fast", "flips", "caps", "caps2"):
                setattr(total, name, getattr(total, name) | getattr(stage.used, name))
            total.calls |= stage.used.calls
            with inspector.open(path) as capture:
                names |= {capture.event(event).name for event in range(len(capture.events))}
    return total, names


def test_every_call_has_a_scene() -> None:
    assert {*METHODS7, *ROW7_OF} - used()[0].calls == set()


def test_every_flag_has_a_scene() -> None:
    flags = used()[0]
    assert BLT_FLAGS & ~flags.flags == 0, DdBlt(BLT_FLAGS & ~flags.flags)
    assert EFFECTS & ~flags.effects == 0, hex(EFFECTS & ~flags.effects)
    assert FAST & ~flags.fast == 0, hex(FAST & ~flags.fast)
    every = 0
    for flag in DdFlip:
        every |= int(flag)
    assert every & ~flags.flips == 0, DdFlip(every & ~flags.flips)


def test_every_kind_of_surface_has_a_scene() -> None:
    flags = used()[0]
    assert KINDS & ~flags.caps == 0, SurfaceCaps(KINDS & ~flags.caps)
    assert KINDS2 & ~flags.caps2 == 0, SurfaceCaps2(KINDS2 & ~flags.caps2)


def test_every_token_that_the_runtime_makes_has_a_scene() -> None:
    folder = Path(core.runtime.directdraw.__file__).parent
    sources = [path.read_text(encoding="utf-8") for path in (*folder.glob("*.py"), Path(table7.__file__))]
    made = {name for text in sources for name in re.findall(r"\bOp\.([A-Z0-9_]+)", text)}
    made |= {Op(op).name for pair in LEGACY.values() for op in pair}
    assert made - used()[1] - ELSEWHERE == set()


def scene_of(name: str) -> Scene:
    return next(scene for scene in all_scenes() if scene.name == name)


def test_without_a_device_state_says_what_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(scene_of("blits/copy"), tmp_path / "copy.ddicap")
    assert main(["state", str(tmp_path / "copy.ddicap")]) == 0
    shown = capsys.readouterr().out
    assert "no Direct3D device" in shown and f"{WIDTH} x {HEIGHT} X8R8G8B8, video" in shown
    record(scene_of("surfaces/palettes"), tmp_path / "palettes.ddicap")
    assert main(["state", str(tmp_path / "palettes.ddicap"), "--event", "5"]) == 0
    assert "256 entries; surfaces: 1" in capsys.readouterr().out


def test_of_a_program_that_releases_everything_the_picture_before_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also a bug bundle of an event after the last frame has it."""

    def play(stage: Stage) -> None:
        screen, back = stage.screen()
        stage.fill(back, 0x10203)
        screen.Flip(None, 1)
        screen.Release()

    path = tmp_path / "over.ddicap"
    record(Scene("over", play), path)
    with inspector.open(path) as capture:
        assert capture.name(len(capture.events) - 1) == "DestroySurface"
    assert main(["surface", str(path)]) == 0
    assert "16 x 8 X8R8G8B8" in capsys.readouterr().out
    with inspector.open(path) as capture:
        last = len(capture.events) - 1
    assert main(["report", str(path), "--kind", "bundle", "--event", str(last), "-o", str(tmp_path / "bug.zip")]) == 0
    assert main(["info", str(tmp_path / "bug.zip")]) == 0


def test_a_search_without_a_match_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(scene_of("blits/copy"), tmp_path / "copy.ddicap")
    assert main(["find", str(tmp_path / "copy.ddicap"), "$draw()"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, "no event matches" in shown.err) == ("", True)


def test_of_a_program_that_does_nothing_the_lists_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "nothing.ddicap")
    record(Scene("nothing", lambda stage: None), Path(path))
    for words, sentence in ((["frames", path], "no frames"), (["dump", path], "no events")):
        assert main(words) == 0
        assert sentence in capsys.readouterr().err
    assert main(["state", path]) == 2
    assert "no events" in capsys.readouterr().err
