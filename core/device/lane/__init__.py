"""Drawing, with one entry point: `lane.DrawLane`.

lane         the one way in: what is known is drawn by the loop, the rest in Python
drawing      from a bound state and a range of vertices to pixels
bound_state  the pixel half's state of a draw, kept while nothing it is made from changes
target       the surfaces that a batch of draws goes to
draw_loop    states and draws in one compiled loop
draw_facts   what that loop assumes, as one record
draw_states  the states of draws, bound within the loop
known        keeps that record true: learned from draws in Python
"""
