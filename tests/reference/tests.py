"""Alpha test, stencil test, depth test, in this order (semantics 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.spec.enums import CmpFunc, StencilOp
from tests.reference.doubt import Doubt
from tests.reference.formats import Channel, Depth, clamp, nearest

States = Mapping[str, int | float]
ALPHA_SLACK = 1 / 16  # of 255, for float32 through three stages


def compare(func: int, left: int, right: int) -> bool:
    match func:
        case CmpFunc.NEVER:
            return False
        case CmpFunc.LESS:
            return left < right
        case CmpFunc.EQUAL:
            return left == right
        case CmpFunc.LESSEQUAL:
            return left <= right
        case CmpFunc.GREATER:
            return left > right
        case CmpFunc.NOTEQUAL:
            return left != right
        case CmpFunc.GREATEREQUAL:
            return left >= right
        case CmpFunc.ALWAYS:
            return True
    raise AssertionError(f"no compare function {func}")


def alpha_test(states: States, alpha: float, doubt: Doubt) -> bool:
    """Alpha, rounded to 8 bits, against the low 8 bits of ALPHAREF."""
    if not states["ALPHATESTENABLE"]:
        return True
    func, reference = int(states["ALPHAFUNC"]), int(states["ALPHAREF"]) & 0xFF
    low, high = (compare(func, nearest(alpha * 255 + off), reference) for off in (-ALPHA_SLACK, ALPHA_SLACK))
    if low != high:
        doubt.reasons.add("alpha test")
    return compare(func, nearest(alpha * 255), reference)


def stencil_op(op: int, stored: int, reference: int, top: int) -> int:
    match op:
        case StencilOp.KEEP:
            return stored
        case StencilOp.ZERO:
            return 0
        case StencilOp.REPLACE:
            return reference & top
        case StencilOp.INCRSAT:
            return min(stored + 1, top)
        case StencilOp.DECRSAT:
            return max(stored - 1, 0)
        case StencilOp.INVERT:
            return ~stored & top
        case StencilOp.INCR:
            return (stored + 1) & top
        case StencilOp.DECR:
            return (stored - 1) & top
    raise AssertionError(f"no stencil operation {op}")


class Tested(NamedTuple):
    """`visible`: colour is written.  depth and stencil: what is stored afterwards."""

    visible: bool
    depth: float
    stencil: int


def depth_slack(channel: Channel, steepness: float) -> float:
    """How far, in steps, float32 may lead from the exact depth.

    A last place (2^-24) for the value itself, and two of the terms that the slopes add, each of which is rounded several times.
    """
    return (1 + 2 * steepness) * channel.top / (1 << 24)


def depth_test(states: States, exact: float, slack: float, stored: int, doubt: Doubt) -> bool:
    """New against stored, all in the buffer's steps; doubtful if the slack decides."""
    if not states["ZENABLE"]:
        return True
    func = int(states["ZFUNC"])
    if len({compare(func, nearest(value), stored) for value in (exact - slack, exact, exact + slack)}) > 1:
        doubt.reasons.add("depth test")
    return compare(func, nearest(exact), stored)


class Stored(NamedTuple):
    """What a pixel of the depth buffer holds."""

    depth: int
    stencil: int


def stencil_and_depth(states: States, buffer: Depth, z: float, steepness: float, stored: Stored, doubt: Doubt) -> Tested:
    """Both tests, and what they leave in the buffer (a new depth not yet rounded)."""
    new_depth, new_stencil, ok = float(stored.depth), stored.stencil, True
    exact, slack = clamp(z) * buffer.depth.top, depth_slack(buffer.depth, steepness)
    depth_ok = depth_test(states, exact, slack, stored.depth, doubt)
    if buffer.stencil is not None and states["STENCILENABLE"]:
        top = buffer.stencil.top
        reference, mask, write = (int(states["STENCIL" + name]) for name in ("REF", "MASK", "WRITEMASK"))
        ok = compare(int(states["STENCILFUNC"]), reference & mask & top, stored.stencil & mask)
        op = states["STENCILPASS" if ok and depth_ok else "STENCILZFAIL" if ok else "STENCILFAIL"]
        value = stencil_op(int(op), stored.stencil, reference, top)
        new_stencil = (stored.stencil & ~write | value & write) & top
    visible = ok and depth_ok
    if visible and states["ZENABLE"] and states["ZWRITEENABLE"]:
        new_depth = exact
    return Tested(visible, new_depth, new_stencil)
