"""State in the order of the pipeline: stages as groups with their values, in the form that the tree of states needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from inspector.query.state.flow import Flow, FlowRow, FlowStage, Sketch
from ui.models.pixels import argb_of_rgba
from ui.models.state import Group, names_surface
from ui.words import integer

QUIET_STAGES = ("coverage", "resolve", "scene", "patch", "texgen")
"""Stages that are left out while nothing of them matters."""


@dataclass(frozen=True)
class FlowItem:
    """A value of a stage, as ui.models.state reads one."""

    row: FlowRow
    against: int | None
    picture: QImage | None = None

    @cached_property
    def key(self) -> Any:
        return self.row.value.key

    @cached_property
    def name(self) -> str:
        return self.row.value.name

    @cached_property
    def kind(self) -> str:
        return self.row.value.kind

    @cached_property
    def raw(self) -> tuple[int, ...]:
        return self.row.value.raw

    @property
    def value(self) -> Any:
        return self.row.value.value

    @cached_property
    def writer(self) -> int | None:
        return self.row.value.writer

    @property
    def created(self) -> int | None:
        return self.row.value.created

    @property
    def is_default(self) -> bool:
        return self.row.value.is_default

    @cached_property
    def dimmed(self) -> bool:
        return not self.row.matters

    @property
    def differs(self) -> bool:
        return self.row.against is not None

    @cached_property
    def text(self) -> str:
        return f"{integer(self.row.value.text)}{self._there}"

    @property
    def _there(self) -> str:
        return "" if self.row.against is None else f"   (#{self.against}: {self.row.against})"

    @property
    def about(self) -> str:
        """Why it matters, or not."""
        return ("matters: " if self.row.matters else "does not matter: ") + self.row.why

    @cached_property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """Of a matrix its rows, and what it does: two blocks of lines.  Of what fits on one line nothing."""
        if self.kind != "matrix" or not self.row.matters:
            return ()
        there = () if self.row.against is None else (f"#{self.against}:", *grid_of_text(self.row.against))
        if self.row.reading and self.row.reading[0][0] == "identity":
            return (("identity",), there) if there else (("identity",),)
        words = tuple(f"{name}: {text}" for name, text in self.row.reading)
        return tuple(block for block in (grid_lines(np.asarray(self.value)), words, there) if block)


@dataclass(frozen=True)
class SketchItem:
    """A picture of values, which is no value itself."""

    sketch: Sketch
    stage: str
    kind: str = "sketch"
    writer: int | None = None
    created: int | None = None
    is_default: bool = False
    dimmed: bool = False
    differs: bool = False
    value: Any = None
    raw: tuple[int, ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()

    @property
    def key(self) -> Any:
        return ("SKETCH", self.sketch.name)

    @property
    def name(self) -> str:
        return self.sketch.name

    @property
    def text(self) -> str:
        return self.sketch.text

    @property
    def about(self) -> str:
        return self.sketch.text

    @property
    def curve(self) -> Any:
        return self.sketch.curve

    @cached_property
    def picture(self) -> QImage | None:
        if self.sketch.picture is None:
            return None
        argb = argb_of_rgba(self.sketch.picture)
        alpha = np.ascontiguousarray(argb | (self.sketch.picture[..., 3].astype(np.uint32) << 24))
        height, width = alpha.shape
        return QImage(alpha.data, width, height, 4 * width, QImage.Format.Format_ARGB32).copy()


def grid_of_text(text: str) -> tuple[str, ...]:
    """The rows of a matrix that is written on one line; "identity" as it is."""
    rows = [row.split() for row in text.split("|")]
    return grid_lines(np.array(rows, float)) if [len(row) for row in rows] == [4] * 4 else (text,)


def grid_lines(matrix: np.ndarray) -> tuple[str, ...]:
    """Four rows whose columns line up."""
    texts = [[f"{0.0 if number == 0 else number:.6g}" for number in row] for row in matrix.tolist()]
    widths = [max(len(row[column]) for row in texts) for column in range(4)]
    return tuple("  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in texts)


def flow_groups(
    flow: Flow, pictures: Mapping[int, QImage], everything: bool, words: str = "", keep: Callable[[Any], bool] = lambda _: True
) -> list[Group]:
    """The stages with what matters in them, or with `everything`; with words, only what has them."""
    wanted = words.casefold().split()
    groups = (_group(stage, flow.against, pictures, everything, wanted, keep) for stage in flow.stages)
    return [group for group in groups if group is not None]


def _group(stage: FlowStage, against: int | None, pictures: Mapping[int, QImage], everything: bool, words: list[str],
           keep: Callable[[Any], bool]) -> Group | None:  # fmt: skip
    rows = stage.rows if everything else stage.wanted
    items: list[Any] = [SketchItem(sketch, stage.stage.name) for sketch in stage.sketches]
    items += [FlowItem(row, against, _picture(row, pictures)) for row in rows]
    items = [item for item in items if keep(item) and _fits(stage, item, words)]
    empty = not items and (words or stage.stage.name in QUIET_STAGES or not keep(None))
    return None if empty else Group(stage.stage.name, stage.stage.title, items, stage.summary, stage.runs)


def _fits(stage: FlowStage, item: Any, words: list[str]) -> bool:
    text = f"{stage.stage.title} {item.name} {item.text}".casefold() if words else ""
    return all(word in text for word in words)


def _picture(row: FlowRow, pictures: Mapping[int, QImage]) -> QImage | None:
    return pictures.get(row.value.raw[0]) if names_surface(row.value.key) and row.matters else None


def surfaces_of(flow: Flow) -> list[int]:
    """The handles of the surfaces that matter, each once."""
    rows = (row for stage in flow.stages for row in stage.rows if row.matters and names_surface(row.value.key))
    return list(dict.fromkeys(handle for row in rows if (handle := row.value.raw[0])))
