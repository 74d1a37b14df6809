"""Evaluation of a filter: from its tree to a mask over all events.

| part | events |
|---|---|
| blend, "two words" | whose text has it, whatever the case; draws, clears, copies, presentations answer to these words |
| IDirect3DDevice8::Clear | caused by this API call |
| $regex(/a.*b/i) | whose text fits |
| $action(), $draw(), $clear(), $copy(), $present(), $event(), $state() | of this kind; a condition inside must hold too |
| $param(name: text), $param(name op value) | one of whose fields, or of its API call's arguments, is so |
| $parent(words), $childOf(words) | whose driver call, or driver call or frame ("Frame 3"), is named so |
| $api(words) | whose API call has it in its text |
| frame, event, draw, op, call, source, primitives, pixels ... op value | whose number is so |
| ALPHAREF > 128, texture[0] == 12, FOG* != default | after which the state is so |
| set(FOG*), changed(FOG*), redundant(), unused(FOG*) | that write it; leave another value; leave all as it was; are unused |
| setby(812), setby(ALPHAREF, 812) | after which something that event 812 set, or the value of ALPHAREF it set, is in force |
| shader == 5 | whose vertex or pixel shader in force is this handle |
| uses(12), uses(light:0), object(12) | draws that use the object; all events in its history |
| pixels == 0, fragments, culled, clipped, depth_test, overdraw ... | draws with this many of that fate |
| touches(40, 52), touches(0, 0, 8, 8, 41) | that change this pixel, or one of the rectangle, of the back buffer or a surface |
| finding(), finding(bad*) | with findings, by rule; those that only drawing shows once `Findings()` was asked |
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from core.errors import Cancelled
from core.spec.effects import ACTIONS, EventKind
from inspector.progress import StillWanted
from inspector.query.draws.counts import COUNTS, counts_of
from inspector.query.events.detail import header_of
from inspector.query.events.texts import Texts, texts_of
from inspector.query.search.fields import COMPARISON_FLAGS, Column, Fields, flag_bits, kind_number, op_number
from inspector.query.search.parameters import ParameterFields, Parameters, read_fields
from inspector.query.search.predicates import PREDICATES
from inspector.query.search.state import COMPARISONS, StateMasks
from inspector.query.search.syntax import (
    Both,
    Call,
    Compare,
    Either,
    FilterError,
    Node,
    Not,
    Regex,
    Terms,
    Word,
    quietly,
    walk,
)
from inspector.query.state.places import meant
from inspector.timeline.counters import overdraw

KINDS = {kind.word: kind for kind in ACTIONS}
DOLLARS = ("action", "event", *KINDS, "dispatch", "state", "param", "regex", "parent", "childOf", "api")
_DOLLARS = frozenset(name.casefold() for name in DOLLARS)
REGEX_SECONDS = 1.0  # for one text
COUNTED = (*COUNTS, "overdraw")
"""Columns that take drawing to know."""


NAMED = {
    "op": (op_number, "a token's name or number"),
    "kind": (kind_number, f"one of {', '.join(kind.word for kind in EventKind)}"),
}


def never_stop(fraction: float) -> bool:
    return True


class Read:
    """What filters had to read of a capture, for the next ones.  It does not keep the capture alive."""

    def __init__(self, capture: Any) -> None:
        self._capture: Any = weakref.proxy(capture)
        self.fields = Fields(self._capture)
        self.parameters: ParameterFields | None = None

    @cached_property
    def state(self) -> StateMasks:
        return StateMasks(self._capture.walked, len(self._capture.events))


class Masks:
    """The meaning of one filter on one capture: an object a question, as several may be asked at once."""

    def __init__(self, capture: Any, read: Read, progress: StillWanted = never_stop) -> None:
        self.capture: Any = capture
        self.count = len(capture.events)
        self.fields = read.fields
        self.progress = progress
        self._read = read
        self._span = 0, self.count - 1  # events of interest, for what takes drawing to know

    @cached_property
    def texts(self) -> Texts:
        return texts_of(self.capture, self.progress)

    @property
    def state(self) -> StateMasks:
        return self._read.state

    @cached_property
    def parameters(self) -> Parameters:
        if self._read.parameters is None:
            self._read.parameters = read_fields(self.capture, self.texts, self.progress)
        return Parameters(self.capture, self.texts, self._read.parameters, self.progress)

    def of(self, node: Node) -> np.ndarray:
        """bool[events]; FilterError for what does not mean anything on this capture.  Raises Cancelled."""
        if not self.progress(0.5):
            raise Cancelled("search cancelled")
        match node:
            case Word():
                return self._word(node.text)
            case Regex():
                return self._fitting(node)
            case Terms():
                return self._terms(node)
            case Both():
                return self._all_of(node.parts)
            case Either():
                return np.logical_or.reduce([self.of(part) for part in node.parts])
            case Not():
                return ~self.of(node.part)
            case Compare():
                return self._compare(node)
            case Call():
                return self._dollar(node) if node.dollar else self._predicate(node)

    def _word(self, text: str) -> np.ndarray:
        """Where the text has it; "::" is of API calls only, such as IDirect3DDevice8::SetRenderState."""
        return self.parameters.api_text(text.casefold()) if "::" in text else self.texts.containing(text)

    def _fitting(self, node: Regex) -> np.ndarray:
        """Where the expression fits.  One text may take a second: what takes longer would take for ever."""
        import regex

        with quietly():
            search = regex.compile(node.pattern, regex.I if "i" in node.flags else 0).search
        fits = []
        for text in self.texts.texts:
            if not self.progress(0.5):
                raise Cancelled("search cancelled")
            try:
                fits.append(search(text, timeout=REGEX_SECONDS, concurrent=True) is not None)
            except TimeoutError:
                sentence = "this expression takes too long; avoid repeating groups that repeat in turn"
                raise FilterError(node.column, sentence, len(node.pattern)) from None
        return self.texts.where(fits)

    def all(self) -> np.ndarray:
        return np.ones(self.count, bool)

    def _terms(self, node: Terms) -> np.ndarray:
        if node.must:
            mask = self._all_of(node.must)
        elif node.plain:
            mask = np.logical_or.reduce([self.of(part) for part in node.plain])
        else:
            mask = self.all()
        for part in node.never:
            mask = mask & ~self._within(mask, part)
        return mask

    def _all_of(self, parts: tuple[Node, ...]) -> np.ndarray:
        """Where all hold.  What takes drawing to know comes last, and is only asked for where the rest holds."""
        mask = self.all()
        for part in sorted(parts, key=needs_drawing):
            mask = mask & self._within(mask, part)
        return mask

    def _within(self, mask: np.ndarray, part: Node) -> np.ndarray:
        """The mask of a part, of interest only where `mask` holds."""
        if not needs_drawing(part):
            return self.of(part)
        events = np.flatnonzero(mask)
        if not len(events):
            return mask
        span, self._span = self._span, (max(self._span[0], int(events[0])), min(self._span[1], int(events[-1])))
        try:
            return self.of(part)
        finally:
            self._span = span

    # ---- comparisons
    def _compare(self, node: Compare) -> np.ndarray:
        name = node.name.casefold()
        if name in ("name", "text", "header"):
            return self._text(node, name)
        if name == "shader":
            both = [Compare(shader, node.op, node.value, node.column, node.value_column) for shader in ("vs", "ps")]
            return np.logical_or.reduce([self.state.compare(each) for each in both])
        column = self._counted(name) if name in COUNTED else self.fields.column(node.name)
        if column is not None:
            return self._number(node, name, column)
        if self.state.known(node.name):
            return self.state.compare(node)
        hint = meant(node.name, self.state.lights) or "; examples: frame, event, draw, op, ALPHAREF, TEXTURE[0]"
        raise FilterError(node.column, f"unknown state or column {node.name!r}{hint}", len(node.name))

    def _counted(self, name: str) -> Column:
        """A count of drawing, of the draws of interest."""
        rows = counts_of(self.capture, *self._span, self.cancelled)
        values, known = np.zeros(self.count), np.zeros(self.count, bool)
        values[rows["event"]] = overdraw(rows) if name == "overdraw" else rows[name]
        known[rows["event"]] = True
        return Column(values, known)

    def cancelled(self) -> bool:
        return not self.progress(0.5)

    def _number(self, node: Compare, name: str, column: Column) -> np.ndarray:
        if node.op == "&" and column.values.dtype.kind == "f":
            raise FilterError(node.column, f"{node.name} is not a whole number: & looks for bits", len(node.name))
        mask = _column_test(node, name)(column.values)
        return mask if column.known is None else mask & column.known

    def _text(self, node: Compare, column: str) -> np.ndarray:
        given, texts = node.value.casefold(), self.texts.folded
        if column == "name":
            texts = [text.split(" ", 1)[0] for text in texts]
        elif column == "header":
            events, calls = self.capture.events, self.capture.calls
            texts = [header_of(events, calls, event).casefold() for event in self.texts.sample.tolist()]
        if node.op == "~":
            return self.texts.where([given in text for text in texts])
        if node.op not in ("==", "!="):
            raise FilterError(node.column, f"{node.name} {node.op}: text is compared with ==, != or ~", len(node.name))
        equal = self.texts.where([text == given for text in texts])
        return equal if node.op == "==" else ~equal

    # ---- $calls
    def _dollar(self, node: Call) -> np.ndarray:
        name = node.name.casefold()
        if name not in _DOLLARS:
            raise FilterError(
                node.column, f"unknown function ${node.name}(); expected one of ${', $'.join(DOLLARS)}", len(node.name) + 1
            )
        if name in ("param", "parent", "childof", "api"):
            return self._about(name, node)
        mask = self._kind(name)
        return mask if node.condition is None else mask & self._within(mask, node.condition)

    def _kind(self, name: str) -> np.ndarray:
        if name == "event":
            return self.all()
        if name == "action":
            return self.fields.action
        if name == "state":
            return self.state.all_written()
        return self.fields.kind == KINDS[name] if name in KINDS else ~self.all()

    def _about(self, name: str, node: Call) -> np.ndarray:
        if len(node.arguments) != 1 or not node.arguments[0].text:
            raise FilterError(node.column, f"${node.name}(...) takes one argument", len(node.name) + 1)
        given = node.arguments[0]
        words = given.text.strip('"').casefold()
        if name == "param":
            return self.parameters.mask(given)
        if name == "api":
            return self.parameters.api_text(words)
        return self._parents(words, name == "childof")

    def _parents(self, words: str, frames_too: bool) -> np.ndarray:
        index = self.capture.tape.call_index()
        fits = np.array([words in index.names.get(number, "").casefold() for number in range(max(index.names, default=0) + 1)])
        mask = fits[index.entry][self.capture.events.call]
        if frames_too:
            frames = self.fields.column("frame")
            assert frames is not None
            numbers, places = np.unique(frames.values, return_inverse=True)
            mask = mask | np.array([words in f"frame {number}" for number in numbers.tolist()], bool)[places]
        return mask

    def span_of_frames(self) -> tuple[int, int]:
        """The events of interest that belong to frames: after the last one everything may be gone."""
        frames = self.capture.frames
        return max(self._span[0], frames[0].first_event), min(self._span[1], frames[-1].last_event)

    # ---- predicates
    def _predicate(self, node: Call) -> np.ndarray:
        name = node.name.casefold()
        predicate = PREDICATES.get(name)
        if predicate is None:
            raise FilterError(
                node.column, f"unknown function {node.name}(); expected one of {'(), '.join(PREDICATES)}()", len(node.name)
            )
        return predicate(self, node)


def needs_drawing(node: Node) -> bool:
    """Whether a condition is about what draws made of pixels."""
    return any(
        (isinstance(part, Compare) and part.name.casefold() in COUNTED)
        or (isinstance(part, Call) and part.name.casefold() == "touches")
        for part in walk(node)
    )


def _column_test(node: Compare, name: str) -> Callable[[np.ndarray], np.ndarray]:
    if name == "flags":
        bits = flag_bits(node.value)
        if isinstance(bits, str):
            raise FilterError(
                node.value_column, f"unknown flag {bits}; expected one of {', '.join(COMPARISON_FLAGS)}", len(bits)
            )
        if node.op not in ("&", "==", "!="):
            raise FilterError(node.column, f"flags {node.op}: flags are compared with &, == or !=", 5)
        return lambda values: (values & bits != 0) if node.op == "&" else COMPARISONS[node.op](values, bits)
    if node.op == "~":
        raise FilterError(node.column, f"{node.name} is a number; ~ searches text", len(node.name))
    if node.op == "&":
        number = _value(node, name, node.value)
        if not isinstance(number, int) or not -(1 << 63) <= number < 1 << 63:
            wanted = f"{node.name} & wants a whole number of at most 64 bits, not {node.value}"
            raise FilterError(node.value_column, wanted, len(node.value))
        return lambda values: (values & number) != 0
    if ".." in node.value and node.op in ("==", "!="):
        low, high = (_value(node, name, part) for part in node.value.split("..", 1))
        return lambda values: ((values >= low) & (values <= high)) == (node.op == "==")
    given = _value(node, name, node.value)
    return lambda values: COMPARISONS[node.op](values, given)


def _value(node: Compare, name: str, text: str) -> float:
    """A number, or the name of one: of a token for op, of a kind for kind."""
    if name in NAMED and (number := NAMED[name][0](text)) is not None:
        return number
    try:
        number = int(text, 0)
        return number if abs(number) < 1 << 64 else math.inf if number > 0 else -math.inf  # beyond what columns hold
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        wanted = NAMED[name][1] if name in NAMED else "a number"
        raise FilterError(node.value_column, f"{node.name} {node.op} needs {wanted}, not {text}", len(text)) from None
