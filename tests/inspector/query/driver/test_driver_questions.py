"""Questions about drivers: what they report, what queues, who waits, which rules show only when everything is drawn."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from core.ddi import dp2, requirements
from core.ddi.calls import DdiCall
from core.ddi.driver import EmulatedDriver
from core.ddi.facts import DriverFacts
from core.errors import BadInput, Cancelled
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS
from core.spec.enums import CreateFlag, DdBlt, Fvf, HResult, Pool, PrimitiveType
from core.spec.profiles import Profile
from inspector.cli import main
from inspector.imports.scripts import record
from inspector.query.driver.caps import profile_report
from inspector.tape import Recorder, TapeWriter, side

SHOW, LAST = int(DdBlt.PRESENTATION), int(DdBlt.PRESENTATION | DdBlt.LAST_PRESENTATION)


def stream(*tokens: tuple) -> bytes:
    out = bytearray()
    for op, fields in tokens:
        dp2.emit(out, op, **fields)
    return bytes(out)


class Script:
    """Driver calls, recorded with what the driver answered."""

    def __init__(self, path: Path, driver: EmulatedDriver) -> None:
        self.writer = TapeWriter(path)
        self.driver = Recorder(driver, self.writer)

    def __call__(self, entry: str, data: Any = None, **args: Any) -> DdiCall:
        return self.driver.call(DdiCall(entry, args, data or {}))

    def surfaces(self, *handles: int, size: int = 16, format: int = 22) -> None:
        for handle in handles:
            self("CreateSurface", handle=handle, width=size, height=size, format=format, label="image")

    def draw(self, *tokens: tuple, **args: Any) -> DdiCall:
        commands = stream(*tokens)
        return self("DrawPrimitives2", {"commands": commands}, context=1, command_length=len(commands), **args)


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[inspector.Capture]:
    """A driver that was asked everything, as a runtime does when it starts."""
    path = tmp_path / "asked.ddicap"
    script = Script(path, EmulatedDriver("minimum"))
    with script.writer:
        script("GetHalInfo")
        script("GetDriverInfo", type="D3DCAPS8")
        count = script("GetDriverInfo", type="FORMATCOUNT").out["count"]
        for index in range(count):
            script("GetDriverInfo", type="FORMAT", index=index)
        script("CreateD3DBuffer", handle=40, size=64, memory="system")
        script("CreateSurfaceEx", handle=40, context=1)
    with inspector.open(path) as capture:
        yield capture


def test_a_capture_says_what_its_driver_is(asked: inspector.Capture) -> None:
    told, profile = asked.ask(inspector.DriverCaps()), profile_report("minimum")
    assert told.qualifies is True and {clause.verdict for clause in told.clauses} == {"met"}
    assert told.caps == profile.caps and told.formats == profile.formats
    assert {row.name: row.text for row in told.caps}["MaxPointSize"] == "1.0"
    assert asked.findings == []


def test_profiles_qualify_or_say_why_not() -> None:
    assert [profile_report(name).qualifies for name in ("full", "fixed", "stretch", "minimum", "dx7")] == [True] * 4 + [False]
    old = profile_report("dx7")
    failed = {clause.rule for clause in old.clauses if clause.verdict == "failed"}
    assert {"info2-gate", "info2-handled", "minimum-tokens"} <= failed
    assert "DXT1" in old.dx7 and old.dx8 == old.dx7  # a DirectX 8 runtime maps the old list
    assert "Q8W8V8U8" in profile_report("full").dx8 and "Q8W8V8U8" not in profile_report("full").dx7
    with pytest.raises(BadInput, match="there is no profile"):
        profile_report("best")


def test_a_driver_that_does_not_clip_may_qualify_and_says_so() -> None:
    """DX8 DDI: CLIPTLVERTS is set "if the hardware supports" it."""
    facts = [DriverFacts.of_profile(Profile("own", "", caps)) for caps in ({}, {"PrimitiveMiscCaps": "CULLNONE"})]
    clauses = [requirements.minimum(one)[-1] for one in (*facts, DriverFacts())]
    assert [(clause.rule, clause.verdict) for clause in clauses] == [("unclipped", "met")] * 2 + [("unclipped", "not known")]
    assert clauses[0].found == "CLIPTLVERTS is set" and clauses[1].found.startswith("not set: programs clip")
    assert [requirements.qualifies(one) for one in facts] == [True, True]


def test_caps_on_the_command_line(asked: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caps", str(asked.path)]) == 0
    assert "qualifies as a DirectX 8 driver" in capsys.readouterr().out
    assert main(["caps", "--profile", "dx7", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["qualifies"] is False and told["legacy"]
    assert main(["caps"]) == 2
    assert main(["caps", "--profile", "best"]) == 2


# ---- presentation -----------------------------------------------------------------------------------------------


def presenting(path: Path, clock: str, presents: int = 6, sources: tuple[int, ...] = (3,), size: int = 2048) -> None:
    """Windows that present as fast as they can, and try again when they are refused."""
    script = Script(path, EmulatedDriver(clock=clock))
    with script.writer:
        script.surfaces(2, *sources, size=size)
        for _ in range(presents):
            for source in sources:
                half = (0, 0, size, size // 2)
                while script("Blt", destination=2, source=source, source_box=half, destination_box=half, flags=SHOW).result:
                    script("WaitForVerticalBlank")
                rest = (0, size // 2, size, size)
                while script("Blt", destination=2, source=source, source_box=rest, destination_box=rest, flags=LAST).result:
                    script("WaitForVerticalBlank")


def test_a_recorded_queue_fills_refuses_and_drains(tmp_path: Path) -> None:
    presenting(tmp_path / "a.ddicap", "modelled")
    with inspector.open(tmp_path / "a.ddicap") as capture:
        queue = capture.ask(inspector.Presentation())
        assert queue.recorded and len(queue.rows) == 6
        assert queue.rows["waiting"].tolist()[:4] == [0, 1, 2, 0]  # the fourth waited for a blank, when all were shown
        assert queue.rows["refused"].tolist()[:4] == [0, 0, 0, 1]
        assert (queue.rows["shown"] > queue.rows["submitted"]).all() and (np.diff(queue.rows["shown"]) > 0).all()
        times, depth = queue.depth(3)
        assert depth.max() == 3 and depth.min() >= 0 and depth[-1] == 0 and (np.diff(times) >= 0).all()
        assert not [one for one in capture.findings if one.rule.startswith("presentation")]
        # what was refused had no effect when it is carried out again
        assert capture.image(len(capture.events) - 1, 2).shape == (2048, 2048, 4)


def test_each_window_has_its_queue(tmp_path: Path) -> None:
    presenting(tmp_path / "a.ddicap", "modelled", 3, (3, 4), 512)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        queue = capture.ask(inspector.Presentation())
        assert queue.rows["source"].tolist() == [3, 4] * 3
        assert queue.rows["refused"].sum() == 0  # three for each
        assert queue.of(4)["waiting"].tolist() == [0, 1, 2]


def test_the_model_is_asked_for_captures_without_times(tmp_path: Path) -> None:
    presenting(tmp_path / "a.ddicap", "instant", 5)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        queue = capture.ask(inspector.Presentation())
        assert not queue.recorded and queue.clock == "modelled"
        assert queue.rows["refused"].tolist()[:3] == [0, 0, 0] and queue.rows["refused"][3] > 0
        careful = capture.ask(inspector.Presentation("modelled", "minimum"))
        assert careful.rows["waiting"].tolist() == [0] * 5  # a conservative driver queues nothing
        assert careful.rows["refused"][1:].min() > 0
        with pytest.raises(BadInput):
            capture.ask(inspector.Presentation("lunch"))
        with pytest.raises(Cancelled):
            capture.ask(inspector.Presentation("modelled"), lambda: True)


def test_flips_of_a_full_screen_program_are_rows_too(tmp_path: Path) -> None:
    with record(tmp_path / "a.ddicap", EmulatedDriver(clock="modelled")) as d3d:
        parameters = D3DPRESENT_PARAMETERS(32, 32, 22, Windowed=0, SwapEffect=2)
        device = d3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
        for _ in range(3):
            device.Present(None, None, None, None)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        rows = capture.ask(inspector.Presentation()).rows
        assert rows["flip"].all() and len(rows) == 3 and (rows["shown"] % 16667 == 0).all()
        assert rows["refused"].tolist() == [0, 1, 1]  # the runtime tried again after a vertical blank
        assert capture.findings == []


# ---- buffers ----------------------------------------------------------------------------------------------------------


def test_stalls_and_renamed_buffers(tmp_path: Path) -> None:
    script = Script(tmp_path / "a.ddicap", EmulatedDriver())
    with script.writer:
        script.surfaces(10)
        script("ContextCreate", context=1, render_target=10, depth_stencil=0)
        script("CreateD3DBuffer", handle=40, size=64, memory="agp")
        script.draw(vertex_buffer=40, vertex_size=16, vertex_length=1)
        script("LockD3DBuffer", handle=40, flags=0x2000)
        script.draw(vertex_buffer=40, vertex_size=16, vertex_length=1)
        script("UnlockD3DBuffer", handle=40)
        script.draw()
    with inspector.open(tmp_path / "a.ddicap") as capture:
        rows = capture.ask(inspector.Stalls(current=True))
        assert [row.verdict.dx81.stall for row in rows] == [False, True]
        assert [capture.calls[row.call].out["stall"] for row in rows] == [0, 1]
        assert len(capture.ask(inspector.Stalls())) == 3
        (lock,) = capture.ask(inspector.Renames())
        assert lock.discards and lock.renamed and lock.heap_offset > 0 and capture.calls[lock.call].entry == "LockD3DBuffer"
        assert capture.ask(inspector.Renames(99)) == ()


# ---- patches -----------------------------------------------------------------------------------------------------------


def test_patches_live_under_their_handles(tmp_path: Path) -> None:
    info = struct.pack("<7I", 0, 0, 4, 4, 4, 0, 3)
    script = Script(tmp_path / "a.ddicap", EmulatedDriver())
    with script.writer:
        script.surfaces(10)
        script("ContextCreate", context=1, render_target=10, depth_stencil=0)
        script.draw(
            ("DRAWRECTPATCH", {"patch": 7, "flags": 2, "info": info}), ("DRAWRECTPATCH", {"patch": 7, "flags": 0}),
            ("DRAWTRIPATCH", {"patch": 0, "flags": 2, "info": struct.pack("<4I", 0, 10, 0, 3)}),
            ("RENDERSTATE", {"items": [{"state": "DELETERTPATCH", "value": 7}]}),
        )  # fmt: skip
    with inspector.open(tmp_path / "a.ddicap") as capture:
        first = capture.events.of_call(2).start
        (patch,) = capture.ask(inspector.Patches(first + 1))
        assert (patch.handle, patch.kind, patch.defined, patch.drawn) == (7, "rectangle", [first], [first, first + 1])
        assert (patch.info["Width"], patch.info["Order"]) == (4, "CUBIC")
        assert capture.ask(inspector.Patches(first + 3)) == ()
        assert capture.ask(inspector.Patches(first + 3, gone=True))[0].deleted == first + 3


# ---- API calls -----------------------------------------------------------------------------------------------------------


def program(path: Path, window: tuple[int, int]) -> None:
    """A triangle by indices, announced as the vertices `window`."""
    vertices = np.array([(1, 1, 0.5, 1), (9, 1, 0.5, 1), (1, 9, 0.5, 1)], np.float32)
    with record(path) as d3d:
        device = d3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, D3DPRESENT_PARAMETERS(16, 16))
        buffer = device.CreateVertexBuffer(48, 0, 0, Pool.DEFAULT)
        buffer.Lock(0, 0, 0)[:] = vertices.view(np.uint8).reshape(-1)
        buffer.Unlock()
        indices = device.CreateIndexBuffer(6, 0, 101, Pool.DEFAULT)
        indices.Lock(0, 0, 0)[:] = np.arange(3, dtype=np.uint16).view(np.uint8)
        indices.Unlock()
        device.SetVertexShader(Fvf.XYZRHW)
        device.SetStreamSource(0, buffer, 16)
        device.SetIndices(indices, 0)
        device.BeginScene()
        device.SetRenderState(D3DRS.ALPHAREF, 5)
        device.SetRenderState(D3DRS.ALPHAREF, 5)
        device.DrawIndexedPrimitive(PrimitiveType.TRIANGLELIST, *window, 0, 1)
        device.EndScene()


def test_some_rules_show_only_when_everything_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side, "user_folder", lambda name: tmp_path)
    program(tmp_path / "wrong.ddicap", (0, 2))
    program(tmp_path / "right.ddicap", (0, 3))
    with inspector.open(tmp_path / "wrong.ddicap") as capture:
        assert capture.findings == []
        heard: list[float] = []
        (one,) = capture.ask(inspector.Findings(progress=lambda fraction, text: heard.append(fraction)))
        assert (one.rule, capture.name(one.seq)) == ("index-window", "DRAWINDEXEDPRIMITIVE")
        assert heard and one.offset == capture.events.rows["offset"][one.seq]
        assert capture.ask(inspector.Findings()) == (one,)  # kept
        assert capture.ask(inspector.Findings(drawn=False)) == ()
    with inspector.open(tmp_path / "wrong.ddicap") as capture:
        rules = inspector.Sql("SELECT event, rule FROM findings")
        searched = inspector.Search("finding(index-*)")
        assert len(capture.ask(searched)) == len(capture.ask(rules)) == 0
        capture.ask(inspector.Findings())
        assert capture.ask(searched).tolist() == [one.seq]
        for _ in range(2):
            assert capture.ask(rules).rows == [(one.seq, one.rule)]
    with inspector.open(tmp_path / "wrong.ddicap") as capture:  # the table is kept
        assert capture.ask(rules).rows == [(one.seq, one.rule)] and not len(capture.ask(searched))
    with inspector.open(tmp_path / "right.ddicap") as capture:
        with pytest.raises(Cancelled):
            capture.ask(inspector.Findings(), lambda: True)
        assert capture.ask(inspector.Findings()) == ()
    assert main(["check", str(tmp_path / "wrong.ddicap")]) == 0  # a warning
    told = capsys.readouterr().out
    assert f"event {one.seq} DRAWINDEXEDPRIMITIVE at byte {one.offset:#x}: warning:" in told and one.section in told
    assert main(["check", "--quick", str(tmp_path / "wrong.ddicap")]) == 0
    assert "0 findings" in capsys.readouterr().out
    assert main(["check", "--rules"]) == 0
    assert "index-window" in capsys.readouterr().out


def test_verdicts_of_api_calls(tmp_path: Path) -> None:
    program(tmp_path / "a.ddicap", (0, 3))
    with inspector.open(tmp_path / "a.ddicap") as capture:
        verdicts = capture.ask(inspector.Verdicts())
        names = [capture.tape.source(n).name for n in range(capture.tape.source_count)]
        states = [n for n, name in enumerate(names) if name.endswith("SetRenderState")]
        assert len(verdicts.codes) == len(names) and sum(verdicts.count().values()) == len(names)
        assert [verdicts.name(n) for n in states] == ["emitted", "redundant"]
        assert verdicts.where("redundant").tolist() == states[1:]
        by_function = capture.ask(inspector.VerdictsByFunction())
        assert by_function["IDirect3DDevice8::SetRenderState"].total() == len(states) == 2
        with pytest.raises(BadInput):
            capture.ask(inspector.Verdicts(5, 10**9))


def test_what_was_refused_when_it_was_recorded_has_no_effect_again(tmp_path: Path) -> None:
    script = Script(tmp_path / "a.ddicap", EmulatedDriver(clock="modelled"))
    with script.writer:
        script.surfaces(2, 3, size=1024)
        script("Blt", destination=3, flags=int(DdBlt.COLORFILL), color=0xFF0000)
        while script("GetBltStatus", handle=3).result:
            pass
        for _ in range(3):
            script("Blt", destination=2, source=3, flags=LAST)
        script("Blt", destination=2, flags=int(DdBlt.COLORFILL), color=0x00FF00)
        assert script("Blt", destination=2, source=3, flags=LAST).result == HResult.DDERR_WASSTILLDRAWING
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert capture.image(len(capture.events) - 1, 2)[0, 0].tolist()[:3] == [0, 255, 0]


# ---- DXGI on the same timeline --------------------------------------------------------------------------------------------


def test_dxgi_calls_are_events_and_their_resources_surfaces(tmp_path: Path) -> None:
    script = Script(tmp_path / "a.ddicap", EmulatedDriver())
    red = np.full((4, 4), 0xFFFF0000, "<u4").tobytes()
    with script.writer:
        script("DxgiCreateResource", {"contents": red}, handle=1, width=4, height=4, format=87, bind=0xA0)
        script("DxgiCreateResource", handle=2, width=8, height=8, format=28, bind=0xA0, array_size=2)
        script("DxgiBlt", destination=2, destination_subresource=1, source=1, flags=6, rotation=1)
        script("DxgiPresent", surface=2, flags=2, context=5)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert [capture.name(event) for event in range(4)] == [
            "DxgiCreateResource", "DxgiCreateResource", "DxgiBlt", "DxgiPresent",
        ]  # fmt: skip
        shown = {one.label: one.handle for one in capture.surfaces(3)}
        assert {"dxgi B8G8R8A8_UNORM", "dxgi R8G8B8A8_UNORM"} == set(shown)
        right = max(one.handle for one in capture.surfaces(3))
        assert capture.image(1, right).max() == 0
        assert (capture.image(2, right) == [255, 0, 0, 255]).all()
        assert "rotation=IDENTITY" in capture.text(2) or "IDENTITY" in capture.text(2)
        assert capture.findings == []


@pytest.mark.parametrize(
    ("profile", "token"), [("full", "DRAWPRIMITIVE"), ("fixed", "DRAWPRIMITIVE2"), ("dx7", "TRIANGLELIST")]
)
def test_recorded_profiles_break_no_rule(tmp_path: Path, profile: str, token: str) -> None:
    with record(tmp_path / "a.ddicap", profile=profile) as d3d:
        hardware = d3d.GetDeviceCaps(0, 1)["DevCaps"] & 0x10000
        behavior = CreateFlag.HARDWARE_VERTEXPROCESSING if hardware else CreateFlag.SOFTWARE_VERTEXPROCESSING
        device = d3d.CreateDevice(0, 1, 0, behavior, D3DPRESENT_PARAMETERS(16, 16))
        device.SetVertexShader(Fvf.XYZ)
        device.SetRenderState(D3DRS.CULLMODE, 1)
        device.BeginScene()
        device.DrawPrimitiveUP(PrimitiveType.TRIANGLELIST, 1, np.array([(-1, -1, 0.5), (0, 1, 0.5), (1, -1, 0.5)], "<f4"), 12)
        device.EndScene()
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert [capture.name(event) for event in capture.draws] == [token]
        assert capture.ask(inspector.Findings()) == ()
        assert capture.tape.meta["profile"] == profile
        assert capture.ask(inspector.DriverCaps()).qualifies is (False if profile == "dx7" else None)
        assert capture.image(int(capture.draws[0]))[10, 8].max() > 0


def test_a_profile_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no profile"), record(tmp_path / "a.ddicap", profile="best"):
        pass
