"""Captures are strangers' files: damaged streams, wild arguments and missing calls answer or say so, never crash."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import inspector
from core.ddi.calls import DdiCall
from core.errors import BadInput
from inspector.tape import Tape, TapeWriter
from tests.inspector.conftest import ROOM

WILD = (0, -1, 1 << 31, 1 << 40, "x", None, 3.5, (1, 2), float("nan"))


FILTERS = ("blend", "$draw() and texture[0] != 0", "unused()", "changed(FOG*)", "$param(count: 2)", "LIGHT[0].Range > 1")


def damaged(data: bytes, chooser: random.Random) -> bytes:
    """A few bytes changed; sometimes cut short."""
    changed = bytearray(data)
    for _ in range(chooser.randrange(1, 12) if changed else 0):
        changed[chooser.randrange(len(changed))] = chooser.randrange(256)
    return bytes(changed[: chooser.randrange(len(changed) + 1)] if chooser.random() < 0.1 else changed)


def spoil(call: DdiCall, chooser: random.Random) -> DdiCall:
    args: dict[str, Any] = dict(call.args)
    data = {name: bytes(blob) for name, blob in call.data.items()}
    if data and chooser.random() < 0.15:
        name = chooser.choice(sorted(data))
        data[name] = damaged(data[name], chooser)
    if args and chooser.random() < 0.05:
        args[chooser.choice(sorted(args))] = chooser.choice(WILD)
    return DdiCall(call.entry, args, data, 0, {}, call.source)


def ask_everything(capture: inspector.Capture, chooser: random.Random) -> None:
    for _ in range(6):
        event = chooser.randrange(len(capture.events))
        capture.event(event)
        assert all(value.text for value in capture.state(event).rows("combine"))
        for surface in ("render_target", "depth"):
            with suppress(BadInput):
                capture.image(event, surface)
        capture.surfaces(event)
        for which in ("streams", "assembled", "transformed"):
            capture.vertices(event, which)
        for use in capture.ask(inspector.ResourcesOf(event)):
            assert use.text and use.life.first <= event
    for text in FILTERS:
        capture.ask(inspector.Search(text))
    figures = capture.ask(inspector.Statistics("frame"))
    assert figures.total("draws") <= len(capture.draws)
    for number, life in enumerate(capture.resources.lives.all):
        assert capture.resources.life(number).first <= life.last
    assert all(0 <= finding.seq < len(capture.events) for finding in capture.findings)


@pytest.mark.parametrize("seed", range(24))
def test_a_spoilt_capture_answers(tmp_path: Path, seed: int) -> None:
    chooser = random.Random(seed)
    path = tmp_path / "spoilt.ddicap"
    with Tape(ROOM) as tape, TapeWriter(path, durable=False) as writer:
        for call in tape.calls:
            if chooser.random() > 0.02:
                writer.append(spoil(call, chooser))
    with inspector.open(path) as capture:
        ask_everything(capture, chooser)
