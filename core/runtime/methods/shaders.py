"""Vertex and pixel shaders: CREATE... and DELETE... tokens, and the constants that a declaration sets."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.rules.shader_check import validate
from core.ddi.stream.shader_code import decode
from core.errors import ShaderError
from core.runtime.context import Shader
from core.runtime.rows.layout import PIXEL_SHADER_KEY, VERTEX_SHADER_KEY
from core.spec.enums import HResult
from core.spec.slots import BASE
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime


def create_vertex_shader(rt: Runtime, this: int, declaration: Any, code: Any, out: Any, usage: int) -> None:
    """CreateVertexShader: the driver compiles it at once, so what was gathered goes first."""
    context = rt.device(this)
    if context is None or not out or declaration is None:
        return
    _validate(rt, code)
    rt.flush()
    words = tuple(declaration)
    shader = Shader(2 * rt.new_number() + 1, words, bytes(code or b""))
    context.vertex_shaders[out[0]] = shader
    rt.bind_key(out[0] | int(VERTEX_SHADER_KEY), shader.handle)
    body = struct.pack(f"<3I{len(words)}I", shader.handle, 4 * len(words), len(shader.code), *words)
    rt.emit_bytes(Op.CREATEVERTEXSHADER, body + shader.code)
    if _is_refused(rt):
        del context.vertex_shaders[out[0]]
        rt.bind_key(out[0] | int(VERTEX_SHADER_KEY), 0)


def create_pixel_shader(rt: Runtime, this: int, code: Any, out: Any) -> None:
    """CreatePixelShader."""
    context = rt.device(this)
    if context is None or not out:
        return
    _validate(rt, code)
    rt.flush()
    shader = Shader(2 * rt.new_number() + 1, (), bytes(code or b""))
    context.pixel_shaders[out[0]] = shader
    rt.bind_key(out[0] | int(PIXEL_SHADER_KEY), shader.handle)
    if int(rt.facts.number("PixelShaderVersion", 0xFFFF)) & 0xFFFF < _version(shader.code):
        rt.reject("the driver has no pixel shaders of this version", HResult.D3DERR_INVALIDCALL)
        return
    rt.emit_bytes(Op.CREATEPIXELSHADER, struct.pack("<2I", shader.handle, len(shader.code)) + shader.code)
    if _is_refused(rt):
        del context.pixel_shaders[out[0]]
        rt.bind_key(out[0] | int(PIXEL_SHADER_KEY), 0)


def _validate(rt: Runtime, code: Any) -> None:
    """What d3d8.dll does not let pass, for scripts (a trace holds what one has let pass); no code at all is the driver's."""
    if not rt.strict or not code:
        return
    try:
        shader = decode(np.frombuffer(bytes(code[: len(code) // 4 * 4]), "<u4"))
    except ShaderError:
        return
    for problem in validate(shader):
        rt.reject(f"dword {problem.dword} of the shader: {problem.sentence}")


def _is_refused(rt: Runtime) -> bool:
    """Sends what was gathered; whether the driver failed the call (DX8 DDI: creation is synchronous)."""
    answer = rt.flush()
    if answer is None or not answer.result & 0x80000000:
        return False
    rt.reject("the driver refuses the shader", answer.result)
    return True


def _version(code: bytes) -> int:
    """major << 8 | minor of shader code; 0 without."""
    return int.from_bytes(code[:2], "little")


def delete_vertex_shader(rt: Runtime, this: int, handle: int) -> None:
    """DeleteVertexShader: the current one becomes none."""
    context = rt.device(this)
    shader = context.vertex_shaders.pop(handle, None) if context else None
    if context is None or shader is None:
        rt.reject(f"{handle:#x} is not a vertex shader")
        return
    rt.pointers.bind(handle | int(VERTEX_SHADER_KEY), 0)
    if context.registers[BASE["vertex_shader"]] == shader.handle:
        context.registers[BASE["vertex_shader"]] = 0
        rt.emit(Op.SETVERTEXSHADER, shader=0)
    rt.emit(Op.DELETEVERTEXSHADER, shader=shader.handle)


def delete_pixel_shader(rt: Runtime, this: int, handle: int) -> None:
    """DeletePixelShader: the current one becomes none."""
    context = rt.device(this)
    shader = context.pixel_shaders.pop(handle, None) if context else None
    if context is None or shader is None:
        rt.reject(f"{handle:#x} is not a pixel shader")
        return
    rt.pointers.bind(handle | int(PIXEL_SHADER_KEY), 0)
    if context.registers[BASE["pixel_shader"]] == shader.handle:
        context.registers[BASE["pixel_shader"]] = 0
        rt.emit(Op.SETPIXELSHADER, shader=0)
    rt.emit(Op.DELETEPIXELSHADER, shader=shader.handle)


def set_constants(rt: Runtime, name: str, op: int, register: int, count: int, values: Any) -> None:
    """Constants that the row refused (too many, no data)."""
    if values is None or len(values) < 16 * count or (register + count) * 16 > 4096:
        rt.reject(f"constants {register} to {register + count - 1} are out of range or have no values")
        return
    context = rt.context
    assert context is not None
    first = BASE[name] + 4 * register
    context.registers[first : first + 4 * count] = np.frombuffer(bytes(values[: 16 * count]), np.uint32)
    rt.emit_bytes(op, struct.pack("<2I", register, count) + bytes(values[: 16 * count]))


def set_vertex_shader_constant(rt: Runtime, this: int, register: int, values: Any, count: int) -> None:
    """SetVertexShaderConstant that the row refused."""
    if rt.device(this) is not None:
        set_constants(rt, "vs_const", Op.SETVERTEXSHADERCONST, register, count, values)


def set_pixel_shader_constant(rt: Runtime, this: int, register: int, values: Any, count: int) -> None:
    """SetPixelShaderConstant that the row refused."""
    if rt.device(this) is not None:
        set_constants(rt, "ps_const", Op.SETPIXELSHADERCONST, register, count, values)
