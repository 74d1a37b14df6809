"""Forms of the runtime's rules: what a trace holds, and what the runtime makes of it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from core.runtime.calls.values import DOUBLE
from core.runtime.d3d8 import D3DLIGHT8, D3DPRESENT_PARAMETERS, Direct3DCreate8
from core.runtime.methods import copies, locks, swapchain
from core.runtime.rows.verdicts import RETRY
from core.runtime.script import script
from core.runtime.software import process_vertices
from tests.core.ddi.rule_bench import Bench
from tests.core.ddi.rule_pairs import Act

PATCH = [0, 0, 4, 4, 4, 0, 3]


def runtime(does: Callable[[Any, Any], Any]) -> Act:
    """`does(runtime, device)`, of a runtime that reads a trace: it reports what is wrong and goes on."""

    def act(b: Bench) -> None:
        device = Direct3DCreate8(b.driver).CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(16, 16))
        made = device._desk.runtime
        made.strict = False
        device.SetRenderState(24, 1)
        made.findings.clear()
        does(made, device)
        b.recorded += [one for _, one in made.findings]

    return act


def unknown_method(known: bool) -> Act:
    signature = SimpleNamespace(name="IDirect3DDevice8::Lunch")
    return runtime(lambda rt, _: rt._loop._do_nothing(SimpleNamespace(signature=lambda i: signature), 0, known))


def light(distance: float) -> Act:
    """A trace whose numbers are doubles, as Direct3D 8 has none."""

    def does(rt: Any, device: Any) -> None:
        with mock.patch.multiple(script, FLOAT=DOUBLE, float_bytes=lambda value: np.float64(value).tobytes()):
            device.SetLight(7, D3DLIGHT8(3, (1, 1, distance, 1)))

    return runtime(does)


def again(rt: Any, device: Any) -> None:
    """A method that always asks for another try."""
    device.ValidateDevice()
    functions = rt._loop._dispatch.functions
    functions.update({number: (lambda *_: RETRY, *rest) for number, (_, *rest) in functions.items()})
    device.ValidateDevice()


def left(contents: np.ndarray | None) -> Act:
    packed, target = np.zeros(1, [("rhw", "<f4")]), SimpleNamespace(contents=contents)
    return runtime(lambda rt, _: process_vertices._leave_others(rt, packed, set(), target, 0))  # type: ignore[arg-type]


REJECTED, MISSING = "runtime-rejected", "runtime-unimplemented"
RUNTIME_FORMS: list[tuple[str, Act, Act]] = [
    (REJECTED, runtime(lambda rt, _: locks.memcpy(rt, 0x10, b"", 4)), runtime(lambda rt, _: None)),
    (REJECTED, runtime(lambda rt, _: swapchain._parameters(rt, [(0, 4)])),
     runtime(lambda rt, _: swapchain._parameters(rt, [(4, 4)]))),
    (REJECTED, runtime(lambda rt, device: copies.draw_rect_patch(rt, device.pointer, 0, [4.0], PATCH)),
     runtime(lambda rt, device: copies.draw_rect_patch(rt, device.pointer, 0, [4.0] * 4, PATCH))),
    (REJECTED, light(1e39), light(1.0)),
    (REJECTED, runtime(again), runtime(lambda _, device: device.ValidateDevice())),
    (MISSING, unknown_method(False), unknown_method(True)),
    (MISSING, left(None), left(np.zeros(4, np.uint8))),
]  # fmt: skip
