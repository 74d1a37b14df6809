"""Brotli streams, unpacked to where the bytes are wanted.

The Python package copies what it unpacks twice before anybody has it.  Its C decoder writes anywhere: where the package's
extension module exports that (on Linux and macOS), it is called directly; elsewhere there is no `Decoder`.
Source: brotli/decode.h of github.com/google/brotli, whose functions and results have been the same since version 1.0.
"""

from __future__ import annotations

import ctypes
import importlib
from functools import cache
from typing import Any

import brotli
import numpy as np

FAILED, DONE, MORE_INPUT, MORE_ROOM = range(4)  # BrotliDecoderResult
_BYTE = ctypes.c_ubyte


@cache
def _library() -> ctypes.CDLL | None:
    """The extension module as a library of C functions; None where it exports none."""
    try:
        library = ctypes.CDLL(str(importlib.import_module("_brotli").__file__))
        create, destroy = library.BrotliDecoderCreateInstance, library.BrotliDecoderDestroyInstance
        decompress = library.BrotliDecoderDecompressStream
    except (ImportError, OSError, AttributeError):
        return None
    address = ctypes.c_void_p
    create.argtypes, create.restype = [address] * 3, address
    destroy.argtypes, destroy.restype = [address], None
    decompress.argtypes, decompress.restype = [address] * 6, ctypes.c_int
    return library


class Decoder:
    """One stream.  `is_available()` first; `close()` afterwards."""

    def __init__(self) -> None:
        """Raises MemoryError."""
        library = _library()
        assert library is not None
        self._library = library
        self._decompress = library.BrotliDecoderDecompressStream
        self._input = b""
        self._left, self._next = ctypes.c_size_t(), ctypes.c_void_p()
        self._room, self._to = ctypes.c_size_t(), ctypes.c_void_p()
        self._places = [ctypes.addressof(one) for one in (self._left, self._next, self._room, self._to)]
        self._state = library.BrotliDecoderCreateInstance(None, None, None)
        if not self._state:
            raise MemoryError
        self.is_done = False

    @staticmethod
    def is_available() -> bool:
        """Whether the installed package can be used like this."""
        return _library() is not None

    @property
    def left(self) -> int:
        """Bytes of what was given that are not used yet."""
        return self._left.value

    def give(self, data: bytes) -> None:
        """More of the stream, after everything that was given before has been used."""
        assert not self.left
        self._input = data  # which is read as long as any of it is left
        self._left.value = len(data)
        self._next.value = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value

    def fill(self, room: np.ndarray) -> int:
        """Unpacks to the beginning of `room` (uint8): how many bytes.  Fewer than it has where more of the stream is wanted,
        or at its end.

        Raises brotli.error.
        """
        self._room.value, self._to.value = len(room), ctypes.addressof(_BYTE.from_buffer(room.data))
        result = self._decompress(self._state, *self._places, None)
        if result == FAILED:
            raise brotli.error("the decoder failed")
        self.is_done = result == DONE
        return len(room) - self._room.value

    def close(self) -> None:
        """Frees what the decoder holds."""
        state, self._state = self._state, None
        if state:
            self._library.BrotliDecoderDestroyInstance(state)

    def __enter__(self) -> Decoder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
