"""What of the five specifications is covered by which test: `python -m tests.coverage_matrix` writes docs/coverage.md.

`specifications.json` is the index of the specifications: sections, what they name, and the places of their sentences that say
what must be (a digest and the first words, not the text); `python -m tests.coverage_matrix.extract FOLDER` makes it.
`evidence` finds tests by machine: scenes' subjects, rule pairs, header checks, and names in the text of tests.
`reasons.py` says why something has no test.  The page is generated; a test fails when it is stale or has a gap.
"""
