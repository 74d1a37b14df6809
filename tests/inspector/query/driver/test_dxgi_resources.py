"""Resources of DXGI at an event: rotated identities, priority, residency, what is scanned out; and their presentation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.spec.enums import DxgiFormat, DxgiPresentFlag
from inspector.cli import main
from tests.inspector.query.driver.scripted import Script

HIGH = 0xA0000000  # DXGI_RESOURCE_PRIORITY_HIGH
BGRA = int(DxgiFormat.B8G8R8A8_UNORM)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dxgi") / "a.ddicap"
    script = Script(path, EmulatedDriver())
    with script.writer:
        for handle in (1, 2, 3):
            script("DxgiCreateResource", handle=handle, width=4, height=4, format=BGRA, bind=0xA0)
        script("DxgiCreateResource", handle=4, width=4, height=4, format=BGRA, bind=0xA0, memory="system")
        script("DxgiCreateView", handle=9, resource=2, subresource=0)
        script("DxgiSetResourcePriority", resource=2, priority=HIGH)
        script("DxgiSetDisplayMode", resource=1, subresource=0)
        script("DxgiRotateResourceIdentities", resources=[1, 2, 3])
        script("DxgiPresent", surface=2, flags=int(DxgiPresentFlag.FLIP), context=5)
        script("DxgiPresent", surface=1, destination=3, flags=int(DxgiPresentFlag.BLT), context=5)
    return path


@pytest.fixture(scope="module")
def capture(path: Path) -> Iterator[inspector.Capture]:
    with inspector.open(path) as opened:
        yield opened


def at(capture: inspector.Capture, name: str) -> int:
    return next(event for event in range(len(capture.events)) if capture.name(event) == name)


def test_of_x_y_z_the_handles_name_y_z_x_after_a_rotation(capture: inspector.Capture) -> None:
    rotation = at(capture, "DxgiRotateResourceIdentities")
    before, after = (capture.ask(inspector.DxgiResources(event)) for event in (rotation - 1, rotation))
    assert [(row.handle, row.identity) for row in before] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [(row.handle, row.identity) for row in after] == [(1, 2), (2, 3), (3, 1), (4, 4)]
    assert before[1].priority == after[0].priority == HIGH and after[0].priority_text == "high"
    assert [row.views for row in after] == [(), (9,), (), ()]


def test_what_is_scanned_out_at_an_event(capture: inspector.Capture) -> None:
    def shown(event: int) -> list[int]:
        return [row.handle for row in capture.ask(inspector.DxgiResources(event)) if row.scanned_out >= 0]

    mode, flip = at(capture, "DxgiSetDisplayMode"), at(capture, "DxgiPresent")
    assert (shown(mode - 1), shown(mode), shown(flip - 1), shown(flip), shown(flip + 1)) == ([], [1], [1], [2], [2])


def test_where_resources_lie(path: Path) -> None:
    with inspector.open(path) as capture:
        event = len(capture.events) - 1
        assert {row.residency for row in capture.ask(inspector.DxgiResources(event))} == {"fully resident", "system memory"}
        with capture.replay.at(event) as driver:
            driver.dxgi.video_budget = 4 * 4 * 4  # one resource of three
        rows = capture.ask(inspector.DxgiResources(event))
        assert [row.residency for row in rows[:3]] == ["fully resident", *["resident in shared memory"] * 2]


def test_presentation_of_dxgi_has_rows(capture: inspector.Capture, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    queue = capture.ask(inspector.Presentation())
    assert queue.rows["by"].tolist() == ["DXGI flip", "DXGI blt"] and queue.rows["source"].tolist() == [2, 1]
    assert not len(queue.depth(2)[0])
    assert main(["driver", str(path), "presentation", "--json"]) == 0
    assert [row["by"] for row in json.loads(capsys.readouterr().out)] == ["DXGI flip", "DXGI blt"]


def test_the_command_lists_them(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["driver", str(path), "dxgi"]) == 0
    out = capsys.readouterr().out
    assert "resource 1  names what was created as 2" in out and "priority high" in out and "scanned out picture 0" in out
    for what in ("stalls", "renames", "patches"):
        assert main(["driver", str(path), what]) == 0
        assert f"nothing about {what}" in capsys.readouterr().out
