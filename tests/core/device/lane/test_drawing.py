"""Drawing: when pixels appear, what contexts, textures and shaders a draw has, and what a draw cannot be."""

from __future__ import annotations

import struct

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.stream import dp2
from core.spec.enums import HResult
from tests.core.device.drawn import (
    BLUE,
    CONTEXT,
    DEPTH,
    EXPECTED,
    GREEN,
    QUAD,
    RED,
    SCREEN,
    SIZE,
    STRIP,
    TARGET,
    TRIANGLES,
    WHITE,
    Machine,
    box,
    draw_textured,
    quad,
    shader,
    states,
    textured_quad,
    user_memory,
    vertex,
)


def test_a_buffer_may_change_after_the_draw() -> None:
    machine = Machine()
    machine.buffer(40, b"".join(QUAD))
    machine.draw(
        ("SETSTREAMSOURCE", [{"stream": 0, "buffer": 40, "stride": 20}]),
        ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]),
    )
    machine("LockD3DBuffer", handle=40, offset=0, size=0, flags=0)
    machine("UnlockD3DBuffer", {"contents": b"\0" * 80}, handle=40, offset=0)
    assert np.array_equal(machine.picture(), EXPECTED)


def test_a_texture_may_change_between_draws() -> None:
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 4, 4, label="texture")
    machine.fill(20, np.full((4, 4), 0xFF000000 | RED, np.uint32))
    draw_textured(machine, 20, (0, 0, 8, 8))
    machine.fill(20, np.full((4, 4), 0xFF000000 | BLUE, np.uint32))
    draw_textured(machine, 20, (8, 8, 16, 16))
    assert np.array_equal(machine.picture(), box(0, 0, 8, 8, RED) + box(8, 8, 16, 16, BLUE))


def test_drawing_to_a_texture_and_with_it() -> None:
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 16, 16, label="texture")
    machine.draw(
        ("SETRENDERTARGET", [{"render_target": 20, "depth_stencil": 0}]),
        shader(SCREEN),
        user_memory(),
        ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]),
        vertices=b"".join(QUAD),
    )
    machine.draw(("SETRENDERTARGET", [{"render_target": TARGET, "depth_stencil": DEPTH}]))
    draw_textured(machine, 20, (0, 0, 16, 16))
    assert np.array_equal(machine.picture(), EXPECTED)


def test_palette_textures_follow_their_palette() -> None:
    machine = Machine()
    machine.surface(20, "P8", 4, 4, label="texture")
    machine.fill(20, np.full((4, 4), 7, np.uint8))
    for number, (color, area) in enumerate(((RED, (0, 0, 8, 8)), (GREEN, (8, 0, 16, 8)))):
        entry = color >> 16 & 255 | color & 0xFF00 | (color & 255) << 16
        machine.draw(
            ("SETPALETTE", [{"palette": 3, "flags": 0, "surface": 20}]),
            ("UPDATEPALETTE", None, {"palette": 3, "start": 7, "count": 1, "entries": [entry]}),
        )
        draw_textured(machine, 20, area)
        assert number < 2
    assert np.array_equal(machine.picture(), box(0, 0, 8, 8, RED) + box(8, 0, 16, 8, GREEN))


def test_depth_test_against_a_larger_depth_surface() -> None:
    machine = Machine()
    machine.surface(30, "D16", 100, 40, label="depth")
    machine.draw(("SETRENDERTARGET", [{"render_target": TARGET, "depth_stencil": 30}]))
    machine.draw(("CLEAR", [(0, 0, 100, 40)], {"flags": 2, "color": 0, "depth": 1.0, "stencil": 0}))
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(states(ZENABLE=1), user_memory(), token, vertices=b"".join(quad(0, 0, 8, 8, RED, 0.25)))
    machine.draw(token, vertices=b"".join(quad(4, 4, 12, 12, BLUE, 0.5)))
    expected = box(4, 4, 12, 12, BLUE)
    expected[0:8, 0:8] = RED
    assert np.array_equal(machine.picture(), expected)
    depth = machine.driver.read(30)[0].view("<u2")
    assert (depth[0, 0], depth[9, 9], depth[0, 20], depth[39, 99]) == (16384, 32768, 65535, 65535)


def test_a_smaller_target_leaves_the_rest_of_the_depth_surface_alone() -> None:
    """Tiles of both are 64 x 64 pixels, but a row of the one has two and a row of the other three of them."""
    machine = Machine()
    machine.surface(30, "D16", 150, 140, label="depth")
    machine.surface(31, "A8R8G8B8", 100, 90)
    machine.draw(("SETRENDERTARGET", [{"render_target": 31, "depth_stencil": 30}]))
    machine.draw(("CLEAR", [(0, 0, 150, 140)], {"flags": 2, "color": 0, "depth": 1.0, "stencil": 0}))
    viewport = ("VIEWPORTINFO", [{"x": 0, "y": 0, "width": 100, "height": 90}])
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(viewport, states(ZENABLE=1), user_memory(), token, vertices=b"".join(quad(50, 60, 200, 200, RED, 0.25)))
    machine.draw(token, vertices=b"".join(quad(20, 30, 80, 70, BLUE, 0.5)))
    expected = np.full((140, 150), 65535)
    expected[30:70, 20:80] = 32768
    expected[60:90, 50:100] = 16384
    assert np.array_equal(machine.driver.read(30)[0].view("<u2"), expected)


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    pictures = []
    for threads in (1, 3):
        machine = Machine()
        machine.driver.device.threads = threads
        rng = np.random.default_rng(3)
        machine.surface(50, "A8R8G8B8", 300, 200)
        vertices = b"".join(
            vertex(*rng.uniform(-20, 320, 2), int(rng.integers(1 << 24)), float(rng.uniform())) for _ in range(300)
        )
        machine.draw(
            ("SETRENDERTARGET", [{"render_target": 50, "depth_stencil": 0}]),
            states(ALPHABLENDENABLE=1, SRCBLEND=3, DESTBLEND=2),
            ("VIEWPORTINFO", [{"x": 0, "y": 0, "width": 300, "height": 200}]),
            user_memory(),
            ("DRAWPRIMITIVE", [{"type": TRIANGLES, "start": 0, "count": 100}]),
            vertices=vertices,
        )
        pictures.append(machine.picture(50))
    assert np.array_equal(*pictures)
    assert pictures[0].any()


def test_a_snapshot_holds_what_was_drawn() -> None:
    machine = Machine()
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(user_memory(), token, vertices=b"".join(QUAD))
    snapshot = machine.driver.snapshot()
    for _ in range(2):
        machine.draw(token, vertices=b"".join(quad(0, 0, 16, 16, BLUE)))
        assert np.array_equal(machine.picture(), box(0, 0, 16, 16, BLUE))
        machine.driver.restore(snapshot)
        assert np.array_equal(machine.picture(), EXPECTED)
    machine.draw(token, vertices=b"".join(quad(0, 0, 2, 2, RED)))
    assert np.array_equal(machine.picture(), EXPECTED + box(0, 0, 2, 2, RED))


def test_constants_of_declaration_and_def_are_loaded_when_set() -> None:
    declaration = struct.pack("<3I4f1I", 0x20000000, 0x40030000, 0x80000000 | 1 << 25 | 5, 1, 2, 3, 4, 0xFFFFFFFF)
    code = struct.pack(
        "<3I4f7I", 0xFFFE0101, 0x51, 0xA00F0007, 5, 6, 7, 8, 1, 0xC00F0000, 0x90E40000, 1, 0xD00F0000, 0xA0E40007, 0xFFFF
    )
    machine = Machine()
    body = struct.pack("<3I", 5, len(declaration), len(code)) + declaration + code
    stream = struct.pack("<BBH", 45, 0, 1) + body
    machine("DrawPrimitives2", {"commands": stream}, context=CONTEXT, command_length=len(stream))
    constants = machine.driver.device.registers.view["vs_const"]
    assert not constants[5].any()
    machine.draw(shader(5))
    assert (constants[5].tolist(), constants[7].tolist()) == ([1, 2, 3, 4], [5, 6, 7, 8])
    machine.draw(("DELETEVERTEXSHADER", [{"shader": 5}]), shader(5))
    assert machine.driver.findings[-1].rule == "bad-handle"


def test_shaders_that_cannot_be_decoded_draw_nothing() -> None:
    machine = Machine()
    stream = struct.pack("<BBH2I3I", 54, 0, 1, 9, 12, 0xFFFF0101, 0x7777, 0xFFFF)
    call = DdiCall("DrawPrimitives2", {"context": CONTEXT, "command_length": len(stream)}, {"commands": stream})
    assert machine.driver.call(call).result == HResult.D3DERR_DRIVERINVALIDCALL  # DX8 DDI: creation fails with the call
    machine.draw(
        ("SETPIXELSHADER", [{"shader": 9}]),
        user_memory(),
        ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]),
        vertices=b"".join(QUAD),
    )
    assert not machine.picture().any()
    assert [finding.rule for finding in machine.driver.findings] == ["bad-shader", "bad-handle", "bad-shader"]


def test_draws_that_cannot_be() -> None:
    machine = Machine()
    draw = {"type": TRIANGLES, "start": 0, "count": 1}
    machine.draw(user_memory(), ("DRAWPRIMITIVE", [{**draw, "type": 7}]), vertices=b"".join(QUAD))
    machine.draw(("DRAWPRIMITIVE", [{**draw, "start": 1 << 30}]), vertices=b"".join(QUAD))
    machine.draw(
        ("SETRENDERTARGET", [{"render_target": 0, "depth_stencil": 0}]), ("DRAWPRIMITIVE", [draw]), vertices=b"".join(QUAD)
    )
    machine.draw(
        ("SETRENDERTARGET", [{"render_target": DEPTH, "depth_stencil": 0}]), ("DRAWPRIMITIVE", [draw]), vertices=b"".join(QUAD)
    )
    assert [finding.rule for finding in machine.driver.findings] == ["bad-draw", "vertex-range", "no-target", "bad-format"]
    assert not machine.picture().any()


def test_a_handle_that_comes_back_names_the_new_surface() -> None:
    machine = Machine()
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(user_memory(), token, vertices=b"".join(QUAD))
    machine("DestroySurface", handle=TARGET)
    machine.surface(TARGET, "A8R8G8B8", SIZE, SIZE)
    machine.draw(token, vertices=b"".join(quad(0, 0, 2, 2, BLUE)))
    assert np.array_equal(machine.picture(), box(0, 0, 2, 2, BLUE))


def test_two_textures_that_were_never_written() -> None:
    """Their contents are alike, their sizes are not."""
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 64, 64)
    machine.surface(21, "X8R8G8B8", 4, 4)
    machine.draw(("CLEAR", [(0, 0, SIZE, SIZE)], {"flags": 1, "color": WHITE, "depth": 0, "stencil": 0}))
    draw_textured(machine, 20, (0, 0, 8, 8))
    draw_textured(machine, 21, (8, 0, 16, 8))
    alpha = machine.driver.read(TARGET)[0].view("<u4") >> 24
    assert (alpha[0, 0], alpha[0, 8], machine.picture()[0, 8], machine.picture()[9, 9]) == (0, 255, 0, WHITE)


def test_execute_buffers_mirror_render_states() -> None:
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 5}, {"state": 22, "value": 2}])
    held = np.arange(256, dtype="<u4").tobytes()
    args = {"context": CONTEXT, "flags": 2, "command_length": len(stream)}
    call = machine("DrawPrimitives2", {"commands": bytes(stream), "states": held}, **args)
    mirror = np.frombuffer(call.data["states"], "<u4")
    assert (mirror[24], mirror[22], mirror[23]) == (5, 2, 23)


def test_a_texture_that_is_the_target_is_told_once() -> None:
    machine = Machine()
    machine.draw(("CLEAR", [(0, 0, SIZE, SIZE)], {"flags": 1, "color": 0xFF000000 | GREEN, "depth": 0, "stencil": 0}))
    for _ in range(2):
        draw_textured(machine, TARGET, (0, 0, 8, 8))
    assert [finding.rule for finding in machine.driver.findings] == ["feedback"]
    assert (machine.picture() == GREEN).all()


def test_the_largest_level_of_a_texture_may_change_between_draws() -> None:
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 4, 4, levels=2)
    machine.fill(20, np.full((4, 4), 0xFF000000 | RED, np.uint32))
    machine.fill(21, np.full((2, 2), 0xFF000000 | BLUE, np.uint32))
    draw_textured(machine, 20, (0, 0, 8, 8))
    machine.draw(("SETTEXLOD", [{"surface": 20, "lod": 1}]))
    machine.draw(("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]), vertices=textured_quad(8, 8, 16, 16), stride=28)
    assert np.array_equal(machine.picture(), box(0, 0, 8, 8, RED) + box(8, 8, 16, 16, BLUE))


def test_contexts_have_states_of_their_own() -> None:
    machine = Machine()
    machine("ContextCreate", context=2, render_target=TARGET, depth_stencil=0, width=SIZE, height=SIZE, windowed=1)
    tokens = [
        ("ZRANGE", [{"min": 0, "max": 1}]),
        shader(SCREEN),
        states(CULLMODE=1, LIGHTING=0, COLORWRITEENABLE=4),
        user_memory(),
    ]
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    stream = bytearray()
    for op, items in [*tokens, token]:
        dp2.emit(stream, op, items)
    vertices = b"".join(quad(0, 0, 4, 4))
    args = {"command_length": len(stream), "vertex_size": 20, "vertex_type": SCREEN, "vertex_length": 4}
    for _ in range(2):
        machine("DrawPrimitives2", {"commands": bytes(stream), "vertices": vertices}, context=2, **args)
        machine.draw(user_memory(), token, vertices=b"".join(quad(8, 8, 12, 12)))
    assert np.array_equal(machine.picture(), box(0, 0, 4, 4, BLUE) + box(8, 8, 12, 12))
