"""The stages of the pipeline, in the order a primitive meets them.

A stage's name is spelled once: it is the column in the state rows, the file in core/pipeline, the group in the state table,
the reason a fragment stopped, and the test file.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """`name` as everywhere; `title` for people; `module` holds it ("" = nothing computes it)."""

    name: str
    title: str
    module: str


STAGES = (
    Stage("fetch", "Vertex fetch", "core.pipeline.vertex.fetch"),
    Stage("patch", "Patches", "core.pipeline.vertex.patch"),
    Stage("transform", "Transform", "core.pipeline.vertex.transform"),
    Stage("light", "Lighting", "core.pipeline.vertex.light"),
    Stage("texgen", "Texture coordinates", "core.pipeline.vertex.texgen"),
    Stage("vshader", "Vertex shader", "core.pipeline.vertex.vshader"),
    Stage("clip", "Clipping and viewport", "core.pipeline.vertex.clip"),
    Stage("setup", "Primitive setup", "core.pipeline.pixel.setup"),
    Stage("coverage", "Coverage", "core.pipeline.pixel.coverage"),
    Stage("sample", "Texture sampling", "core.pipeline.pixel.sample"),
    Stage("combine", "Texture stages", "core.pipeline.pixel.combine"),
    Stage("pshader", "Pixel shader", "core.pipeline.pixel.pshader"),
    Stage("fog", "Fog", "core.pipeline.pixel.fog"),
    Stage("alpha_test", "Alpha test", "core.pipeline.pixel.alpha_test"),
    Stage("stencil_test", "Stencil test", "core.pipeline.pixel.stencil_test"),
    Stage("depth_test", "Depth test", "core.pipeline.pixel.depth_test"),
    Stage("blend", "Blending", "core.pipeline.pixel.blend"),
    Stage("output", "Output", "core.pipeline.pixel.output"),
    Stage("resolve", "Resolve", "core.pipeline.surface.resolve"),
    Stage("scene", "Scene", ""),
)

STAGE_NAMES = tuple(stage.name for stage in STAGES)
