"""Whole surfaces: not drawn to, but cleared, copied, resolved, converted.

clear    fills of rectangles
blit     copies between surfaces in the form of targets and of rows
resolve  samples -> pixels
formats  from and to the bits of every format
"""
