"""Facts about a draw that rules need: the half of the pipeline that runs, its stages, its lights."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.stream.shader_code import Shader, decode
from core.errors import DdiInspectorError
from core.spec.enums import CmpFunc, FillMode, LightType, PrimitiveType, TextureArg, TextureOp
from core.spec.kinds import float_of
from core.spec.shaders import Spr
from core.spec.slots import Key
from core.spec.tokens import TOKEN_BY_NAME
from inspector.query.state.at_event import DeviceState, Values
from inspector.query.state.places import rows_of
from inspector.timeline.records import events_of, fields_of, payload_of

if TYPE_CHECKING:
    from inspector.capture import Capture

STAGES = 8
XYZRHW, POSITION_MASK = 0x004, 0x00E
THREE_ARGUMENTS = (TextureOp.MULTIPLYADD, TextureOp.LERP)
BUFFERED = ("DRAWINDEXEDPRIMITIVE", "DRAWINDEXEDPRIMITIVE2")
"""Tokens that draw with the bound index buffer."""
BOUND = ("DRAW", "CLIPPEDTRIANGLEFAN")
"""How the names of tokens begin that draw with the bound vertex shader or format."""
BUMPS = (TextureOp.BUMPENVMAP, TextureOp.BUMPENVMAPLUMINANCE)
BENDING = ("texbem", "texbeml", "bem")
"""Instructions of pixel shaders that read a stage's bump matrix."""
LINES = (PrimitiveType.LINELIST, PrimitiveType.LINESTRIP)


def _kind_of(token: str) -> PrimitiveType:
    """What a token draws that names it, as INDEXEDTRIANGLELIST2 or POINTS."""
    if token == "POINTS":
        return PrimitiveType.POINTLIST
    return next((kind for kind in PrimitiveType if kind.name in token), PrimitiveType.TRIANGLELIST)


class Situation:
    """The state that a draw finds.  Events that draw nothing are looked at as if they drew triangles."""

    def __init__(self, capture: Capture, event: int) -> None:
        self._capture, self.event = capture, event
        self.state: DeviceState = capture.state(event)
        self.values: Values = self.state.values_of()
        self._row = rows_of(self.values.layout)
        self._first: list[int] = self.values.words[self.values.layout.starts[:-1]].tolist()  # dword of each value
        self.name = capture.name(event)
        self._constants: dict[str, frozenset[int] | None] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._row

    def raw(self, *key: Any) -> int:
        """The first dword of a value, by the words of its key; 0 for what there is not."""
        row = self._row.get(key[0] if len(key) == 1 else key)
        return 0 if row is None else self._first[row]

    def floats(self, *key: Any) -> np.ndarray:
        """All dwords of a value as float64."""
        row = self._row[key[0] if len(key) == 1 else key]
        return np.array(self.values.raw(row), np.uint32).view(np.float32).astype(np.float64)

    def stage(self, number: int, name: str) -> int:
        return self.raw("TEXTURESTAGE", number, name)

    # ---- vertices

    @cached_property
    def kind(self) -> PrimitiveType:
        """What the draw is made of: a field of the token, or (DirectX 7) part of its name."""
        if not self.draws:
            return PrimitiveType.TRIANGLELIST
        if not self.name.startswith(BOUND):  # its fields may be thousands of indices
            return _kind_of(self.name)
        token = TOKEN_BY_NAME.get(self.name)
        if token is None or "type" not in (token.fields_dtype.names or ()):
            return _kind_of(self.name)
        fields = fields_of(self._capture.events, np.array([self.event]), self.name)
        try:
            return PrimitiveType(int(fields["type"][0]))
        except ValueError:
            return PrimitiveType.TRIANGLELIST

    @cached_property
    def call_fields(self) -> dict[str, Any]:
        """What the driver call of the event was given, by name."""
        return {field.name: field for field in self._capture.call_fields(self.event)}

    @property
    def draws(self) -> bool:
        return bool(self._capture.events.draw[self.event])

    @property
    def indexed(self) -> bool:
        return "INDEXED" in self.name

    @property
    def bound_indices(self) -> bool:
        """Whether indices are those of the buffer that is bound; tokens of DirectX 7 have them in themselves."""
        return self.name in BUFFERED

    @property
    def curved(self) -> bool:
        """Whether it draws patches."""
        return "PATCH" in self.name or float_of(self.raw("PATCHSEGMENTS")) > 1.0

    @property
    def points(self) -> bool:
        return self.kind == PrimitiveType.POINTLIST or (self.raw("FILLMODE") == FillMode.POINT and not self.lines)

    @property
    def lines(self) -> bool:
        return self.kind in LINES

    @cached_property
    def vertex_program(self) -> Shader | None:
        """The vertex shader that runs; None: the fixed function, or a shader that only declares."""
        return self._shader("vertex", self.raw("VERTEXSHADER"))

    @cached_property
    def format(self) -> int:
        """The vertex shader's handle, or the vertex format: of draws of DirectX 7 the call's."""
        bound = self.raw("VERTEXSHADER")
        if self.name.startswith(BOUND) or (bound and not self.draws):
            return bound
        given = self._capture.calls[int(self._capture.events.rows["call"][self.event])].args.get("vertex_type")
        return given if isinstance(given, int) else bound

    @cached_property
    def transformed(self) -> bool:
        """Whether vertices come in screen coordinates."""
        return not self.format & 1 and self.format & POSITION_MASK == XYZRHW

    @cached_property
    def fixed(self) -> bool:
        """Whether the fixed function transforms vertices."""
        return not self.transformed and self.vertex_program is None

    @cached_property
    def lit(self) -> bool:
        return self.fixed and bool(self.raw("LIGHTING"))

    @cached_property
    def lights(self) -> dict[int, LightType]:
        """The lights that shine, with their types."""
        numbers = sorted({key[1] for key in self._row if isinstance(key, tuple) and key[0] == "LIGHT"})
        types = {number: self.raw("LIGHT", number, "Type") for number in numbers if self.raw("LIGHT", number, "Enabled")}
        return {number: LightType(type) for number, type in types.items() if type in set(LightType)}

    @cached_property
    def blended_matrices(self) -> int:
        """How many world matrices move a vertex."""
        weights = self.raw("VERTEXBLEND")
        return 256 if weights and self.raw("INDEXEDVERTEXBLENDENABLE") else weights + 1 if weights <= 3 else 1

    # ---- pixels

    @cached_property
    def pixel_program(self) -> Shader | None:
        return self._shader("pixel", self.raw("PIXELSHADER"))

    @cached_property
    def cascade(self) -> int:
        """How many texture stages run; none with a pixel shader."""
        if self.pixel_program is not None:
            return 0
        enabled = [self.stage(n, "COLOROP") != TextureOp.DISABLE for n in range(STAGES)]
        return enabled.index(False) if False in enabled else STAGES

    @cached_property
    def sampled(self) -> frozenset[int]:
        """The stages whose textures are read."""
        if self.pixel_program is not None:
            reads = (one.dest.index for one in self.pixel_program.instructions
                     if one.row.kind == "texture" and one.dest is not None)  # fmt: skip
            return frozenset(stage for stage in reads if self.stage(stage, "TEXTUREMAP"))
        return frozenset(n for n in range(self.cascade) if self.stage(n, "TEXTUREMAP"))

    def arguments(self, stage: int, channel: str) -> frozenset[int]:
        """The numbers of the arguments that a stage's operation reads: {1, 2}."""
        op = self.stage(stage, f"{channel}OP")
        read = {1, 2} - ({1} if op == TextureOp.SELECTARG2 else set()) - ({2} if op == TextureOp.SELECTARG1 else set())
        return frozenset(read | ({0} if op in THREE_ARGUMENTS else set()))

    def selects(self, what: TextureArg) -> bool:
        """Whether an argument of any stage that runs selects it."""
        return any(
            self.stage(n, f"{channel}ARG{number}") & TextureArg.SELECTMASK == what
            for n in range(self.cascade) for channel in ("COLOR", "ALPHA") for number in (0, 1, 2)
        )  # fmt: skip

    @cached_property
    def bumps(self) -> frozenset[int]:
        """The stages that move the coordinates of the next."""
        if self.pixel_program is not None:
            code = self.pixel_program.instructions
            return frozenset(one.dest.index for one in code if one.row.name in BENDING and one.dest is not None)
        return frozenset(n for n in range(self.cascade) if self.stage(n, "COLOROP") in BUMPS)

    @property
    def depth_bound(self) -> bool:
        return bool(self.raw("DEPTHSTENCIL"))

    def compares(self, name: str) -> bool:
        """Whether a comparison looks at its reference at all."""
        return self.raw(name) not in (CmpFunc.ALWAYS, CmpFunc.NEVER)

    # ---- programs

    def constants(self, kind: str) -> frozenset[int] | None:
        """The constants that a program reads and does not define; None: any, by an address; empty without a program."""
        if kind not in self._constants:
            self._constants[kind] = self._read(kind)
        return self._constants[kind]

    def _read(self, kind: str) -> frozenset[int] | None:
        shader = self.vertex_program if kind == "vertex" else self.pixel_program
        if shader is None:
            return frozenset()
        sources = [source for one in shader.instructions for source in one.sources if source.type == Spr.CONST]
        if any(source.relative for source in sources):
            return None
        read = {source.index + row for one in shader.instructions for source in one.sources if source.type == Spr.CONST
                for row in range(max(one.row.rows or 1, 1))}  # fmt: skip
        return frozenset(read)

    def _shader(self, kind: str, handle: int) -> Shader | None:
        if not handle or (kind == "vertex" and not handle & 1):
            return None
        code = self._code(kind, handle)
        try:
            return decode(code) if code is not None and len(code) else None
        except DdiInspectorError:
            return None

    def _code(self, kind: str, handle: int) -> np.ndarray | None:
        """uint32: the code that the newest shader of this handle was made from."""
        events, token = self._capture.events, f"CREATE{kind.upper()}SHADER"
        made = events_of(events, token)
        fields = fields_of(events, made, token)
        mine = np.flatnonzero((fields["shader"] == handle) & (made <= self.event))
        if not len(mine):
            return None
        one, row = int(made[mine[-1]]), fields[mine[-1]]
        skipped = int(row["declaration_size"]) if kind == "vertex" else 0
        code = payload_of(events, one, row.dtype.itemsize + skipped, int(row["code_size"]))
        return code[: len(code) // 4 * 4].copy().view("<u4")
