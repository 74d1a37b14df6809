"""What do things hold that are no pictures?

things      palettes, shaders, lights, buffers at an event (Palettes, Shaders, Lights, Buffer)
kept        all that a driver keeps under handles in one list, state sets and patches too (Kept)
"""
