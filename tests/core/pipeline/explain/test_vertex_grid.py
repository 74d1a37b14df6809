"""The vertex grid: named inputs, outputs and references of a draw."""

from __future__ import annotations

import numpy as np

from core.pipeline.explain.vertex_grid import inspect_vertices
from core.pipeline.records.primitives import PrimitiveFate
from core.pipeline.vertex.assemble import IndexForm
from core.pipeline.vertex.fetch import compile_declaration, compile_fvf
from core.spec.enums import PrimitiveType
from tests.core.pipeline.vertex_kit import Scene, fvf_of, vertices_of


def test_inputs_by_usage_and_outputs():
    points = np.array([[-0.5, 0, 0.5], [0.5, 0, 0.5], [0, 0.5, 0.5], [0, 0.25, 3]], np.float32)
    vertices = vertices_of(4, position=points, diffuse=[0xFF0000FF, 0xFF00FF00, 0xFFFF0000, 0], tex0=np.arange(8).reshape(4, 2))
    scene = Scene().set(("STREAM", 0, "stride"), vertices.itemsize)
    indices = np.array([1, 2, 3, 1, 2, 3], np.uint16)
    grid = inspect_vertices(
        scene.vector, compile_fvf(fvf_of(vertices.dtype)), streams=[vertices.view(np.uint8)], kind=PrimitiveType.TRIANGLELIST,
        count=2, index_form=IndexForm.WORD, index_memory=indices.view(np.uint8),
    )  # fmt: skip
    assert list(grid.numbers) == [1, 2, 3] and list(grid.references) == [0, 1, 2, 0, 1, 2]
    assert list(grid.inputs) == ["position", "diffuse", "texture 0"]
    np.testing.assert_array_equal(grid.inputs["position"], points[1:])
    np.testing.assert_array_equal(grid.inputs["diffuse"][1], [1, 0, 0, 1])
    np.testing.assert_array_equal(grid.inputs["texture 0"], [[2, 3], [4, 5], [6, 7]])
    np.testing.assert_array_equal(grid.outputs["clip"][2], [0, 0.25, 3, 1])
    np.testing.assert_array_equal(grid.outputs["screen"][0], [480, 240, 0.5])
    assert grid.codes[2] >> (PrimitiveFate.FAR - 1) & 1 and grid.codes[0] == 0
    assert list(grid.fates) == [PrimitiveFate.DRAWN, PrimitiveFate.DRAWN] and grid.elements_outside == 0


def test_shader_inputs_have_register_names():
    layout = compile_declaration([1 << 29, 2 << 29 | 1 << 16 | 5, 0xFFFFFFFF], programmable=True)
    scene = Scene().set(("STREAM", 0, "stride"), 8)
    stream = np.arange(6, dtype=np.float32).view(np.uint8)
    grid = inspect_vertices(scene.vector, layout, streams=[stream], kind=PrimitiveType.POINTLIST, count=4)
    np.testing.assert_array_equal(grid.inputs["v5"], [[0, 1], [2, 3], [4, 5], [0, 0]])
    assert grid.elements_outside == 1


def test_a_draw_of_nothing():
    grid = inspect_vertices(Scene().vector, compile_fvf(2), streams=[None], kind=PrimitiveType.TRIANGLELIST, count=0)
    assert len(grid.numbers) == 0 and grid.inputs["position"].shape == (0, 3)
