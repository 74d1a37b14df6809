"""Inputs and results of draws.

vertices    its vertices as grids: in the streams, assembled, on the screen
elements    which vertices in order the primitives have
streams     the memory it reads: streams as declared, indices with what they select (Streams)
primitives  its primitives: what clipping and culling left of each
counts      the fates of the primitives and fragments of all draws, frame by frame
"""
