"""Looking back: the writes to surfaces, and the device at earlier events.

tap        the listeners to writes into surfaces
reading    packed pixels, and 8-bit RGBA for display
rewind     everything the memory held at earlier events, from what a tap has logged
moment     the same just after one event or primitive
pixel_log  what changed one pixel, in order
undo       the compiled loops of looking back
"""
