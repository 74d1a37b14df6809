"""THE LAW: the Direct3D 8 pipeline as kernels, one file per stage named in `core.spec.stages`.

`draw.py` is the table of contents.  Kernels run without bounds checks: whoever calls them has validated every size.
"""
