"""The runtime: the role of d3d8.dll and ddraw.dll. Direct3D 8, Direct3D 7 and DirectDraw calls in, DDI calls out.

Calls come as columns, whether a trace or a script made them.  They are done in order: frequent ones are rows that one compiled
loop applies, all others are methods.  Nothing here draws, reads files, or knows the tape; what is known about a surface is what
the API reported, not its pixels.

d3d8      Direct3D 8 for scripts: begin here
d3d7      DirectDraw and Direct3D 7 for scripts
runtime   the runtime of one driver: objects, devices, what is bound
context   one device: its registers, its swap chain, its DDI context
objects   what pointers name
loop      from calls to their effects
late      what the loop left for later
dispatch  which calls are done by a row, a method or a drawer
paper     a driver that answers without drawing: imports use it
calls     API calls: columns, values, names of methods and structures
rows      frequent calls, each a row that names the token it becomes
methods   the other calls, by topic
directdraw  those of DirectDraw and Direct3D 7 (docs/design/direct3d7.md)
script    the objects behind `d3d8`
software  in place of a driver's vertex processing
"""
