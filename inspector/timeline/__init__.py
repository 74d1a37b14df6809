"""The timeline: events, last writers, surfaces at any event, replay.

Of the whole tape, without drawing:

    events      one row per record of a token, or per DDI call without a stream
    listing     the events and frames of a tape, call by call
    kept_listing  the listing in a file of the cache, so that the next opening decodes nothing
    kinds       the kind of each event: draw, clear, copy, presentation, state ...
    records     all records of one kind of token in a tape
    frames      the events between two presentations
    walk        one walk over the tape: which event wrote which slot, when lights were created
    quiet       frequent calls, which the walk executes in groups
    states      the state at any event, and its writers
    fates       whether each write changed anything, and whether it was used
    uses        how often draws use each value of state
    lives       surfaces, buffers, shaders, palettes, lights from creation to end
    resources   the bindings of every draw, and everything else that happened to objects
    liveness    draws, clears and copies whose results are never visible
    confined    the events that are needed to draw one rectangle of a surface
    primitives  how many primitives a draw requests
    timeline    all of these together: a tape's events and frames, with the walk and the replay over them
    growing     the timeline of a tape that is still being read
    kept        what the side cache keeps from one opening to the next
    values      its file format: data only

Executing it:

    replay      the device at any event, any moment of a frame
    keyframes   snapshots along the tape
    alike       keyframes made small: equal contents are stored once, and arrays are mapped
    mapped      arrays in a mapped file
    pace        whether reading a keyframe is faster than replaying frames
    logged      a range that was executed with a complete log
    logs        the logged ranges that are kept
    budgets     how much memory and disk these may take
    sharing     which replays share a budget
    memory      what one replay uses of its budget
    held        the memory of several things that share parts
    spare       returns the memory of closed captures to the system
    parts       a call executed event by event
    counters    the fates of every draw's primitives and fragments
    edited      a tape with edits on top: another timeline
    retake      command buffers with changed bytes, and their events
"""
