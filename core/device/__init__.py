"""THE BODY: surfaces and buffers, the register vector, the execution of tokens, and the tap that says what was written.

What there is:

    device         memory, one register vector per context, findings, who listens: state only
    memory         everything a handle can name, and how much there can be
    surfaces       pictures with levels, faces, slices and samples; D3D buffers
    textures       the heap: surfaces in the form the sampler reads
    color_keys     which texels lie within a key
    half_floats    pixels of four 16-bit floats (DXGI)
    registers      the register vector of a context
    stateset       recorded and captured sets of states
    findings       what was done against the rules, as values
    adopt          another device that shares contents until somebody writes

What tokens do:

    execute        the executor: carries records out, each the way it needs
    operations     the table: each token that is more than writing state
    states         tokens that only write state, compiled
    records        where records lie in a command buffer, and their fields
    layout         packed records as Python numbers, by name
    shader_tokens  shaders are created, deleted, made current
    copies         TEXBLT, VOLUMEBLT, BUFFERBLT, CLEAR
    transfer       moving contents, whoever asks: boxes up and down, copies, fills
    draw_tokens    draw tokens, from a record to the arguments of a draw
    patches        DRAWRECTPATCH and DRAWTRIPATCH

Drawing:

    lane           the one way in: what is known is drawn by the loop, the rest in Python
    drawing        from a bound state and a range of vertices to pixels
    bound_state    the pixel half's state of a draw, kept while nothing it is made from changes
    target         the surfaces that a batch of draws goes to
    draw_loop      states and draws in one compiled loop
    draw_facts     what it takes for granted, as one record
    draw_states    the states of draws, bound within it
    known          keeps that record true: learned from draws in Python
    draw_checks    rules that need the contents of buffers

Looking:

    reading        packed pixels, and 8-bit RGBA for people
    tap            who listens to what is written into surfaces
    rewind         everything the memory held at earlier events, from what a tap has logged
    moment         the same just after one event or primitive
    pixel_log      what changed one pixel, in order
    undo           the compiled loops of looking back
"""
