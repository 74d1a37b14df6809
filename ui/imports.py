"""Keeps PySide from reading the source of every module that is imported.

After each import it looks for its own name in the source, to know whether the module may switch to other names
(`from __feature__ import snake_case`); Python keeps every line that was read so: 314,000 lines, 28 MB, and a tenth of the time
that starting takes.  Nothing here switches.  ui.app imports this first; the package itself does not: run.py asks it what Qt
lacks before there is a Qt.
"""

from __future__ import annotations

import sys

import PySide6.QtCore  # noqa: F401 - brings the module below

from ui.overrides import handle_errors

FEATURES, LOOKS = "shibokensupport.feature", "_mod_uses_pyside"


def read_no_sources() -> None:
    """From the next import on; other versions of PySide may not look, and are left alone."""
    features = sys.modules.get(FEATURES)
    if hasattr(features, LOOKS):
        setattr(features, LOOKS, lambda module: False)


read_no_sources()
handle_errors()
