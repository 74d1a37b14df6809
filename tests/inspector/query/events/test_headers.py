"""The DDK's names, d3dhal.h: of structures and members, where fields are shown, looked for and edited."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from inspector import Search, Sql
from inspector.cli.main import main
from inspector.query.what_if.parsing import parse
from inspector.query.what_if.planning import planned
from tests.inspector.streams import beginning, capture_of, draws


def test_names_of_the_ddk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with capture_of([*beginning(), draws(1)], tmp_path) as capture:
        event = int(capture.draws[0])
        detail = capture.event(event)
        assert detail.header == "D3DHAL_DP2DRAWPRIMITIVE"
        assert [field.header for field in detail.fields] == [
            "bCommand", "wPrimitiveCount", "primType", "VStart", "PrimitiveCount",
        ]  # fmt: skip
        assert capture.event(0).header == "DdCreateSurface"
        both = capture.draws.tolist()
        assert capture.ask(Search("header == D3DHAL_DP2DRAWPRIMITIVE")).tolist() == both
        assert capture.ask(Search("header ~ dp2drawprim")).tolist() == both
        assert capture.ask(Search("$param(VStart: 6)")).tolist() == both[1:]
        named = capture.ask(Sql("SELECT event FROM events WHERE header = 'D3DHAL_DP2DRAWPRIMITIVE' ORDER BY event")).rows
        assert [row[0] for row in named] == both
        texts = (f"set {event}.PrimitiveCount=1", f"set {event}.count=1")
        plans = [planned(capture, parse(text)) for text in texts]
        assert len({plan.events.commands.tobytes() for plan in plans}) == 1
        assert not np.array_equal(plans[0].events.commands, capture.events.commands)
        path = str(capture.path)
    assert main(["dump", path, "--event", str(event)]) == 0
    printed = capsys.readouterr().out
    assert "D3DHAL_DP2DRAWPRIMITIVE" in printed and "PrimitiveCount" in printed
    assert main(["dump", path, "--event", str(event), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fields"][-1]["header"] == "PrimitiveCount"
