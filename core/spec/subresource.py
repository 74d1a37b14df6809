"""Names for a part of a surface: the surface, the mip level, the face, the slice and the sample."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subresource:
    """One picture of a surface.  surface: a handle or a role ("render_target", "depth", "back_buffer", "primary").

    Level and face count from the one that the handle itself names.  sample None: all samples, resolved.
    """

    surface: int | str = "render_target"
    level: int = 0
    face: int = 0
    slice: int = 0
    sample: int | None = None

    @classmethod
    def of(cls, where: Where) -> Subresource:
        """A surface alone means its first level, face and slice."""
        return where if isinstance(where, Subresource) else cls(where)

    def __str__(self) -> str:
        """As in "render_target" or "surface 23 level 2 sample 1"."""
        surface = self.surface if isinstance(self.surface, str) else f"surface {self.surface}"
        parts = ((name, getattr(self, name)) for name in ("level", "face", "slice"))
        words = [str(surface), *(f"{name} {number}" for name, number in parts if number)]
        return " ".join(words if self.sample is None else [*words, f"sample {self.sample}"])


Where = Subresource | int | str
"""A subresource, or just a surface: its handle or role."""
