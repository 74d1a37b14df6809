"""Speed of texture filters and pixel shaders: eight layers of a 1024 x 1024 rectangle, and of texel decoding.

    python tests/bench/texturing.py [NAME]

Millions of pixels per CPU-second, best of five; one texture of 256 x 256, once or twice a pixel; no depth buffer.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.ddi.stream.shader_assemble import assemble  # noqa: E402
from core.ddi.stream.shader_code import program  # noqa: E402
from core.pipeline.draw_state.bind import bind_pixel_state  # noqa: E402
from core.pipeline.draw_state.pixel_program import compile_pixel_program  # noqa: E402
from core.pipeline.records.layout import describe_target  # noqa: E402
from core.pipeline.records.texture import TextureKind  # noqa: E402
from core.pipeline.surface.formats.texels import decode, describe_texture, texel_words  # noqa: E402
from core.spec.enums import TextureArg, TextureFilter, TextureOp  # noqa: E402
from tests.core.pipeline.raster_kit import BY_NAME, Kit, rectangle, triangles  # noqa: E402

SIZE, TEXELS, LAYERS = 1024, 256, 8
POINT, LINEAR, ANISOTROPIC = TextureFilter.POINT, TextureFilter.LINEAR, TextureFilter.ANISOTROPIC
MODULATED = {"COLOROP": TextureOp.MODULATE, "COLORARG1": TextureArg.TEXTURE, "COLORARG2": TextureArg.CURRENT}
FILTERED = {"MAGFILTER": LINEAR, "MINFILTER": LINEAR}
MIPPED = {**FILTERED, "MIPFILTER": LINEAR}

# name: format of the texture, levels, repetitions of the texture over the rectangle, states of the used stages
SCENES = {
    "no texture": ("A8R8G8B8", 0, 1.0, [{}]),
    "point": ("A8R8G8B8", 1, 4.0, [{}]),
    "bilinear": ("A8R8G8B8", 1, 4.0, [FILTERED]),
    "bilinear, border": ("A8R8G8B8", 1, 4.0, [{**FILTERED, "ADDRESSU": 4, "ADDRESSV": 4}]),
    "2 x bilinear": ("A8R8G8B8", 1, 4.0, [FILTERED, FILTERED]),
    "nearest level": ("A8R8G8B8", 9, 16.0, [{**FILTERED, "MIPFILTER": POINT}]),
    "trilinear": ("A8R8G8B8", 9, 15.0, [MIPPED]),
    "anisotropic 4": ("A8R8G8B8", 9, 15.0, [{**MIPPED, "MINFILTER": ANISOTROPIC, "MAXANISOTROPY": 4}]),
    "signed point": ("V8U8", 1, 4.0, [{}]),
    "signed bilinear": ("V8U8", 1, 4.0, [FILTERED]),
}
SHADERS = {
    "tex, mul": "ps_1_1\ntex t0\nmul r0, t0, v0",
    "2 tex, 4 arithmetic": "ps_1_1\ntex t0\ntex t1\nmul r0, t0, v0\nmad r0.rgb, t1, c0, r0\n+mul r0.a, t0, t1\n"
    "lrp r0, v0, r0, t1",
    "dependent": "ps_1_4\ntexld r0, t0\nphase\ntexld r1, r0\nmul r0, r1, v0",
}


def kit_for(format: str, levels: int, stages: list[dict]) -> Kit:
    each = texel_words(BY_NAME[format])
    sizes = [(TEXELS >> n) ** 2 * each for n in range(max(levels, 1))]
    noise = np.random.default_rng(0).random(sum(sizes)).astype(np.float32).view(np.uint32)
    kit = Kit(SIZE, SIZE, color_format="X8R8G8B8", memory=noise)
    for number, states in enumerate(stages):
        if levels:
            starts = np.cumsum([0, *sizes[:-1]])
            describe_texture(kit.textures[number], TextureKind.PLANE, BY_NAME[format], (TEXELS, TEXELS, 1), starts)
        for name, value in {**MODULATED, **states}.items():
            kit.put(("TEXTURESTAGE", number, name), value)
    return kit


def rate(kit: Kit, repetitions: float, shader: str | None = None) -> float:
    """Mpixels per CPU-second"""
    corners = np.tile(rectangle(0, 0, SIZE, SIZE, diffuse=(0.5, 0.7, 0.9, 1.0)), (LAYERS, 1))
    corners[:, 16:].reshape(-1, 8, 4)[:, :, :2] = corners[:, None, :2] / SIZE * repetitions
    code = assemble(shader) if shader else None
    compiled = compile_pixel_program(program(code), int(code[0])) if code is not None else None
    target, times = describe_target(SIZE, SIZE, BY_NAME["X8R8G8B8"], None), []
    for _ in range(5):
        state = kit.batch.new_state()
        bind_pixel_state(kit.registers, kit.textures, target, kit.batch.states, state, compiled)
        kit.batch.add(corners, triangles(2 * LAYERS), state, 0)
        start = time.process_time()
        kit.run()
        times.append(time.process_time() - start)
    return LAYERS * SIZE * SIZE / min(times) / 1e6


def decoding(name: str) -> float:
    """ms for a megatexel"""
    row = BY_NAME[name]
    data, palette = np.zeros(row.size(SIZE, SIZE), np.uint8), np.zeros(256, np.uint32)
    start = time.process_time()
    decode(row, data, SIZE, SIZE, palette=palette)
    return (time.process_time() - start) * 1e3


def main(wanted: str = "") -> None:
    for name, (format, levels, repetitions, stages) in SCENES.items():
        if wanted in name:
            print(f"{name:24} {rate(kit_for(format, levels, stages), repetitions):8.1f} Mpixel/s", flush=True)
    for name, shader in SHADERS.items():
        if wanted in name:
            print(f"{name:24} {rate(kit_for('A8R8G8B8', 1, [FILTERED] * 2), 4.0, shader):8.1f} Mpixel/s", flush=True)
    for name in ("A8R8G8B8", "R5G6B5", "P8", "DXT1", "DXT5", "V8U8", "YUY2"):
        if wanted in f"decode {name}":
            print(f"decode {name:17} {decoding(name):8.1f} ms for 1024 x 1024", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
