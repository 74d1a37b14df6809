"""Frequent calls: the token of each in one table, and the loop that applies it.

table     the rows
table7    those of Direct3D 7
words     the words of a token, from a call's arguments
old_draws  draws of Direct3D 7, whose tokens have a form of their own
old_blits  Blts, flips and locks of DirectDraw, which wait in a queue
waiting  what is done when the loop has ended
older_calls  texture handles, light states, clears of Direct3D 6 and 5
products  matrices that the runtime multiplies
older_slots  where Direct3D 6 and 5 are held
append    a token of words to the command buffer
layout    what the compiled loop and Python share
convert   the loop
commands  the command buffer under construction
verdicts  the outcome of a call
"""
