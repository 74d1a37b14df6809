"""Inputs of the stages, computed once per draw from the register vector, the bound textures and the shaders.

vertex_state    of the vertex half: matrices, materials, generated coordinates, planes
light_sources   D3DLIGHT8 -> records in eye space
bind            of the pixel half: register vector -> PIXEL_STATE
bind_planes     which attributes are interpolated
bind_stages     texture stage states and textures -> the records of stage_state
bind_plain      which draws go the short way
pixel_program   ps_1_x instructions -> what the interpreter runs
pixel_lookups   which of its lookups take short paths with the textures of a draw
pixel_slots     what both agree on: places in the scratch memory, kinds of instructions
pixel_ranges    results of a pixel program that need no clamp
"""
