"""Fuzzing: random input by the thousand under an allocator that catches every access outside of a block.

harness      runs the cases of one target in a child process that may die; counts, and says which seeds died
guard        builds the allocator (guard.c), asks it for failures, and makes the project's own arenas exact
dp2          tokens, states and draws, and driver entries
shaders      code of vertex and pixel shaders, created and drawn with
traces       API traces whose bytes are changed before they are packed, or after
recordings   recordings of drivers, with checksums that are right

    python -m tests.fuzz.dp2 --seconds 600 --seed 0 [--mode over|under|plain] [--fail 20]

`--fail N`: one of N larger allocations is refused.  `--count 1 --seed S` runs one case again.
"""
