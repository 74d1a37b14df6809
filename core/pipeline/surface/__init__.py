"""Operations on whole surfaces: clear, copy, resolve, convert.

clear    fills of rectangles
blit     copies between surfaces in the form of targets and of rows
resolve  samples -> pixels
formats  from and to the bits of every format
"""
