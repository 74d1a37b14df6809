"""The second family of interfaces: DirectDraw, and Direct3D up to 7, which draws on its surfaces.

objects    what addresses name: DirectDraw, surfaces, palettes, clippers; viewports, lights, materials
linking    one object has several addresses: QueryInterface, GetAttachedSurface, Release
formats    DDPIXELFORMAT -> D3DFORMAT
creation   CreateSurface, display modes
making     when the driver is asked for a surface
blits      Blt, BltFast, Flip: copies, fills, and where a frame ends
memory     Lock, Unlock, colour keys
lost       lost surfaces, Restore
queue      driver calls of Blts, flips and locks that the compiled loop read
palettes   palettes of surfaces
device     IDirect3DDevice7: its context, targets, Clear, state
draws      its draws, as tokens of DirectX 7
buffers    vertex buffers, ProcessVertices
lights     lights of Direct3D 6 and 5
viewports  viewports and materials of Direct3D 6 and 5
older      IDirect3DDevice3 and 2: states that are objects, texture handles, draws
older_table  which method does which of their calls
table      which method does which call; the rows are in core.runtime.rows.table7

See docs/design/direct3d7.md.
"""
