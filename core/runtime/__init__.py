"""THE CALLER: d3d8.dll's role. Direct3D 8 API calls in, DDI calls out.

Calls come as columns (columns, events, values), whether a trace or a script (d3d8, device8, resources8, script) made them.
`runtime` does them in order: frequent ones are rows (rows) that one compiled loop applies (convert), all others functions by
topic (methods is their table: swapchain, surfaces, managed, locks, buffers, state, stateblocks, shaders, palettes, copies,
process_vertices).  Tokens gather in one command buffer (commands) that goes to the driver as DrawPrimitives2.  `source` reads a
call back for people.

Nothing here draws, reads files, or knows the tape; what is known about a surface is what the API told, not its pixels.
"""
