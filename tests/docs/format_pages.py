"""docs/formats: the pages of the two file formats and of the driver calls in them, made from schema, recorder and rule book.

`python -m tests.docs.format_pages` writes them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from core.spec.calls import CALLS, Argument
from inspector.tape import schema, sources

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "formats"
RECORDER = ROOT / "resources" / "ddi_record.h"
MADE = "<!-- made by tests/docs/format_pages.py from {}; change those -->\n"


def one_line(text: str) -> str:
    """Without line breaks and indentation, as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def sentence(text: str) -> str:
    """With a capital, unless it begins with the name of a column."""
    return text if re.match(r"\w+ = ", text) else text[:1].upper() + text[1:]


# ---- .ddicap ----------------------------------------------------------------------------------------------------------


class Column(NamedTuple):
    """A column as SQLite has it; `key`: its place in the primary key, 0: none."""

    name: str
    type: str
    key: int


def tables() -> dict[str, list[Column]]:
    """Table -> its columns, of a new file."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema.CREATE)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {
        name: [Column(row[1], row[2], row[5]) for row in connection.execute(f"PRAGMA table_info({name})")] for name in names
    }


def described() -> dict[str, tuple[str, str]]:
    """Table -> (its columns, its description), of the schema's docstring."""
    entry = re.compile(r"^    (\w+)\(([^)]*)\)(.*\n(?:     .*\n)*)", re.M)
    return {found[1]: (found[2], found[3]) for found in entry.finditer(schema.__doc__ or "")}


def _paragraphs(text: str) -> Iterator[str]:
    """The description: running text, then `column = what it holds`, each for itself."""
    lines: list[str] = []
    for line in text.splitlines():
        if re.match(r"\w+ = ", line.strip()) and lines:
            yield one_line(" ".join(lines))
            lines = []
        lines.append(line)
    yield one_line(" ".join(lines))


def ddicap() -> str:
    """The page of the capture file."""
    words = (schema.__doc__ or "").split("\n\n")
    parts = [
        "# The capture file, `.ddicap`\n",
        MADE.format("inspector/tape/schema.py and sources.py"),
        f"An SQLite database, schema version {schema.VERSION}.\n",
        words[1] + "\n",
        "Any program that knows SQLite can open it; `ddi-inspector query` adds tables of what is derived ([SQL](../sql.md)).\n",
    ]
    for name, columns in tables().items():
        rows = [f"| `{one.name}` | {one.type} | {'yes' if one.key else ''} |" for one in columns]
        text = [paragraph for paragraph in _paragraphs(described()[name][1]) if paragraph]
        parts += [
            f"## {name}\n",
            "| column | type | key |\n|---|---|---|\n" + "\n".join(rows) + "\n",
            *(f"{sentence(one)}\n" for one in text),
        ]
    parts += [words[3].strip() + "\n", "## Rows of API calls\n", "`source.data`, unpacked:\n", f"```\n{_columns_text()}\n```\n"]
    parts += ["## Arguments and blobs\n", "Names of entry points, arguments and blobs: [driver calls](calls.md).\n"]
    return "\n".join(parts)


def _columns_text() -> str:
    return (sources.__doc__ or "").partition("\n\n")[2].strip()


# ---- .ddirec ----------------------------------------------------------------------------------------------------------


class Field(NamedTuple):
    """A field of a header: where it begins, what it is."""

    offset: int
    type: str
    text: str


def headers() -> tuple[dict[str, list[Field]], str]:
    """Of the recorder's comment: each header with its fields, and the text below them."""
    comment = re.search(r"^ \* FILE FORMAT.*?(?=^ \*/)", RECORDER.read_text(encoding="utf-8"), re.M | re.S)
    assert comment is not None
    found: dict[str, list[Field]] = {}
    text = []
    for line in comment[0].splitlines()[1:]:
        field = re.match(r" \* +(\d+)  (\w+(?: bytes)?) +(\S.*)$", line)
        heading = re.match(r" \* +(\w+ header, .*)$", line)
        if field:
            list(found.values())[-1].append(Field(int(field[1]), field[2], field[3]))
        elif heading:
            found[heading[1]] = []
        else:
            text.append(line[2:])
    return found, one_line(" ".join(text))


def enumerations() -> list[dict[str, int]]:
    """The anonymous enums of the recorder's head, as C counts them."""
    text = re.sub(r"/\*.*?\*/", "", RECORDER.read_text(encoding="utf-8"), flags=re.S)
    found = []
    for body in re.findall(r"^enum \{(.*?)\}", text, re.M | re.S):
        members: dict[str, int] = {}
        for name, value in re.findall(r"(\w+)(?:\s*=\s*(\w+))?", body):
            members[name] = int(value, 0) if value else max(members.values(), default=-1) + 1
        found.append(members)
    return found


def ddirec() -> str:
    """The page of a driver's recording."""
    parts = [
        "# A driver's recording, `.ddirec`\n",
        MADE.format("resources/ddi_record.h"),
        "Little endian, append only. How to write one: [Recording a driver](../recording-a-driver.md).\n",
    ]
    found, text = headers()
    for what, fields in found.items():
        rows = [f"| {one.offset} | {one.type} | {one_line(one.text)} |" for one in fields]
        parts += [f"## {sentence(what)}\n", "| byte | type | what |\n|---|---|---|\n" + "\n".join(rows) + "\n"]
    parts += ["## The rest of it\n", f"{text}\n"]
    for title, group in zip(
        ("What a field is", "Types", "Flags of a record", "Answers of DrawPrimitives2"), enumerations(), strict=False
    ):
        rows = [f"| `{name}` | {value} |" for name, value in group.items()]
        parts.append(f"## {title}\n\n| name | value |\n|---|---|\n" + "\n".join(rows) + "\n")
    parts.append("Names of entry points, arguments and blobs: [driver calls](calls.md).\n")
    return "\n".join(parts)


# ---- driver calls -----------------------------------------------------------------------------------------------------


CALLS_TEXT = """\
What both file formats hold: one row per entry point. Numbers are unsigned 32-bit unless a kind follows the name; boxes are
left, top, right, bottom, and front and back of volumes. Handles are those that tokens use; a surface with levels or faces owns
handle + face * levels + level. A reader keeps arguments that it does not know.
"""


def calls() -> str:
    """The page of the driver calls."""
    rows = []
    for row in CALLS.values():
        blobs = ", ".join(f"`{name}`" for name in row.data)
        rows.append(f"| `{row.name}` | `{row.header}` | {_names(row.args)} | {_names(row.out)} | {blobs} |")
    head = "| call | in the DDK | arguments | results | blobs |\n|---|---|---|---|---|\n"
    return "\n".join(["# Driver calls\n", MADE.format("core/spec/calls.py"), CALLS_TEXT, head + "\n".join(rows) + "\n"])


def _names(arguments: tuple[Argument, ...]) -> str:
    return ", ".join(f"`{one.name}`{_kind(one)}" for one in arguments)


def _kind(argument: Argument) -> str:
    name = "text" if argument.kind is None else argument.kind.name
    return "" if name in ("U32", "HANDLE") else f" {name}"


PAGES = {"ddicap.md": ddicap, "ddirec.md": ddirec, "calls.md": calls}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
