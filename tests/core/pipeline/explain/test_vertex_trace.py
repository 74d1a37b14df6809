"""The vertex shader debugger: every step's sources and results, and the outputs of the draw itself."""

from __future__ import annotations

import numpy as np
import pytest

from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.shader_code import program as decode
from core.pipeline.explain.vertex_trace import trace_vertex
from core.pipeline.vertex.fetch import compile_declaration
from core.pipeline.vertex.vshader import compile_program
from tests.core.pipeline.vertex_kit import Scene

CODE = """vs.1.1
mov a0.x, v1.x
mov r0, c[a0.x + 2]
mad r1.xz, r0, -v0.wzyx, c0.y
m4x4 oPos, v0, c0
add oD0, r1, r0
mov oT3.xy, v1"""


@pytest.fixture
def traced():
    rng = np.random.default_rng(3)
    stream = rng.normal(size=(5, 2, 4)).astype(np.float32)
    stream[:, 1, 0] = np.arange(5) + 0.5
    constants = rng.normal(size=(8, 4)).astype(np.float32)
    scene = Scene().set(("STREAM", 0, "stride"), 32).set("PIXELSHADER", 1).set("POINTSIZE", 7.0)
    for number, value in enumerate(constants):
        scene.set(("VSCONST", number), *map(float, value))
    layout = compile_declaration([1 << 29, 2 << 29 | 3 << 16, 2 << 29 | 3 << 16 | 1, 0xFFFFFFFF], programmable=True)
    program = compile_program(decode(assemble(CODE)))
    return scene, layout, program, stream, constants


def test_steps(traced):
    scene, layout, program, stream, constants = traced
    trace = trace_vertex(scene.vector, layout, program, [stream.view(np.uint8).reshape(-1)], 3)
    v0, v1 = stream[3]
    np.testing.assert_array_equal(trace.inputs[:3], [v0, v1, [0, 0, 0, 1]])
    address, load, mad, transform, color, _ = trace.steps
    assert address["after"][0] == 3 and load["address"] == 3 and address["address"] == 0
    np.testing.assert_array_equal(load["source"][0], constants[5])
    np.testing.assert_array_equal(load["after"], constants[5])
    np.testing.assert_array_equal(mad["source"], [constants[5], -v0[::-1], np.full(4, constants[0, 1])])
    np.testing.assert_array_equal(mad["after"][[1, 3]], mad["before"][[1, 3]])
    np.testing.assert_array_equal(mad["after"][0], constants[5, 0] * -v0[3] + constants[0, 1])
    np.testing.assert_allclose(transform["after"], constants[:4] @ v0, rtol=1e-5)
    np.testing.assert_array_equal(color["after"], mad["after"] + constants[5])
    np.testing.assert_array_equal(trace.outputs[28:32], [v1[0], v1[1], 0, 1])
    assert trace.outputs[13] == 7


def test_every_vertex_ends_as_in_the_draw(traced):
    scene, layout, program, stream, _ = traced
    out = scene.process(layout, [stream], [32], kind=1, count=5, program=program)
    for number in range(5):
        trace = trace_vertex(scene.vector, layout, program, [stream.view(np.uint8).reshape(-1)], number)
        np.testing.assert_array_equal(trace.outputs[:4], out.positions[number])
        np.testing.assert_array_equal(np.clip(trace.outputs[4:8], 0, 1), out.vertices[number, 4:8])
        np.testing.assert_array_equal(trace.outputs[16:], out.vertices[number, 16:])


def test_a_vertex_outside_of_its_stream_is_zeros(traced):
    scene, layout, program, stream, constants = traced
    trace = trace_vertex(scene.vector, layout, program, [stream.view(np.uint8).reshape(-1)], 99)
    assert (trace.inputs[:2] == 0).all()
    np.testing.assert_array_equal(trace.steps[1]["after"], constants[2])
