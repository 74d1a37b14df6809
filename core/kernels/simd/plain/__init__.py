"""The twin of `compiled` in numpy, for NUMBA_DISABLE_JIT=1: the same names and the same bits, and a debugger can step through.

vectors   values of sixteen lanes, colours, their arithmetic
memory    pointers and structures over arrays, lanes as pixels of a block
"""
