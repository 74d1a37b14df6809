"""Records made while drawing, for later questions.  With all of them off, they cost one flag per block.

census     the fates of each draw's primitives and fragments, counted
journal    what it takes to draw a batch again: its primitives, and the tiles that it touched as they were before
shapes     the primitives of draws on their way to the screen (core.pipeline.explain.misses asks)
"""
