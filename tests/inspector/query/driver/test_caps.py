"""What a driver reports, and whether that makes it a DirectX 8 driver."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.rules import requirements
from core.ddi.rules.facts import DriverFacts
from core.errors import BadInput
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS
from core.spec.enums import CreateFlag, Fvf, PrimitiveType
from core.spec.profiles import Profile
from inspector.cli import main
from inspector.imports.scripts import record
from inspector.query.driver.caps import profile_report
from tests.inspector.query.driver.scripted import Script


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
    assert told.sentence == f"The driver of {asked.title} qualifies as a DirectX 8 driver"


def test_of_a_driver_without_answers_nothing_is_said(tmp_path: Path) -> None:
    """As of the recorded calls of a Direct3D 7 program."""
    script = Script(tmp_path / "unasked.ddicap", EmulatedDriver("minimum"))
    with script.writer:
        script("CreateD3DBuffer", handle=40, size=64, memory="system")
    with inspector.open(tmp_path / "unasked.ddicap") as capture:
        told = capture.ask(inspector.DriverCaps())
    assert told.qualifies is None and told.verdict == "is not known: the capture has none of its answers"


def test_profiles_qualify_or_say_why_not() -> None:
    assert [profile_report(name).qualifies for name in ("full", "fixed", "stretch", "minimum", "dx7")] == [True] * 4 + [False]
    old = profile_report("dx7")
    failed = {clause.rule for clause in old.clauses if clause.verdict == "failed"}
    assert {"info2-gate", "info2-handled", "minimum-tokens"} <= failed
    assert "DXT1" in old.dx7 and old.dx8 == old.dx7  # a DirectX 8 runtime maps the old list
    assert "Q8W8V8U8" in profile_report("full").dx8 and "Q8W8V8U8" not in profile_report("full").dx7
    with pytest.raises(BadInput, match="unknown profile"):
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
        assert capture.ask(inspector.DriverCaps()).qualifies is (profile != "dx7")
        assert capture.image(int(capture.draws[0]))[10, 8].max() > 0


def test_a_profile_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="unknown profile"), record(tmp_path / "a.ddicap", profile="best"):
        pass
