"""Methods for calls without a row, by topic.

table        which method does which call
swapchain    devices, swap chains, render targets, Present
driver_info  what a driver is asked before a device exists
initial      state from register values
surfaces     textures, cubes, volumes, render targets
managed      managed textures and what is dirty
locks        locks, and what the application wrote there
buffers      vertex and index buffers
draws        draws on behalf of a driver that processes no vertices
old_draws    their tokens for drivers of DirectX 7
copies       copies between surfaces, patches
state        lights, multiplied matrices, clears
stateblocks  state blocks
shaders      vertex and pixel shaders
palettes     texture palettes
"""
