"""Effects of tokens: one function per token that does more than write a register.

operations     the table: each token that is more than writing state
shader_tokens  shaders are created, deleted, made current
copies         TEXBLT, VOLUMEBLT, BUFFERBLT, CLEAR
stateset       recorded and captured sets of states
draw_tokens    draw tokens, from a record to the arguments of a draw
draw_checks    rules that need the contents of buffers
patches        DRAWRECTPATCH and DRAWTRIPATCH
"""
