"""The pages of a comparison: what differs of state, tokens, surfaces and resources, each as a table."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.query.comparison.difference import Difference, SurfaceDifference
from inspector.query.comparison.matching import HANDLE
from inspector.query.comparison.views import what_changed
from ui.models.table import Column, RowsModel
from ui.panels.pair_view import PairView
from ui.roles import LINK_ROLE, MARK_ROLE, TOKEN_ROLE
from ui.widgets.controls import halves
from ui.widgets.tables import Table
from ui.widgets.whole_value import WholeValue
from ui.widgets.wrapping import Wrapping, WrappingCell

ASK = "Enter an event, draw or frame in A and in B, then press Enter."
KINDS = {"same": "faint", "changed": "text", "removed": "error", "added": "changed"}
LINES = 6
"""Of a value in its cell; one that needs more is shown whole below."""
NAMED = 240
"""Pixels up to which the column of surfaces grows: "texture 138 level 5"."""
MATCHED = 108
"""Pixels of the column that says by what two surfaces were matched: "size, format and order" has two lines."""
Link = Callable[[str, int | None], int | None]
"""(side, event) -> the event, if it can be gone to."""


class Page(QWidget):
    """One table, and what stands below it.  `followed(event)`: a link to an event was chosen."""

    title = ""
    followed = Signal(object)
    lists_all = False
    """Whether it can list what is equal, too; `every`: whether it does."""
    every = False

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.link = link
        self.found: Difference | None = None
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(0)
        self.build()

    def build(self) -> None:
        """Makes `model` and `table`."""

    def rows_of(self, found: Difference) -> Sequence[Any]:
        """What the table lists."""
        return ()

    def count(self, found: Difference) -> int:
        """How much differs."""
        return len(self.rows_of(found))

    def show_found(self, found: Difference | None) -> None:
        """Lists what was found; nothing for None."""
        self.found = found
        self.model.set_rows(self.rows_of(found) if found is not None else [])
        self.table.show_row(0 if self.model.rowCount() else -1)  # what has no room in its row is shown below

    def show_all(self, every: bool) -> None:
        """Lists what is equal, too, or no longer."""
        self.every = every
        self.show_found(self.found)

    def make_table(
        self, columns: tuple[Column, ...], name: str, widths: tuple[int, ...], wrapped: tuple[int, ...] = ()
    ) -> Table:
        """wrapped: columns whose words have as many lines as they need."""
        self.model = RowsModel(columns, self)
        self.table = Table(self.model, name, widths)
        self.table.placeholder = ASK
        cell = WrappingCell(self.table)
        Wrapping(self.table, LINES).wrap(*wrapped)
        cell.followed.connect(self.followed)
        self.table.setItemDelegate(cell)
        self.table.activated_row.connect(self.follow)
        return self.table

    def follow(self, row: int) -> None:
        """Goes to the first event of a row that can be gone to."""
        links = (self.model.index(row, column).data(LINK_ROLE) for column in range(self.model.columnCount()))
        link = next((link for link in links if link is not None), None)
        if link is not None:
            self.followed.emit(link)


class StatePage(Page):
    title = "State"

    def build(self) -> None:
        def column(side: str) -> tuple[Column, Column]:
            roles = {LINK_ROLE: lambda row: self.link(side, _of(row, side) and _of(row, side).writer)}
            return Column(side.upper(), lambda row: _value(_of(row, side))), Column(
                "Set by", lambda row: _writer(_of(row, side)), roles
            )

        stage = Column("Stage", lambda row: row.stage.replace("_", " "), {TOKEN_ROLE: lambda _: "faint"})
        columns = (Column("State", lambda row: row.name), *column("a"), *column("b"), stage)
        table = self.make_table(columns, "States that differ", (152, 150, 60, 150, 60, 88), (1, 3))
        table.stretch((1, 105), (3, 105))
        self.box.addWidget(table, 1)
        self.box.addWidget(WholeValue(table, 1, 3))

    def rows_of(self, found: Difference) -> Sequence[Any]:
        return found.state


class TokensPage(Page):
    title = "Tokens"
    text_of: Callable[[str, int], str]
    """(side, event) -> how the token reads."""
    is_draw: Callable[[int], bool]
    """Whether an event of side A draws."""
    lists_all = True

    def build(self) -> None:
        self._data: dict[int, str] = {}

        def kind(row: int) -> str:
            return self.found.tokens.kind(row) if self.found else "same"

        roles = {TOKEN_ROLE: lambda row: KINDS[kind(row)], MARK_ROLE: lambda row: "changed" if kind(row) != "same" else None}
        columns = (
            Column("", lambda row: "" if kind(row) == "same" else kind(row), roles),
            self._number("a"), Column("", lambda row: self._words("a", row), roles),
            self._number("b"), Column("", lambda row: self._words("b", row), roles),
            Column("What changed", self._what_changed, {TOKEN_ROLE: lambda _: "changed"}),
        )  # fmt: skip
        table = self.make_table(columns, "Tokens side by side", (76, 70, 200, 70, 200, 200), (2, 4, 5))
        table.stretch((2, 136), (4, 136), (5, 116))
        self.box.addWidget(table, 1)
        self.box.addWidget(WholeValue(table, 2, 4, 5))

    def data_of(self, row: int) -> str:
        """Where two tokens read the same and yet differ; the sentence on it, once `say_data` has brought it."""
        return self._data.get(row) or ("vertices" if self.is_draw(self._event("a", row) or 0) else "data")

    def say_data(self, row: int, sentence: str) -> None:
        """What differs in the vertices or the data of a row."""
        self._data[row] = sentence
        if last := self.model.rowCount():
            self.model.dataChanged.emit(self.model.index(0, 5), self.model.index(last - 1, 5))

    def show_found(self, found: Difference | None) -> None:
        self._data = {}
        super().show_found(found)

    def pair_of(self, place: int) -> tuple[int, int, int] | None:
        """(row, event of A, event of B) of a place in the list, if the two read the same, and how they differ is not known."""
        row = self.model.rows[place] if self.found and 0 <= place < len(self.model.rows) else None
        if row is None or row in self._data or self.found is None or self.found.tokens.same[row]:
            return None
        a, b = self._event("a", row), self._event("b", row)
        if a is None or b is None or self._words("a", row) != self._words("b", row):
            return None
        return row, a, b

    def place_of(self, row: int) -> int:
        """Where a row is in the list; -1: it is not listed."""
        rows = self.model.rows
        place = bisect_left(rows, row)
        return place if place < len(rows) and rows[place] == row else -1

    def rows_of(self, found: Difference) -> Sequence[int]:
        return range(len(found.tokens)) if self.every else found.tokens.differing.tolist()

    def count(self, found: Difference) -> int:
        return len(found.tokens.differing)

    def _number(self, side: str) -> Column:
        roles = {LINK_ROLE: lambda row: self.link(side, self._event(side, row))}
        return Column(side.upper(), lambda row: "" if self._event(side, row) is None else str(self._event(side, row)), roles)

    def _event(self, side: str, row: int) -> int | None:
        if self.found is None:
            return None
        event = int((self.found.tokens.a if side == "a" else self.found.tokens.b)[row])
        return event if event >= 0 else None

    def _words(self, side: str, row: int) -> str:
        event = self._event(side, row)
        return "" if event is None else self.text_of(side, event)

    def _what_changed(self, row: int) -> str:
        """The fields that differ, as in "value: 5 to 7"; "" for what stands on one side only."""
        a, b = self._words("a", row), self._words("b", row)
        if not a or not b or (self.found and self.found.tokens.same[row]):
            return ""
        if a == b:
            return self.data_of(row)
        return what_changed(a, b)


class SurfacesPage(Page):
    title = "Surfaces"
    names = ("A", "B")
    """What the sides are, as written on the pictures."""

    def build(self) -> None:
        columns = (
            Column("Surface", lambda row: row.name.replace("_", " ")),
            Column("Matched by", lambda row: row.matched),
            Column("Pixels", lambda row: f"{row.count:,} of {row.width * row.height:,}"),
            Column("Bounds", lambda row: "{} {} {} {}".format(*row.box)),
            Column("Differs by", lambda row: row.by.removeprefix("by ")),
            Column("Format", lambda row: row.format, {TOKEN_ROLE: lambda _: "faint"}),
        )
        table = self.make_table(columns, "Surfaces that differ", (120, MATCHED, 150, 120, 200, 84), (1, 4))
        table.stretch((0, 104), (4, 160))
        table.worded = {0: NAMED}
        table.chosen_row.connect(lambda _: self._show_picture())
        self.pictures = PairView()
        self.box.addWidget(halves(table, self.pictures, sizes=(150, 420), beside=(340, 460)))

    def rows_of(self, found: Difference) -> Sequence[Any]:
        return found.surfaces

    def show_found(self, found: Difference | None) -> None:
        super().show_found(found)
        by_handle = found is None or all(row.matched == HANDLE for row in found.surfaces)
        self.table.setColumnHidden(1, by_handle)
        self._show_picture()

    @property
    def chosen(self) -> SurfaceDifference | None:
        """The surface whose pictures are shown."""
        place = self.table.currentIndex().row()
        return self.model.rows[place] if 0 <= place < len(self.model.rows) else None

    def _show_picture(self) -> None:
        row = self.chosen
        if row is None:
            self.pictures.show_pair(None, self.names)
        elif row.name_a == row.name_b:
            self.pictures.show_pair((row.a, row.b), self.names, row.mask)
        else:
            a, b = (name.replace("_", " ") for name in (row.name_a, row.name_b))
            names = f"{self.names[0]}, {a}", f"{self.names[1]}, {b}"
            self.pictures.show_pair((row.a, row.b), names, row.mask, (f"A: {a}", f"B: {b}"))


class ResourcesPage(Page):
    title = "Resources"

    def build(self) -> None:
        columns = (
            Column("Resource", lambda row: row.name),
            Column("A", lambda row: row.a or "missing"),
            Column("B", lambda row: row.b or "missing"),
        )
        table = self.make_table(columns, "Resources that differ", (150, 230, 230), (1, 2))
        table.stretch((1, 200), (2, 200))
        self.box.addWidget(table, 1)
        self.box.addWidget(WholeValue(table, 1, 2))

    def rows_of(self, found: Difference) -> Sequence[Any]:
        return found.resources


def _of(row: Any, side: str) -> Any:
    return getattr(row, side)


def _value(value: Any) -> str:
    return value.text if value is not None else "missing"


def _writer(value: Any) -> str:
    return f"#{value.writer}" if value is not None and value.writer is not None else ""
