"""The compiler of pipeline functions: from Python's syntax tree to LLVM's intermediate code, in one walk.

numba compiles the entry points (`jit.kernel`); what they call (`jit.stage`, `jit.outlined`) is compiled here, three to four
times faster and to less code.  Every type and every operation is numba's own, so a stage means what it would mean to numba;
only what lies between operations is ours: names, branches, loops, calls.

    values        what an expression can be while it is compiled
    operations    numba's types and code for operators, attributes, items and functions, looked up once per types
    source        the syntax tree of a function, and which names are still needed where
    blocks        basic blocks, and values where they meet
    expressions   expressions and conditions
    statements    statements and loops
    stage         a stage as numba's kernels see it
    library       what a kernel is linked from

The language: assignment (also to attributes, items, tuples, and in place), if, while, for over range() or over a tuple that is
written out, break, continue, return; names, numbers, tuples, attributes, items, operators, comparisons, conditional
expressions, calls with positional arguments.  Not: exceptions, functions inside functions, comprehensions, keyword arguments,
default values, recursion.  As for numba, a variable has one type at every place, where branches meet the one that both
convert to.
"""
