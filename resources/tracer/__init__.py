"""A d3d8.dll that records: it passes every call on to the real one and writes it down as apitrace does.

arguments   what each argument of the interfaces is: rows
generate    calls.c of these rows: one function per method
tables      the names and structures in it, of the rule book
build       the DLLs, 32-bit and 64-bit, with mingw-w64: `python -m resources.tracer.build`

values.c    values, into the record of a call
trace.c     calls, and the file that they end up in
snappy.c    how the file is packed
objects.c   what stands in for the program's interface pointers; locked memory
keep.c      what is kept to begin in the middle: how things were made, the state
blocks.c    state blocks
contents.c  what resources hold when recording begins
d3d8.c      the DLL: exports, settings, keys, frames
"""
