"""Room in Shiboken's table of types, so that another thread may make some while the window paints.

Shiboken keeps what it knows of each type in one hash table, in which PySide looks a type up without Python's lock (as Qt asks
a widget for its meta-object).  While a thread adds a type for which the table must grow, a look finds nothing, and the process
ends (`MetaObjectBuilder::update`, PySide 6.11).  `python -m tests.soak.types` shows it.
"""

from __future__ import annotations

import gc

from shiboken6 import Shiboken

TYPES = 1200
"""More than the program has with pyqtgraph, which brings 470: tables of all standard libraries have grown for them then."""


def make_room(types: int = TYPES) -> None:
    """On the GUI thread, in about 10 ms: a table does not shrink when these types go.  They go here: on another thread they
    would leave the table as dangerously as types that come."""
    collects = gc.isenabled()
    gc.disable()
    made = [type("Room", (Shiboken.Object,), {}) for _ in range(types)]
    made.clear()
    gc.collect(0)
    if collects:
        gc.enable()
