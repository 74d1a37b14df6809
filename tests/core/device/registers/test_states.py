"""The compiled state loop against a plain interpretation written from the token rows and the documents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.stream import dp2
from core.device.registers.vector import Registers, WriteLog
from core.spec.slots import LIGHT_FIELDS, SLOTS, slot
from core.spec.tokens import Op

WORD = st.integers(0, 0xFFFFFFFF)
FLOATS = st.lists(st.floats(-4, 4, width=32), min_size=16, max_size=16)


def run(stream: bytearray, registers: Registers | None = None, first_seq: int = 0) -> tuple[Registers, int, int]:
    """(registers, records done, records there)."""
    registers = registers or Registers()
    commands = np.frombuffer(bytes(stream), np.uint8).copy()
    records = dp2.scan(commands).records
    return registers, registers.walk(commands, records, 0, len(records), first_seq), len(records)


def words(registers: Registers, key: object, count: int = 1) -> list[int]:
    first = slot(key)
    return registers.vector[first : first + count].tolist()


def floats(registers: Registers, key: object, count: int) -> list[float]:
    first = slot(key)
    return registers.vector[first : first + count].view(np.float32).tolist()


# ---- the interpretation: one dictionary, one branch per token, Python numbers ---------------------------------


def interpret(tokens: list[tuple[str, dict]]) -> dict[int, int]:
    """Slot -> value after the tokens, for slots that were written."""
    state: dict[int, int] = {}

    def put(key: object, values: list[int]) -> None:
        for n, value in enumerate(values):
            state[slot(key) + n] = value

    for op, fields in tokens:
        if op == "RENDERSTATE":
            state[slot("FILLMODE") - 8 + fields["state"]] = fields["value"]
            if fields["state"] == 62:
                put("SCENE", [fields["value"]])
        elif op == "TEXTURESTAGESTATE":
            state[slot(("TEXTURESTAGE", fields["stage"], "COLOROP")) - 1 + fields["state"]] = fields["value"]
        elif op == "VIEWPORTINFO":
            put(("VIEWPORT", "X"), [fields[name] for name in ("x", "y", "width", "height")])
        elif op == "SETSTREAMSOURCE":
            put(("STREAM", fields["stream"], "handle"), [fields["buffer"], fields["stride"], 0])
        elif op == "SETSTREAMSOURCEUM":
            put(("STREAM", fields["stream"], "handle"), [0, fields["stride"], 1])
        elif op == "SETINDICES":
            put("INDICES", [fields["buffer"], fields["stride"]])
        elif op == "SETTRANSFORM":
            put(("TRANSFORM", fields["name"]), np.array(fields["matrix"], np.float32).view(np.uint32).tolist())
        elif op == "SETCLIPPLANE":
            put(("CLIPPLANE", fields["index"]), np.array(fields["plane"], np.float32).view(np.uint32).tolist())
    return state


TRANSFORMS = {
    2: "VIEW",
    3: "PROJECTION",
    1: "WORLD0",
    4: "WORLD1",
    6: "WORLD3",
    16: "TEXTURE0",
    23: "TEXTURE7",
    256: "WORLD0",
    511: "WORLD255",
}
PLAIN_STATES = [n for n in range(256) if n not in (1, 3, 5, 6, 17, 18, 21, 43, 44, 45, 46, 49, 169)]

TOKEN = st.one_of(
    st.builds(lambda s, v: ("RENDERSTATE", {"state": s, "value": v}), st.sampled_from(PLAIN_STATES), WORD),
    st.builds(
        lambda i, s, v: ("TEXTURESTAGESTATE", {"stage": i, "state": s, "value": v}),
        st.integers(0, 7),
        st.sampled_from([n for n in range(29) if n != 12]),
        WORD,
    ),
    st.builds(lambda x, y, w, h: ("VIEWPORTINFO", {"x": x, "y": y, "width": w, "height": h}), WORD, WORD, WORD, WORD),
    st.builds(lambda i, b, s: ("SETSTREAMSOURCE", {"stream": i, "buffer": b, "stride": s}), st.integers(0, 15), WORD, WORD),
    st.builds(lambda i, s: ("SETSTREAMSOURCEUM", {"stream": i, "stride": s}), st.integers(0, 15), WORD),
    st.builds(lambda b, s: ("SETINDICES", {"buffer": b, "stride": s}), WORD, WORD),
    st.builds(
        lambda t, m: ("SETTRANSFORM", {"type": t, "name": TRANSFORMS[t], "matrix": m}),
        st.sampled_from(sorted(TRANSFORMS)),
        FLOATS,
    ),
    st.builds(lambda i, m: ("SETCLIPPLANE", {"index": i, "plane": m[:4]}), st.integers(0, 31), FLOATS),
)


def emit(tokens: list[tuple[str, dict]]) -> bytearray:
    stream = bytearray()
    for op, fields in tokens:
        dp2.emit(stream, op, [{name: value for name, value in fields.items() if name != "name"}])
    return stream


@settings(max_examples=60, deadline=None)
@given(st.lists(TOKEN, max_size=12))
def test_state_tokens_as_interpreted(tokens: list[tuple[str, dict]]) -> None:
    registers, done, there = run(emit(tokens))
    assert done == there
    before = Registers().vector[:SLOTS]
    expected = before.copy()
    for at, value in interpret(tokens).items():
        expected[at] = value
    assert np.array_equal(registers.vector[:SLOTS], expected)


@settings(max_examples=30, deadline=None)
@given(st.lists(TOKEN, max_size=12), st.integers(0, 1000))
def test_replaying_the_log_gives_the_vector(tokens: list[tuple[str, dict]], first: int) -> None:
    logged = Registers()
    logged.log = WriteLog(8)  # too small: must grow and go on
    registers, done, there = run(emit(tokens), logged, first)
    assert done == there
    vector = Registers().vector
    keys = registers.log.keys.tolist()
    for key, value in zip(keys, registers.log.values, strict=True):
        vector[key >> 32] = value
    assert np.array_equal(vector, registers.vector)
    events = [key & 0xFFFFFFFF for key in keys]
    assert events == sorted(events)
    assert all(first <= event < first + there for event in events)


def test_multiply_transform_puts_the_given_matrix_in_front() -> None:
    # Scaling by 2 in front of a translation: v * S * T keeps the translation as it was.
    translation = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]
    scaling = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]
    stream = bytearray()
    dp2.emit(stream, "SETTRANSFORM", [{"type": 256, "matrix": translation}])
    dp2.emit(stream, "MULTIPLYTRANSFORM", [{"type": 256, "matrix": scaling}])
    registers, *_ = run(stream)
    assert floats(registers, ("TRANSFORM", "WORLD0"), 16) == [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]


def test_material_zrange_winfo() -> None:
    stream = bytearray()
    dp2.emit(
        stream,
        "SETMATERIAL",
        [
            {
                "diffuse": (1, 2, 3, 4),
                "ambient": (5, 6, 7, 8),
                "specular": (9, 10, 11, 12),
                "emissive": (13, 14, 15, 16),
                "power": 17,
            }
        ],
    )
    dp2.emit(stream, "ZRANGE", [{"min": 0.25, "max": 0.75}])
    dp2.emit(stream, "WINFO", [{"near": 2, "far": 9}])
    registers, *_ = run(stream)
    assert floats(registers, ("MATERIAL", "Diffuse"), 17) == list(range(1, 18))
    assert floats(registers, ("VIEWPORT", "MinZ"), 2) == [0.25, 0.75]
    assert floats(registers, ("WINFO", "Near"), 2) == [2, 9]


def test_lights_get_slots_in_the_order_of_the_stream() -> None:
    registers = Registers()
    first = registers.create_light(7, 0)
    second = registers.create_light(2, 1)
    assert (first, second) == (SLOTS, SLOTS + 27)
    light = dict.fromkeys(("type", "range", "falloff", "attenuation0", "attenuation1", "attenuation2", "theta", "phi"), 1)
    light |= {
        "diffuse": (0.5, 0, 0, 1),
        "specular": (0,) * 4,
        "ambient": (0,) * 4,
        "position": (1, 2, 3),
        "direction": (0, 0, 1),
    }
    stream = bytearray()
    dp2.emit(
        stream,
        "SETLIGHT",
        [{"index": 2, "data": 2, "light": light}, {"index": 7, "data": 0}, {"index": 7, "data": 1}, {"index": 2, "data": 0}],
    )
    _, done, there = run(stream, registers)
    assert done == there == 4
    position = second + LIGHT_FIELDS["Position"].offset
    assert registers.vector[position : position + 3].view(np.float32).tolist() == [1, 2, 3]
    assert [enabled for _, _, enabled in registers.lights()] == [True, False]


@pytest.mark.parametrize(
    ("op", "record"),
    [
        ("RENDERSTATE", {"state": 256, "value": 0}),
        ("RENDERSTATE", {"state": 1, "value": 0}),
        ("TEXTURESTAGESTATE", {"stage": 8, "state": 1, "value": 0}),
        ("TEXTURESTAGESTATE", {"stage": 0, "state": 12, "value": 0}),
        ("SETTRANSFORM", {"type": 7, "matrix": [0] * 16}),
        ("SETTRANSFORM", {"type": 512, "matrix": [0] * 16}),
        ("SETSTREAMSOURCE", {"stream": 16, "buffer": 1, "stride": 4}),
        ("SETCLIPPLANE", {"index": 32, "plane": [0] * 4}),
        ("SETVERTEXSHADERCONST", {"register": 256, "count": 1, "values": [0] * 4}),
        ("SETPIXELSHADERCONST", {"register": 31, "count": 2, "values": [0] * 8}),
        ("SETLIGHT", {"index": 0, "data": 0}),
        ("CREATELIGHT", {"index": 0}),
        ("SETVERTEXSHADER", {"shader": 3}),
        ("SETPIXELSHADER", {"shader": 1}),
        ("DRAWPRIMITIVE", {"type": 4, "start": 0, "count": 1}),
    ],
)
def test_the_loop_stops_before_what_it_does_not_do(op: str, record: dict) -> None:
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 7, "value": 1}])
    dp2.emit(stream, op, [record])
    before = Registers()
    registers, done, there = run(stream)
    assert (done, there) == (1, 2)
    before.vector[slot("ZENABLE")] = 1
    assert np.array_equal(registers.vector[:SLOTS], before.vector[:SLOTS])


def test_constants_up_to_the_last_register() -> None:
    stream = bytearray()
    dp2.emit(stream, "SETVERTEXSHADERCONST", [{"register": 254, "count": 2, "values": [1, 2, 3, 4, 5, 6, 7, 8]}])
    dp2.emit(stream, "SETPIXELSHADERCONST", [{"register": 7, "count": 1, "values": [9, 8, 7, 6]}])
    registers, done, there = run(stream)
    assert done == there == 2
    assert floats(registers, ("VSCONST", 254), 8) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert floats(registers, ("PSCONST", 7), 4) == [9, 8, 7, 6]


def test_recorded_states_take_effect_when_executed() -> None:
    registers = Registers()
    registers.begin_set(5)
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 77}, {"state": 24, "value": 78}])
    run(stream, registers)
    registers.end_set()
    assert words(registers, "ALPHAREF") == [0]
    registers.log = WriteLog()
    registers.apply_set(5, 9)
    assert words(registers, "ALPHAREF") == [78]
    assert registers.log.keys.tolist() == [slot("ALPHAREF") << 32 | 9]
    registers.write(slot("ALPHAREF"), 3, 10)
    registers.capture_set(5)
    registers.write(slot("ALPHAREF"), 4, 11)
    registers.apply_set(5, 12)
    assert words(registers, "ALPHAREF") == [3]


def test_snapshot_and_restore() -> None:
    registers = Registers()
    registers.create_light(1, 0)
    state = registers.snapshot()
    registers.create_light(4, 1)
    registers.write(slot("ALPHAREF"), 3, 2)
    registers.restore(state)
    assert (words(registers, "ALPHAREF"), list(registers.light_slot)) == ([0], [1])
    assert registers.create_light(9, 3) == SLOTS + 27
    assert Op["CREATELIGHT"] == 35
