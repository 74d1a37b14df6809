"""The rule book: tokens, states, structures, formats, calls, shader instructions.

Rows only: data, no behaviour, never numba.

    kinds          what a dword means: as a value, as text, and back
    enums          every enumeration and bit set
    structs        structures of the API and the DDI, as laid out in memory
    calls          the driver's entry points and their arguments
    effects        what events do: their kinds and what they touch
    tokens         the DP2 tokens and what follows each
    states         render states and texture stage states: meaning, values, defaults
    slots          the register vector: every dword of fixed state has a number
    stateblocks    what a state block holds
    stages         the stages of the pipeline, in order
    formats        surface formats: channels, bits, blocks, uses
    subresource    how a part of a surface is named
    pixel_formats  the same as DDPIXELFORMAT
    shaders        shader instructions and registers
    caps           D3DCAPS8 bit by bit
    profiles       what emulated drivers report
    findings       the rules of the interface, one row each
"""
