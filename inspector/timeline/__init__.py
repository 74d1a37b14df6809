"""The timeline: events, last writers, surfaces at any event, replay.

Of the whole tape, without drawing:

    events      one row per record of a token, or per DDI call without a stream
    listing     the events and frames of a tape, call by call
    kept_listing  that, in a file of the cache: the next opening decodes nothing
    kinds       what kind each is: draw, clear, copy, presentation, state ...
    records     the records of one kind of token, from everywhere in a tape
    frames      what lies between two presentations
    walk        one walk over the tape: which event wrote which slot, when lights were created
    quiet       calls that the walk executes many at a time
    states      state at any event and its writers
    fates       what became of every write: changed anything, was used
    uses        how often state is made use of
    lives       surfaces, buffers, shaders, palettes, lights from creation to end
    resources   every draw's bindings, and everything else that happened to objects
    liveness    draws, clears and copies whose results are never visible
    confined    what it takes to know a rectangle of a surface
    primitives  how many primitives a draw requests
    timeline    all of it together: a tape's events and frames, the walk and the replay over them
    growing     timelines of a tape that is still being read
    kept        what stays in the side cache from one opening to the next
    values      how that is written: data only

Executing it:

    replay      the device at any event, any moment of a frame
    keyframes   snapshots along the tape
    alike       those that are small: what they hold alike is one, their arrays are mapped
    mapped      arrays in a mapped file
    pace        whether reading one is quicker than going over frames
    logged      a range executed once while everything was logged
    logs        those that are kept
    budgets     how much memory and disk that may take
    sharing     which replays share them
    memory      what one replay holds of them
    held        how much memory several things hold together
    spare       memory that closed captures leave, given back
    parts       a call executed event by event
    counters    the fates of every draw's primitives and fragments
    edited      a tape with edits on top: another timeline
    retake      command buffers with changed bytes, and their events
"""
