"""Rules that can be broken in several forms: each form is found, and the same done right is not."""

from __future__ import annotations

import struct

import pytest

from core.spec.enums import DdBlt
from tests.core.ddi.rule_bench import BUFFER, INDICES, TEXTURE, Bench
from tests.core.ddi.rule_pairs import OLD_LIST, Act, both, draws, formats, says

SHOW, LAST = int(DdBlt.PRESENTATION), int(DdBlt.PRESENTATION | DdBlt.LAST_PRESENTATION)
BEGUN, ENDED = says("Blt", source=3, flags=SHOW), says("Blt", source=3, flags=LAST)
OLD_DEPTHS = struct.pack("<I8I", 1, 32, 0x400, 0, 16, 0, 0xFFFF, 0, 0)


def buffers(*more: Act) -> Act:
    """After a texture, a vertex buffer and an index buffer were made."""

    def make(b: Bench) -> None:
        b.surface(TEXTURE)
        b.buffer(BUFFER, bytes(64), kind="vertex")
        b.buffer(INDICES, bytes(64), kind="index")

    return both(make, *more)


def old_depths() -> Act:
    return says("GetDriverInfo", data={"reply": OLD_DEPTHS}, guid="ZPixelFormats")


FORMS: list[tuple[str, Act, Act]] = [
    *(
        ("presentation-last", both(BEGUN, says(entry, **args)), both(BEGUN, ENDED, says(entry, **args)))
        for entry, args in (
            ("Flip", {"surface": [1, 2]}), ("Clear2", {"flags": 1}), ("Clear", {"flags": 1}),
            ("Blt", {"source": 4, "flags": 0}), ("DrawPrimitives2", {}),
        )
    ),
    *(
        ("bad-handle", buffers(draws(token, **fields, buffer=wrong)), buffers(draws(token, **fields, buffer=right)))
        for token, fields, right, other in (
            ("SETSTREAMSOURCE", {"stream": 0, "stride": 16}, BUFFER, INDICES), ("SETINDICES", {"stride": 2}, INDICES, BUFFER),
        )
        for wrong in (99, TEXTURE, other)
    ),
    ("bad-handle", buffers(draws("SETINDICES", buffer=99, stride=2)), buffers(draws("SETINDICES", buffer=0, stride=2))),
    ("format-depth-samples", formats(("X8R8G8B8", 8, 0xA0000), ("D16", 0xC0, 0xA)),
     formats(("X8R8G8B8", 8, 0xA0000), ("D16", 0xC0, 0xA0000))),
    ("format-legacy", both(says("GetDriverInfo", data={"reply": bytes(4)}, guid="ZPixelFormats"), formats(("D16", 0xC0, 0))),
     both(old_depths(), formats(("D16", 0xC0, 0)))),
    ("format-unlisted", both(old_depths(), formats(("A8R8G8B8", 1, 0))), both(old_depths(), formats(("D16", 0xC0, 0)))),
    ("format-unlisted", both(says("GetHalInfo", data={"texture_formats": OLD_LIST}), formats(("R5G6B5", 8, 0))),
     both(says("GetHalInfo", data={"texture_formats": OLD_LIST}), formats(("R5G6B5", 9, 0)))),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "breaks", "keeps"), FORMS, ids=[f"{rule}-{n}" for n, (rule, *_) in enumerate(FORMS)])
def test_a_form_of_a_rule(rule: str, breaks: Act, keeps: Act) -> None:
    broken, kept = Bench(), Bench()
    breaks(broken)
    keeps(kept)
    assert rule in broken.rules, broken.rules
    assert rule not in kept.rules, [one.text for one in [*kept.driver.findings, *kept.recorded] if one.rule == rule]


def test_a_recording_may_end_in_mid_present() -> None:
    bench = Bench()
    BEGUN(bench)
    assert [(one.rule, one.seq) for one in bench.check.end(7)] == [("presentation-last", 7)]
    says("Blt", source=3, flags=SHOW)(bench)
    says("Blt", source=3, flags=LAST)(bench)
    assert bench.check.end(9) == []
