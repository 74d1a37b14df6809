"""Starts a program so that a recording d3d8.dll, ours or that of apitrace, records it.

program     what an .exe is: 32-bit or 64-bit, which interfaces it loads
tracer      which DLL fits a program: ours, or apitrace's and where it is
building    our DLL where the installation has none
placing     the DLL beside the program: never over another, always removed
guardian    the process that removes it, whatever happens to this one
session     environment, command, start, stop; the lines for Steam and Lutris
prefix      what a Wine prefix can run
follow      how many calls and frames a trace has that is still written
"""
