"""The compiler of pipeline functions: from Python's syntax tree to LLVM's intermediate code, in one walk.

Stages (`jit.stage`, `jit.outlined`) and kernels (`jit.kernel`), which differ in their callers, are compiled here three to four
times faster than by numba, and to less code.  Every type and every operation is numba's own, so they mean what they would mean
to numba; only what is between operations is ours: names, branches, loops, calls.

    values        what an expression can be while it is compiled
    operations    numba's types and code for operators, attributes, items and functions, looked up once per types
    source        the syntax tree of a function, and which names are still needed where
    blocks        basic blocks, and values where they meet
    expressions   expressions and conditions
    statements    statements and loops
    stage         a stage for some argument types, and as numba's functions see it
    library       what a kernel is linked from
    kernel        a kernel as Python and other kernels see it

The language: assignment (also to attributes, items, tuples, and in place), if, while, for over range() or over a tuple that is
written out, break, continue, return; names, numbers, tuples, attributes, items, slices, operators, comparisons, conditional
expressions, calls with positional arguments.  Not: exceptions, functions inside functions, comprehensions, keyword arguments,
default values, recursion.  As for numba, a variable has one type at every place, where branches meet the one that both
convert to.
"""
