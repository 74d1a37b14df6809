"""A frame being drawn: its target after each draw, or after each primitive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, unknown
from core.spec.subresource import Where
from inspector.progress import Cancel

if TYPE_CHECKING:
    from inspector.capture import Capture

BY = ("draw", "primitive")
Moment = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A surface while a frame is drawn, uint8[h, w, 4] each: before the first draw, then after every draw or primitive.

    `pictures`: at most this many, evenly over what is drawn, the first and the last among them.  `where`: by default what the
    frame's last draw draws to.
    """

    frame: int
    by: str = "primitive"
    pictures: int = 120
    where: Where | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> list[np.ndarray]:
        """BadInput for a frame that does not exist or draws nothing."""
        return list(self.pieces(capture, cancel))

    def pieces(self, capture: Capture, cancel: Cancel | None = None) -> Iterator[np.ndarray]:
        """One after the other."""
        if self.by not in BY:
            raise BadInput(unknown("step", self.by, BY))
        frame = capture.frame(self.frame)
        draws = capture.draws[(capture.draws >= frame.first_event) & (capture.draws <= frame.last_event)].tolist()
        if not draws:
            raise BadInput(f"{capture.title}: frame {self.frame} draws nothing")
        where = self.where
        if where is None:
            where = capture.render_target(draws[-1]) or "render_target"
        shape = capture.image(draws[-1], where, cancel=cancel).shape
        for event, primitive in self.moments(capture, draws):
            try:
                picture = capture.image(event, where, primitive=primitive, cancel=cancel)
            except BadInput:  # it does not exist yet
                continue
            if picture.shape == shape:
                yield picture

    def moments(self, capture: Capture, draws: list[int]) -> list[Moment]:
        """Before the first draw, and after each; of primitives the last one's moment is that of its draw."""
        moments: list[Moment] = [(max(draws[0] - 1, 0), None)]
        for draw in draws:
            if self.by == "primitive":
                moments += [(draw, primitive) for primitive in range(capture.primitives(draw) - 1)]
            moments.append((draw, None))
        wanted = np.unique(np.linspace(0, len(moments) - 1, max(min(self.pictures, len(moments)), 2)).round().astype(int))
        return [moments[n] for n in wanted.tolist()]
