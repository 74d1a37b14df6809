"""The objects behind `core.runtime.d3d8`: interfaces as Python classes.

device8        IDirect3DDevice8
device8_state  its state methods
resources8     textures, surfaces, volumes, buffers, swap chains
interface      what scripted objects share
script         a scripted call as a row of columns
"""
