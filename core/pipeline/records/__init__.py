"""Data passed between stages: the records, and the arrays that hold them.

rows         one batch of vertices: a row of 64 floats per register component
primitives   from the vertex half to the pixel half: vertices on the screen and the primitives made of them
layout       what the pixel half reads: state of the draw, triangles, covered blocks, the target's blocks and tiles
stage_state  texture stages, samplers and pixel programs, as part of that state
texture      a bound texture, as part of a stage
arenas       the arrays of a batch's primitives, passed from one batch to the next
recycle      large arrays whose memory is reused
"""
