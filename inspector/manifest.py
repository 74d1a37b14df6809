"""captures.toml: the captures that a project keeps, and the expectations of each.

    [[capture]]
    path = "game.trace"                 # beside this file
    hash = "8f3c61b2d0a94e57"           # of all surfaces after every frame
    findings = ["redundant-state"]      # rules that may be broken; absent: not looked at

    [[capture.image]]
    frame = 20
    reference = "frame20.png"
    tolerance = 8
    allow = 0.005
    ignore_edges = true

    [[capture.pixel]]
    frame = 20
    at = [40, 52]
    color = [255, 0, 0]

    [[capture.state]]
    frame = 20
    name = "ALPHAREF"
    value = "0x80"

    [[capture.count]]
    filter = "$draw()"
    expected = "== 12"

Images, pixels and states are looked at after the last draw of `frame`, or after `event`; by default at the last draw.
`surface`: a handle or a role.
Mesa's files for piglit-replay (YAML) are read, too: of each trace the checksum of the device "ddi-inspector".
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from core.errors import BadInput, cannot, in_a_sentence
from inspector.expectations import Clean, Count, Expectation, Image, Outcome, Pixel, State
from inspector.query.comparison.right import Picture
from inspector.query.comparison.verify import Verify

if TYPE_CHECKING:
    from inspector.capture import Capture

DEVICE = "ddi-inspector"
BYTE = 255
Wanted = tuple[str, Callable[[Any], bool]]
"""What a value has to be, in words, and whether one is that."""


def _is_number(value: Any, most: float) -> bool:
    return type(value) in (int, float) and 0 <= value <= most


def _are_whole(values: Any, counts: tuple[int, ...], least: int, most: int) -> bool:
    """Whether it is a list of so many whole numbers."""
    in_range = isinstance(values, list) and all(type(value) is int and least <= value <= most for value in values)
    return in_range and len(values) in counts


TEXT: Wanted = "a text", lambda value: isinstance(value, str)
NUMBER: Wanted = "a number", lambda value: type(value) is int and 0 <= value < 1 << 32
SURFACE: Wanted = "a role or a handle", lambda value: isinstance(value, str) or NUMBER[1](value)
TOLERANCE: Wanted = f"a number up to {BYTE}", lambda value: type(value) is int and _is_number(value, BYTE)
PLACE: dict[str, Wanted] = {"frame": NUMBER, "event": NUMBER}
TABLES: Wanted = "tables", lambda value: True  # _tables says what is wrong
KNOWN: dict[str, dict[str, Wanted]] = {
    "capture": {
        "path": TEXT, "hash": TEXT, "findings": ("a list of rules", lambda value: isinstance(value, list)),
        "image": TABLES, "pixel": TABLES, "state": TABLES, "count": TABLES,
    },
    "image": {
        "reference": TEXT, "tolerance": TOLERANCE, "allow": ("a share from 0 to 1", lambda value: _is_number(value, 1)),
        "ignore_edges": ("true or false", lambda value: isinstance(value, bool)), **PLACE, "surface": SURFACE,
    },
    "pixel": {
        "at": ("[x, y]", lambda value: _are_whole(value, (2,), -(1 << 31), (1 << 31) - 1)),
        "color": ("[r, g, b] or [r, g, b, a]", lambda value: _are_whole(value, (3, 4), 0, BYTE)),
        "tolerance": TOLERANCE, **PLACE, "surface": SURFACE,
    },
    "state": {"name": TEXT, "value": ("a text or a number", lambda value: isinstance(value, str | int | float)), **PLACE},
    "count": {"filter": TEXT, "expected": TEXT, **PLACE},
}  # fmt: skip
"""The keys of each table."""


@dataclass(frozen=True)
class FrameHash:
    """All surfaces after every frame hash to this; empty: not known yet, which is not met."""

    text: str

    def check(self, capture: Capture, event: int) -> Outcome:
        found = hash_of(capture)
        return Outcome(found == self.text, f"the frames hash to {self.text or '(nothing yet)'}", f"they hash to {found}")


def hash_of(capture: Capture) -> str:
    """XXH3 (64 bits) of the hashes of all surfaces after every frame, as sixteen digits."""
    totals = np.array([step.total for step in capture.ask(Verify("frame")).steps], "<u8")
    return f"{xxhash.xxh3_64_intdigest(totals.tobytes()):016x}"


@dataclass(frozen=True)
class Checksum:
    """The MD5 of the last frame's bytes, RGB, as piglit-replay computes it (piglit, framework/replay/image_checksum.py)."""

    text: str

    def check(self, capture: Capture, event: int) -> Outcome:
        rgb = np.ascontiguousarray(capture.image(event, "render_target")[..., :3])
        found = hashlib.md5(rgb.tobytes(), usedforsecurity=False).hexdigest()
        return Outcome(found == self.text, f"the last frame's checksum is {self.text}", f"it is {found}")


@dataclass(frozen=True)
class Check:
    """One expectation of a capture: where, and what.  `reference`: the file of an image, which can be written anew."""

    name: str
    expectation: Expectation
    frame: int | None = None
    event: int | None = None
    reference: Path | None = None

    def run(self, capture: Capture) -> Outcome:
        """Raises BadInput for a frame or event that is not there."""
        return self.expectation.check(capture, self.event_in(capture))

    def event_in(self, capture: Capture) -> int:
        """The event after which it is looked at."""
        if self.event is not None:
            return capture.check_event(self.event)
        first, last = 0, len(capture.events) - 1
        if self.frame is not None:
            frame = capture.frame(self.frame)
            first, last = frame.first_event, frame.last_event
        draws = capture.draws[(capture.draws >= first) & (capture.draws <= last)]
        if len(draws) and not isinstance(self.expectation, Count):
            return int(draws[-1])
        return max(last, 0)


@dataclass(frozen=True)
class Entry:
    """A capture and its checks."""

    path: Path
    checks: list[Check] = field(default_factory=list)


def read(path: Path) -> list[Entry]:
    """The captures of a `.toml`, or of a `.yml` for piglit-replay; BadInput names the place of what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(cannot("read", path, error)) from error
    with in_a_sentence(path):
        return _of_piglit(path, text) if path.suffix in (".yml", ".yaml") else _of_toml(path, text)


MOST_DOTS = 1000
"""In a line of a `.toml`: of a name of so many parts each part's beginnings are kept, 1.7 GB of 40 KB."""


def _of_toml(path: Path, text: str) -> list[Entry]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > MOST_DOTS:
            raise BadInput(f"{path}: line {number} holds more than {MOST_DOTS:,} dots")
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: {error}") from error
    for name in found.keys() - {"capture"}:
        raise BadInput(f"{path}: unknown key '{name}'; expected [[capture]]")
    entries = []
    for number, values in enumerate(_tables(path, found, "capture")):
        where = f"{path}: capture {number}"
        _only_known(where, "capture", values)
        file = path.parent / _needed(where, "capture", values, "path")
        checks = list(_checks(where, path.parent, values))
        if not checks:
            raise BadInput(f'{where}: nothing is expected of {file.name}; begin with hash = "" and --ddi-update')
        entries.append(Entry(file, checks))
    return entries


def _checks(where: str, folder: Path, values: Mapping[str, Any]) -> list[Check]:
    checks = []
    if "hash" in values:
        checks.append(Check("hash", FrameHash(values["hash"])))
    if "findings" in values:
        checks.append(Check("findings", Clean(frozenset(map(str, values["findings"])))))
    for kind, make in (("image", _image), ("pixel", _pixel), ("state", _state), ("count", _count)):
        for number, one in enumerate(_tables(where, values, kind)):
            at = f"{where}, {kind} {number}"
            _only_known(at, kind, one)
            name, expectation, reference = make(at, folder, one)
            frame, event = one.get("frame"), one.get("event")
            place = f" at {frame}" if frame is not None else f" at event {event}" if event is not None else ""
            checks.append(Check(f"{kind} {name}{place}", expectation, frame, event, reference))
    return checks


def _image(where: str, folder: Path, one: Mapping[str, Any]) -> tuple[str, Expectation, Path]:
    name = _needed(where, "image", one, "reference")
    return name, _LaterImage(folder / name, dict(one)), folder / name


@dataclass(frozen=True)
class _LaterImage:
    """An Image whose reference is read when it is checked."""

    path: Path
    values: dict[str, Any]

    def check(self, capture: Capture, event: int) -> Outcome:
        one = self.values
        if not self.path.exists():
            return Outcome(False, f"the image is {self.path.name}", "there is no such file; pytest --ddi-update writes it")
        reference = Picture.of(self.path, one.get("tolerance", 0), one.get("allow", 0), one.get("ignore_edges", False))
        return Image(reference, one.get("surface", "render_target")).check(capture, event)


def _pixel(where: str, folder: Path, one: Mapping[str, Any]) -> tuple[str, Expectation, None]:
    at, color = (_needed(where, "pixel", one, key) for key in ("at", "color"))
    tolerance, surface = one.get("tolerance", 0), one.get("surface", "render_target")
    return f"{at[0]},{at[1]}", Pixel(at[0], at[1], tuple(color), tolerance, surface), None


def _state(where: str, folder: Path, one: Mapping[str, Any]) -> tuple[str, Expectation, None]:
    name = _needed(where, "state", one, "name")
    return name, State(name, str(one.get("value", ""))), None


def _count(where: str, folder: Path, one: Mapping[str, Any]) -> tuple[str, Expectation, None]:
    filter, expected = (_needed(where, "count", one, key) for key in ("filter", "expected"))
    return filter, Count.of(f"{filter} {expected}"), None


def _of_piglit(path: Path, text: str) -> list[Entry]:
    try:
        import yaml
    except ImportError as error:
        raise BadInput(f"{path}: reading YAML needs the package PyYAML") from error
    try:
        traces = yaml.load(text, yaml.BaseLoader)["traces"]  # texts only: a checksum may look like a number
    except (yaml.YAMLError, TypeError, KeyError) as error:
        raise BadInput(f"{path}: expected a file for piglit-replay with traces: {error}") from error
    entries = []
    for name, devices in _named(path, traces):
        expected = devices.get(DEVICE)
        checksum = expected.get("checksum") if isinstance(expected, Mapping) and expected.get("label") != "skip" else None
        if isinstance(checksum, str) and checksum:
            entries.append(Entry(path.parent / name, [Check("checksum", Checksum(checksum))]))
    return entries


def _named(path: Path, traces: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """(path, expectations by device) of both forms: a mapping by path, or a list with `path` and `expectations`."""
    if isinstance(traces, Mapping):
        return [(str(name), devices) for name, devices in traces.items() if isinstance(devices, Mapping)]
    if isinstance(traces, list) and all(isinstance(one, Mapping) and isinstance(one.get("path"), str) for one in traces):
        return [(one["path"], _by_device(one.get("expectations"))) for one in traces]
    raise BadInput(f"{path}: traces: expected a mapping, or a list of mappings with path and expectations")


def _by_device(expectations: Any) -> dict[str, Mapping[str, Any]]:
    listed = expectations if isinstance(expectations, list) else []
    return {str(found.get("device")): found for found in listed if isinstance(found, Mapping)}


# ---- what is read ---------------------------------------------------------------------------------------------------------


def _tables(where: object, values: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = values.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise BadInput(f"{where}: expected [[{name}]]")
    return found


def _only_known(where: str, kind: str, values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        if key not in KNOWN[kind]:
            raise BadInput(f"{where}: unknown key {key!r}; expected one of {', '.join(KNOWN[kind])}")
        wanted, fits = KNOWN[kind][key]
        if not fits(value):
            raise BadInput(f"{where}: expected {key} = {wanted}")


def _needed(where: str, kind: str, values: Mapping[str, Any], key: str) -> Any:
    if key not in values:
        raise BadInput(f"{where}: expected {key} = {KNOWN[kind][key][0]}")
    return values[key]


# ---- what is written anew ---------------------------------------------------------------------------------------------------


def with_hash(text: str, number: int, value: str) -> str:
    """The text of a .toml with the hash of its capture `number`, all else as it was."""
    starts = [match.start() for match in re.finditer(r"^[ \t]*\[\[\s*capture\s*\]\]", text, re.MULTILINE)]
    begin, end = starts[number], (starts[number + 1] if number + 1 < len(starts) else len(text))
    part, count = re.subn(
        r"""^([ \t]*hash[ \t]*=[ \t]*)(["']).*?\2""", rf'\g<1>"{value}"', text[begin:end], count=1, flags=re.MULTILINE
    )
    return text[:begin] + part + text[end:] if count else text
