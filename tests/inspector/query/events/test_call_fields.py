"""D3DHAL_DRAWPRIMITIVES2DATA of a call: at its tokens, in dump, in SQL; and what its failure means for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector
from core.spec.calls import CALLS, DRAW_MEMBERS
from core.spec.enums import HResult
from core.spec.structs import STRUCTS
from inspector import Search, Sql
from inspector.cli.main import main
from inspector.query.events.detail import outcome_of
from tests.driver_calls import call, stream
from tests.inspector.streams import beginning, capture_of

COMMANDS = stream(
    ("RENDERSTATE", {"items": [{"state": 22, "value": 2}]}), ("RENDERSTATE", {"items": [{"state": 22, "value": 1}]})
)
UNPARSED = int(HResult.D3DERR_COMMAND_UNPARSED)


@pytest.fixture
def capture(tmp_path: Path) -> Iterator[inspector.Capture]:
    failed = call(
        "DrawPrimitives2", {"commands": COMMANDS, "vertices": bytes(60)}, context=1, flags=1, vertex_type=0x44,
        vertex_offset=0, vertex_length=3, vertex_size=20, req_vertex_size=4096, buffer_offset=100, command_offset=0,
        command_length=24,
    )  # fmt: skip
    failed.result, failed.out = UNPARSED, {"error_offset": 12}
    with capture_of([*beginning(), failed], tmp_path) as made:
        yield made


def test_the_members_are_those_of_the_structure() -> None:
    named = [member.name for member in STRUCTS["D3DHAL_DRAWPRIMITIVES2DATA"].members]
    assert list(DRAW_MEMBERS) == named
    row = CALLS["DrawPrimitives2"]
    assert set(DRAW_MEMBERS.values()) - {"result"} <= {one.name for one in (*row.args, *row.out)} | set(row.data)


def test_a_token_knows_the_call_that_it_came_in(capture: inspector.Capture) -> None:
    detail = capture.event(len(capture.events) - 1)
    shown = [(field.header, field.text) for field in detail.call_fields if field.header]
    assert shown == [
        ("dwhContext", "#1"), ("dwFlags", "USERMEMVERTICES"), ("dwVertexType", "XYZRHW|DIFFUSE"), ("lpDDCommands", "24 bytes"),
        ("dwCommandOffset", "100"), ("dwCommandLength", "24"), ("lpDDVertex", "none"), ("lpVertices", "60 bytes"),
        ("dwVertexOffset", "0"), ("dwVertexLength", "3"), ("dwReqVertexBufSize", "4096"),
        ("dwReqCommandBufSize", "not recorded"),
        ("lpdwRStates", "none"), ("dwVertexSize", "20"), ("ddrval", f"{UNPARSED:#010x} D3DERR_COMMAND_UNPARSED"),
        ("dwErrorOffset", "112"),
    ]  # fmt: skip
    assert capture.event(0).call_fields == ()


def test_what_the_failure_means_is_said_at_each_event(capture: inspector.Capture) -> None:
    last = len(capture.events) - 1
    assert [outcome_of(capture.events, event) for event in (0, last - 1, last)] == ["", "", "failed: D3DERR_COMMAND_UNPARSED"]
    assert capture.ask(Search("done == 0")).tolist() == [last]


def test_the_rest_of_a_failed_call_was_not_carried_out(tmp_path: Path) -> None:
    failed = call("DrawPrimitives2", {"commands": COMMANDS}, context=1)
    failed.result, failed.out = UNPARSED, {"error_offset": 0}
    refused = call("Blt", destination=10, flags=0x400, color=1, recorded=UNPARSED)
    refused.result = UNPARSED
    with capture_of([*beginning(), failed, refused], tmp_path) as made:
        last = len(made.events) - 1
        assert [outcome_of(made.events, event) for event in range(last - 2, last + 1)] == [
            "failed: D3DERR_COMMAND_UNPARSED", "not executed", "failed: D3DERR_COMMAND_UNPARSED",
        ]  # fmt: skip


def test_dump_shows_members_and_outcomes(capture: inspector.Capture, capsys: pytest.CaptureFixture[str]) -> None:
    last = len(capture.events) - 1
    assert main(["dump", str(capture.path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("RENDERSTATE CULLMODE=NONE  [failed: D3DERR_COMMAND_UNPARSED]")
    assert main(["dump", str(capture.path), "--event", str(last)]) == 0
    shown = capsys.readouterr().out
    assert "D3DHAL_DRAWPRIMITIVES2DATA" in shown and "dwReqVertexBufSize" in shown and "dwErrorOffset" in shown
    assert main(["dump", str(capture.path), "--event", str(last), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["outcome"] == "failed: D3DERR_COMMAND_UNPARSED"
    assert {"name": "vertex_size", "header": "dwVertexSize", "text": "20"} in told["call_fields"]


def test_sql_has_the_numbers_and_every_field(capture: inspector.Capture) -> None:
    number = len(capture.calls) - 1
    columns = "result, result_text, error_offset, context, flags, vertex_type, vertex_length, req_vertex_size, req_command_size"
    rows = capture.ask(Sql(f"SELECT {columns} FROM calls WHERE call = {number}")).rows
    assert rows == [(UNPARSED, f"{UNPARSED:#010x} D3DERR_COMMAND_UNPARSED", 12, 1, 1, 0x44, 3, 4096, None)]
    fields = capture.ask(
        Sql(f"SELECT header, value, text FROM call_fields WHERE call = {number} AND name = 'error_offset'")
    ).rows
    assert fields == [("dwErrorOffset", 112, "112")]
    assert capture.ask(Sql("SELECT entry FROM calls JOIN call_fields USING(call) WHERE name = 'width' LIMIT 1")).rows
    done = capture.ask(Sql(f"SELECT done FROM events WHERE call = {number} ORDER BY event")).rows
    assert done == [(1,), (0,)]
