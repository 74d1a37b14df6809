"""The window.  The only place Qt exists; imports `inspector`.  window -> panels -> (models | widgets) -> (focus | ask)."""

from ui.imports import read_no_sources

read_no_sources()
