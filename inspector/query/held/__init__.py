"""The contents of buffers, palettes, shaders and other objects that are not surfaces.

things       palettes, shaders, lights, buffers at an event (Palettes, Shaders, Lights, Buffer)
buffer_read  the bytes of a buffer after any event, as a draw declares them (BufferRead); the buffer that an event is about
             (BufferOf)
buffer_table  the same in any format, with what changed since another event (BufferTable)
buffer_versions  everything that wrote a buffer, and who wrote a range of it (BufferVersions)
layouts      how bytes are to be read: "float3 position; d3dcolor color; skip 4"
kept         all that a driver keeps under handles in one list, state sets and patches too (Kept)
"""
