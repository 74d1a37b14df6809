"""Edits of a tape as values.  `str` gives the text form, which `parsing` reads."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from core.errors import BadInput, unknown
from inspector import pictures
from inspector.query.state.places import key_text

Range = tuple[int, int | None]
ALWAYS: Range = (0, None)
"""First and last event; None: to the end."""


@dataclass(frozen=True, slots=True)
class Disable:
    """Events that do not happen: tokens, draws, driver calls."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"disable {_span(self.first, self.last)}"


@dataclass(frozen=True, slots=True)
class SetField:
    """A field of a token, or an argument of a driver call, has another value; names as `capture.event(e).fields` gives them."""

    event: int
    name: str
    value: str

    def __str__(self) -> str:
        return f"set {self.event}.{self.name}={self.value}"


@dataclass(frozen=True, slots=True)
class SetBytes:
    """Bytes of a record are others, from byte `at` of it on."""

    event: int
    at: int
    data: bytes

    def __str__(self) -> str:
        return f"bytes {self.event}+{self.at}={self.data.hex()}"


@dataclass(frozen=True, slots=True)
class Force:
    """A state has one value from event `first` to `last` (None: to the end), whatever is written; then what it would have had.

    `key` is that of the scripting contract, or as text: "ALPHAREF", "COLOROP[0]", "VIEWPORT.X", "LIGHT.0.Diffuse"; `value` a
    number, a member's name, or several of them.
    """

    key: Any
    value: Any
    first: int = 0
    last: int | None = None

    def __str__(self) -> str:
        value = " ".join(map(str, self.value)) if isinstance(self.value, tuple | list) else self.value
        return f"force {key_text(self.key)}={value}{_when(self.first, self.last)}"


@dataclass(frozen=True, slots=True)
class Texture:
    """A surface holds another picture from event `first` on, whatever is written into it: a PNG, stretched to its size.

    `level` None: all levels, the smaller ones made from it; `face`, `slice` None: all.
    """

    handle: int
    png: bytes
    level: int | None = None
    face: int | None = None
    slice: int | None = None
    first: int = 0
    name: str = "picture"

    @classmethod
    def of(cls, handle: int, picture: np.ndarray | str | Path, **more: Any) -> Texture:
        """From uint8[h, w, 4], or a picture file: PNG, BMP or JPEG."""
        if isinstance(picture, np.ndarray):
            return cls(handle, _png(Image.fromarray(np.ascontiguousarray(picture, np.uint8))), **more)
        return cls(handle, _png(pictures.read(picture).convert("RGBA")), name=Path(picture).name, **more)

    def picture(self) -> Image.Image:
        """RGBA; raises BadInput for bytes that are not a picture."""
        return pictures.read(self.png, f"the image of texture {self.handle}", formats=("PNG",)).convert("RGBA")

    def __str__(self) -> str:
        parts = (("level", self.level), ("face", self.face), ("slice", self.slice))
        where = "".join(f" {name} {number}" for name, number in parts if number is not None)
        return f"texture {self.handle}{where}{_when(self.first, None)}={self.name}"


@dataclass(frozen=True, slots=True)
class Shader:
    """Every shader made under this handle has this code, assembled; a vertex shader keeps its declaration."""

    handle: int
    code: str

    def __str__(self) -> str:
        return f"shader {self.handle}={self.code.split(chr(10), 1)[0].strip()} ..."


@dataclass(frozen=True, slots=True)
class Primitives:
    """A draw draws only its primitives `first` to `last`."""

    event: int
    first: int
    last: int

    def __str__(self) -> str:
        return f"primitives {self.event}={_span(self.first, self.last)}"


Edit = Disable | SetField | SetBytes | Force | Texture | Shader | Primitives
KINDS: dict[str, type] = {
    "disable": Disable, "set": SetField, "bytes": SetBytes, "force": Force, "texture": Texture, "shader": Shader,
    "primitives": Primitives,
}  # fmt: skip


def subject(edit: Edit) -> Any:
    """What an edit is about: of two about the same thing, the later one counts."""
    if isinstance(edit, Force):
        return edit.key, edit.first, edit.last
    return ("shader", edit.handle) if isinstance(edit, Shader) else edit


PRESETS: dict[str, tuple[tuple[str, str], ...]] = {
    "wireframe": (("FILLMODE", "WIREFRAME"),),
    "points": (("FILLMODE", "POINT"),),
    "flat": (("SHADEMODE", "FLAT"),),
    "no-blend": (("ALPHABLENDENABLE", "FALSE"),),
    "no-texture": tuple((f"TEXTUREMAP[{stage}]", "0") for stage in range(8)),
    "no-fog": (("FOGENABLE", "FALSE"),),
    "no-lighting": (("LIGHTING", "FALSE"),),
    "no-alpha-test": (("ALPHATESTENABLE", "FALSE"),),
    "no-depth-test": (("ZENABLE", "FALSE"),),
    "no-stencil": (("STENCILENABLE", "FALSE"),),
    "cull-none": (("CULLMODE", "NONE"),),
    "point-filter": tuple(
        (f"{name}[{stage}]", value)
        for stage in range(8)
        for name, value in (("MINFILTER", "POINT"), ("MAGFILTER", "POINT"), ("MIPFILTER", "NONE"))
    ),
    "no-pixel-shader": (("PIXELSHADER", "0"),),
}
"""Forced states by a handy name."""


def preset(name: str, first: int = 0, last: int | None = None) -> tuple[Force, ...]:
    """The forces of a preset; BadInput names them all if there is none such."""
    if name not in PRESETS:
        raise BadInput(unknown("preset", name, PRESETS))
    return tuple(Force(key, value, first, last) for key, value in PRESETS[name])


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}..{last}"


def _when(first: int, last: int | None) -> str:
    if (first, last) == ALWAYS:
        return ""
    return f" @ {first}.." if last is None else f" @ {_span(first, last)}"


def _png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
