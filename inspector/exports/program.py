"""Driver calls as a Python program with their data in it (run by inspector.player).

A token is written with its fields where the same bytes come of it, otherwise as bytes.  What is in the program is made of
literals only; text of a capture is put into comments and reduced to what cannot end one.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.stream import dp2
from core.ddi.stream.dp2_emit import emit
from core.errors import BadInput
from core.spec.kinds import Kind
from core.spec.tokens import TOKENS, Token

SHORT = 32  # bytes that stand where they are used
COLUMNS = 120
LONGEST_COMMENT = 100
HEAD = """\
#!/usr/bin/env python3
# {title}
#
# Made by `ddi-inspector script`; needs the package ddi-inspector.  `python THIS.py` draws it again and says whether surfaces
# are those of the capture; `python THIS.py OUT.png` saves the render target, too.  Every line is a driver call or a token of
# Direct3D 8: change what you like.  play().capture() answers questions: images, states, the history of a pixel.

import sys
from math import inf, nan  # noqa: F401

from ddi_inspector.inspector.player import Player, unpacked

EXPECTED = {expected}
# digests of the surfaces in the capture


def play() -> Player:
    p = Player()
"""
TAIL = """\
    return p


DATA = {{
{data}
}}

if __name__ == "__main__":
    sys.exit(play().finish(EXPECTED, sys.argv[1:]))
"""


def program(calls: Sequence[DdiCall], title: str, expected: Mapping[str, str]) -> str:
    """The text of a program.  `expected`: digests by surface (inspector.player.Player.digests)."""
    data = _Data()
    lines = [line for call in calls for line in _call(call, data)]
    head = HEAD.format(title=comment(title), expected=repr(dict(expected)))
    return head + "".join(f"    {line}\n" for line in lines) + TAIL.format(data="\n".join(data.lines()))


def comment(text: str) -> str:
    """What can stand in a comment of one line."""
    plain = "".join(letter if " " <= letter <= "~" else "?" for letter in " ".join(text.split()))
    return plain if len(plain) <= LONGEST_COMMENT else plain[:LONGEST_COMMENT] + "..."


class _Data:
    """The bytes of a program, each once."""

    def __init__(self) -> None:
        self._names: dict[bytes, int] = {}

    def literal(self, value: Any) -> str:
        held = bytes(memoryview(value).cast("B")) if not isinstance(value, np.ndarray) else value.tobytes()
        return repr(held) if len(held) <= SHORT else f"DATA[{self._names.setdefault(held, len(self._names))}]"

    def lines(self) -> Iterator[str]:
        for held, number in self._names.items():
            text = base64.b64encode(zlib.compress(held, 9)).decode("ascii")
            yield f"    {number}: unpacked("
            yield from (f'        "{text[at : at + COLUMNS]}"' for at in range(0, len(text), COLUMNS))
            yield "    ),"


def _call(call: DdiCall, data: _Data) -> Iterator[str]:
    """The lines of a call."""
    tokens = _tokens(call, data) if call.entry == "DrawPrimitives2" and not call.result and not call.out else None
    if tokens is None:
        about = [repr(call.entry), _literal(call.args)]
        held = {name: value for name, value in call.data.items() if name != "sources"}
        about += ["{" + ", ".join(f"{name!r}: {data.literal(value)}" for name, value in held.items()) + "}"] if held else []
        about += [f"result={call.result:#x}"] if call.result else []
        about += [f"out={_literal(call.out)}"] if call.out else []
        yield f"p.call({', '.join(about)})"
        return
    args = {name: value for name, value in call.args.items() if name not in ("command_offset", "command_length")}
    more = {name: data.literal(value) for name, value in call.data.items() if name not in ("commands", "sources")}
    yield f"p.stream({_literal(args)}{''.join(_keyword(name, value) for name, value in more.items())})"
    yield from tokens


def _keyword(name: str, value: str) -> str:
    """An argument by its name, which is a text of the capture: what is no name in Python stays a text."""
    plain = name.isascii() and name.isidentifier() and not iskeyword(name)
    return f", {name}={value}" if plain else f", **{{{name!r}: {value}}}"


def _literal(value: Any) -> str:
    """Numbers, texts, and lists and mappings of them, as Python writes them; BadInput for anything else."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return repr(value)
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_literal(name)}: {_literal(held)}" for name, held in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(_literal, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    raise BadInput(f"a program cannot hold a {type(value).__name__} as an argument")


# ---- tokens ------------------------------------------------------------------------------------------------------------


def _tokens(call: DdiCall, data: _Data) -> list[str] | None:
    """A line per record; None if the stream cannot be taken apart."""
    start = int(call.args.get("command_offset", 0))
    length = call.args.get("command_length")
    stride = int(call.args.get("vertex_size", 0) or 0)
    buffer = np.frombuffer(bytes(memoryview(call.data["commands"]).cast("B")), np.uint8)
    scan = dp2.scan(buffer, start, length, stride)
    if scan.error is not None or not len(scan.records) or any(int(one["op"]) not in TOKENS for one in scan.records):
        return None
    return [_token(buffer, record, data) for record in scan.records]


def _token(buffer: np.ndarray, record: np.void, data: _Data) -> str:
    """One record as a token of its own."""
    row, at = TOKENS[int(record["op"])], int(record["token"])
    first = int(record["offset"])
    body = buffer[first : first + int(record["size"])].tobytes()
    count = int(record["count"]) if row.repeat == "once" or dp2.is_empty(record) else 1
    held = bytes((row.op, int(buffer[at + 1]))) + count.to_bytes(2, "little") + body
    text = comment(dp2.text(buffer, record))
    fields = _fields(row, body, count)
    if fields is not None and _emitted(row, fields) == held:
        words = ", ".join(f"{name}={_plain(value)}" for name, value in fields.items())
        return f"p.token({row.name!r}{', ' * bool(words)}{words})"
    return f"p.bytes({data.literal(held)})  # {text}"


def _emitted(row: Token, fields: dict[str, Any]) -> bytes:
    out = bytearray()
    try:
        emit(out, row.name, **fields)
    except (BadInput, ValueError, TypeError, KeyError, OverflowError):
        return b""
    return bytes(out)


def _fields(row: Token, body: bytes, count: int) -> dict[str, Any] | None:
    """Keywords for `emit`; None for a record that these cannot say."""
    size = row.fields_dtype.itemsize
    if row.items is not None or len(row.parts) > 1 or len(body) < size:
        return None
    values: dict[str, Any] = {}
    raws: dict[str, int] = {}
    at = 0
    for field in row.fields:
        found = []
        for _ in range(field.count):
            raw = raws[field.name] = int.from_bytes(body[at : at + field.kind.bytes], "little")
            kind = field.kind.given(raws[field.kind.field]) if field.kind.field else field.kind
            found.append(_value(kind, raw))
            at += field.kind.bytes
        values[field.name] = found[0] if field.count == 1 else tuple(found)
    if row.parts and (part := row.parts[0]) and body[size:]:
        if len(part.dtype.names or ()) != 1 or len(body[size:]) % part.dtype.itemsize:
            return None
        values[part.name] = np.frombuffer(body[size:], part.dtype[0].base).reshape(-1, part.element[0].count).tolist()
    if row.repeat == "once":
        values["primitives"] = count
    return values


def _value(kind: Kind, raw: int) -> Any:
    """A member's name, a number as short as it can be written, or the bits."""
    text, value = kind.text(raw), kind.value(raw)
    number = float(str(np.float32(value))) if isinstance(value, float) else value
    for one in (text if text.isidentifier() else None, number, raw):
        try:
            if one is not None and kind.raw(one) == raw:
                return one if isinstance(one, (str, float, bool)) else int(one)
        except (ValueError, TypeError, KeyError):
            continue
    return raw


def _plain(value: Any) -> str:
    """A literal; large numbers by their bits."""
    return hex(value) if isinstance(value, int) and not isinstance(value, bool) and value > 0xFFFF else _literal(value)
