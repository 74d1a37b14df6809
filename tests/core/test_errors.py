"""Whatever a reader raises names the file and the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput, Cancelled, TapeError, in_a_sentence
from inspector.imports import import_file
from inspector.query.comparison.verify import Hashes
from inspector.query.what_if.what_if import WhatIf
from inspector.tape import TapeWriter
from tests.inspector.imports import trace_file as t

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize("error", [IndexError("x"), TypeError("x"), RecursionError("x"), UnicodeError("x"), OverflowError("x")])
def test_what_nobody_expected_is_a_sentence(error: Exception) -> None:
    with (
        pytest.raises(BadInput, match=r"^a\.trace: invalid contents \(\w+: x; test_errors\.py, line \d+\)$"),
        in_a_sentence("a.trace"),
    ):
        raise error


def test_what_is_meant_stays_what_it_is() -> None:
    for error in (Cancelled("so"), TapeError("so"), AssertionError("so"), KeyboardInterrupt()):
        with pytest.raises(type(error)) as caught, in_a_sentence("a.trace"):
            raise error
        assert caught.value is error


def test_the_system_and_the_memory_are_named() -> None:
    with pytest.raises(BadInput, match="cannot read f: no such thing"), in_a_sentence("f"):
        raise OSError(2, "no such thing")
    with pytest.raises(BadInput, match="f: not enough memory"), in_a_sentence("f"):
        raise MemoryError


@pytest.mark.parametrize(
    "text", [DEEP, '{"what_if": ' + DEEP + "}", "{}", "5", '{"what_if": [5]}', '{"what_if": [{"kind": [1]}]}']
)
def test_a_what_if_of_any_json_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        WhatIf.from_json(text)


@pytest.mark.parametrize("text", [DEEP, "{}", '{"steps": [], "per": 1, "events": 1e999}', '{"steps": [{"changed": [1]}]}'])
def test_hashes_of_any_json_are_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        Hashes.from_json(text)


def test_arguments_that_are_very_deep_say_so_or_open(tmp_path: Path) -> None:
    """Lists within lists, 5,000 deep, where the runtime and the adapters look."""
    for name, argument in (("IDirect3D8::GetAdapterIdentifier", "pIdentifier"), ("IDirect3DDevice8::Clear", "pRects")):
        trace = t.TraceFile()
        t.begin(trace)
        number = t.TraceFile.call(trace, name, {"this": t.DEVICE, argument: 0}, t.OK)
        at = bytes(trace.out).rindex(b"\x01\x01\x04\x00") + 2
        trace.out[at : at + 2] = b"\x0b\x01" * 5000 + b"\x00"
        path = tmp_path / f"{number}.trace"
        path.write_bytes(t.snappy(trace.bytes()))
        try:
            with TapeWriter(tmp_path / "a.ddicap", durable=False) as writer:
                import_file(path, writer)
        except BadInput as error:
            assert str(error).startswith(str(path))
