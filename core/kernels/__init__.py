"""THE TOOL: Python functions become machine code that works on sixteen lanes at once, lies on disk, and is ready at the start.

It knows nothing of Direct3D.

    jit            the decorators: stage, outlined, allocating, kernel; the one place that configures numba
    cache          where compiled kernels lie on disk, found without numba
    warm_up        all kernels compiled in child processes, then loaded
    compiler       from Python's syntax tree to LLVM's intermediate code
    numba_inside   what is used of numba's inside, and whether it is what it was
    simd           vectors, colours, pointers, structures: compiled, or as plain numpy
"""
