"""The panel below the list: the event's fields and the bytes they came from, highlighted both ways."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QMenu

from inspector.focus import Focus
from inspector.query.events.detail import FieldText
from inspector.view import CaptureView
from ui.models.table import Column, RowsModel
from ui.panels.contents import add_shows, named_by
from ui.panels.panel import Panel, Question
from ui.roles import BEGIN_ROLE, HEADING_ROLE, SWATCH_ROLE, TOKEN_ROLE
from ui.widgets.cells import QuietCell, ValueCell
from ui.widgets.controls import halves, label, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.hex_view import HexView
from ui.widgets.row_menu import give_row_menu
from ui.widgets.tables import Table
from ui.widgets.whole_value import with_whole_value
from ui.words import counting, integer

VALUE, PLACES, MEMBER = 1, (2, 3, 4), 4
"""Columns: of the value, and of where it is."""
NAMES, WORDS, RAW, MEMBERS = (124, 150), (110, 192), 80, 216
"""Pixels up to which names and values grow for words, in a narrow list and in a wide one; of raw values, which stay in sight in
a third of a small window; up to which members grow."""
LIST = QSize(390, 120)
"""Pixels that the fields keep next to the bytes: names, values and raw values, and four rows."""
COMMAND = ("bCommand", "wPrimitiveCount", "wStateCount")
HEADING, CALL_STRUCT = "heading", "D3DHAL_DRAWPRIMITIVES2DATA"
LONG, QWORD, DWORD = 16, 8, 4
"""Bytes: of a field from which on a finding lights up its dword only; of the longest number."""


class TokenPanel(Panel):
    title, name = "Token", "token"
    quick = True

    def build(self) -> None:
        self.heading = label(kind="heading")
        self.where = label(kind="faint")
        self.model = RowsModel(
            (
                Column("Field", lambda field: field.name, {BEGIN_ROLE: _is_heading}),
                Column(
                    "Value",
                    lambda field: integer(field.text),
                    {SWATCH_ROLE: _swatch, TOKEN_ROLE: _token, HEADING_ROLE: _is_heading},
                ),
                Column("Raw", _raw, {TOKEN_ROLE: lambda _: "muted"}),
                Column(
                    "Bytes",
                    _place,
                    {TOKEN_ROLE: lambda _: "faint"},
                ),
                Column("Member", lambda field: field.header, {TOKEN_ROLE: lambda _: "muted"}),
            ),
            self,
        )
        self.table = Table(self.model, "Fields of the token", (116, 150, 78, 52, 96))
        self.table.viewport().installEventFilter(self)
        self.table.setItemDelegate(ValueCell(self.table))
        self.table.setItemDelegateForColumn(0, QuietCell(self.table))
        self.hex = HexView()
        self._fields: list[Any] = []
        self._call: list[Any] = []  # the last of them: of the DrawPrimitives2, not of the token
        self._detail: Any = None
        self.bytes = tool("Bytes", "The bytes, instead of the fields: there is no room for both", text="Bytes", checkable=True)
        self.bytes.hide()
        self.box.addWidget(FoldingStrip((self.heading,), (self.where, self.bytes), kept=2, grows=self.heading))
        fields = with_whole_value(self.table, VALUE)
        self.split = halves(fields, self.hex, sizes=(200, 90), beside=(580, 185))
        self.split.keep(fields, LIST, self.hex)
        self.split.crowded.connect(self.bytes.setVisible)
        self.bytes.toggled.connect(self.split.swap)
        self.box.addWidget(self.split)
        self.table.chosen_row.connect(self._light_field)
        self.table.clicked.connect(lambda index: self._light_field(index.row()))
        self.hex.picked.connect(self._light_byte)
        self.desk.found_changed.connect(self._light_finding)
        give_row_menu(self.table, lambda index: self.menu_of(index.row()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The width of the list decides how far names and values grow."""
        if event.type() == QEvent.Type.Resize:
            room = self.table.viewport().width()
            names = NAMES[room >= sum((NAMES[1], WORDS[1], RAW))]
            self.table.worded = {0: names, VALUE: min(max(room - names - RAW, WORDS[0]), WORDS[1]), MEMBER: MEMBERS}
            self.table.stretch((VALUE, WORDS[0]))
        return super().eventFilter(watched, event)

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        return lambda _: capture.event(focus.event)

    def display(self, detail: Any) -> None:
        self.heading.setText(detail.name)
        size = f", {counting(len(detail.data), 'byte')}" if detail.data else ""
        self.where.setText(f"call {detail.call}{size}")
        self.heading.setToolTip(detail.header)
        self._call = _call_rows(detail)
        self._fields = [*detail.fields, *self._call]
        self.model.set_rows(self._fields)
        for column in PLACES:  # calls without a buffer have no bytes
            said = any(self.model.index(row, column).data() for row in range(len(self._fields)))
            self.table.setColumnHidden(column, not said)
        self.hex.set_data(detail.data, detail.base_offset)
        self.split.set_empty(self.hex, not detail.data)
        self.table.show_row(-1)
        self._detail = detail
        self._light_finding()

    def _light_finding(self) -> None:
        """The bytes of which a finding says that something is wrong with them."""
        if (detail := self._detail) is None:
            return
        wrong = (found.offset - detail.base_offset for found in self.desk.found if found.seq == detail.seq)
        if (byte := next((byte for byte in wrong if 0 <= byte < len(detail.data)), None)) is not None:
            self._light_byte(byte)
            if self.hex.lit[1] - self.hex.lit[0] > LONG:
                self.hex.light(byte, min(byte + DWORD, len(detail.data)))

    def clear(self) -> None:
        self.heading.setText("")
        self.where.setText("")
        self._fields, self._call, self._detail = [], [], None
        self.model.set_rows([])
        self.hex.set_data(b"")

    def menu_of(self, row: int) -> QMenu | None:
        """What can be done with a field; None for the command's own, which say how many tokens there are."""
        if not 0 <= row < len(self._fields) - len(self._call) or (row < 2 and self._fields[row].name in COMMAND):
            return None
        begin = f"set {self.desk.focus.focus.event}.{self._fields[row].name}="
        menu = QMenu(self)
        menu.addAction("What if it had another value…", lambda: self.desk.wanted.emit("begin", begin))
        thing = named_by(self._detail.name, self._fields[row].name, self._fields[row].value) if self._detail else None
        add_shows(menu, [thing] if thing else [], self.desk, self)
        return menu

    def _light_field(self, row: int) -> None:
        self.hex.light(self._fields[row].begin, self._fields[row].end)

    def _light_byte(self, offset: int) -> None:
        for row, field in enumerate(self._fields):
            if field.begin <= offset < field.end:
                self.table.show_row(row)
                self.hex.light(field.begin, field.end)
                return
        self.table.show_row(-1)
        self.hex.light(offset, offset + 1)


def _call_rows(detail: Any) -> list[Any]:
    """The members of the call that a token came in, under a heading."""
    if not detail.call_fields:
        return []
    return [FieldText("DrawPrimitives2", f"call {detail.call}", None, 0, 0, HEADING, CALL_STRUCT), *detail.call_fields]


def _is_heading(field: Any) -> bool:
    return bool(field.kind == HEADING)


def _token(field: Any) -> str | None:
    """The colour of a value: what failed, and what the tape does not say."""
    if field.kind == "result" and field.name == "result" and isinstance(field.value, int) and field.value >> 31 & 1:
        return "error"
    return "faint" if field.value is None and field.kind == "argument" else None


def _place(field: Any) -> str:
    return f"+{field.begin:#x}" if field.end > field.begin else ""


def _raw(field: Any) -> str:
    if isinstance(field.value, bool) or not isinstance(field.value, int):
        return ""
    if not 0 < field.end - field.begin <= QWORD:  # of contents the value is how many bytes there are
        return ""
    width = 2 * (field.end - field.begin)
    return f"{field.value & ((1 << 4 * width) - 1):0{width}x}"


def _swatch(field: Any) -> int | None:
    return int(field.value) if field.kind == "COLOR" and isinstance(field.value, int) else None
