"""The API call behind the event, with the calls around it."""

from __future__ import annotations

import re
from typing import Any

from inspector import Addresses
from inspector.focus import Focus
from inspector.view import CaptureView
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel, Question
from ui.roles import MARK_ROLE, TOKEN_ROLE, WHOLE_ROLE
from ui.widgets.cells import QuietCell, ValueCell
from ui.widgets.controls import halves, label, strip
from ui.widgets.tables import Table
from ui.widgets.whole_value import with_whole_value
from ui.words import counting, integer, tip

AROUND = 40
OF_LIBRARY = re.compile(r"^IDirect(3D|Draw)(?=[A-Z])")
BLOB = re.compile(r"\bblob\((\d+)\)")
"""How calls are written (core.runtime.calls.source) that have memory as an argument."""
WHOLE = {WHOLE_ROLE: lambda r: written(r[1])}


class CallsPanel(Panel):
    title, name = "API calls", "calls"
    quick = True

    def build(self) -> None:
        self.heading = label(kind="heading")
        self.result = label(kind="faint")
        self.arguments = RowsModel(
            (Column("Argument", lambda r: r[0]), Column("Value", lambda r: integer(shorten(r[1])), WHOLE)), self
        )
        self.around = RowsModel(
            (
                Column("Call", lambda r: str(r[0]), {TOKEN_ROLE: lambda _: "faint", MARK_ROLE: self._mark}),
                Column("Function", lambda r: short_name(r[1]), {TOKEN_ROLE: self._token}),
            ),
            self,
        )
        self._number = -1
        arguments = Table(self.arguments, "Arguments of the call", (120,))
        arguments.worded = {0: 170}
        arguments.setItemDelegate(ValueCell(arguments))
        arguments.setItemDelegateForColumn(0, QuietCell(arguments))
        self.table = Table(self.around, "Neighbouring API calls", (72,))
        self.table.setItemDelegate(ValueCell(self.table))
        self.table.activated_row.connect(self._follow)
        self.box.addWidget(strip(self.heading, None, self.result))
        self.box.addWidget(halves(with_whole_value(arguments, 0, 1), self.table, sizes=(120, 120), beside=(220, 130)))

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        return lambda _: source_and_around(capture, focus.event)

    def display(self, answer: tuple[int, Any, list[tuple[str, str]], list[tuple[int, str]]]) -> None:
        self._number, call, arguments, around = answer
        self.heading.setText(short_name(call.name) if call else "No API call")
        self.heading.setToolTip(tip(call.name if call else ""))
        self.result.setText(f"= {call.result & 0xFFFFFFFF:#x}" if call else "")
        self.arguments.set_rows(list(arguments))
        self.around.set_rows(around)
        row = next((row for row, (number, _) in enumerate(around) if number == self._number), -1)
        self.table.show_row(row)

    def clear(self) -> None:
        self.heading.setText("")
        self.result.setText("")
        self.arguments.set_rows([])
        self.around.set_rows([])

    def _mark(self, row: tuple[int, str]) -> str | None:
        return "accent" if row[0] == self._number else None

    def _token(self, row: tuple[int, str]) -> str:
        return "text" if row[0] == self._number else "muted"

    def _follow(self, row: int) -> None:
        """To the event that this API call caused (or the nearest earlier one did)."""
        capture, number = self.desk.capture, self.around.rows[row][0]
        if capture is not None:
            self.desk.ask("calls.follow", lambda _: capture.event_of_source_call(number), self._go_if_any)

    def _go_if_any(self, event: int | None) -> None:
        if event is not None and event >= 0:
            self.go(event=int(event))


def source_and_around(capture: CaptureView, event: int) -> tuple[int, Any, list[tuple[str, str]], list[tuple[int, str]]]:
    """Number and value of the API call that caused an event, its arguments, the calls around.  Runs on the asking thread."""
    number = int(capture.events.source[event])
    if number < 0:
        return number, None, [], []
    count = int(capture.tape.source_count)
    numbers = range(max(number - AROUND, 0), min(number + AROUND, count))
    call = capture.tape.source(number)
    named = capture.ask(Addresses(number))
    arguments = [(name, f"{text} ({named[name]})" if name in named else text) for name, text in call.written()]
    return number, call, arguments, [(n, capture.tape.source(n).name) for n in numbers]


def short_name(name: str) -> str:
    """IDirect3DDevice8::Clear is Clear; IDirect3DTexture8::LockRect is Texture8::LockRect, IDirectDrawSurface7::Blt is
    Surface7::Blt; IDirectDraw7::CreateSurface is DirectDraw7::CreateSurface."""
    for device in ("IDirect3DDevice8::", "IDirect3DDevice7::"):
        name = name.removeprefix(device)
    return OF_LIBRARY.sub("", name).removeprefix("I")


def shorten(value: Any, most: int = 200) -> str:
    """A value as one line."""
    text = written(value)
    return text if len(text) <= most else text[:most] + "…"


def written(value: Any) -> str:
    """A value in full; of bytes, how many there are."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"{len(value):,} bytes"
    return BLOB.sub(lambda found: counting(int(found[1]), "byte"), value) if isinstance(value, str) else repr(value)
