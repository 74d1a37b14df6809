"""The vertex half, stage by stage: from streams to primitives on the screen.

vertex_kernel    batches of 64 vertices through the stages
fetch            streams -> input registers
input_registers  the input registers of vertices as an array, for tessellation and inspection
patch            rectangle and triangle patches -> triangles
npatch           N-patches -> triangles
transform        world, view, projection, blending, tweening
light            vertex lighting, materials, vertex fog
texgen           generated and transformed texture coordinates
vshader          vs_1_x
clip             view volume, user planes, viewport
assemble         vertices -> triangles
lines            vertices -> lines
points           vertices -> points and sprites
"""
