"""Objects behind handles.

handles      everything a handle can name, and its limits
surfaces     surfaces with levels, faces, slices and samples; D3D buffers
textures     the heap: surfaces in the form the sampler reads
transfer     moving contents: boxes up and down, copies, fills
color_keys   which texels are within a key
half_floats  pixels of four 16-bit floats (DXGI)
"""
