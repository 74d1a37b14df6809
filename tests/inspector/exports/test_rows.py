"""Rows as text, read back by what reads such texts."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from inspector.exports.formats import format_of
from inspector.exports.rows import TEXTS, json_text, markdown_text, tsv_text

COLUMNS = ("event", "name", "event")
ROWS = [(812, 'a,b "c"\nd\te', 0.5), (7, None, b"abc"), (8, "x|y_z_ *w* <b> \\", float("inf"))]


def test_csv_is_read_back() -> None:
    read = list(csv.reader(io.StringIO(TEXTS["CSV"](COLUMNS, ROWS))))
    assert read[0] == list(COLUMNS)
    assert read[1] == ["812", 'a,b "c"\nd\te', "0.5"]
    assert read[2] == ["7", "", "(3 bytes)"]


@pytest.mark.parametrize("form", ["CSV", "TSV"])
def test_a_spreadsheet_computes_nothing_of_a_file(form: str) -> None:
    """OWASP on CSV injection: formulas begin with =, +, -, @, also after a tab or a line end, or with their wide forms."""
    hostile = ("=HYPERLINK(1)", "+1+cmd", "-2+cmd", "@SUM(1)", "\t=1", "\r\n=1", " =1", "- 2", "\uff1d1", "=")
    harmless = ("-", "-0.5", "+1e5", "-inf", "-0.5 0.25 1", "-1, 2", "a=b", "IDirect3D8::Release", "", -5, 0.5)
    texts = TEXTS[form](("=1",), [(value,) for value in (*hostile, *harmless)])
    titles, *read = [
        row[0] if row else "" for row in csv.reader(io.StringIO(texts), dialect={"CSV": "excel", "TSV": "excel-tab"}[form])
    ]
    assert titles == "'=1"
    assert all(text.startswith("'") for text in read[: len(hostile) - 1])
    assert read[len(hostile) - 1 :] == ["=", *map(str, harmless)]


def test_a_row_of_tsv_is_one_line_with_a_field_per_column() -> None:
    lines = tsv_text(COLUMNS, ROWS).splitlines()
    assert [len(line.split("\t")) for line in lines] == [3] * 4
    assert lines[1] == '812\ta,b "c" d e\t0.5'
    assert tsv_text((), [("one",)]) == "one\n"


def test_json_keeps_numbers_and_both_columns_of_a_title() -> None:
    read = json.loads(json_text(COLUMNS, ROWS), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert read[0] == {"event": 812, "name": 'a,b "c"\nd\te', "event 2": 0.5}
    assert read[1]["name"] is None
    assert read[2]["event 2"] == "inf"
    assert json.loads(json_text(COLUMNS, [])) == []


def test_markdown_shows_what_cells_hold() -> None:
    lines = markdown_text(COLUMNS, ROWS).splitlines()
    assert lines[1] == "| --- | --- | --- |"
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in lines] == [4] * 5
    assert r"x\|y_z\_ \*w\* \<b\> \\" in lines[4]


def test_every_form_can_be_written_to_a_file() -> None:
    for suffix, name in ((".csv", "CSV"), (".tsv", "TSV"), (".json", "JSON"), (".md", "Markdown")):
        assert format_of(Path(f"x{suffix}"), "rows").make(COLUMNS, ROWS).decode() == TEXTS[name](COLUMNS, ROWS)
