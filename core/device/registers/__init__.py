"""The register vector of a context, and how the records of a command buffer write to it.

vector   the registers of a context, state sets, the log of writes
states   tokens that only write state, compiled
records  where records are in a command buffer, and their fields
layout   packed records as Python numbers, by name
"""
