"""The capture file: schema, append, read, recover; and the recorder, a driver that records its calls.

    TapeWriter(path)            append(call), append_sources(calls, columns), commit(), close()
    Tape(path)                  calls, call_index(), source(n), source_count, pointers, meta, notices, annotations
    MemoryTape()                the same for reading, without a file
    growing.TapeSoFar           what a writer has committed so far
    columns.Column              an array that only grows
    side.SideCache, pages       tables derived from a tape, and how many rows get into them at once
    copy_tape(tape, path)       what can be read of a tape, as a new file
    Recorder(driver, writer)    a Driver in front of a Driver

The file format is documented in `inspector.tape.schema`.  Nothing here knows what a call means.
"""

from inspector.tape.copy import copy_tape
from inspector.tape.memory import MemoryTape
from inspector.tape.reader import Annotation, CallIndex, Tape
from inspector.tape.record import Recorder
from inspector.tape.writer import TapeWriter

__all__ = ["Annotation", "CallIndex", "MemoryTape", "Recorder", "Tape", "TapeWriter", "copy_tape"]
