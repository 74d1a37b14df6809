"""Answers -> bytes: pictures, and a report of a whole capture.

png(rgba)                       a PNG of (h, w, 4) uint8
dds(moment, surface)            a DDS of a whole surface, as stored
report(capture, event=...)      one HTML page
"""

from inspector.exports.png import png
from inspector.exports.report import report

__all__ = ["png", "report"]
