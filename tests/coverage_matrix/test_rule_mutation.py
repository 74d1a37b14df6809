"""Every place that tells a rule is needed by a test of that rule, but for those that are listed."""

from __future__ import annotations

from functools import cache

import pytest

from tests.coverage_matrix.rule_mutation import Function, committed, functions, mutants, survivors, totals


@cache
def places() -> dict[str, Function]:
    """Not while tests are collected, which each process does: it reads half of the sources."""
    return {f"{one.path}::{one.name}": one for one in functions()}


@pytest.mark.slow
def test_the_table_names_every_place() -> None:
    assert {line.place: line.note for line in committed() if not line.change} == {
        place: str(sum(1 for _ in mutants(one, False))) for place, one in places().items()
    }


def test_every_place_that_no_test_needs_has_a_reason() -> None:
    left = [line for line in committed() if line.change]
    assert left and all(len(line.note.split()) > 5 for line in left)
    killed, made = totals(committed())
    assert killed >= 0.95 * made


@pytest.mark.parametrize(
    "place", ["core/ddi/rules/watch.py::_viewport", "core/ddi/rules/lock_promises.py::LockPromises._unlocked"]
)
def test_a_rule_that_is_not_told_is_missed(place: str) -> None:
    assert survivors(places()[place]) == (1, [])


@pytest.mark.slow
@pytest.mark.parametrize("place", [line.place for line in committed() if not line.change])
def test_no_other_place_survives(place: str) -> None:
    known = {line.change for line in committed() if line.place == place}
    assert set(survivors(places()[place])[1]) <= known
