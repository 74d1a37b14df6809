"""Edits of a tape as values: what a what-if changes.  Each has a text form, which `parse` reads; all fit into JSON.

    disable 1834            disable 1834..1840
    set 1834.value=5        set 1372.source=3
    bytes 1834+4=00ff00ff
    force ALPHAREF=0x40     force COLOROP[0]=DISABLE @ 100..200
    texture 12=brick.png    texture 12 level 1 face 2 slice 0 @ 100=brick.png
    shader 5=ps.txt
    primitives 1834=3..7
"""

from __future__ import annotations

import base64
import dataclasses
import io
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, UnidentifiedImageError

from core.errors import BadInput
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
        """From uint8[h, w, 4], or a picture file."""
        if isinstance(picture, np.ndarray):
            return cls(handle, _png(Image.fromarray(np.ascontiguousarray(picture, np.uint8))), **more)
        try:
            with Image.open(picture) as file:
                return cls(handle, _png(file.convert("RGBA")), name=Path(picture).name, **more)
        except (OSError, UnidentifiedImageError) as error:
            raise BadInput(f"{picture}: not a picture that can be read: {error}") from error

    def picture(self) -> Image.Image:
        """RGBA; raises BadInput for bytes that are not a picture."""
        try:
            return Image.open(io.BytesIO(self.png)).convert("RGBA")
        except (OSError, UnidentifiedImageError) as error:
            raise BadInput(f"texture {self.handle}: its picture cannot be read: {error}") from error

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
        raise BadInput(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
    return tuple(Force(key, value, first, last) for key, value in PRESETS[name])


# ---- text ------------------------------------------------------------------------------------------------------------


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}..{last}"


def _when(first: int, last: int | None) -> str:
    if (first, last) == ALWAYS:
        return ""
    return f" @ {first}.." if last is None else f" @ {_span(first, last)}"


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("..")
    return int(first, 0), int(last or first, 0)


def _disable(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    return (Disable(*_range(found["span"])),)


def _set(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    return (SetField(int(found["event"]), found["name"], found["value"].strip()),)


def _bytes(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    return (SetBytes(int(found["event"]), int(found["at"] or 0), bytes.fromhex(found["data"])),)


def _force(found: re.Match[str], when: Range) -> tuple[Edit, ...]:
    return (Force(found["key"].strip(), found["value"].strip(), *_told(found["when"], when)),)


def _texture(found: re.Match[str], when: Range) -> tuple[Edit, ...]:
    parts = {name: int(number) for name, number in re.findall(r"(level|face|slice) (\d+)", found["parts"])}
    first = _told(found["when"], when)[0]
    return (Texture.of(int(found["handle"], 0), found["file"].strip(), first=first, **parts),)


def _shader(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    try:
        return (Shader(int(found["handle"], 0), Path(found["file"].strip()).read_text(encoding="utf-8")),)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{found['file']}: cannot be read as a shader's text: {error}") from error


def _primitives(found: re.Match[str], _: Range) -> tuple[Edit, ...]:
    return (Primitives(int(found["event"]), *_range(found["span"])),)


def _preset(found: re.Match[str], when: Range) -> tuple[Edit, ...]:
    return preset(found["name"], *_told(found["when"], when))


def _told(text: str | None, otherwise: Range) -> Range:
    if text is None:
        return otherwise
    first, dots, last = text.partition("..")
    return int(first), int(last) if last else None if dots else int(first)


_SPAN, _WHEN = r"(?P<span>\d+(?:\.\.\d+)?)", r"(?:\s*@\s*(?P<when>\d+(?:\.\.\d*)?))?"
Reader = Callable[[re.Match[str], Range], tuple[Edit, ...]]
FORMS: dict[str, tuple[re.Pattern[str], Reader]] = {
    "disable": (re.compile(_SPAN), _disable),
    "set": (re.compile(r"(?P<event>\d+)\.(?P<name>[^=]+)=(?P<value>.*)"), _set),
    "bytes": (re.compile(r"(?P<event>\d+)(?:\+(?P<at>\d+))?=(?P<data>(?:[0-9a-fA-F]{2}\s*)+)"), _bytes),
    "force": (re.compile(rf"(?P<key>[^=@]+)=(?P<value>[^@]+?){_WHEN}"), _force),
    "texture": (re.compile(rf"(?P<handle>\w+)(?P<parts>(?: (?:level|face|slice) \d+)*){_WHEN}\s*=(?P<file>.+)"), _texture),
    "shader": (re.compile(r"(?P<handle>\w+)=(?P<file>.+)"), _shader),
    "primitives": (re.compile(rf"(?P<event>\d+)={_SPAN}"), _primitives),
    "preset": (re.compile(rf"(?P<name>[\w-]+){_WHEN}"), _preset),
}


def parse(text: str, when: Range = ALWAYS) -> tuple[Edit, ...]:
    """The edits of one text; `when`: the events a force or preset is for if it does not say.  BadInput says what is wrong."""
    kind, _, rest = text.strip().partition(" ")
    if kind not in FORMS:
        raise BadInput(f"{text!r} is not an edit: it begins with one of {', '.join(FORMS)}")
    pattern, read = FORMS[kind]
    found = pattern.fullmatch(rest.strip())
    if found is None:
        raise BadInput(f"{text!r} is not an edit of this kind; one is written like {EXAMPLES[kind]!r}")
    try:
        return read(found, when)
    except ValueError as error:
        raise BadInput(f"{text!r}: {error}") from error


EXAMPLES = {
    "disable": "disable 1834..1840", "set": "set 1834.value=5", "bytes": "bytes 1834+4=00ff00ff",
    "force": "force ALPHAREF=0x40 @ 100..200", "texture": "texture 12 level 0=brick.png", "shader": "shader 5=ps.txt",
    "primitives": "primitives 1834=3..7", "preset": "preset wireframe",
}  # fmt: skip


# ---- JSON ------------------------------------------------------------------------------------------------------------


def to_values(edits: tuple[Edit, ...]) -> list[dict[str, Any]]:
    """What fits into JSON: complete, pictures and code included."""
    return [{"kind": next(k for k, c in KINDS.items() if c is type(one)), **_plain(asdict(one))} for one in edits]


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: base64.b64encode(v).decode("ascii") if isinstance(v, bytes) else _listed(v) for name, v in fields.items()}


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def from_values(values: Any) -> tuple[Edit, ...]:
    """The inverse of `to_values`; BadInput for what is not a list of edits."""
    if not isinstance(values, list):
        raise BadInput("a what-if is a list of edits")
    return tuple(_edit(value, number) for number, value in enumerate(values))


TYPES: dict[str, Any] = {"int": int, "int | None": int | None, "str": str, "bytes": bytes}
"""What the fields of edits may be, by their annotations; those of state keys and values are checked when they are used."""


def _edit(value: Any, number: int) -> Edit:
    try:
        fields = dict(value)
        cls = KINDS[fields.pop("kind")]
        for name in ("data", "png"):
            if name in fields:
                fields[name] = base64.b64decode(fields[name], validate=True)
        for name in ("key", "value"):
            if isinstance(fields.get(name), list):
                fields[name] = tuple(fields[name])
        for field in dataclasses.fields(cls):
            if field.name in fields and not isinstance(fields[field.name], TYPES.get(str(field.type), object)):
                raise TypeError(f"{field.name} is no {field.type}")
        key = fields.get("key", "")
        if not all(isinstance(word, str | int) for word in (key if isinstance(key, tuple) else (key,))):
            raise TypeError(f"{key!r} is not a state")
        made: Edit = cls(**fields)
        return made
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"edit {number} of the what-if cannot be read: {error}") from error


def _png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
