"""A slow, plain reference of the Direct3D 8 pixel half, written from the specification; the kernels are held against it.

One pixel at a time, Python integers and float64, one topic a file.  Nothing here imports core.pipeline.
"""
