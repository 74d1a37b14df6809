"""The built-in layouts: the place and the size of each panel.

A layout has columns, a column has stacks, a stack has panels, of which the first is in front.  What a layout does not name
joins its last stack but stays behind.  A stack that would be too low to be of use joins the one above it: see `joined`.  At
1920 pixels there is room for all tabs of a stack.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

LEAST = 220
"""Pixels of height that a stack needs: a few rows of a list, with its tabs, its filter and its foot."""
ROWS = 252
"""Pixels of height in which the pixel history shows six rows, with its tabs, its filter and its foot."""
SCROLLED = ROWS + 12
"""The same, in a panel so narrow that the rows scroll sideways."""
UPPER = 460
"""Pixels of height that a stack keeps above one that wants so many rows."""
HIGHEST = 1600
"""Pixels of height from which on all stacks of every layout have room."""


@dataclass(frozen=True)
class Stack:
    """`share`: of the column's height; least: pixels that it has in any case."""

    share: float
    panels: tuple[str, ...]
    least: int = 0


@dataclass(frozen=True)
class Layout:
    """columns: (share of the width, stacks from top to bottom)."""

    title: str
    about: str
    columns: tuple[tuple[float, tuple[Stack, ...]], ...]


def _stack(share: float, panels: str, least: int = 0) -> Stack:
    return Stack(share, tuple(panels.split()), least)


Columns = tuple[tuple[float, tuple[Stack, ...]], ...]
"""As Layout.columns."""

LAYOUTS: dict[str, Layout] = {
    "inspect": Layout("Inspect", "Events, the surface, and what happened to a pixel", (
        (0.31, (_stack(0.60, "events"), _stack(0.40, "token"))),
        (0.49, (_stack(0.71, "surface state vertices resources buffers comparison what-if query"),
                _stack(0.29, "history stepping findings bookmarks notes console statistics driver verify", ROWS))),
        (0.20, (_stack(0.62, "inspector"), _stack(0.38, "calls"))),
    )),
    "pixel": Layout("Pixel", "One pixel: its history and its steps next to the surface", (
        (0.20, (_stack(1.0, "events token calls bookmarks"),)),
        (0.42, (_stack(1.0, "surface state vertices resources buffers query findings comparison what-if"),)),
        (0.38, (_stack(0.5, "history inspector statistics driver verify notes", SCROLLED), _stack(0.5, "stepping console"))),
    )),
    "geometry": Layout("Geometry", "Vertices and their mesh, with the state next to them", (
        (0.22, (_stack(1.0, "events token calls bookmarks notes"),)),
        (0.46, (_stack(1.0, "vertices buffers resources query findings statistics driver comparison what-if"),)),
        (0.32, (_stack(0.55, "surface"), _stack(0.45, "state stepping history inspector verify console"))),
    )),
    "driver": Layout("Driver", "Calls, tokens, findings, and what the driver answered", (
        (0.30, (_stack(0.55, "events"), _stack(0.45, "token"))),
        (0.44, (_stack(0.52, "driver verify statistics query resources buffers"),
                _stack(0.48, "findings bookmarks notes state console"))),
        (0.26, (_stack(0.46, "calls inspector"), _stack(0.54, "surface vertices comparison what-if history stepping"))),
    )),
    "compare": Layout("Compare", "Two sides, or a What if, with the surface", (
        (0.22, (_stack(0.60, "events"), _stack(0.40, "token calls bookmarks notes"))),
        (0.44, (_stack(1.0, "comparison what-if state vertices resources buffers query findings driver"),)),
        (0.34, (_stack(0.55, "surface"), _stack(0.45, "inspector history stepping statistics verify console"))),
    )),
}  # fmt: skip
USUAL = "inspect"


def joined(layout: Layout, height: int) -> Columns:
    """The columns as they fit into so many pixels of height: stacks that would be lower than LEAST join the one above."""
    return tuple((width, _fitting(stacks, height)) for width, stacks in layout.columns)


def heights(stacks: tuple[Stack, ...], height: int) -> list[int]:
    """Pixels of each stack of a column so high."""
    wanted = [max(int(height * stack.share), stack.least) for stack in stacks]
    giving = next((number for number, stack in enumerate(stacks) if not stack.least), 0)
    wanted[giving] -= max(sum(wanted) - height, 0)
    return wanted


def standing(layout: Layout, height: int, are_tabs: Callable[[str, str], bool | None]) -> Columns:
    """The columns as they are: they may have been kept in a higher or lower window than one of `height`.

    are_tabs(one, other): whether these panels are tabs of one stack; None: not known.
    """
    ways = [joined(layout, room) for room in (height, *range(0, HIGHEST, LEAST // 8))]
    return next((columns for columns in ways if _stand(layout, columns, are_tabs)), ways[0])


def _stand(layout: Layout, columns: Columns, are_tabs: Callable[[str, str], bool | None]) -> bool:
    stack_of = {name: stack for _, stacks in columns for stack in stacks for name in stack.panels}
    pairs = [(above.panels[0], below.panels[0]) for _, stacks in layout.columns for above, below in itertools.pairwise(stacks)]
    return all(are_tabs(above, below) in (None, stack_of[above] is stack_of[below]) for above, below in pairs)


def _is_low(above: Stack, stack: Stack, height: int) -> bool:
    """Whether there is no room for both in a column so high."""
    if stack.least:
        return height - stack.least < UPPER
    return min(stack.share * height, above.share * height, height - above.least) < LEAST


def _fitting(stacks: tuple[Stack, ...], height: int) -> tuple[Stack, ...]:
    fitting = [stacks[0]]
    for stack in stacks[1:]:
        above = fitting[-1]
        if _is_low(above, stack, height):
            first, others = above.panels[:1], above.panels[1:]
            fitting[-1] = Stack(above.share + stack.share, (*first, *stack.panels[:2], *others, *stack.panels[2:]))
        else:
            fitting.append(stack)
    return tuple(fitting)
