"""Columns of calls against a decoder written from apitrace's docs/FORMAT.markdown alone."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import TraceError
from core.runtime.calls.columns import Names
from core.runtime.calls.source import Blob, describe, text
from core.runtime.calls.values import PADDING
from inspector.imports.decoder import Decoder, header
from tests.core.runtime.packed_traces import unpack


class Oracle:
    """Reads a whole stream recursively; `calls`: [name, [(argument, value)], result]."""

    def __init__(self, data: bytes) -> None:
        self.data, self.calls, self.at = data, [], 0
        self.words: dict[tuple[str, int], Any] = {}
        version = self.uint()
        if version >= 6:
            self.uint()
            while self.string():
                self.string()
        while self.at < len(data):
            self.event()

    def uint(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def raw(self) -> bytes:
        size = self.uint()
        self.at += size
        return self.data[self.at - size : self.at]

    def string(self) -> str:
        return self.raw().decode("latin1")

    def sint(self) -> int:
        self.at += 1
        sign = self.data[self.at - 1]
        return -self.uint() if sign == 3 else self.uint()

    def word(self, kind: str) -> Any:
        number = self.uint()
        if (kind, number) not in self.words:
            name = self.string() if kind in ("function", "struct") else ""
            members = []
            for _ in range(self.uint()):
                member = self.string()
                members.append((member, self.sint() if kind == "enum" else self.uint() if kind == "mask" else None))
            self.words[kind, number] = (name, members)
        return self.words[kind, number]

    def event(self) -> None:
        self.at += 1
        if self.data[self.at - 1] == 0:
            self.uint()
            name, members = self.word("function")
            call = [name, {}, 0, [member for member, _ in members]]
            self.calls.append(call)
        else:
            call = self.calls[self.uint()]
        while True:
            self.at += 1
            detail = self.data[self.at - 1]
            if detail == 0:
                return
            if detail == 1:
                number = self.uint()
                call[1][call[3][number]] = self.value()
            elif detail == 2:
                call[2] = self.value()
            else:
                assert detail == 5
                self.uint()

    def value(self) -> Any:
        self.at += 1
        tag = self.data[self.at - 1]
        if tag < 3:
            return (None, False, True)[tag]
        if tag in (4, 13):
            return self.uint()
        if tag == 3:
            return -self.uint()
        if tag == 5:
            self.at += 4
            return struct.unpack("<f", self.data[self.at - 4 : self.at])[0]
        if tag in (7, 8):
            return self.string() if tag == 7 else self.raw()
        if tag == 9:
            self.word("enum")
            return self.sint()
        if tag == 10:
            self.word("mask")
            return self.uint()
        if tag == 11:
            return [self.value() for _ in range(self.uint())]
        if tag == 12:
            return {member: self.value() for member, _ in self.word("struct")[1]}
        assert tag == 14, tag
        human = self.value()
        self.value()
        return human


def decode(data: bytes, chunk: int = 1 << 16) -> list[list[Any]]:
    """Name, arguments, result of every call."""
    columns = np.frombuffer(data + bytes(PADDING), np.uint8).copy()
    decoder, offset, found = Decoder(chunk), header(data)[2], []
    while offset < len(data):
        calls, after = decoder.decode(columns, offset, len(data), last=offset + (1 << 16) > len(data))
        for i in range(len(calls)):
            call = describe(calls, i)
            args = {name: plain(value) for name, value in call.args}
            found.append([call.name, args, call.result])
        if after == offset:
            break
        offset = after
    return found


def plain(value: Any) -> Any:
    if isinstance(value, Blob):
        return value.contents
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {name: plain(v) for name, v in value.items()}
    return value


@pytest.mark.parametrize("chunk", [1 << 16, 37])
def test_columns_hold_what_the_format_says(captures: Path, chunk: int) -> None:
    for path in sorted((captures / "tests").glob("*.trace"))[:: 1 if chunk > 100 else 6]:
        data = unpack(path)
        calls = Oracle(data).calls
        assert decode(data, chunk) == [[name, args, result or 0] for name, args, result, _ in calls], path.name


def test_a_trace_that_breaks_off_is_read_to_its_last_whole_event(captures: Path) -> None:
    data = unpack(captures / "tests" / "clear_test.trace")
    whole = decode(data)
    for cut in (len(data) - 1, len(data) - 7, len(data) // 2, len(data) // 2 + 1, header(data)[2] + 3):
        part = decode(data[:cut])
        assert [call[0] for call in part] == [call[0] for call in whole[: len(part)]]
        assert part[:-1] == whole[: max(len(part) - 1, 0)]


def test_nonsense_is_refused_with_its_place(captures: Path) -> None:
    data = bytearray(unpack(captures / "tests" / "clear_test.trace"))
    at = header(data)[2]
    for damage in (b"\x07", b"\x00\x00\xff\xff\xff\x7f", b"\x01\xff\x00"):
        broken = bytes(data[:at]) + damage + bytes(data[at:])
        with pytest.raises(TraceError, match="call 0"):
            decode(broken)


def test_random_damage_never_hangs_or_crashes(captures: Path) -> None:
    data = unpack(captures / "tests" / "clear_test.trace")
    random = np.random.default_rng(1)
    for _ in range(60):
        broken = bytearray(data)
        for at in random.integers(header(data)[2], len(data), 5):
            broken[at] = random.integers(256)
        columns = np.frombuffer(bytes(broken) + bytes(PADDING), np.uint8).copy()
        try:
            calls, _ = Decoder().decode(columns, header(data)[2], len(broken), last=True)
        except TraceError:
            continue
        assert len(calls) <= 89


def test_names_survive_json() -> None:
    names = Names()
    names.enums[1] = {-5: "MINUS", 7: "SEVEN"}
    names.masks[2] = [("ONE", 1), ("TWO", 2)]
    again = Names.from_json(names.to_json())
    assert (again.enums, again.masks, again.functions) == (names.enums, names.masks, {})


def test_a_call_reads_back_as_it_is_printed(captures: Path) -> None:
    data = unpack(captures / "tests" / "clear_test.trace")
    columns = np.frombuffer(data + bytes(PADDING), np.uint8).copy()
    calls, _ = Decoder().decode(columns, header(data)[2], len(data), last=True)
    lines = [str(describe(calls, i)) for i in range(len(calls))]
    assert lines[57] == (
        "IDirect3DDevice8::Clear(this = 0x34f030, Count = 0, pRects = NULL, Flags = D3DCLEAR_TARGET, Color = 4294967295, "
        "Z = 0, Stencil = 0)"
    )  # as `apitrace dump` prints it
    assert "&{Format = D3DFMT_A8R8G8B8, Type = D3DRTYPE_SURFACE, Usage = D3DUSAGE_RENDERTARGET" in lines[46]
    assert text(None) == "NULL" and text([1, 2]) == "{1, 2}"
