"""The user's position: one frozen value, which is also an entry of the history, a CLI argument and the link in a report."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from core.errors import BadInput, unknown
from core.spec.subresource import Subresource

RENDER_TARGET = "render_target"


@dataclass(frozen=True, slots=True)
class Focus:
    """One place in a capture.

    `event` is a timeline position; `surface` a handle or a role ("render_target", "back_buffer", "depth");
    `pixel` is (x, y) on the surface's `level`; None means "not chosen".
    """

    event: int = 0
    primitive: int | None = None
    surface: int | str = RENDER_TARGET
    level: int = 0
    face: int = 0
    slice: int = 0
    sample: int | None = None
    pixel: tuple[int, int] | None = None
    vertex: int | None = None
    step: int | None = None

    @property
    def where(self) -> Subresource:
        """The subresource."""
        return Subresource(self.surface, self.level, self.face, self.slice, self.sample)

    def replace(self, **changes: object) -> Focus:
        """The same place but for `changes`."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def text(self) -> str:
        """`#event=812&surface=3&pixel=40,52`: the fields that differ from the default."""
        return "#" + "&".join(
            f"{field.name}={_written(value)}"
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default or field.name == "event"
        )

    @classmethod
    def parse(cls, text: str) -> Focus:
        """The inverse of `text`; raises BadInput naming the part that makes no sense."""
        names = {field.name for field in dataclasses.fields(cls)}
        changes: dict[str, object] = {}
        for part in filter(None, text.lstrip("#").split("&")):
            name, equals, value = part.partition("=")
            if name not in names or not equals:
                raise BadInput(f"focus: {unknown('key', part, sorted(names))}")
            changes[name] = _read(name, value)
        return cls(**changes)  # type: ignore[arg-type]


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _read(name: str, value: str) -> object:
    try:
        if name == "pixel":
            x, y = value.split(",")
            return int(x), int(y)
        return int(value)
    except ValueError:
        if name == "surface" and value.replace("_", "").isalpha():
            return value
        raise BadInput(f"focus: invalid value {value!r} for {name}") from None
