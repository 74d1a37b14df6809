"""Command buffers and their encodings: bytes to records and text, and back.

dp2                 the only decoder and the only encoder of command buffers
dp2_emit            one token appended to a command buffer
dp2_text            records as text, with the place of every byte
state_tokens        the reverse: slots and values -> tokens that set them
shader_code         dwords -> instructions -> the records kernels run
shader_assemble     text -> shader code
shader_text         instructions -> text
vertex_declaration  D3DVSD tokens: decode, print, encode
"""
