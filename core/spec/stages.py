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
    Stage("fetch", "Vertex fetch", "core.pipeline.fetch"),
    Stage("patch", "Patches", "core.pipeline.patch"),
    Stage("transform", "Transform", "core.pipeline.transform"),
    Stage("light", "Lighting", "core.pipeline.light"),
    Stage("texgen", "Texture coordinates", "core.pipeline.texgen"),
    Stage("vshader", "Vertex shader", "core.pipeline.vshader"),
    Stage("clip", "Clipping and viewport", "core.pipeline.clip"),
    Stage("setup", "Primitive setup", "core.pipeline.setup"),
    Stage("coverage", "Coverage", "core.pipeline.coverage"),
    Stage("sample", "Texture sampling", "core.pipeline.sample"),
    Stage("combine", "Texture stages", "core.pipeline.combine"),
    Stage("pshader", "Pixel shader", "core.pipeline.pshader"),
    Stage("fog", "Fog", "core.pipeline.fog"),
    Stage("alpha_test", "Alpha test", "core.pipeline.alpha_test"),
    Stage("stencil_test", "Stencil test", "core.pipeline.stencil_test"),
    Stage("depth_test", "Depth test", "core.pipeline.depth_test"),
    Stage("blend", "Blending", "core.pipeline.blend"),
    Stage("output", "Output", "core.pipeline.output"),
    Stage("resolve", "Resolve", "core.pipeline.resolve"),
    Stage("scene", "Scene", ""),
)

STAGE_NAMES = tuple(stage.name for stage in STAGES)
