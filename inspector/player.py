"""Executes driver calls from a program: runs the output of `ddi-inspector script`.

p = Player()
p.call("CreateSurface", {...})
p.stream({"context": 1})                                a DrawPrimitives2 begins
p.token("RENDERSTATE", state="ALPHAREF", value=8)
p.capture()                                             all that was played, for questions

standalone(capture, first, last)                        the program that draws a draw or a frame again
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.stream.dp2_emit import emit
from core.errors import BadInput, Cancelled
from inspector.capture import Capture
from inspector.exports.alone import alone
from inspector.exports.png import opaque, png
from inspector.exports.program import comment, program
from inspector.files import write_bytes
from inspector.progress import Progress
from inspector.tape import MemoryTape
from inspector.timeline.budgets import Budgets
from inspector.timeline.timeline import Timeline

SURFACES = ("render_target", "back_buffer", "depth")
"""Those that are compared and saved, as far as there are any."""
THOROUGH = (0, 1, 2)
"""Of `alone`: the shortest program first."""


def unpacked(text: str) -> bytes:
    """The data of a program."""
    return zlib.decompress(base64.b64decode(text))


class Player:
    """Collects calls, then executes them."""

    def __init__(self) -> None:
        self._tape = MemoryTape()
        self._stream: tuple[dict[str, Any], dict[str, Any], bytearray] | None = None
        self._capture: Capture | None = None

    def call(
        self, entry: str, args: Mapping[str, Any], data: Mapping[str, Any] | None = None, result: int = 0,
        out: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """A driver call; `result` and `out` are what the recorded driver answered."""
        self._end_stream()
        self._tape.append(DdiCall(entry, dict(args), dict(data or {}), result, dict(out or {})))

    def stream(self, args: Mapping[str, Any], /, **data: Any) -> None:
        """Begins a DrawPrimitives2; its tokens follow."""
        self._end_stream()
        self._stream = dict(args), data, bytearray()

    def token(self, name: str, **fields: Any) -> None:
        """A token of one record, by the names of its fields (core.ddi.stream.dp2_emit)."""
        emit(self._commands, name, **fields)

    def bytes(self, token: bytes) -> None:
        """A token as it stands in a command buffer."""
        self._commands.extend(token)

    @property
    def _commands(self) -> bytearray:
        if self._stream is None:
            raise BadInput("a token needs a stream; call stream() first")
        return self._stream[2]

    def _end_stream(self) -> None:
        if self._stream is None:
            return
        (args, data, commands), self._stream = self._stream, None
        args |= {"command_offset": 0, "command_length": len(commands)}
        self._tape.append(DdiCall("DrawPrimitives2", args, {**data, "commands": bytes(commands)}))

    # ---- what comes of it ------------------------------------------------------------------------------------------------
    def capture(self) -> Capture:
        """What was played, as a capture: images, states, questions.  No calls can be added after that."""
        self._end_stream()
        if self._capture is None:
            timeline = Timeline.of_tape(self._tape, None, Budgets.of_environment())
            self._capture = Capture(Path("program"), self._tape, timeline)  # type: ignore[arg-type]
        return self._capture

    def digests(self) -> dict[str, str]:
        """A digest of the stored contents of each of SURFACES at the end."""
        capture = self.capture()
        return digests_of(capture, len(capture.events) - 1)

    def finish(self, expected: Mapping[str, str], words: Sequence[str] = ()) -> int:
        """Draws, saves the render target as PNG to the first of `words`, prints what is as expected; 0 if everything is."""
        capture, found = self.capture(), self.digests()
        if words:
            write_bytes(Path(words[0]), png(opaque(capture.image(len(capture.events) - 1))))
        for name in expected:
            print(f"{name}: {'as in the capture' if found.get(name) == expected[name] else 'DIFFERENT'}")
        return int(any(found.get(name) != expected[name] for name in expected))


def digests_of(capture: Capture, event: int) -> dict[str, str]:
    """A digest of the stored contents of each of SURFACES after an event; what there is none of is left out."""
    found = {}
    for name in SURFACES:
        try:
            rows, _ = capture.stored(event, name)
        except BadInput:
            continue
        found[name] = blake2b(np.ascontiguousarray(rows).tobytes(), digest_size=16).hexdigest()
    return found


def play(calls: Sequence[DdiCall]) -> Player:
    """The same from calls."""
    player = Player()
    for one in calls:
        player.call(one.entry, one.args, one.data, one.result, one.out)
    return player


# ---- the program --------------------------------------------------------------------------------------------------------


def standalone(capture: Capture, first: int, last: int, progress: Progress | None = None) -> tuple[str, bool]:
    """(a program that makes events first..last again, whether it draws what the capture does), as short as it can be for that.

    Raises BadInput where nothing is drawn to, Cancelled.
    """
    expected = digests_of(capture, last)
    if not expected:
        raise BadInput(f"after event {last} there is nothing that is drawn to")
    ways = _ways(capture, first)
    for number, (begin, thorough) in enumerate(ways):
        if progress and progress(number / len(ways), "drawing it again") is False:
            raise Cancelled("writing the program cancelled")
        calls = alone(capture, begin, last, thorough)
        same = play(calls).digests() == expected
        if same:
            break
    what = (
        f"event {first}, {capture.text(first)}"
        if first == last
        else f"frame {capture.frame_of(last)}, events {first} to {last}"
    )
    return program(calls, comment(f"{capture.title}: {what}"), expected), same


def _ways(capture: Capture, first: int) -> list[tuple[int, int]]:
    """(first event, thoroughness), the shortest program first.  Samples of a multisampled surface cannot be uploaded: what was
    drawn there before is drawn again, from the beginning of the frame."""
    begins = dict.fromkeys((first, capture.frame_at(first).first_event))
    return [(begin, thorough) for begin in begins for thorough in THOROUGH]
