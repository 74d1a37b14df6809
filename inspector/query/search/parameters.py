"""Parameters as a filter's $param and $api ask for them: the fields of events, and the arguments of API calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from core.cancel import stoppable
from core.errors import Cancelled, TapeError
from core.runtime.calls.columns import Calls
from core.runtime.calls.source import text as value_text
from inspector.progress import StillWanted
from inspector.query.events.detail import call_detail, token_detail
from inspector.query.events.texts import CHUNK, Texts
from inspector.query.search.state import COMPARISONS
from inspector.query.search.syntax import Argument, FilterError
from inspector.tape.sources import described

HEADER = 2  # fields of a token's command, which are not the record's own
_CONDITION = re.compile(r'\s*("[^"]*"|[^:=!<>~"]+?)\s*(==|!=|<=|>=|:|=|<|>|~)\s*(.*?)\s*', re.S)
Test = Callable[[str, Any], bool]
"""Of a value's text and the value itself."""


ParameterFields = dict[str, list[tuple[int, str, Any]]]
"""(text's number, text, value) of every field of every different event, by the field's name."""


class Parameters:
    """Looks parameters up, for one question.  API arguments are read when their name is asked for."""

    def __init__(self, capture: Any, texts: Texts, fields: ParameterFields, progress: StillWanted) -> None:
        self.capture, self.texts, self._fields, self.progress = capture, texts, fields, progress

    def mask(self, given: Argument) -> np.ndarray:
        """The events one of whose parameters fulfils `name op value`."""
        parts = _CONDITION.fullmatch(given.text)
        if not parts or not parts[3]:
            raise FilterError(given.column, "$param needs name: text, or name op value", len(given.text))
        name, test = parts[1].strip('"').casefold(), _test(parts[2], parts[3].strip('"'), given)
        fits = np.zeros(len(self.texts.texts), bool)
        for group, text, value in self._fields.get(name, ()):
            fits[group] |= test(text, value)
        return self.texts.where(fits) | self._of_sources(self._arguments(name, test))

    def api_text(self, words: str) -> np.ndarray:
        """The events caused by an API call whose name has these words in it."""
        fits = np.zeros(self.capture.tape.source_count, bool)
        for calls in self._batches():
            named = [number for number, signature in calls.names.functions.items() if words in signature.name.casefold()]
            fits[calls.first : calls.first + len(calls.calls)] = np.isin(calls.calls["signature"], named)
        return self._of_sources(fits)

    def _of_sources(self, fits: np.ndarray) -> np.ndarray:
        """bool[events] from bool[API calls]."""
        source = self.capture.events.source
        return fits[np.clip(source, 0, len(fits) - 1)] & (source >= 0) if len(fits) else np.zeros(len(source), bool)

    # ---- API calls
    def _batches(self) -> Iterator[Calls]:
        for calls in self.capture.tape.source_columns():
            if not self.progress(calls.first / max(self.capture.tape.source_count, 1)):
                raise Cancelled("search cancelled")
            yield calls

    def _arguments(self, name: str, test: Test) -> np.ndarray:
        """bool[API calls]: an argument of this name passes; equal plain values are looked at once."""
        fits = np.zeros(self.capture.tape.source_count, bool)
        for calls in self._batches():
            for number, signature in calls.names.functions.items():
                for place in [n for n, argument in enumerate(signature.arguments) if argument.casefold() == name]:
                    mine = np.flatnonzero(calls.calls["signature"] == number)
                    fits[calls.first + mine] |= _arguments_pass(calls, mine, place, test)
        return fits


def read_fields(capture: Any, texts: Texts, progress: StillWanted) -> ParameterFields:
    """Reads the fields of every different event.  Raises Cancelled."""
    found: ParameterFields = {}
    events, calls = capture.events, capture.calls
    for group, event in enumerate(texts.sample.tolist()):
        if group % CHUNK == 0 and not progress(group / len(texts.sample)):
            raise Cancelled("search cancelled")
        fields = token_detail(events, event)[0][HEADER:] if events.op[event] else call_detail(calls[int(events.call[event])])[0]
        for field in fields:
            for name in {field.name.casefold(), field.header.casefold()} - {""}:
                found.setdefault(name, []).append((group, field.text, field.value))
    return found


def _arguments_pass(calls: Calls, mine: np.ndarray, place: int, test: Test) -> np.ndarray:
    """bool: the argument at `place` of each of these calls passes."""
    slots = calls.calls["args"][mine].astype(np.int64) + place
    keys = np.rec.fromarrays([calls.tags[slots], calls.words[slots], calls.values[slots]])
    _, first, groups = np.unique(keys, return_index=True, return_inverse=True)
    passes = [_argument_passes(calls, call, place, test) for call in stoppable(mine[first].tolist())]
    return np.array(passes, bool)[groups] if passes else np.zeros(0, bool)


def _argument_passes(calls: Calls, call: int, place: int, test: Test) -> bool:
    """No argument that the trace does not have does, and none of a damaged call."""
    try:
        value = described(calls, call)[calls.signature(call).arguments[place]]
    except (TapeError, KeyError):
        return False
    return test(value_text(value), value)


def _test(op: str, wanted: str, given: Argument) -> Test:
    """A test of one value.  A number with `:` must be equal, another text must be in the value's text."""
    number, folded = _number(wanted), wanted.casefold()
    if op in ("<", "<=", ">", ">="):
        if number is None:
            raise FilterError(given.column, f"{op} needs a number, not {wanted}", len(given.text))
        return lambda text, value: (found := _number(value)) is not None and bool(COMPARISONS[op](found, number))
    if op == "~" or (op == ":" and number is None):
        return lambda text, value: folded in text.casefold()
    if op == "!=":
        return lambda text, value: not _equal(text, value, folded, number)
    return lambda text, value: _equal(text, value, folded, number)


def _equal(text: str, value: Any, folded: str, number: float | None) -> bool:
    return text.casefold() == folded or (number is not None and _number(value) == number)


def _number(value: Any) -> float | None:
    """A value as a number; None for what is none."""
    try:
        return float(int(value, 0)) if isinstance(value, str) and not _is_float(value) else float(value)
    except (TypeError, ValueError):
        return None


def _is_float(text: str) -> bool:
    return "." in text and not text.casefold().startswith("0x")
