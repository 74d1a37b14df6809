"""A formula over pictures, as `abs(this - other) * 8`: read by Python's own parser, computed by a walk over a list of what is
allowed.  Nothing else of Python can be reached.

Everything is computed pixel by pixel, so pictures go through in bands of rows: memory stays small, and it can be stopped.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from core.errors import BadInput, Cancelled, unknown
from inspector.progress import Cancel

LONGEST = 2000
"""Letters."""
MOST_NODES = 400
DEEPEST = 60
BAND = 1 << 16
"""Pixels that are computed at once."""
SWIZZLES = ("rgba", "xyzw")
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "true": 1.0, "false": 0.0}
LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)
"""ITU-R BT.709."""
warnings.filterwarnings("ignore", category=SyntaxWarning, module="<unknown>")  # as Python's parser calls a text without a file
Made = np.ndarray
"""float32[pixels, components]: 1 to 4 of them."""

BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod, ast.Pow: np.power,
}  # fmt: skip
UNARY: dict[type, Callable[[Any], Any]] = {ast.UAdd: np.positive, ast.USub: np.negative, ast.Not: lambda a: a == 0}
COMPARED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}  # fmt: skip


def _smoothstep(low: Any, high: Any, value: Any) -> Any:
    part = np.clip((value - low) / (high - low), 0, 1)
    return part * part * (3 - 2 * part)


def _length(value: Any) -> Any:
    return np.sqrt(np.sum(value * value, axis=-1, keepdims=True))


def _dot(a: Any, b: Any) -> Any:
    return np.sum(a * b, axis=-1, keepdims=True)


def _normal(value: Any) -> Any:
    length = _length(value)
    return np.divide(value, length, out=np.zeros_like(value), where=length > 0)


FUNCTIONS: dict[str, tuple[int, Callable[..., Any], str]] = {
    "abs": (1, np.abs, "without its sign"),
    "sign": (1, np.sign, "-1, 0 or 1"),
    "sqrt": (1, np.sqrt, "square root"),
    "exp": (1, np.exp, "e to this power"),
    "log": (1, np.log, "natural logarithm"),
    "log2": (1, np.log2, "logarithm to base 2"),
    "sin": (1, np.sin, "sine of radians"),
    "cos": (1, np.cos, "cosine of radians"),
    "floor": (1, np.floor, "the next whole number below"),
    "ceil": (1, np.ceil, "the next whole number above"),
    "round": (1, np.rint, "the nearest whole number"),
    "fract": (1, lambda a: a - np.floor(a), "what is left of whole numbers"),
    "saturate": (1, lambda a: np.clip(a, 0, 1), "within 0..1"),
    "isnan": (1, np.isnan, "1 where it is no number"),
    "isinf": (1, np.isinf, "1 where it is infinite"),
    "luminance": (1, lambda a: np.sum(a[..., :3] * LUMA[: a[..., :3].shape[-1]], -1, keepdims=True), "brightness (BT.709)"),
    "sum": (1, lambda a: np.sum(a, axis=-1, keepdims=True), "of the components"),
    "length": (1, _length, "of the vector"),
    "normalize": (1, _normal, "the vector with length 1"),
    "min": (-2, lambda *all: reduce(np.minimum, all), "the smallest"),
    "max": (-2, lambda *all: reduce(np.maximum, all), "the largest"),
    "pow": (2, np.power, "a power"),
    "step": (2, lambda edge, a: a >= edge, "1 from the edge on"),
    "dot": (2, _dot, "scalar product"),
    "clamp": (3, np.clip, "within two limits"),
    "mix": (3, lambda a, b, share: a + (b - a) * share, "a + (b - a) * share"),
    "smoothstep": (3, _smoothstep, "smoothly from 0 to 1 between two edges"),
    "where": (3, lambda test, a, b: np.where(test != 0, a, b), "one or the other"),
}
"""Name -> (arguments, of negative numbers at least so many; what it does; in words)."""


@dataclass(frozen=True)
class Expression:
    """A formula that was read and found in order; `names`: the pictures and channels that it is about."""

    text: str
    root: ast.expr
    names: frozenset[str]

    def bands(
        self, names: Mapping[str, np.ndarray], shape: tuple[int, int], cancel: Cancel | None = None
    ) -> Iterator[tuple[int, Made]]:
        """(first row, float32[rows, width, components]) of the value, band by band from above.

        names: float32[height, width] or [height, width, components] of what the formula names, or numbers.  Raises BadInput
        for components that do not go together, Cancelled when `cancel` says so.
        """
        height, width = shape
        rows = max(BAND // max(width, 1), 1)
        for first in range(0, height, rows):
            if cancel and cancel():
                raise Cancelled("question cancelled")
            last = min(first + rows, height)
            found = {name: _band(names[name], first, last) for name in self.names}
            with np.errstate(all="ignore"):
                value = _Walk(found, (last - first) * width).value(self.root)
            yield first, np.broadcast_to(value, ((last - first) * width, value.shape[-1])).reshape(last - first, width, -1)

    def picture(self, names: Mapping[str, np.ndarray], shape: tuple[int, int], cancel: Cancel | None = None) -> np.ndarray:
        """float32[height, width, 4] RGBA: one component is grey, two are red and green; alpha is 1 unless it is there."""
        result = np.ones((*shape, 4), np.float32)
        for first, value in self.bands(names, shape, cancel):
            part = result[first : first + len(value)]
            count = value.shape[-1]
            if count == 2:
                part[..., 2] = 0
            part[..., : 3 if count == 1 else count] = value
        return result


def _band(value: np.ndarray, first: int, last: int) -> Made:
    """Some rows of a picture, a pixel a row."""
    if np.ndim(value) == 0:
        return np.full((1, 1), value, np.float32)
    part = value[first:last]
    return np.ascontiguousarray(part, np.float32).reshape(part.shape[0] * part.shape[1], -1)


def parse(text: str, known: frozenset[str] | set[str]) -> Expression:
    """A formula about these names.  BadInput in one sentence that says what is wrong, and where."""
    if len(text) > LONGEST:
        raise BadInput(f"an expression has at most {LONGEST:,} letters")
    if not text.strip():
        raise BadInput("the expression is empty")
    try:
        root = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        place = f"column {error.offset}: " if isinstance(error, SyntaxError) and error.offset else "at the end: "
        raise BadInput(f"expression: {place}{getattr(error, 'msg', None) or error}") from None
    except (RecursionError, MemoryError):
        raise BadInput("the expression is nested too deeply") from None
    check = _Check(known)
    check.look(root, 0)
    return Expression(text.strip(), root, frozenset(check.names))


class _Check:
    """Looks at everything once before anything is computed."""

    def __init__(self, known: frozenset[str] | set[str]) -> None:
        self._known, self.names, self._nodes = known, set[str](), 0

    def look(self, node: ast.expr, depth: int) -> None:
        self._nodes += 1
        if self._nodes > MOST_NODES or depth > DEEPEST:
            raise _wrong(node, "the expression is too long" if depth <= DEEPEST else "the expression is nested too deeply")
        for part in self._parts(node):
            self.look(part, depth + 1)

    def _parts(self, node: ast.expr) -> list[ast.expr]:
        """What an allowed node is made of."""
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._components(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
            return [node.left, node.right]
        if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
            return [node.operand]
        if isinstance(node, ast.BoolOp):
            return node.values
        if isinstance(node, ast.Compare) and all(type(op) in COMPARED for op in node.ops):
            return [node.left, *node.comparators]
        if isinstance(node, ast.IfExp):
            return [node.test, node.body, node.orelse]
        if isinstance(node, ast.Tuple) and 1 <= len(node.elts) <= 4:
            return node.elts
        raise _wrong(node, "this is not allowed in an expression")

    def _constant(self, node: ast.Constant) -> list[ast.expr]:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise _wrong(node, "only numbers are allowed")
        if isinstance(node.value, int) and abs(node.value) > 1 << 63:
            raise _wrong(node, "the number is too large")
        return []

    def _name(self, node: ast.Name) -> list[ast.expr]:
        if node.id in self._known:
            self.names.add(node.id)
        elif node.id.lower() not in CONSTANTS:
            raise _wrong(node, unknown("name", node.id, sorted(self._known)))
        return []

    def _components(self, node: ast.Attribute) -> list[ast.expr]:
        if len(node.attr) > 4 or not any(set(node.attr) <= set(letters) for letters in SWIZZLES):
            raise _wrong(node, f"components are letters of rgba or xyzw, not {node.attr!r}")
        return [node.value]

    def _call(self, node: ast.Call) -> list[ast.expr]:
        if not isinstance(node.func, ast.Name):
            raise _wrong(node, f"only functions are called: {', '.join(FUNCTIONS)}")
        if node.func.id not in FUNCTIONS:
            raise _wrong(node, unknown("function", node.func.id, list(FUNCTIONS)))
        wanted, given = FUNCTIONS[node.func.id][0], len(node.args)
        if (
            node.keywords
            or (given != wanted if wanted > 0 else given < -wanted)
            or any(isinstance(part, ast.Starred) for part in node.args)
        ):
            count = f"{wanted}" if wanted > 0 else f"at least {-wanted}"
            raise _wrong(node, f"{node.func.id}() takes {count} value{'s' * (abs(wanted) != 1)}")
        return node.args


class _Walk:
    """The value of a tree over `pixels` pixels."""

    def __init__(self, names: Mapping[str, Made], pixels: int) -> None:
        self._names, self._pixels = names, pixels

    def value(self, node: ast.expr) -> Made:
        made: Made = np.asarray(getattr(self, f"_{type(node).__name__.lower()}")(node), np.float32)
        return made

    def _together(self, node: ast.expr, does: Callable[..., Any], *parts: Made) -> Any:
        """Components by components; one component goes with any number of them."""
        if len({part.shape[-1] for part in parts} - {1}) > 1:
            counts = " and ".join(str(part.shape[-1]) for part in parts)
            raise _wrong(node, f"values of {counts} components do not go together")
        return does(*parts)

    def _constant(self, node: ast.Constant) -> Made:
        return np.full((1, 1), node.value, np.float32)  # type: ignore[arg-type]

    def _name(self, node: ast.Name) -> Made:
        found = self._names.get(node.id)
        return found if found is not None else np.full((1, 1), CONSTANTS[node.id.lower()], np.float32)

    def _attribute(self, node: ast.Attribute) -> Made:
        whole = self.value(node.value)
        letters = next(letters for letters in SWIZZLES if set(node.attr) <= set(letters))
        wanted = [letters.index(letter) for letter in node.attr]
        if max(wanted) >= whole.shape[-1]:
            raise _wrong(node, f"a value of {whole.shape[-1]} components has no .{node.attr}")
        return whole[..., wanted]

    def _call(self, node: ast.Call) -> Any:
        assert isinstance(node.func, ast.Name)
        return self._together(node, FUNCTIONS[node.func.id][1], *map(self.value, node.args))

    def _binop(self, node: ast.BinOp) -> Any:
        return self._together(node, BINARY[type(node.op)], self.value(node.left), self.value(node.right))

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        return UNARY[type(node.op)](self.value(node.operand))

    def _boolop(self, node: ast.BoolOp) -> Any:
        both = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        return reduce(lambda a, b: self._together(node, both, a, b), map(self.value, node.values))

    def _compare(self, node: ast.Compare) -> Any:
        values = [self.value(part) for part in (node.left, *node.comparators)]
        found = [
            self._together(node, COMPARED[type(op)], a, b) for op, a, b in zip(node.ops, values[:-1], values[1:], strict=True)
        ]
        return reduce(np.logical_and, found)

    def _ifexp(self, node: ast.IfExp) -> Any:
        parts = (self.value(node.test), self.value(node.body), self.value(node.orelse))
        return self._together(node, FUNCTIONS["where"][1], *parts)

    def _tuple(self, node: ast.Tuple) -> Made:
        parts = [self.value(part) for part in node.elts]
        if sum(part.shape[-1] for part in parts) > 4:
            raise _wrong(node, "a value has at most 4 components")
        return np.concatenate([np.broadcast_to(part, (self._pixels, part.shape[-1])) for part in parts], axis=-1)


def _wrong(node: ast.expr, words: str) -> BadInput:
    return BadInput(f"expression: column {node.col_offset + 1}: {words}")
