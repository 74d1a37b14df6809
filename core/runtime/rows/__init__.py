"""Frequent calls: the token of each in one table, and the loop that applies it.

table     the rows
table7    those of Direct3D 7
words     the words of a token, from a call's arguments
layout    what the compiled loop and Python share
convert   the loop
commands  the command buffer under construction
verdicts  the outcome of a call
"""
