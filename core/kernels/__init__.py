"""The kernel compiler: turns Python functions into machine code for sixteen lanes, cached on disk and ready at the start.

It knows nothing of Direct3D.

    jit            the decorators: stage, outlined, allocating, kernel; the one place that configures numba
    entry          calls of kernels from Python at half the cost
    bounds         what a pointer is, and the build that checks every access
    cache          where compiled kernels are cached on disk, found without numba
    warm_up        all kernels compiled in child processes, then loaded
    process        such a process
    compiler       from Python's syntax tree to LLVM's intermediate code
    numba_inside   the internals of numba that are used, and whether they are as expected
    simd           vectors, colours, pointers, structures: compiled, or as plain numpy
"""
