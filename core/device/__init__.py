"""The device: surfaces and buffers, the register vector, the execution of tokens, and the tap that reports writes.

device     memory, one register vector per context, findings, the listeners: state only
execute    the executor: executes records, each in the way it needs
findings   broken rules, as values
adopt      another device that shares contents until one of them writes
memory     what handles name: surfaces, textures, buffers
registers  the register vector of a context, and the compiled walk over records that only write it
tokens     what each token does
lane       drawing: from a draw's arguments to a batch of primitives, fast for draws like earlier ones
past       looking back: what was written, and everything as it was at an earlier event or primitive
"""
