"""Exports: answers as images, vertices, and reports of whole captures.

png(rgba)                       a PNG of (h, w, 4) uint8
dds(moment, surface)            a DDS of a whole surface, as stored
animation(pictures)             a WebP, APNG or GIF; contact_sheet(pictures, titles): side by side
export_trimmed(capture, path)   some frames as a capture of their own
capture_html(capture)           what a notebook shows of a capture
vertices_csv(grid), obj(grid)   a draw's vertices for other programs
report(capture, event=...)      one HTML page
"""

from inspector.exports.png import png
from inspector.exports.report import report
from inspector.exports.vertices import obj, vertices_csv

__all__ = ["obj", "png", "report", "vertices_csv"]
