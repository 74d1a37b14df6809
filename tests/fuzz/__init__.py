"""Fuzzing: random input by the thousand under an allocator that catches every access outside of a block.

harness      runs the cases of one target in a child process that may die; counts, and says which seeds died
guard        builds the allocator (guard.c), asks it for failures, and makes the project's own arenas exact
dp2          tokens, states and draws, and driver entries
shaders      code of vertex and pixel shaders, created and drawn with
traces       API traces whose bytes are changed before they are packed, or after
recordings   recordings of drivers, with checksums that are right

inputs       the harnesses below: each takes one input as bytes; what was a defect once is kept in found/ and run again
opened       the captures of the resources
words        texts and values that are likely to go wrong
recipes      captures that were changed: bytes, columns, values of calls, the schema
streams      driver calls as bytes
shown        a window that is watched
captures     `.ddicap` files
commands     the command line
ddraw        calls of DirectDraw and Direct3D 7, 6 and 5, and recorded traces that were changed
exports      every format that is written
filters      the filter language
formats      texels of every format, decoded and encoded, uploaded and copied
lanes        streams carried out fast and slowly, with threads, with a log, in parts, compiled and plain: the same bytes
links        the text of a Focus
notes        notes of captures as pages, and long texts of any kind
patches      rectangles, triangles and N-patches
settings     the window's settings
sql          selects
what_ifs     edits, as files and as texts
windows      the window itself: clicks, keys, drags, wheels, commands, files

    python -m tests.fuzz.dp2 --seconds 600 --seed 0 [--mode over|under|plain] [--fail 20]

    python -m tests.fuzz.filters --seconds 600 --seed 0
    python -m tests.fuzz.filters tests/fuzz/found/filters/3f1c...      one input again
    python -m tests.fuzz.filters --guided -runs=100000                 by coverage,
    with atheris (group "fuzz" of pyproject.toml)
    python -m tests.fuzz.windows --blocks --seed 0 --count 20          what kept the window from answering

How long: the suite runs a few seconds' cases of each harness, always the same ones (`CASES`, `few`), as it must end within
15 minutes on two cores; DDI_FUZZ_SECONDS=60 makes it go on with each for a minute.  Every night CI runs each
for SECONDS_EACH with other seeds (.github/workflows/fuzz.yml); by hand, before a release, for hours.

`--fail N`: one of N larger allocations is refused.  `--count 1 --seed S` runs one case again.
"""
