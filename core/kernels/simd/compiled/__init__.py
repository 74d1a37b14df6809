"""LLVM's vectors, pointers and structures as types and operations of numba, for compiled code.

vectors      values of sixteen lanes, colours, their arithmetic
masks        what a mask is in registers, by processor
halves       integers as two 16-bit halves
memory       loads, stores, gathers, calls by address
structures   pointers, and fields of structures as attributes
"""
