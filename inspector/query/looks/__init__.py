"""What surfaces look like.

look        a subresource after an event, before it, or only what the event changed (Look)
wires       the edges of the primitives of a draw, on the screen (WireFrame)
stored      packed pixels as numbers, in each channel's own range
drawn       a frame while it is drawn, draw by draw or primitive by primitive (Drawn)
thumbnails  an image with few pixels, made from few (Thumbnail)
"""
