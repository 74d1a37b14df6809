"""Rules that show only when everything is drawn, and what became of each API call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput, Cancelled
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS
from core.spec.enums import CreateFlag, Fvf, Pool, PrimitiveType
from inspector.cli import main
from inspector.imports.scripts import record
from inspector.tape import side


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
