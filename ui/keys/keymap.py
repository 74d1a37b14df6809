"""The current keys: the table's, with the user's changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from ui.keys.commands import BY_NAME, COMMANDS, PRESETS, Command


class Keymap(QObject):
    """`own`: by name of a command the keys that are other than the table's."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.own: dict[str, tuple[str, ...]] = {}
        self._meanings: dict[str, dict[str, str]] = {}
        self._sent: Command | None = None
        self.changed.connect(self._meanings.clear)

    def of(self, name: str) -> tuple[str, ...]:
        """The keys of a command."""
        return self.own.get(name, BY_NAME[name].keys)

    def text(self, name: str) -> str:
        """As in "Right or J", as the platform writes keys."""
        form = QKeySequence.SequenceFormat.NativeText
        return " or ".join(QKeySequence(keys).toString(form) for keys in self.of(name))

    def hint(self, words: str, *names: str) -> str:
        """A tooltip that ends with the keys of commands as they are now: "Fit to the window (0)"."""
        keys = ", ".join(self.text(name) for name in names if self.of(name))
        return f"{words} ({keys})" if keys else words

    def load(self, own: Mapping[str, Any]) -> None:
        """Takes over what was kept; what makes no sense (any more) is left out."""
        self.own = {
            name: tuple(keys)
            for name, keys in own.items()
            if name in BY_NAME and not BY_NAME[name].fixed and isinstance(keys, (list, tuple)) and all(map(_is_key, keys))
        }
        self.changed.emit()

    def use(self, preset: str) -> None:
        """All keys as a preset has them."""
        self.load(PRESETS[preset])

    @property
    def preset(self) -> str:
        """The preset that these keys are; "" if they are the user's own."""
        return next((name for name, keys in PRESETS.items() if keys == self.own), "")

    def assign(self, name: str, keys: Sequence[str]) -> None:
        """Gives a command these keys, and takes them from all that would clash."""
        assert not BY_NAME[name].fixed, "the keys of Qt stay"
        for key in keys:
            for other in self.clashes(name, key):
                self._put(other.name, tuple(kept for kept in self.of(other.name) if not _same(kept, key)))
        self._put(name, tuple(keys))
        self.changed.emit()

    def reset(self, name: str) -> None:
        """The table's keys again."""
        self.assign(name, BY_NAME[name].keys)

    def clashes(self, name: str, key: str) -> list[Command]:
        """The other commands that have this key where it would mean `name`."""
        mine = BY_NAME[name]
        return [
            other
            for other in COMMANDS
            if other is not mine
            and not other.fixed
            and (not mine.where or not other.where or mine.where == other.where)
            and any(_same(key, its) for its in self.of(other.name))
        ]

    def _put(self, name: str, keys: tuple[str, ...]) -> None:
        if keys == BY_NAME[name].keys:
            self.own.pop(name, None)
        else:
            self.own[name] = keys

    def send(self, widget: QWidget, name: str) -> None:
        """Executes a command of a widget without its keys: the widget receives a key event that means this command."""
        self._sent = BY_NAME[name]
        QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_unknown, Qt.KeyboardModifier.NoModifier))
        self._sent = None

    def meant(self, event: QKeyEvent, where: str) -> str:
        """The command, without its `where`, that a key means there; "" for none."""
        if self._sent is not None and event.key() == Qt.Key.Key_unknown:
            return self._sent.name.partition(".")[2] if self._sent.where == where else ""
        known = self._meanings.get(where)
        if known is None:
            here = [command for command in COMMANDS if command.where == where]
            known = {_plain(key): command.name.partition(".")[2] for command in here for key in self.of(command.name)}
            self._meanings[where] = known
        return next((known[text] for text in _spellings(event) if text in known), "")


def _is_key(text: object) -> bool:
    return isinstance(text, str) and bool(_plain(text))


def _plain(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def _same(a: str, b: str) -> bool:
    return _plain(a) == _plain(b)


def _spellings(event: QKeyEvent) -> list[str]:
    """How a table may write a key: signs also without the Shift that some keyboards need for them."""
    shift, keypad = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier
    modifiers = event.modifiers() & ~keypad
    key = Qt.Key(event.key())
    sign = 0x20 < key.value < 0x7F and not chr(key.value).isalnum()
    wanted = [modifiers, modifiers & ~shift] if sign else [modifiers]
    return [QKeySequence(QKeyCombination(some, key)).toString(QKeySequence.SequenceFormat.PortableText) for some in wanted]


KEYS = Keymap()
"""Of this process; a window fills it from its settings."""
