"""Images of surfaces.

look        a subresource after an event, before it, or only what the event changed (Look)
wires       the edges of the primitives of a draw, on the screen (WireFrame)
stored      packed pixels as numbers, in each channel's own range
values      a subresource as numbers, channel by channel (Values)
tones       which value is black, which white; how often values occur (Histogram)
sheet       all levels, faces and slices at once (Sheet); a volume cut in three directions (Orthoslices)
pair        two of them side by side, wiped, subtracted (Pair)
expression  formulas over pictures: what is allowed, and what it computes
custom      a formula over a surface (Custom); the next texel with a value (FindTexel)
texel       one texel down to its bytes (Texel); the palette of a surface (PaletteOf)
drawn       a frame while it is drawn, draw by draw or primitive by primitive (Drawn)
thumbnails  an image with few pixels, made from few (Thumbnail)
"""
