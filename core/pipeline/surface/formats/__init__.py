"""Texels and pixels: to and from the bits of every format.  The bits are rows of `core.spec.formats`.

texels         textures in the form the sampler reads; conversion from and to every format
blocks         unpacking DXT1 to DXT5
block_encode   packing them
pixels         sixteen packed words of a render target <-> a Color
"""
