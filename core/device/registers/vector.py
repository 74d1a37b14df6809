"""The register vector of a context: every dword of device state has a slot.

Slots below SLOTS are those of core.spec.slots.  Beyond, slots are handed out per object (lights, palettes) in the order of the
stream, so that two runs of the same tape number them alike.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from core.device.registers import states
from core.device.registers.states import FAST_LIGHTS, LOG_WORDS, WALK, walk, walk_states
from core.kernels.jit import address_of
from core.spec import slots
from core.spec.slots import DEFAULTS, LIGHT_DEFAULTS, LIGHT_SLOTS, REGISTERS, SLOTS
from core.spec.slots import PALETTE_SLOTS as PALETTE_WORDS

NO_KEYS, NO_VALUES = np.zeros(0, np.uint64), np.zeros(0, np.uint32)
DEFAULT_LIGHT = np.array(LIGHT_DEFAULTS, np.uint32)


@cache
def walk_entry() -> int:
    """Where the loop over state records stands."""
    return address_of(walk, WALK)


class WriteLog:
    """Growing columns of writes: `keys` = slot << 32 | seq, `values`."""

    def __init__(self, room: int = 1 << 16) -> None:
        self._keys, self._values = np.zeros(room, np.uint64), np.zeros(room, np.uint32)
        self.length = 0

    @property
    def keys(self) -> np.ndarray:
        """uint64[n]: slot << 32 | seq, in the order of writing."""
        return self._keys[: self.length]

    @property
    def values(self) -> np.ndarray:
        """uint32[n]: what was written."""
        return self._values[: self.length]

    def grow(self) -> None:
        """Twice the room."""
        self._keys, self._values = self._longer(2 * len(self._keys))  # both or none

    def _longer(self, room: int) -> tuple[np.ndarray, np.ndarray]:
        """Both columns with so much room."""
        keys, values = np.zeros(room, np.uint64), np.zeros(room, np.uint32)  # which takes no time, however long they are
        keys[: self.length], values[: self.length] = self.keys, self.values
        return keys, values

    def append(self, slot: int, seq: int, values: np.ndarray) -> None:
        """Writes of consecutive slots by one event."""
        count = len(values)
        while self.length + count > len(self._values):
            self.grow()
        end = self.length + count
        self._keys[self.length : end] = np.arange(slot, slot + count, dtype=np.uint64) << np.uint64(32) | np.uint64(seq)
        self._values[self.length : end] = values
        self.length = end

    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        """All room, for the kernel."""
        return self._keys, self._values

    def clear(self) -> None:
        """Forgets all writes, keeps the room."""
        self.length = 0


class StateSet:
    """A recorded block of state: slots and their values."""

    def __init__(self, slots: np.ndarray, values: np.ndarray) -> None:
        self.slots, self.values = slots, values


class Registers:
    """The state of one context.

    `vector` uint32[>= SLOTS] is replaced when it grows; `log` collects writes while it is set.
    While a state set is being recorded (`begin_set` to `end_set`), writes go into the set and not into the vector.
    """

    def __init__(self) -> None:
        self.vector: np.ndarray = np.concatenate([DEFAULTS.astype(np.uint32), np.zeros(64 * LIGHT_SLOTS, np.uint32)])
        self.used = SLOTS
        self.light_slot: dict[int, int] = {}
        self.palette_slot: dict[int, int] = {}
        self.sets: dict[int, StateSet] = {}
        self.log: WriteLog | None = None
        self.changes = 0  # counts walks and writes that changed something
        self.fast_lights = np.full(FAST_LIGHTS, -1, np.int32)  # first slots of lights, by number; -1: none
        self.log_words = np.zeros(LOG_WORDS, np.int64)  # as `walk` takes it
        self._recording: tuple[int, np.ndarray, WriteLog | None] | None = None

    # ---- reading
    @property
    def view(self) -> np.void:
        """The fixed slots as one structured scalar of core.spec.slots.REGISTERS (shares memory)."""
        return self.vector[:SLOTS].view(REGISTERS)[0]

    def record(self) -> np.ndarray:
        """The fixed slots as REGISTERS[1] (shares memory)."""
        return self.vector[:SLOTS].view(REGISTERS)

    @property
    def render_target(self) -> int:
        """The handle of the render target, 0 without."""
        return int(self.vector[slots.RENDER_TARGET])

    @property
    def depth_stencil(self) -> int:
        """The handle of the depth surface, 0 without."""
        return int(self.vector[slots.DEPTH_STENCIL])

    @property
    def targets(self) -> tuple[int, int]:
        """The handles of the render target and the depth surface."""
        return self.render_target, self.depth_stencil

    def render_state(self, state: int) -> int:
        """The value of a render state."""
        return int(self.vector[slots.RENDER_STATE + state])

    def texture_stage(self, stage: int, state: int) -> int:
        """The value of a texture stage state; state 0 is the bound texture."""
        return int(self.vector[slots.TEXTURE_STAGE + stage * 32 + state])

    def lights(self) -> list[tuple[int, np.ndarray, bool]]:
        """(number, the 26 dwords of its D3DLIGHT8, enabled) by number."""
        found = []
        for light, slot in sorted(self.light_slot.items()):
            words = self.vector[slot : slot + LIGHT_SLOTS]
            found.append((light, words[:-1], bool(words[-1])))
        return found

    # ---- writing
    def write(self, slot: int, values: int | np.ndarray | list[int], seq: int) -> None:
        """Sets consecutive slots in the name of event `seq`."""
        words = np.atleast_1d(np.asarray(values)).astype(np.uint32, copy=False)
        self.vector[slot : slot + len(words)] = words
        self.changes += 1
        if self.log is not None:
            self.log.append(slot, seq, words)

    def walk(self, commands: np.ndarray, records: np.ndarray, start: int, stop: int, first_seq: int) -> int:
        """Applies state records from `start` on; returns the first that is not done (see walk_states)."""
        while True:
            keys, values = self.log.columns() if self.log is not None else (NO_KEYS, NO_VALUES)
            self.log_words[0] = self.log.length if self.log is not None else 0
            done = walk_states(
                walk_entry(), self.vector, self.fast_lights, commands, records, start, stop, first_seq, keys, values,
                self.log_words, states.TABLE,
            )  # fmt: skip
            self.changes += done > start
            if self.log is None:
                return done
            self.log.length = int(self.log_words[0])
            if not self.log_words[1]:
                return done
            self.log.grow()
            start = done

    # ---- numbered slots
    def _hand_out(self, words: int) -> int:
        """The first of this many fresh slots."""
        first, after = self.used, self.used + words
        while after > len(self.vector):
            self.vector = np.concatenate([self.vector, np.zeros_like(self.vector)])
        self.used = after
        return first

    def create_light(self, light: int, seq: int) -> int:
        """The first slot of a light, handed out and set to the default light if it is new."""
        if (slot := self.light_slot.get(light)) is None:
            slot = self.light_slot[light] = self._hand_out(LIGHT_SLOTS)
            if light < FAST_LIGHTS:
                self.fast_lights[light] = slot
            self.write(slot, DEFAULT_LIGHT, seq)
        return slot

    def palette(self, handle: int, seq: int) -> int:
        """The first slot of a palette's 256 entries, handed out if it is new."""
        if (slot := self.palette_slot.get(handle)) is None:
            slot = self.palette_slot[handle] = self._hand_out(PALETTE_WORDS)
            self.write(slot, np.zeros(PALETTE_WORDS, np.uint32), seq)
        return slot

    def key_of(self, slot: int) -> tuple[str, int, int] | None:
        """What a numbered slot belongs to: ("light" | "palette", object, word); None below SLOTS or beyond."""
        for kind, table, words in (("light", self.light_slot, LIGHT_SLOTS), ("palette", self.palette_slot, PALETTE_WORDS)):
            for thing, first in table.items():
                if first <= slot < first + words:
                    return kind, thing, slot - first
        return None

    # ---- state sets
    @property
    def recording(self) -> bool:
        """Between begin_set and end_set."""
        return self._recording is not None

    def begin_set(self, handle: int) -> None:
        """From here on, writes are recorded into a set and not executed."""
        self._recording = (handle, self.vector, self.log)
        self.vector, self.log = self.vector.copy(), WriteLog(1 << 12)

    def end_set(self) -> None:
        """Ends the recording: the set holds the last value of every slot written."""
        assert self._recording is not None and self.log is not None
        handle, vector, log = self._recording
        recorded, grown = self.log, self.vector
        slots = (recorded.keys >> np.uint64(32)).astype(np.int64)
        last = dict(zip(slots.tolist(), recorded.values.tolist(), strict=True))
        if len(grown) > len(vector):
            vector = np.concatenate([vector, np.zeros(len(grown) - len(vector), np.uint32)])
        self.vector, self.log, self._recording = vector, log, None
        self.sets[handle] = StateSet(np.fromiter(last, np.int64, len(last)), np.fromiter(last.values(), np.uint32, len(last)))

    def apply_set(self, handle: int, seq: int) -> None:
        """Writes the values of a set, slot by slot."""
        state_set = self.sets[handle]
        self.vector[state_set.slots] = state_set.values
        self.changes += 1
        if self.log is not None:
            for slot, value in zip(state_set.slots.tolist(), state_set.values, strict=True):
                self.log.append(slot, seq, value[None])

    def capture_set(self, handle: int) -> None:
        """A set's slots take the present values."""
        state_set = self.sets[handle]
        self.sets[handle] = StateSet(state_set.slots, self.vector[state_set.slots].copy())

    # ---- snapshots
    def snapshot(self) -> tuple:
        """Everything as a value (the write log is not part of it)."""
        return (
            self.vector.copy(), self.used, dict(self.light_slot), dict(self.palette_slot), dict(self.sets), self._recording,
            self.log if self._recording else None,
        )  # fmt: skip

    def restore(self, state: tuple) -> None:
        """Takes what `snapshot()` returned."""
        vector, self.used, lights, palettes, sets, self._recording, log = state
        self.vector, self.light_slot, self.palette_slot, self.sets = vector.copy(), dict(lights), dict(palettes), dict(sets)
        self.fast_lights[:] = -1
        for light, slot in self.light_slot.items():
            if light < FAST_LIGHTS:
                self.fast_lights[light] = slot
        if self._recording:
            self.log = log
        self.changes += 1
