"""The built-in layouts: the place and the size of each panel.

A layout has columns, a column has stacks, a stack has panels, of which the first is in front.  What a layout does not name
joins its last stack but stays behind.  A stack that would be too low to be of use joins the one above it, and where three
columns would be too narrow, there are two: see `joined`.  At 1920 pixels there is room for all tabs of a stack.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

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
NARROW = 1100
"""Pixels of width below which a window has two columns: of three, one would be too narrow for a list and its filter."""


@dataclass(frozen=True)
class Stack:
    """`share`: of the column's height; least: pixels that it has in any case."""

    share: float
    panels: tuple[str, ...]
    least: int = 0


@dataclass(frozen=True)
class Layout:
    """columns: (share of the width, stacks from top to bottom); pair: the two of a narrow window: (share of the width, numbers
    of the columns whose stacks they have, of which the first is in front)."""

    title: str
    about: str
    columns: tuple[tuple[float, tuple[Stack, ...]], ...]
    pair: tuple[tuple[float, tuple[int, ...]], ...]


def _stack(share: float, panels: str, least: int = 0) -> Stack:
    return Stack(share, tuple(panels.split()), least)


Columns = tuple[tuple[float, tuple[Stack, ...]], ...]
"""As Layout.columns."""

LAYOUTS: dict[str, Layout] = {
    "inspect": Layout("Inspect", "Events, the surface, and what happened to a pixel", (
        (0.325, (_stack(0.60, "events"), _stack(0.40, "token"))),
        (0.48, (_stack(0.71, "surface state vertices resources buffers comparison what-if query"),
                _stack(0.29, "history stepping findings bookmarks notes console statistics driver verify", ROWS))),
        (0.195, (_stack(0.62, "inspector"), _stack(0.38, "calls"))),
    ), ((0.42, (0, 2)), (0.58, (1,)))),
    "pixel": Layout("Pixel", "One pixel: its history and its steps next to the surface", (
        (0.22, (_stack(1.0, "events token calls bookmarks"),)),
        (0.40, (_stack(1.0, "surface state vertices resources buffers query findings comparison what-if"),)),
        (0.38, (_stack(0.5, "history inspector statistics driver verify notes", SCROLLED), _stack(0.5, "stepping console"))),
    ), ((0.45, (1, 0)), (0.55, (2,)))),
    "geometry": Layout("Geometry", "Vertices and their mesh, with the state next to them", (
        (0.22, (_stack(1.0, "events token calls bookmarks notes"),)),
        (0.46, (_stack(1.0, "vertices buffers resources query findings statistics driver comparison what-if"),)),
        (0.32, (_stack(0.55, "surface"), _stack(0.45, "state stepping history inspector verify console"))),
    ), ((0.58, (1, 0)), (0.42, (2,)))),
    "driver": Layout("Driver", "Calls, tokens, findings, and what the driver answered", (
        (0.30, (_stack(0.55, "events"), _stack(0.45, "token"))),
        (0.44, (_stack(0.52, "driver verify statistics query resources buffers"),
                _stack(0.48, "findings bookmarks notes state console"))),
        (0.26, (_stack(0.46, "calls inspector"), _stack(0.54, "surface vertices comparison what-if history stepping"))),
    ), ((0.44, (0, 2)), (0.56, (1,)))),
    "compare": Layout("Compare", "Two sides, or a What if, with the surface", (
        (0.22, (_stack(0.60, "events"), _stack(0.40, "token calls bookmarks notes"))),
        (0.44, (_stack(1.0, "comparison what-if state vertices resources buffers query findings driver"),)),
        (0.34, (_stack(0.55, "surface"), _stack(0.45, "inspector history stepping statistics verify console"))),
    ), ((0.60, (1, 0)), (0.40, (2,)))),
}  # fmt: skip
USUAL = "inspect"


def joined(layout: Layout, height: int, width: int = NARROW) -> Columns:
    """The columns that fit: two where the window is narrow; stacks that would be lower than LEAST join the one above."""
    columns = layout.columns if width >= NARROW else _paired(layout)
    return tuple((share, _fitting(stacks, height)) for share, stacks in columns)


def heights(stacks: tuple[Stack, ...], height: int) -> list[int]:
    """Pixels of each stack of a column so high."""
    wanted = [max(int(height * stack.share), stack.least) for stack in stacks]
    giving = next((number for number, stack in enumerate(stacks) if not stack.least), 0)
    wanted[giving] -= max(sum(wanted) - height, 0)
    return wanted


def standing(layout: Layout, height: int, width: int, are_tabs: Callable[[str, str], bool | None]) -> Columns:
    """The columns as they are: they may have been kept in a window of another size than the one of `width` and `height`.

    are_tabs(one, other): whether these panels are tabs of one stack; None: not known.
    """
    sizes = itertools.product((height, *range(0, HIGHEST, LEAST // 8)), (width, NARROW, 0))
    ways = [joined(layout, *size) for size in sizes]
    return next((columns for columns in ways if _stand(layout, columns, are_tabs)), ways[0])


def _stand(layout: Layout, columns: Columns, are_tabs: Callable[[str, str], bool | None]) -> bool:
    stack_of = {name: stack for _, stacks in columns for stack in stacks for name in stack.panels}
    firsts = [stack.panels[0] for _, stacks in layout.columns for stack in stacks]
    pairs = itertools.combinations(firsts, 2)
    return all(are_tabs(one, other) in (None, stack_of[one] is stack_of[other]) for one, other in pairs)


def _paired(layout: Layout) -> Columns:
    """The two columns of a narrow window: those that share one have their stacks side by side as tabs."""
    columns = [(share, [layout.columns[number][1] for number in numbers]) for share, numbers in layout.pair]
    return tuple((share, tuple(_together(*row) for row in _rows(together))) for share, together in columns)


def _rows(columns: list[tuple[Stack, ...]]) -> list[list[Stack]]:
    """For each stack of the first column those of the others that are as far down; more of them join the last one."""
    first, *others = columns
    rows = [[stack] for stack in first]
    for stacks in others:
        for number, stack in enumerate(stacks):
            rows[min(number, len(rows) - 1)].append(stack)
    return rows


def _together(stack: Stack, *others: Stack) -> Stack:
    """One stack of several, as high as the first one; the tabs that one comes to first are the first ones of each."""
    soon = itertools.chain(*(other.panels[:2] for other in others))
    late = itertools.chain(*(other.panels[2:] for other in others))
    panels = *stack.panels[:1], *soon, *stack.panels[1:], *late
    return Stack(stack.share, panels, max(one.least for one in (stack, *others)))


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
            fitting[-1] = replace(_together(above, stack), share=above.share + stack.share, least=0)
        else:
            fitting.append(stack)
    return tuple(fitting)
