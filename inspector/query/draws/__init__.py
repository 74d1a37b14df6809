"""What a draw drew.

vertices    its vertices as grids: in the streams, assembled, on the screen
primitives  its primitives: what clipping and culling left of each
counts      what became of the primitives and fragments of all draws, frame by frame
"""
