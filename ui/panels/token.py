"""Under the list: the event taken apart into fields, and the bytes they came from, lit up both ways."""

from __future__ import annotations

from typing import Any

from inspector.focus import Focus
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel, Question
from ui.roles import SWATCH_ROLE, TOKEN_ROLE
from ui.widgets.cells import QuietCell, ValueCell
from ui.widgets.controls import halves, label, strip
from ui.widgets.hex_view import HexView
from ui.widgets.tables import Table


class TokenPanel(Panel):
    title, name = "Token", "token"

    def build(self) -> None:
        self.heading = label(kind="heading")
        self.where = label(kind="faint")
        self.model = RowsModel(
            (
                Column("Field", lambda field: field.name),
                Column("Value", lambda field: field.text, {SWATCH_ROLE: _swatch}),
                Column("Raw", _raw, {TOKEN_ROLE: lambda _: "muted"}),
                Column("Bytes", lambda field: f"+{field.begin:#x}", {TOKEN_ROLE: lambda _: "faint"}),
            ),
            self,
        )
        self.table = Table(self.model, "Fields of the token", (120, 170, 90))
        self.table.setItemDelegate(ValueCell(self.table))
        self.table.setItemDelegateForColumn(0, QuietCell(self.table))
        self.hex = HexView()
        self._fields: list[Any] = []
        self._base = 0
        self.box.addWidget(strip(self.heading, None, self.where))
        self.box.addWidget(halves(self.table, self.hex, sizes=(180, 110)))
        self.table.chosen_row.connect(self._light_field)
        self.table.clicked.connect(lambda index: self._light_field(index.row()))
        self.hex.picked.connect(self._light_byte)

    def question(self, capture: Any, focus: Focus) -> Question | None:
        return lambda _: capture.event(focus.event)

    def display(self, detail: Any) -> None:
        self.heading.setText(detail.name)
        size = f", {len(detail.data)} bytes" if detail.data else ""
        self.where.setText(f"call {detail.call}{size}")
        self._fields, self._base = list(detail.fields), detail.base_offset
        self.model.set_rows(self._fields)
        self.hex.set_data(detail.data, detail.base_offset)
        self.hex.setVisible(bool(detail.data))
        self.table.show_row(-1)

    def clear(self) -> None:
        self.heading.setText("")
        self.where.setText("")
        self._fields = []
        self.model.set_rows([])
        self.hex.set_data(b"")

    def _span(self, field: Any) -> tuple[int, int]:
        """The field's bytes, counted from the start of what the hex view shows."""
        return field.begin - self._base, field.end - self._base

    def _light_field(self, row: int) -> None:
        self.hex.light(*self._span(self._fields[row]))

    def _light_byte(self, offset: int) -> None:
        for row, field in enumerate(self._fields):
            begin, end = self._span(field)
            if begin <= offset < end:
                self.table.show_row(row)
                self.hex.light(begin, end)
                return
        self.table.show_row(-1)
        self.hex.light(offset, offset + 1)


def _raw(field: Any) -> str:
    if isinstance(field.value, bool) or not isinstance(field.value, int):
        return ""
    width = 2 * max(min(field.end - field.begin, 8), 1)
    return f"{field.value & ((1 << 4 * width) - 1):0{width}x}"


def _swatch(field: Any) -> int | None:
    kind = getattr(field.kind, "name", field.kind)
    return int(field.value) if kind == "COLOR" and isinstance(field.value, int) else None
