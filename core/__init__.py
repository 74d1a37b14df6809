"""The emulated machine: the rule book, the pixel pipeline, the device, the driver interface and the Direct3D 8 runtime.

numpy and numba only: no Qt, no SQL, no files but those of the user's cache.
Inside: runtime -> ddi -> device -> pipeline -> (spec | kernels), never back.
"""
