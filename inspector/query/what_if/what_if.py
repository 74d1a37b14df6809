"""What if: the capture with other tokens, states, textures or shaders.

    view = WhatIf.of("disable 1834", "force ALPHAREF=0x40 @ 1052..1372").open(capture)
    view.image(1372); view.state(1200)["ALPHAREF"]; capture.ask(Compare("frame 2", "frame 2", view))

The view answers whatever a capture does, under the same event numbers.  The tape is not touched: the capture stays what it is,
and a what-if without its last edit (`undo`) gives what was before, to the bit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput, cannot
from inspector.files import write_bytes
from inspector.focus import Focus
from inspector.query.what_if.as_json import from_values, to_values
from inspector.query.what_if.edits import ALWAYS, Edit, Range
from inspector.query.what_if.parsing import parse

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel

NOTE = "what-if "
"""How an annotation that holds a what-if begins."""
ENDING = ".what-if.json"


@dataclass(frozen=True)
class WhatIf:
    """Edits, in order."""

    edits: tuple[Edit, ...] = ()

    @classmethod
    def of(cls, *texts: str, when: Range = ALWAYS) -> WhatIf:
        """From texts (what_if.parsing); `when`: the events forces and presets are for if they do not say."""
        return cls(tuple(edit for text in texts for edit in parse(text, when)))

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Capture:
        """The capture with these edits; BadInput for an invalid one."""
        return capture.edited(self.edits)

    open = run

    def add(self, *edits: Edit) -> WhatIf:
        """With more edits."""
        return WhatIf((*self.edits, *edits))

    def undo(self, number: int = -1) -> WhatIf:
        """Without one of the edits, the last if nothing is said."""
        left = list(self.edits)
        del left[number]
        return WhatIf(tuple(left))

    # ---- keeping ---------------------------------------------------------------------------------------------------------

    def save(self, path: Path | str) -> Path:
        """Writes the edits as JSON; next to a capture (`game.ddicap`) as `game.what-if.json`."""
        path = beside(Path(path))
        write_bytes(path, self.json().encode())
        return path

    @classmethod
    def load(cls, path: Path | str) -> WhatIf:
        """Reads what `save` wrote."""
        path = beside(Path(path))
        try:
            return cls.from_json(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(cannot("read", path, error)) from error

    def json(self) -> str:
        return json.dumps({"what_if": to_values(self.edits)}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> WhatIf:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"invalid JSON: {error}") from error
        if not isinstance(found, dict) or "what_if" not in found:
            raise BadInput("this JSON holds no edits (what_if)")
        return cls(from_values(found["what_if"]))

    def annotate(self, capture: Capture, focus: Focus) -> None:
        """Keeps the edits with the capture, as an annotation at a place."""
        capture.tape.annotate(focus.text(), NOTE + self.json())


def kept(capture: Capture) -> list[tuple[str, WhatIf]]:
    """The what-ifs among a capture's annotations: (focus, edits)."""
    notes: Sequence = capture.tape.annotations
    return [(note.focus, WhatIf.from_json(note.text[len(NOTE) :])) for note in notes if note.text.startswith(NOTE)]


def beside(path: Path) -> Path:
    """Where the what-if of a capture file lies."""
    return path if path.suffix == ".json" else path.with_name(path.stem + ENDING)
