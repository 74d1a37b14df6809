"""One pixel or vertex step by step, and why something was not drawn.  Used afterwards; drawing code never imports it.

vertex_grid    inputs and outputs of each vertex of a draw
fixed_trace    one vertex through the fixed function, stage by stage
vertex_trace   one vertex through a vertex shader, instruction by instruction
redraw         any pixel of a batch that was drawn with a journal, redrawn and watched
pixel_trace    one pixel through the texture stages or a pixel shader
texel_trace    which texels its lookups read
output_trace   what happens to its colour after them: fog, blending, the stored word
misses         primitives that would cover a pixel, were they not culled, clipped or degenerate
"""
