"""Shader handles: decoding what CREATEVERTEXSHADER and CREATEPIXELSHADER bring, for the device."""

from __future__ import annotations

import numpy as np

from core.device.device import PixelShader, VertexShader


def vertex_shader(declaration: np.ndarray, code: np.ndarray) -> VertexShader:
    """Declaration tokens and code as bytes."""
    return VertexShader(None, None, [])


def pixel_shader(code: np.ndarray) -> PixelShader:
    """Code as bytes."""
    return PixelShader(None, [])
