"""Conditions in the form of calls, such as changed(ALPHAREF), uses(12), touches(x, y): the events that satisfy each."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from inspector.query.events.findings import known
from inspector.query.objects.usage import log_of
from inspector.query.pixels.writers import Touched
from inspector.query.search.syntax import Argument, Call, FilterError
from inspector.query.state.places import StatePlace

if TYPE_CHECKING:
    from inspector.query.search.masks import Masks


def _states(masks: Masks, node: Call) -> list[StatePlace]:
    """The places that the arguments name."""
    return [place for given in node.arguments for place in masks.state.required(given.text, given.column)]


def _changed(masks: Masks, node: Call) -> np.ndarray:
    return masks.state.written(_states(masks, node), True) if node.arguments else masks.state.all_written(True)


def _set(masks: Masks, node: Call) -> np.ndarray:
    return masks.state.written(_states(masks, node)) if node.arguments else masks.state.all_written()


def _unused(masks: Masks, node: Call) -> np.ndarray:
    return masks.state.unused(_states(masks, node) if node.arguments else masks.state.required("*", 0))


def _set_by(masks: Masks, node: Call) -> np.ndarray:
    if not 1 <= len(node.arguments) <= 2:
        raise FilterError(node.column, "setby(event) or setby(STATE, event)", 5)
    writer = _integer(node.arguments[-1])
    if len(node.arguments) == 1:
        return masks.state.set_by(writer)
    places = masks.state.required(node.arguments[0].text, node.arguments[0].column)
    return np.logical_or.reduce([~masks.all(), *(masks.state.writers(place) == writer for place in places)])


def _integer(given: Argument) -> int:
    try:
        return int(given.text.removeprefix("#"), 0)
    except ValueError:
        raise FilterError(given.column, f"expected a number, not {given.text or 'nothing'}", len(given.text)) from None


def _object(masks: Masks, node: Call) -> np.ndarray:
    """uses(12), object(light:0)."""
    if len(node.arguments) != 1:
        raise FilterError(node.column, f"{node.name}(12), {node.name}(light:0)", len(node.name))
    given = node.arguments[0]
    kind, _, rest = given.text.rpartition(":")
    number = _integer(Argument(rest, given.column + len(given.text) - len(rest)))
    try:
        log = log_of(masks.capture.resources, (kind, number) if kind else number)
    except BadInput as error:
        raise FilterError(given.column, str(error), len(given.text)) from None
    mask = ~masks.all()
    mask[log.draws if node.name.casefold() == "uses" else log.event] = True
    return mask


def _touches(masks: Masks, node: Call) -> np.ndarray:
    """touches(x, y), touches(left, top, right, bottom), then a surface."""
    numbers = [argument for argument in node.arguments if argument.text.removeprefix("#").isdigit()]
    if not 2 <= len(numbers) <= 5 or len(node.arguments) - len(numbers) > 1:
        raise FilterError(node.column, "touches(x, y) or touches(left, top, right, bottom), then a surface", 7)
    values = [_integer(argument) for argument in node.arguments[: 4 if len(node.arguments) >= 4 else 2]]
    surface: int | str = "back_buffer"
    if len(node.arguments) not in (2, 4):
        given = node.arguments[-1].text
        surface = _integer(node.arguments[-1]) if given.removeprefix("#").isdigit() else given
    x, y, right, bottom = values if len(values) == 4 else (*values, values[0] + 1, values[1] + 1)
    first, last = masks.span_of_frames()
    mask = ~masks.all()
    if first > last:
        return mask
    try:
        found = masks.capture.ask(Touched(surface, (x, y, right, bottom), first=first, last=last), masks.cancelled)
    except BadInput as error:
        raise FilterError(node.column, str(error), 7) from None
    mask[found.primitives["event"]] = True
    return mask


def _finding(masks: Masks, node: Call) -> np.ndarray:
    patterns = [given.text.casefold() for given in node.arguments] or ["*"]
    mask = ~masks.all()
    for finding in known(masks.capture):
        if 0 <= finding.seq < masks.count and any(fnmatchcase(finding.rule, pattern) for pattern in patterns):
            mask[finding.seq] = True
    return mask


PREDICATES: dict[str, Callable[[Masks, Call], np.ndarray]] = {
    "changed": _changed,
    "set": _set,
    "redundant": lambda masks, node: _set(masks, node) & ~_changed(masks, node) & ~masks.capture.walked.initial,
    "unused": _unused,
    "setby": _set_by,
    "uses": _object,
    "object": _object,
    "finding": _finding,
    "touches": _touches,
}
