"""The questions, each a frozen dataclass with run(capture) -> Answer; `capture.ask(question)` runs it.

    events      what happened?                  one event in detail, its text, its findings, the outcome of an API call
    state       what is in force, what set it?  at an event; the history of one value; how states are named and read
    objects     what exists, what uses it?      surfaces, buffers, shaders, palettes, lights
    held        what do these hold?             palettes, shaders, state sets, patches, lights, bytes of buffers
    draws       what was drawn?                 vertices and primitives; how many pixels and fragments
    shapes      what shape has a draw?          its points and triangles in space, drawn from anywhere
    looks       what does it look like?         a surface before and after an event, what changed; wireframes
    pixels      what drew this, and how?        the history of a pixel, its inverse, one fragment in full
    steps       how was it computed?            a vertex or a pixel, instruction by instruction
    search      where is ...?                   the filter language over events
    tables      how much, how often?            statistics per capture, frame or draw; SQL
    comparison  what differs, since when?       two sides, two runs; bisecting to the token that made it wrong
    what_if     what would it look like with ...?   edits, and the capture as they make it
    driver      what can the driver do, what did it do with buffers, patches, presentations?

`inspector.QUESTIONS` lists every question with its module.  The packages import each other in one order only (pyproject.toml).
"""
