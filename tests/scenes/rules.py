"""One scene for each rule of the catalogue, in which it is broken: what breaks it comes from tests/core/ddi/rule_pairs.py."""

from __future__ import annotations

from typing import Any

from core.ddi.calls import DdiCall
from core.ddi.rules.answers import AnswerCheck
from core.ddi.rules.facts import DriverFacts
from core.spec.findings import RULES
from tests.core.ddi.rule_bench import CONTEXT, Bench
from tests.core.ddi.rule_pairs import PAIRS
from tests.scenes.kit import Stage, add

OFF_TAPE = ("presentation-conservative",)  # what breaks these is a fact about the driver, which no call tells

NO_TAPE = ("out-of-memory",)  # no tape brings it about


class TapedBench(Bench):
    """A bench whose calls are recorded; answers that a driver is said to have given are recorded as they are."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.driver = stage.driver
        self.facts = DriverFacts()
        self.check = AnswerCheck(self.facts)
        self.recorded = []
        for handle, format, label in ((10, "X8R8G8B8", "render_target"), (11, "D16", "depth")):
            self.surface(handle, format, label=label)
        self("ContextCreate", context=1, render_target=10, depth_stencil=11)

    def __call__(self, entry: str, data: dict[str, Any] | None = None, **args: Any) -> DdiCall:
        return self._stage.recorder.call(DdiCall(entry, args, data or {}))

    def said(self, entry: str, result: int = 0, data: dict[str, Any] | None = None, out: Any = None, **args: Any) -> None:
        super().said(entry, result, data, out, **args)
        self._stage.writer.append(DdiCall(entry, args, data or {}, result, out or {}))
        self._stage.seen.answers = True

    def replayed(self, result: int, commands: bytes, **out: Any) -> DdiCall:
        call = DdiCall("DrawPrimitives2", {"context": CONTEXT}, {"commands": commands}, result, out)
        self._stage.writer.append(call)
        return super().replayed(result, commands, **out)


def _broken(rule: str) -> None:
    profile, breaks, _ = PAIRS[rule]

    def make(stage: Stage) -> None:
        bench = TapedBench(stage)
        breaks(bench)
        stage.finds(*(finding.rule for finding in bench.driver.findings))
        stage.seen.recorded += [finding.rule for finding in bench.recorded if finding.rule not in OFF_TAPE]
        stage.seen.off_tape = rule in OFF_TAPE

    add(f"rules/{rule}", make, f"rule:{rule}", bare=True, profile=profile)


for _rule in RULES.values():
    if _rule.id in PAIRS and _rule.where != "API calls" and _rule.id not in NO_TAPE:
        _broken(_rule.id)
