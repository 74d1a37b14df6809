"""What tokens do: one function per token that is more than a write to a register.

operations     the table: each token that is more than writing state
states         tokens that only write state, compiled
records        where records are in a command buffer, and their fields
layout         packed records as Python numbers, by name
shader_tokens  shaders are created, deleted, made current
copies         TEXBLT, VOLUMEBLT, BUFFERBLT, CLEAR
draw_tokens    draw tokens, from a record to the arguments of a draw
patches        DRAWRECTPATCH and DRAWTRIPATCH
"""
