"""How the API calls panel writes what it is given."""

from __future__ import annotations

from ui.panels.calls import shorten, written


def test_memory_is_counted_in_bytes_in_every_form() -> None:
    assert written("blob(70632)") == "70,632 bytes"
    assert written("&{lpSurface = blob(1), 0}") == "&{lpSurface = 1 byte, 0}"
    assert written(b"123") == "3 bytes"
    assert written("blobs(12)") == "blobs(12)"
    assert shorten("x" * 300).endswith("…")
