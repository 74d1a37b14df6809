"""docs/formats: the pages are what the script makes, and what it makes them from agrees with what reads the files."""

from __future__ import annotations

import re
import struct

import pytest

from inspector.tape import limits, recording
from tests.docs.format_pages import FOLDER, PAGES, described, enumerations, headers, tables

BYTES = {"u8": 1, "u16": 2, "u32": 4, "8 bytes": 8}


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_script_makes(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name](), "python -m tests.docs.format_pages"


def test_every_table_is_described_with_the_columns_that_it_has() -> None:
    """Those of SQLite, of the schema's docstring, and of what readers accept."""
    real = {name: [column.name for column in columns] for name, columns in tables().items()}
    assert {name: text.split(", ") for name, (text, _) in described().items()} == real
    assert {name: list(columns) for name, columns in limits.COLUMNS.items()} == real


LAYOUTS = {"file header": recording.HEADER, "record header": recording.HEAD, "field header": recording.FIELD}


@pytest.mark.parametrize("what", LAYOUTS)
def test_headers_are_described_as_they_are_read(what: str) -> None:
    """Field by field, the recorder's comment has the offsets and sizes of the reader's struct."""
    [(heading, fields)] = [(heading, fields) for heading, fields in headers()[0].items() if heading.startswith(what)]
    parts = re.findall(r"(\d*)([a-zA-Z])", LAYOUTS[what].format)
    plain = [item for count, kind in parts for item in ([count + kind] if kind == "s" else [kind] * int(count or 1))]
    sizes = [struct.calcsize("<" + item) for item in plain]
    assert [BYTES[field.type] for field in fields] == sizes
    assert [field.offset for field in fields] == [sum(sizes[:place]) for place in range(len(sizes))]
    assert f", {sum(sizes)} bytes" in heading


def test_the_recorder_counts_as_the_reader_does() -> None:
    roles, types, flags, *_ = enumerations()
    for group in (roles, types, flags):
        assert {name: getattr(recording, name.removeprefix("DDIR_")) for name in group} == group
    assert len(roles) == 3 and len(types) == 10
