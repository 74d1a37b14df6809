"""THE BODY: surfaces and buffers, the register vector, the execution of tokens, and the tap that says what was written.

device    memory, one register vector per context, findings, who listens: state only
execute   the executor: carries records out, each the way it needs
findings  what was done against the rules, as values
memory    what handles name: surfaces, textures, buffers, registers
tokens    what each token does
lane      drawing: from a draw's arguments to a batch of primitives, fast where its like was drawn before
past      looking back: what was written, and everything as it was at an earlier event or primitive
"""
