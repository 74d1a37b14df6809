"""The session restored at the next start: the file, the place, the edits; after a crash, as an offer."""

from __future__ import annotations

import time
import zlib
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QLockFile, Qt, QTimer
from PySide6.QtGui import QImage

from core.errors import BadInput
from inspector import mistakes
from inspector.files import cache_folder
from inspector.focus import Focus
from inspector.query.what_if.what_if import WhatIf

if TYPE_CHECKING:
    from ui.panels.what_if import WhatIfPanel
    from ui.window import Window

WIDE, HIGH = 192, 144
"""Pixels of the pictures of recent files."""


@dataclass(frozen=True)
class Left:
    """Where a capture was left.  place: a Focus as text; edits: of What if, as JSON, `off` those that are switched
    off, `variants` those kept with their images; picture: a file; when: seconds (Unix)."""

    place: str = ""
    edits: str = ""
    about: str = ""
    picture: str = ""
    when: float = 0.0
    off: str = ""
    variants: tuple[str, ...] = ()

    @classmethod
    def read(cls, kept: Any) -> Left:
        """What was kept, unchecked."""
        if not isinstance(kept, dict):
            return cls()
        texts = {name: str(kept.get(name) or "") for name in ("place", "edits", "about", "picture", "off")}
        when, variants = kept.get("when"), kept.get("variants")
        return cls(
            **texts, when=float(when) if isinstance(when, (int, float)) else 0.0,
            variants=tuple(map(str, variants)) if isinstance(variants, (list, tuple)) else (),
        )  # fmt: skip

    @property
    def focus(self) -> Focus | None:
        try:
            return Focus.parse(self.place) if self.place else None
        except BadInput:
            return None

    def values(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class _Running:
    """The capture that is open, as it was kept last."""

    path: Path | None = None
    kept: Left = field(default_factory=Left)


class Session:
    """Keeps where a window is, every so often and when it closes."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._running = _Running()
        self._later = QTimer(window)
        self._later.timeout.connect(lambda: self.keep(picture=not self._running.kept.picture))
        self.wanted = Left()
        """Where the capture that is being opened was left, as far as What if goes."""
        self._lock: QLockFile | None = None

    def start(self, file: Path | None, focus: Focus | None, sample: Path | None) -> None:
        """Opens a file; without one, what the settings say; after a crash that is offered.  sample: the built-in capture.

        From now on a crash is noticed at the next start; not while another window of the program is open.
        """
        window, settings, begin = self._window, self._window.settings, self._window.settings.value("start")
        last = Path(settings.last) if settings.last and Path(settings.last).exists() else None
        self._lock = QLockFile(str(cache_folder("reports") / "window.lock"))
        self._lock.setStaleLockTime(0)  # as long as its process lives
        crashed = self._lock.tryLock(0) and not settings.ended
        if file is not None:
            if crashed and last is not None:
                _report_of_crash(last, Left.read(settings.left(last)))  # it is asked for later; this run's takes its place
            window.open(file, focus)
        elif crashed and last is not None:
            self._offer(last)
        elif begin == "last" and last is not None:
            window.go_on(last)
        elif begin != "page" and sample is not None:
            window.open(sample, focus)
        if self._lock.isLocked():
            settings.ended = False
            self._watch()
        self._later.start(settings.value("autosave") * 1000)

    @staticmethod
    def _watch() -> None:
        """For the report of the next start."""
        with suppress(OSError):
            mistakes.watch_for_crashes()

    def every(self, seconds: int) -> None:
        """The place is written down that often."""
        if self._later.isActive():
            self._later.start(seconds * 1000)

    def _offer(self, last: Path) -> None:
        left = Left.read(self._window.settings.left(last))
        place = f" at {left.about}" if left.about else ""
        path = _report_of_crash(last, left)
        written = f" Details are in {path}; please report it." if path else ""
        sentence = f"DDI Inspector crashed or was ended last time. {last.name} was open{place}.{written}"
        self._window.say(sentence, offer=("Reopen there", lambda: self._window.go_on(last)))

    def opened(self, path: Path) -> None:
        """A capture is on the desk."""
        before = Left.read(self._window.settings.left(path)).picture
        self._running = _Running(path, Left(picture=before if Path(before).is_file() else ""))
        if self._window.remember:
            self._window.settings.last = str(path.resolve())
        left, self.wanted = self.wanted, Left()
        if left.edits or left.variants:
            self._put_back(left)

    def _put_back(self, left: Left) -> None:
        """The edits and variants of What if: those that still make sense."""
        try:
            edits, off = (WhatIf.from_json(text).edits if text else () for text in (left.edits, left.off))
            self._window.what_if.put_back(edits, off, [WhatIf.from_json(text).edits for text in left.variants])
        except BadInput as error:
            self._window.say(f"The edits of the last session were not restored: {error}", "note")

    def keep(self, picture: bool = False) -> None:
        """Writes down where the window is; with a picture when it leaves, or when the file has none yet."""
        window, path = self._window, self._running.path
        if path is None or window.desk.capture is None or not window.remember:
            return
        focus, index = window.desk.focus.focus, window.desk.index
        edits = _edits_of(window.what_if) if "what-if" in window.docks.panels.made else {}
        about = f"frame {index.frame(focus.event):,}, event {focus.event:,}" if index else ""
        seen = self._small_picture(path) if picture else self._running.kept.picture
        kept = Left(focus.text(), about=about, picture=seen, when=time.time(), **edits)
        self._running.kept = kept
        window.settings.leave(path, kept.values())

    def closed(self) -> None:
        """The capture leaves the desk."""
        self.keep(picture=True)
        self._running = _Running()

    def end(self) -> None:
        """The window closes as it should."""
        self.keep(picture=True)
        self._later.stop()
        if self._lock is not None and self._lock.isLocked():
            self._window.settings.ended = True
            self._lock.unlock()

    def _small_picture(self, path: Path) -> str:
        """A file with what the surface shows; "" without a picture."""
        picture = self._window.picture
        if picture is None:
            return ""
        argb = np.ascontiguousarray(picture.argb)
        image = QImage(argb.data, argb.shape[1], argb.shape[0], 4 * argb.shape[1], QImage.Format.Format_RGB32)
        small = scaled(image)
        file = cache_folder("pictures") / f"{path.stem[:40]}-{zlib.crc32(str(path.resolve()).encode()):08x}.png"
        return str(file) if small.save(str(file)) else ""


def _edits_of(panel: WhatIfPanel) -> dict[str, Any]:
    """Those of Left's values that What if has."""
    off = tuple(edit for edit in panel.all_edits if edit not in panel.edits)
    edits, off_ = (WhatIf(some).json() if some else "" for some in (panel.all_edits, off))
    return {"edits": edits, "off": off_, "variants": tuple(WhatIf(kept).json() for kept in panel.variants.kept)}


def scaled(image: QImage) -> QImage:
    """As large as the pictures of recent files."""
    return image.scaled(WIDE, HIGH, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)


def _report_of_crash(last: Path, left: Left) -> Path | None:
    """The report of the run that crashed, as a file; None if it cannot be written."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(left.when)) if left.when else ""
    place = {"Capture": str(last), "Place": left.place, "Edits": left.edits, "Kept": when}
    try:
        return mistakes.keep(mistakes.crash_report(place))
    except OSError:
        return None
