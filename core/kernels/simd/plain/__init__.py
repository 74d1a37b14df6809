"""The twin of `compiled` in numpy, for NUMBA_DISABLE_JIT=1: the same names and bits, open to a Python debugger.

vectors   values of sixteen lanes, colours, their arithmetic
memory    pointers and structures over arrays, lanes as pixels of a block
"""
