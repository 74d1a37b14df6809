"""Data roles that item models pass to the delegates that paint cells, besides the text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
ROW_FLAGS = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren

DISPLAY_ROLE = int(Qt.ItemDataRole.DisplayRole)
"""As a number: models are asked for it thousands of times, and looking an enum up costs more than the answer."""
ALIGN_ROLE = int(Qt.ItemDataRole.TextAlignmentRole)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
"""Of numbers, and of the titles above them."""

KIND_ROLE = Qt.ItemDataRole.UserRole + 1
"""Number of an event's kind, see `ui.index.KINDS`."""

LINK_ROLE = Qt.ItemDataRole.UserRole + 2
"""Where a click leads: an event, or a surface as a tuple of its handle."""

SWATCH_ROLE = Qt.ItemDataRole.UserRole + 3
"""A colour to show before the text, as 0xAARRGGBB."""

TOKEN_ROLE = Qt.ItemDataRole.UserRole + 4
"""The theme token of the text's colour."""

MARK_ROLE = Qt.ItemDataRole.UserRole + 5
"""The theme token of a bar at the row's left edge."""

PICTURE_ROLE = Qt.ItemDataRole.UserRole + 6
"""A QImage to show before the text; in a cell for several, a list of them, None for those that are not made yet."""

HEADING_ROLE = Qt.ItemDataRole.UserRole + 7
"""True for rows that head a group."""

WHOLE_ROLE = Qt.ItemDataRole.UserRole + 9
"""The value in full where the text is only its beginning."""

OUTCOME_ROLE = Qt.ItemDataRole.UserRole + 10
"""(what the failure of its call means for an event, in words; their theme token; whether it was executed); else None."""

BEGIN_ROLE = Qt.ItemDataRole.UserRole + 8
"""True for rows with a line above them: something new begins there."""

VALUE_ROLE = int(Qt.ItemDataRole.EditRole)
"""What a cell's text stands for, a number as a number: what copies take; None: the text."""

DEPTH_ROLE = Qt.ItemDataRole.UserRole + 11
"""How far a row of a tree is indented; None in flat lists."""

OPEN_ROLE = Qt.ItemDataRole.UserRole + 12
"""Whether a group is open; None for what is no group."""

STRIP_ROLE = Qt.ItemDataRole.UserRole + 30
"""uint8[bins]: when something is used (inspector.query.objects.holdings.UseStrips)."""

PLACE_ROLE = Qt.ItemDataRole.UserRole + 31
"""Where one looks in a strip, 0..1."""

HIT_ROLE = Qt.ItemDataRole.UserRole + 13
"""True for rows that were searched for."""

BOOKMARK_ROLE = Qt.ItemDataRole.UserRole + 14
"""True for rows of events with a bookmark."""

LINES_ROLE = Qt.ItemDataRole.UserRole + 15
"""What a cell says on several lines: blocks of lines, side by side where there is room; empty or None: its text."""

CURVE_ROLE = Qt.ItemDataRole.UserRole + 16
"""A curve to show before the text (inspector.query.state.spheres.Curve)."""

FILL_ROLE = Qt.ItemDataRole.UserRole + 17
"""A colour that fills the cell, as 0xAARRGGBB, to be compared with its neighbours'."""

EVENT_ROLE = Qt.ItemDataRole.UserRole + 18
"""All that the cell of an event shows beside its text, in one answer, as each question of a cell crosses from C++ to Python:
what HIT_ROLE, KIND_ROLE, DEPTH_ROLE, OPEN_ROLE, OUTCOME_ROLE, BEGIN_ROLE and NESTED_ROLE say."""

NESTED_ROLE = Qt.ItemDataRole.UserRole + 33
"""True for records whose token is the row that holds them: their cell need not repeat its name."""

TALL_ROLE = Qt.ItemDataRole.UserRole + 19
"""Whether a row of the flow may need more room than a line of text: asked for every row of thousands."""
