"""The device's state as a tree of two levels: pipeline stages, and the values of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt

from ui.models.two_levels import TwoLevelModel
from ui.roles import (
    CURVE_ROLE,
    DISPLAY_ROLE,
    HEADING_ROLE,
    LINES_ROLE,
    LINK_ROLE,
    MARK_ROLE,
    PICTURE_ROLE,
    SWATCH_ROLE,
    TALL_ROLE,
    TOKEN_ROLE,
    Index,
)
from ui.words import argb_of, integer, tip

COLUMNS = ("State", "Value", "Set by")
NAME, VALUE, WRITER = range(len(COLUMNS))
COLORS = ("Diffuse", "Ambient", "Specular", "Emissive")
SHADERS = {"VERTEXSHADER": ("vertex_shader", 1), "PIXELSHADER": ("pixel_shader", 0xFFFFFFFF)}
"""States that name a shader: its kind, and the bits of which one is set in handles."""


@dataclass
class Group:
    name: str
    title: str
    values: list[Any] = field(default_factory=list)
    summary: str = ""
    runs: bool = True


class StateModel(TwoLevelModel):
    columns = COLUMNS
    groups: list[Group]

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._set_here: frozenset[Any] = frozenset()
        self.names: Mapping[int, str] = {}
        """By handle, what surfaces were named."""
        self.steady = False
        """Whether the rows are as high as before their values changed."""

    def set_groups(self, groups: list[Group], set_here: frozenset[Any]) -> bool:
        """Shows new values.  True if the rows are others than before (the view then loses its place)."""
        same = _keys(groups) == _keys(self.groups)
        self._set_here, self.steady = set_here, same and _heights(groups) == _heights(self.groups)
        if same:
            self.groups = groups
            self._all_changed()
            return False
        self.beginResetModel()
        self.groups = groups
        self.endResetModel()
        return True

    def items(self, group: Group) -> list[Any]:
        return group.values

    def _all_changed(self) -> None:
        last = len(COLUMNS) - 1
        if self.steady:  # a view paints all of itself whichever rows are named
            if self.groups:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self.groups) - 1, last))
            return
        for row, group in enumerate(self.groups):
            parent = self.index(row, 0)
            self.dataChanged.emit(parent, self.index(row, last))
            if group.values:
                self.dataChanged.emit(self.index(0, 0, parent), self.index(len(group.values) - 1, last, parent))

    def value_at(self, index: Index) -> Any:
        """The value of an index; None for a stage's row."""
        return None if not index.isValid() or self.is_group(index) else self.at(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if self.is_group(index):
            return _group_data(self.groups[index.row()], index.column(), role)
        if (answer := _ANSWERS.get(role)) is None:
            return None
        value = self.at(index)
        found = answer(value, index.column(), value.key in self._set_here)
        named = self.names and role == DISPLAY_ROLE and index.column() == VALUE and names_surface(value.key)
        name = self.names.get(int(value.value), "") if named and value.value else ""
        return f"{found}   {name}" if name else found


def _keys(groups: list[Group]) -> list[tuple[str, list[Any]]]:
    return [(group.name, [value.key for value in group.values]) for group in groups]


def _heights(groups: list[Group]) -> list[tuple[int, ...]]:
    """Of each tall row what its height follows from, but for the column's width."""
    return [_size(value) for group in groups for value in group.values if _is_tall(value, VALUE, False)]


def _size(value: Any) -> tuple[int, ...]:
    """Characters of each line, and pixels of its picture."""
    picture = getattr(value, "picture", None)
    lines = getattr(value, "lines", None) or ()
    return (0 if picture is None else picture.width(), *(len(line) for block in lines for line in (*block, "")))


def _group_data(group: Group, column: int, role: int) -> Any:
    if role == DISPLAY_ROLE:
        return (group.title, group.summary, "")[column]
    if role == TOKEN_ROLE:
        return "text" if group.runs and column == NAME else "muted"
    if role == MARK_ROLE and group.summary:
        return "accent" if group.runs else "border"
    return True if role in (HEADING_ROLE, TALL_ROLE) else None


def _text(value: Any, column: int, set_here: bool) -> str:
    if column == NAME:
        return value.name
    if column == VALUE:
        return integer(value.text)
    if value.writer is None or value.writer < 0:
        return "" if _created(value) is None else "created"
    return f"#{value.writer}"


def _created(value: Any) -> int | None:
    """The creation of the device, if that set a value which is not the default."""
    return None if value.is_default else getattr(value, "created", None)


def _token(value: Any, column: int, set_here: bool) -> str:
    if set_here:
        return "changed"
    return "faint" if getattr(value, "dimmed", value.is_default) else "text"


def _mark(value: Any, column: int, set_here: bool) -> str | None:
    return "changed" if set_here else "warning" if getattr(value, "differs", False) else None


def names_surface(key: Any) -> bool:
    """Whether a state names a surface."""
    return key in ("RENDERTARGET", "DEPTHSTENCIL") or (isinstance(key, tuple) and key[-1] == "TEXTUREMAP")


def _link(value: Any, column: int, set_here: bool) -> int | tuple[int] | tuple[str, int] | None:
    if column == WRITER:
        return _created(value) if value.writer is None else value.writer
    if column == VALUE and (thing := thing_of(value)):
        return thing
    return (int(value.value),) if column == VALUE and names_surface(value.key) and value.value else None


def thing_of(value: Any) -> tuple[str, int] | None:
    """(kind, handle) of the shader or buffer that a state names; None: none."""
    key = value.key
    kind, bits = SHADERS.get(key, ("", 0))
    if key == "INDICES" or (isinstance(key, tuple) and key[0] == "STREAM" and key[-1] == "handle"):
        kind, bits = "buffer", 0xFFFFFFFF
    return (kind, int(value.raw[0])) if kind and value.raw[0] & bits else None


def _swatch(value: Any, column: int, set_here: bool) -> int | None:
    """COLOR states show their colour, and so do colours of lights and the material."""
    if column != VALUE:
        return None
    return int(value.value) if is_color(value) else color_of_floats(value)


def color_of_floats(value: Any) -> int | None:
    """0xFFRRGGBB of a light's or the material's four numbers."""
    key = value.key
    if not (isinstance(key, tuple) and key[0] in ("LIGHT", "MATERIAL") and key[-1] in COLORS):
        return None
    return argb_of(value.value)


def is_color(value: Any) -> bool:
    return value.kind == "color" and isinstance(value.value, int)


def _tip(value: Any, column: int, set_here: bool) -> str:
    default = "\nthe default" if value.is_default else ""
    here = "\nset by this event" if set_here else ""
    here += f"\nset when the device was created or reset, event {_created(value)}" if _created(value) is not None else ""
    text = value.text.replace(" | ", "\n  ")
    about = getattr(value, "about", "")
    return tip(f"{value.name} = {text}{default}{here}" + (f"\n{about}" if about else ""))


def _is_tall(value: Any, column: int, set_here: bool) -> bool:
    return value.kind in ("matrix", "sketch") or getattr(value, "picture", None) is not None


_Answer = Callable[[Any, int, bool], Any]
_ANSWERS: dict[int, _Answer] = {
    int(Qt.ItemDataRole.DisplayRole): _text,
    int(Qt.ItemDataRole.ToolTipRole): _tip,
    int(TOKEN_ROLE): _token,
    int(MARK_ROLE): _mark,
    int(LINK_ROLE): _link,
    int(SWATCH_ROLE): _swatch,
    int(TALL_ROLE): _is_tall,
    int(LINES_ROLE): lambda value, column, _: getattr(value, "lines", None) if column == VALUE else None,
    int(PICTURE_ROLE): lambda value, column, _: getattr(value, "picture", None) if column == VALUE else None,
    int(CURVE_ROLE): lambda value, column, _: getattr(value, "curve", None) if column == VALUE else None,
}


def group_by_stage(values: Sequence[Any], titles: dict[str, str]) -> list[Group]:
    """Groups in the order of `titles` (the pipeline's), then whatever else there is."""
    groups = {name: Group(name, title) for name, title in titles.items()}
    for value in values:
        stage = getattr(value.stage, "name", value.stage) or "scene"
        groups.setdefault(stage, Group(stage, stage.replace("_", " ").capitalize())).values.append(value)
    return [group for group in groups.values() if group.values]


def chosen(groups: list[Group], words: str, keep: Callable[[Any], bool]) -> list[Group]:
    """The values that `keep` and whose stage, name or text contains each word."""
    wanted = words.casefold().split()

    def fits(group: Group, value: Any) -> bool:
        text = f"{group.title} {value.name} {value.text}".casefold()
        return keep(value) and all(word in text for word in wanted)

    kept = (Group(group.name, group.title, [v for v in group.values if fits(group, v)]) for group in groups)
    return [group for group in kept if group.values]
