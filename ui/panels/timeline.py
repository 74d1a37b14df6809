"""The dock on top: where in the capture one is, and the quickest way to be elsewhere."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from inspector.focus import Focus
from ui.panels.panel import Panel
from ui.widgets.legend import Legend
from ui.widgets.timeline_strip import TimelineStrip

SEVERITIES = {"error": "error", "warning": "warning"}


class TimelinePanel(Panel):
    title, name = "Timeline", "timeline"
    depends = ()

    def build(self) -> None:
        self.strip = TimelineStrip()
        self.box.addWidget(self.strip)
        self.setMaximumHeight(240)
        self.strip.placed.connect(lambda event: self.go(event=event))
        self.strip.scrubbed.connect(lambda event: self.go("scrub", event=event))

    def beside_title(self) -> QWidget:
        return Legend()

    def capture_changed(self) -> None:
        capture = self.desk.capture
        findings = capture.findings if capture is not None else []
        flags = [(finding.seq, SEVERITIES.get(finding.severity, "link")) for finding in findings]
        self.strip.set_index(self.desk.index, flags)

    def moved(self, new: Focus, old: Focus) -> None:
        self.strip.set_event(new.event)
