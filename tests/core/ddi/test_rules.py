"""Every rule of the catalogue is broken by one thing and kept by another."""

from __future__ import annotations

import pytest

from core.spec.findings import RULES, SYSTEMS
from tests.core.ddi.rule_bench import Bench
from tests.core.ddi.rule_pairs import PAIRS


def test_every_rule_has_its_pair() -> None:
    assert set(PAIRS) == set(RULES)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_is_broken_and_kept(rule: str) -> None:
    profile, breaks, keeps = PAIRS[rule]
    broken, kept = Bench(profile), Bench(profile)
    breaks(broken)
    keeps(kept)
    assert rule in broken.rules, broken.rules
    assert rule not in kept.rules, [one.text for one in [*kept.driver.findings, *kept.recorded] if one.rule == rule]


def test_rows_are_sentences_with_a_place() -> None:
    for row in RULES.values():
        assert row.sentence.endswith(".") and row.section and row.where and row.severity in ("error", "warning", "note")
        assert row.system in SYSTEMS
