"""Shader handles: decodes the code of CREATEVERTEXSHADER and CREATEPIXELSHADER for the device.

Code that cannot be decoded makes a shader without a program: its handle is valid, its draws are skipped.
"""

from __future__ import annotations

import numpy as np

from core.ddi.stream import shader_code
from core.device.device import PixelShader, VertexShader
from core.errors import BadInput
from core.pipeline.draw_state.pixel_program import compile_pixel_program
from core.pipeline.vertex.fetch import compile_declaration
from core.pipeline.vertex.vshader import compile_program
from core.spec.shaders import is_pixel

VERTEX_CONSTANTS, PIXEL_CONSTANTS = 256, 32


def _dwords(octets: np.ndarray) -> np.ndarray:
    """Whole dwords of a byte array, aligned."""
    return np.frombuffer(octets.tobytes(), "<u4", len(octets) // 4)


def _defined(code: shader_code.Shader, limit: int) -> list[tuple[int, np.ndarray]]:
    """What DEF instructions set: (register, four dwords)."""
    found = shader_code.constants(code)
    return [(number, np.array(values, "<f4").view("<u4")) for number, values in found.items() if number < limit]


def vertex_shader(declaration: np.ndarray, code: np.ndarray) -> VertexShader:
    """Declaration tokens and code (may be empty: fixed function with a declaration) as bytes."""
    shader = VertexShader(None, None, [], {"declaration": declaration.tobytes(), "code": code.tobytes(), "errors": []})
    try:
        shader.declaration = compile_declaration(_dwords(declaration), len(code) > 0)
        for first, values in shader.declaration.constants:
            kept = np.ascontiguousarray(values[: max(VERTEX_CONSTANTS - first, 0)])
            shader.constants.append((first, kept.reshape(-1).view("<u4")))
        if len(code):
            decoded = shader_code.decode(_dwords(code))
            if is_pixel(decoded.version):
                raise BadInput(f"{decoded.name} code for a vertex shader")
            shader.program = compile_program(shader_code.program(decoded))
            shader.constants += _defined(decoded, VERTEX_CONSTANTS)
    except BadInput as error:
        shader.declaration = None
        shader.facts["errors"].append(str(error))
    return shader


def pixel_shader(code: np.ndarray) -> PixelShader:
    """Code as bytes."""
    shader = PixelShader(None, [], {"code": code.tobytes(), "errors": []})
    try:
        decoded = shader_code.decode(_dwords(code))
        if not is_pixel(decoded.version):
            raise BadInput(f"{decoded.name} code for a pixel shader")
        shader.program = compile_pixel_program(shader_code.program(decoded), decoded.version)
        shader.constants = _defined(decoded, PIXEL_CONSTANTS)
    except BadInput as error:
        shader.facts["errors"].append(str(error))
    return shader
