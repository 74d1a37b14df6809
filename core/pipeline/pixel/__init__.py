"""The pixel half, stage by stage: from primitives on the screen to stored pixels.

setup             edges and planes of a primitive
parts             how much of a batch is sorted and drawn at once
binned            primitives sorted into 64x64 tiles
raster            tiles -> covered 4x4 blocks
coverage          which pixels and samples of a block a primitive covers
small             the same for triangles that touch four blocks at most
seam              the queue between raster and stages
shade             one block through the stages
plain             the same for blocks that only need depth and a colour
observer          records made while drawing: the undo log, fragments of one block, fates and overdraw
interpolate       attributes at sixteen pixels
depth_test        D3DRS_ZFUNC
stencil_test      D3DRS_STENCILFUNC and its operations
alpha_test        D3DRS_ALPHAFUNC
sample            texture lookups
texel_filter      the texels of a lookup, weighted
address           texture addressing
combine           the texture stage cascade
bump              bump mapping
pshader           ps_1_x
first_lookups     the lookups that a ps_1_x program begins with
pixel_arithmetic  the instructions of ps_1_x
fog               pixel fog
blend             D3DRS_ALPHABLENDENABLE
output            the rounded colour, stored into the target
"""
