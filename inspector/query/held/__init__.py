"""What do things hold that are no pictures?

things       palettes, shaders, lights, buffers at an event (Palettes, Shaders, Lights, Buffer)
buffer_read  the bytes of a buffer after any event, as a draw declares them (BufferRead)
kept         all that a driver keeps under handles in one list, state sets and patches too (Kept)
"""
