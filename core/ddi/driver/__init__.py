"""The emulated driver: one file for each group of entry points.

emulated         driver entries in, results out
arguments        reading the arguments of an entry, checked before a kernel sees them
resources        entries that make, lock, unlock and end surfaces
buffers          the same for D3D buffers
heap             where surfaces and buffers would be: AGP and video memory
draw_primitives  DrawPrimitives2: which vertices and commands, how far they are executed
shaders          handles, and the contents of create tokens
palettes         palettes of DirectDraw
present          Blt, Flip and the questions about them
clock            time on the device
caps             GetHalInfo, GetDriverInfo
legacy_caps      capabilities in the form of DirectX 7
dxgi             the DXGI base functions
dxgi_resources   DXGI resources: contents, places, how they are shown
"""
