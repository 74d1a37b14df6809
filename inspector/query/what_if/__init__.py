"""The capture with other tokens, states, textures or shaders.

what_if     a set of edits as a question, as text and as JSON (WhatIf)
edits       what can be edited: each kind as a value, and presets
parsing     edits as typed
as_json     edits as files keep them
planning    from edits to what the replay does differently
repainting  another image in a surface
"""
