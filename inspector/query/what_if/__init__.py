"""The capture as it would be with other tokens, states, textures or shaders.

    what_if     a set of edits as a question, as text and as JSON (WhatIf)
    edits       what can be edited
    planning    from edits to what the replay does otherwise
    repainting  another picture in a surface
"""
