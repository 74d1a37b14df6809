"""Real traces through the runtime: nothing is refused, order is kept, pointers are followed, and chunks do not matter."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.runtime.calls.values import PADDING
from core.runtime.rows.verdicts import FAILED, PYTHON, RECORDED, SILENT
from core.runtime.runtime import Runtime
from inspector.imports.decoder import Decoder, header
from tests.core.runtime.packed_traces import unpack


class Listener:
    """Checks the order of source calls, and keeps a digest of all that is said and the copies."""

    def __init__(self) -> None:
        self.last, self.digest, self.copies = -1, hashlib.sha256(), dict[int, DdiCall]()

    def call(self, call: DdiCall) -> DdiCall:
        sources = np.frombuffer(call.data.get("sources", np.uint32(call.source)), np.uint32).astype(np.int64)
        assert sources[0] >= self.last and (np.diff(sources) >= 0).all(), call
        self.last = int(sources[-1])
        self.digest.update(repr((call.entry, call.args, call.source)).encode())
        for name in sorted(call.data):
            self.digest.update(bytes(call.data[name]))
        if call.entry == "Blt":
            self.copies[call.source] = call
        return call


def run(data: bytes, chunk: int = 1 << 16) -> tuple[Listener, Runtime, list[tuple[int, int, int]], np.ndarray]:
    """Everything of a trace, `chunk` calls at a time; the bytes of a chunk are gone when the next one comes."""
    listener, pointers, verdicts = Listener(), list[tuple[int, int, int]](), []
    runtime = Runtime(listener, pointer_sink=lambda *row: pointers.append(row))
    decoder, offset, last = Decoder(chunk), header(data)[2], False
    whole = np.frombuffer(data + bytes(PADDING), np.uint8)
    columns = whole.copy()
    while offset < len(data):
        columns[:] = whole
        calls, after = decoder.decode(columns, offset, len(data), last)
        verdicts.append(runtime.run(calls))
        columns[:] = 0xEE
        last, offset = after == offset, after
    runtime.finish()
    return listener, runtime, pointers, np.concatenate(verdicts)


@pytest.mark.parametrize("folder", ["tests", "pages"])
def test_traces_pass_without_findings_and_pointers_are_followed(captures: Path, folder: str) -> None:
    for path in sorted((captures / folder).glob("*.trace")):
        listener, runtime, pointers, verdicts = run(unpack(path))
        assert runtime.findings == [], path.name
        assert RECORDED not in verdicts and len(verdicts) == runtime.source + 1
        for readback in json.loads(path.with_suffix(".json").read_text()).get("readbacks", []):
            call = readback.get("copyrects_call")
            if call is not None:
                pointer = int(str(readback["source_surface"]), 0)
                alive = [handle for source, named, handle in pointers if named == pointer and source <= call]
                assert listener.copies[call].args["source"] == alive[-1], (path.name, call)


CHUNKED = ["tests/cnd_test", "tests/test_texcoordindex", "pages/page_decl", "pages/page_vs", "apps/ace_d3d5"]


@pytest.mark.parametrize("name", CHUNKED)
def test_chunks_do_not_matter(captures: Path, name: str) -> None:
    data = unpack(captures / f"{name}.trace")
    listener, _, pointers, verdicts = run(data)
    for chunk in (7, 250) if len(verdicts) < 1000 else (250,):
        again, _, same_pointers, same = run(data, chunk)
        assert again.digest.digest() == listener.digest.digest() and same_pointers == pointers
        np.testing.assert_array_equal(same, verdicts)


def test_verdicts_tell_calls_apart(captures: Path) -> None:
    _, runtime, _, verdicts = run(unpack(captures / "pages" / "page_caps.trace"))
    counts: dict[Any, int] = {verdict: int((verdicts == verdict).sum()) for verdict in (SILENT, PYTHON, FAILED)}
    assert counts[FAILED] == 175  # CheckDeviceFormat of formats that Wine's device does not have
    assert counts[SILENT] > 100 and counts[PYTHON] > 10 and runtime.findings == []
