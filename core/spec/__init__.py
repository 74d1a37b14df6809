"""THE RULE BOOK: tokens, states, structures, formats, calls, shader instructions.

Rows only: data, no behaviour, never numba.
"""
