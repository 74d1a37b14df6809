"""State answers against a device that follows random programs event by event."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import inspector
from core.errors import BadInput
from core.spec.states import RENDER_STATE_ID
from inspector.query.state.places import _wildcard, places_like, spelled
from tests.inspector.following import followed
from tests.inspector.programs import PROGRAM, Step, capture_of, played

KEYS = ("ALPHAREF", ("TRANSFORM", "VIEW"), ("TEXTURESTAGE", 0, "TEXTUREMAP"), "RENDERTARGET", ("LIGHT", 0, "Range"))
FEW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def reads(capture: inspector.Capture, event: int, place) -> bool:
    """Whether an event makes use of a value that is in force."""
    name = capture.name(event)
    by_clear = name == "CLEAR" and place.name in ("Render target", "Depth-stencil surface", "Viewport X", "Viewport Width")
    return bool(capture.events.draw[event]) or by_clear or name == "MULTIPLYTRANSFORM"


@FEW
@given(PROGRAM, st.randoms(use_true_random=False))
def test_every_value_its_writer_and_what_became_of_it(steps: list[Step], chance) -> None:
    with capture_of(steps) as capture:
        vectors, written = followed(capture)
        event = chance.randrange(len(capture.events))
        for value in chance.sample(capture.state(event).rows(), 60):
            place = value.place
            slots = range(place.slot, place.slot + place.count)
            assert value.raw == tuple(vectors[event][slots.start : slots.stop].tolist())
            assert capture.state(event)[place.key].raw == value.raw  # the first few are looked up alone
            writers = [e for e in range(event + 1) if not written[e].isdisjoint(slots)]
            if value.writer is None:
                assert not writers or capture.walked.initial[writers[-1]]
                continue
            assert value.writer == writers[-1]
            before = vectors[value.writer - 1][slots.start : slots.stop]
            assert np.array_equal(np.atleast_1d(value._values.raw(value._row, before=True)), before)
            assert value.redundant == (before.tolist() == list(value.raw))
            later = [e for e in range(event + 1, len(capture.events)) if not written[e].isdisjoint(slots)]
            assert value.following == (later[0] if later else None)
            if place.name != "VIEW":  # MULTIPLYTRANSFORM counts as a use of what it replaces, not of others
                used = range(value.writer + 1, later[0] if later else len(capture.events))
                uses = sum(reads(capture, e, place) for e in used if capture.name(e) != "MULTIPLYTRANSFORM")
                assert value.draws == uses
                assert value.unused == (bool(later) and not uses)


@FEW
@given(PROGRAM)
def test_history_lists_every_write_and_its_values(steps: list[Step]) -> None:
    with capture_of(steps) as capture:
        vectors, written = followed(capture)
        for key in KEYS:
            if key not in capture.state(len(capture.events) - 1):
                continue
            changes = capture.ask(inspector.SlotHistory(key))
            slots = range(changes.place.slot, changes.place.slot + changes.place.count)
            stream = int(np.flatnonzero(capture.events.op)[0])  # before it the context is made
            expected = [e for e in range(stream, len(vectors)) if not written[e].isdisjoint(slots)]
            assert [e for e in changes.event.tolist() if e >= stream] == expected
            for row, e in enumerate(changes.event.tolist()):
                assert changes.words[row].tolist() == vectors[e][slots.start : slots.stop].tolist()
            assert (changes.before[1:] == changes.words[:-1]).all()


def test_a_matrix_that_is_multiplied_was_used(tmp_path: Path) -> None:
    with played(tmp_path / "a.ddicap", [("matrix", (0, 2)), ("matrix", (1, 2)), ("matrix", (0, 1)), ("draw", ())]) as capture:
        changes = capture.ask(inspector.SlotHistory(("TRANSFORM", "VIEW")))
        assert changes.draws.tolist()[-3:] == [1, 0, 1]
        assert changes.unused.tolist()[-3:] == [False, True, False]
        assert changes.value(-2)[0, 0] == 4.0


def test_a_target_that_is_only_cleared_was_used(tmp_path: Path) -> None:
    with played(tmp_path / "a.ddicap", [("target", (0,)), ("clear", ()), ("target", (1,)), ("target", (2,))]) as capture:
        changes = capture.ask(inspector.SlotHistory("RENDERTARGET"))
        assert changes.draws.tolist()[-3:-1] == [1, 0]


def test_columns_are_the_same_as_single_values(room: inspector.Capture) -> None:
    event = int(room.draws[20])
    values = room.ask(inspector.StateAt(event, "combine"))
    state = room.state(event)
    assert len(values) > 40
    for row, place in enumerate(values.places):
        single = state[place.key]
        assert (values.raw(row), values[row].writer) == (single.raw, single.writer)
        assert (values.redundant[row], values.draws[row]) == (single.redundant, single.draws)


def test_keys_can_be_asked_for_by_name(room: inspector.Capture) -> None:
    values = room.ask(inspector.StateAt(900, keys=("ALPHAREF", ("TRANSFORM", "WORLD0"))))
    assert [value.name for value in values] == ["ALPHAREF", "WORLD0"]
    with pytest.raises(BadInput, match="unknown state 'LUNCH'"):
        room.ask(inspector.StateAt(900, keys=("LUNCH",)))


def test_every_key_is_found_by_its_spelling(room: inspector.Capture) -> None:
    lights = room.walked.lights_at(len(room.events))
    places = list(room.state(len(room.events) - 1).places.values())
    spellings = [spelled(place.key) for place in places]
    assert len(set(map(str.casefold, spellings))) == len(spellings)
    assert [places_like(text.lower(), lights) for text in spellings] == [[place] for place in places]
    assert {place.name for place in places_like("fog*", lights)} >= {"FOGENABLE", "FOGCOLOR", "FOGSTART"}
    assert [place.name for place in places_like("tex[1]", lights)] == ["TEXTUREMAP[1]"]
    assert {place.name for place in places_like("rs.*", lights)} == RENDER_STATE_ID.keys()
    assert [place.name for place in places_like("rs.alpharef", lights)] == ["ALPHAREF"]


@given(st.lists(st.sampled_from(["*", "*", "a", "b", ".", "ab"]), max_size=9), st.text("ab.", max_size=9))
def test_stars_stand_for_anything(parts: list[str], name: str) -> None:
    """As by trying every place: the name, or what it has before a dot."""

    def fits(pattern: str, text: str) -> bool:
        if not pattern:
            return not text
        if pattern[0] == "*":
            return any(fits(pattern[1:], text[at:]) for at in range(len(text) + 1))
        return text[:1] == pattern[0] and fits(pattern[1:], text[1:])

    ends = [at for at in range(len(name) + 1) if at == len(name) or name[at] == "."]
    pattern = "".join(parts)
    assert (_wildcard(pattern).fullmatch(name) is not None) == any(fits(pattern, name[:end]) for end in ends)


def test_long_names_end(room: inspector.Capture) -> None:
    """Stars that could each stand for anything took hours; prefixes were a call each."""
    lights = room.walked.lights_at(len(room.events))
    assert places_like("*" * 40 + "a*" * 40 + "?", lights) == []
    assert places_like("rs." * 5000 + "alpharef", lights) == []
