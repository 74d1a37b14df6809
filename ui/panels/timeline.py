"""The dock on top: where in the capture one is, and the quickest way to be elsewhere."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from inspector.focus import Focus
from ui.models.findings import flags
from ui.panels.panel import Panel
from ui.widgets.legend import Legend
from ui.widgets.timeline_strip import TimelineStrip


class TimelinePanel(Panel):
    title, name = "Timeline", "timeline"
    depends = ()

    def build(self) -> None:
        self.strip = TimelineStrip()
        self.box.addWidget(self.strip)
        self.setMaximumHeight(240)
        self.desk.found_changed.connect(lambda: self.strip.set_flags(flags(self.desk.found)))
        self.strip.placed.connect(lambda event: self.go(event=event))
        self.strip.scrubbed.connect(lambda event: self.go("scrub", event=event))

    def beside_title(self) -> QWidget:
        return Legend()

    def capture_changed(self) -> None:
        self.strip.set_index(self.desk.index)

    def moved(self, new: Focus, old: Focus) -> None:
        self.strip.set_event(new.event)
