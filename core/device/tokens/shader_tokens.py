"""Shader tokens: create, delete, make current."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.device.device import CommandBuffer, Device
from core.device.registers.records import fields, payload
from core.spec import slots
from core.spec.tokens import Op


def create_vertex_shader(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """CREATEVERTEXSHADER {handle, declaration size, code size} declaration, code."""
    handle, declaration_size, code_size = fields(stream, record)
    declaration = payload(stream, record, declaration_size)
    code = payload(stream, record, code_size, declaration_size)
    shader = device.decode_vertex_shader(declaration, code)
    for text in shader.facts.get("errors", ()):
        device.find("bad-shader", seq, f"vertex shader {handle:#x}: {text}", int(record["offset"]))
    device.context.vertex_shaders[handle] = shader


def create_pixel_shader(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """CREATEPIXELSHADER {handle, code size} code."""
    handle, code_size = fields(stream, record)
    shader = device.decode_pixel_shader(payload(stream, record, code_size))
    for text in shader.facts.get("errors", ()):
        device.find("bad-shader", seq, f"pixel shader {handle:#x}: {text}", int(record["offset"]))
    device.context.pixel_shaders[handle] = shader


def delete_shader(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """DELETEVERTEXSHADER, DELETEPIXELSHADER."""
    handle = fields(stream, record).shader
    vertex = record["op"] == Op["DELETEVERTEXSHADER"]
    shaders = device.context.vertex_shaders if vertex else device.context.pixel_shaders
    if shaders.pop(handle, None) is None:
        device.find("bad-handle", seq, f"no shader {handle:#x}", int(record["offset"]))


def set_vertex_shader(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """SETVERTEXSHADER with a handle, whose constants are loaded, or with 0, which also unbinds all streams."""
    handle = fields(stream, record).shader
    registers = device.registers
    registers.write(slots.VERTEX_SHADER, handle, seq)
    if handle == 0:
        registers.write(slots.STREAM, np.zeros(3 * slots.STREAMS, np.uint32), seq)
        return
    shader = device.context.vertex_shaders.get(handle)
    if shader is None:
        device.find("bad-handle", seq, f"no vertex shader {handle:#x}", int(record["offset"]))
        return
    for number, values in shader.constants:
        registers.write(slots.VS_CONST + 4 * number, values, seq)


def set_pixel_shader(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """SETPIXELSHADER with a handle, whose constants are loaded."""
    handle = fields(stream, record).shader
    device.registers.write(slots.PIXEL_SHADER, handle, seq)
    shader = device.context.pixel_shaders.get(handle)
    if shader is None:
        device.find("bad-handle", seq, f"no pixel shader {handle:#x}", int(record["offset"]))
        return
    for number, values in shader.constants:
        device.registers.write(slots.PS_CONST + 4 * number, values, seq)
