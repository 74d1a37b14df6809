"""The window.  The only place Qt exists; imports `inspector`.  window -> panels -> (models | widgets) -> (focus | ask)."""
