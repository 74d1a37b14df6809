"""The Direct3D 8 pipeline as kernels, one file per stage named in `core.spec.stages`.  In the order of a draw:

    geometry.py       the vertex half: one call per draw
      vertex/
      patch.py  npatch.py  input_registers.py       first of all: patches and N-patches become triangles
      vertex_kernel.py  in batches of 64 vertices:
        fetch.py                                    streams -> input registers
        transform.py  light.py  texgen.py           the fixed function, or
        vshader.py                                  a vertex shader
        clip.py                                     view volume, user planes, viewport
        assemble.py  lines.py  points.py            vertices -> triangles, lines and points
    draw.py           the pixel half: its docstring names the files
      pixel/
      setup.py  parts.py  binned.py  raster.py  coverage.py  small.py   primitives -> covered 4x4 blocks of 64x64 tiles
      seam.py  shade.py  plain.py  interpolate.py   one block through all stages, or only those it needs
      observer.py                                   records made on the way
        depth_test.py  stencil_test.py  alpha_test.py
        sample.py  texel_filter.py  address.py      a lookup and its texels
        combine.py  bump.py                         the colour by texture stages, or
        pshader.py  first_lookups.py  pixel_arithmetic.py   by a pixel shader
        fog.py  blend.py  output.py                 blending, then storing into the target
    surface/          whole surfaces
      resolve.py  blit.py  clear.py
      formats/        texels and pixels to and from the bits of every format

    draw_state/       inputs of the stages, computed once per draw from the register vector and the shaders
    records/          data passed between stages: the records, and the arrays that hold them
    observe/          records made while drawing, for later questions: fragments, fates, counts, shapes
    explain/          one pixel or vertex step by step, and why something was not drawn; nothing that draws imports it

Kernels run without bounds checks: the caller has validated every size.
"""
