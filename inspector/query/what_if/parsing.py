"""Edits in text form.

disable 1834            disable 1834..1840
set 1834.value=5        set 1372.source=3
bytes 1834+4=00ff00ff
force ALPHAREF=0x40     force COLOROP[0]=DISABLE @ 100..200
texture 12=brick.png    texture 12 level 1 face 2 slice 0 @ 100=brick.png
shader 5=ps.txt
primitives 1834=3..7
preset wireframe        preset no-fog @ 100..200
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from core.errors import BadInput, cannot, unknown
from inspector.query.what_if.edits import (
    ALWAYS,
    Disable,
    Edit,
    Force,
    Primitives,
    Range,
    SetBytes,
    SetField,
    Shader,
    Texture,
    preset,
)


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("..")
    return int(first, 0), int(last or first, 0)


def _disable(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    return (Disable(*_range(found["span"])),)


def _set(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    return (SetField(int(found["event"]), found["name"], found["value"].strip()),)


def _bytes(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    return (SetBytes(int(found["event"]), int(found["at"] or 0), bytes.fromhex(found["data"])),)


def _force(found: re.Match[str], when: Range) -> tuple[Edit, ...]:
    return (Force(found["key"].strip(), found["value"].strip(), *_events_or(found["when"], when)),)


def _texture(found: re.Match[str], when: Range) -> tuple[Edit, ...]:
    parts = {name: int(number) for name, number in re.findall(r"(level|face|slice) (\d+)", found["parts"])}
    first = _events_or(found["when"], when)[0]
    return (Texture.of(int(found["handle"], 0), found["file"].strip(), first=first, **parts),)


def _shader(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    try:
        return (Shader(int(found["handle"], 0), Path(found["file"].strip()).read_text(encoding="utf-8")),)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(cannot("read shader text", found["file"], error)) from error


def _primitives(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    return (Primitives(int(found["event"]), *_range(found["span"])),)


def _preset(found: re.Match[str], when: Range) -> tuple[Edit, ...]:
    return preset(found["name"], *_events_or(found["when"], when))


def _events_or(text: str | None, otherwise: Range) -> Range:
    if text is None:
        return otherwise
    first, dots, last = text.partition("..")
    return int(first), int(last) if last else None if dots else int(first)


_SPAN, _WHEN = r"(?P<span>\d+(?:\.\.\d+)?)", r"(?:\s*@\s*(?P<when>\d+(?:\.\.\d*)?))?"
Reader = Callable[[re.Match[str], Range], tuple[Edit, ...]]
FORMS: dict[str, tuple[re.Pattern[str], Reader]] = {
    "disable": (re.compile(_SPAN), _disable),
    "set": (re.compile(r"(?P<event>\d+)\.(?P<name>[^=]+)=(?P<value>.*)"), _set),
    "bytes": (re.compile(r"(?P<event>\d+)(?:\+(?P<at>\d+))?=(?P<data>(?:[0-9a-fA-F]{2}\s*)+)"), _bytes),
    "force": (re.compile(rf"(?P<key>[^=@]+)=(?P<value>[^@]+?){_WHEN}"), _force),
    "texture": (re.compile(rf"(?P<handle>\w+)(?P<parts>(?: (?:level|face|slice) \d+)*){_WHEN}\s*=(?P<file>.+)"), _texture),
    "shader": (re.compile(r"(?P<handle>\w+)=(?P<file>.+)"), _shader),
    "primitives": (re.compile(rf"(?P<event>\d+)={_SPAN}"), _primitives),
    "preset": (re.compile(rf"(?P<name>[\w-]+){_WHEN}"), _preset),
}


def parse(text: str, when: Range = ALWAYS) -> tuple[Edit, ...]:
    """The edits of one text; `when`: the events a force or preset is for if it does not say.  BadInput says what is wrong."""
    kind, _, rest = text.strip().partition(" ")
    if kind not in FORMS:
        raise BadInput(unknown("edit", text, FORMS))
    pattern, read = FORMS[kind]
    found = pattern.fullmatch(rest.strip())
    if found is None:
        raise BadInput(f"{text!r} is not a valid edit of this kind; example: {EXAMPLES[kind]!r}")
    try:
        return read(found, when)
    except ValueError as error:
        raise BadInput(f"{text!r}: {error}") from error


EXAMPLES = {
    "disable": "disable 1834..1840", "set": "set 1834.value=5", "bytes": "bytes 1834+4=00ff00ff",
    "force": "force ALPHAREF=0x40 @ 100..200", "texture": "texture 12 level 0=brick.png", "shader": "shader 5=ps.txt",
    "primitives": "primitives 1834=3..7", "preset": "preset wireframe",
}  # fmt: skip
