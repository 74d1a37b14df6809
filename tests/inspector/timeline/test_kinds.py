"""Timeline, filters, statistics and SQL say the same of every event: what its row says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.spec.effects import EventKind
from core.spec.enums import DdBlt
from inspector import Search, Sql
from inspector.query.search.syntax import FilterError
from tests.driver_calls import call
from tests.inspector.streams import TARGET, TEXTURE, beginning, capture_of, tokens
from ui.index import KINDS, build_index

BOX = [0, 0, 8, 8]
EVENTS = [
    (call("GetBltStatus", handle=TARGET, flags=1), "other"),
    (call("GetFlipStatus", handle=TARGET, flags=1), "other"),
    (call("WaitForVerticalBlank", flags=1), "other"),
    (call("Blt", destination=TEXTURE, destination_box=BOX, flags=int(DdBlt.COLORFILL), color=0xFFFF0000), "clear"),
    (call("Blt", destination=TARGET, source=TEXTURE, destination_box=BOX, source_box=BOX, flags=0), "copy"),
    (call("SetColorKey", handle=TEXTURE, flags=8, low=0, high=0), "resource"),
    (tokens(("UPDATEPALETTE", [], {"palette": 1, "start": 0, "count": 0})), "resource"),
    (tokens(("SETTRANSFORM", [{"type": 2, "matrix": [1.0] * 16}])), "transform"),
]


def test_one_truth(tmp_path: Path) -> None:
    calls = [*beginning(), *(one for one, _ in EVENTS)]
    with capture_of(calls, tmp_path) as capture:
        first = len(capture.events) - len(EVENTS)
        expected = [kind for _, kind in EVENTS]
        index = build_index(capture)
        assert [KINDS[kind] for kind in index.kind[first:].tolist()] == expected
        asked = f"SELECT kind FROM events WHERE event >= {first} ORDER BY event"
        assert [row[0] for row in capture.ask(Sql(asked)).rows] == expected
        for kind in EventKind:
            found = set(capture.ask(Search(f"kind == {kind.word}")).tolist())
            assert found == set(np.flatnonzero(index.kind == kind).tolist())
        assert set(capture.ask(Search("$clear()")).tolist()) == set(capture.ask(Search("kind == clear")).tolist())
        with pytest.raises(FilterError, match="one of other, draw"):
            capture.ask(Search("kind == purple"))
