"""A driver's capabilities, and whether it is a DirectX 8 driver: of a capture, or of one of our profiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.ddi.rules.facts import DriverFacts
from core.ddi.rules.requirements import (
    FAILED,
    OK,
    Clause,
    caps_problems,
    duplicate,
    format_name,
    format_problems,
    list_problems,
    minimum,
    qualifies,
)
from core.device.findings import Finding, finding
from core.errors import BadInput, unknown
from core.spec.caps import CAPS8
from core.spec.enums import FormatOp, HalInfoFlag
from core.spec.kinds import flags
from core.spec.pixel_formats import PixelFormat, samples_of, seen_by_dx7, seen_by_dx8
from core.spec.profiles import PROFILES
from inspector.progress import Cancel

__all__ = ["FAILED", "OK", "DriverCaps", "DriverReport", "FormatRow"]

if TYPE_CHECKING:
    from inspector.capture import Capture

_OPERATIONS, _HAL = flags(FormatOp), flags(HalInfoFlag)
HIDDEN = 0x6000000  # D3DDEVCAPS_HWVERTEXBUFFER, HWINDEXBUFFER: the runtime keeps them to itself


@dataclass(frozen=True, slots=True)
class CapRow:
    """One dword of D3DCAPS8; `seen`: what an application gets to see of it."""

    name: str
    raw: int
    text: str
    seen: str


@dataclass(frozen=True, slots=True)
class FormatRow:
    """One format: `style` new or old; sample counts when flipping and when copying."""

    index: int
    name: str
    style: str
    operations: str
    flip_samples: tuple[int, ...]
    blt_samples: tuple[int, ...]


@dataclass(frozen=True)
class DriverReport:
    """Everything a driver said; `qualifies` None: not everything is known.  `dx7`, `dx8`: the formats those runtimes use."""

    name: str
    hal_flags: str
    caps: tuple[CapRow, ...]
    formats: tuple[FormatRow, ...]
    legacy: tuple[FormatRow, ...]
    dx8: tuple[str, ...]
    dx7: tuple[str, ...]
    clauses: tuple[Clause, ...]
    qualifies: bool | None
    problems: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        """Whether it is a DirectX 8 driver, in words."""
        if not (self.hal_flags or self.caps or self.formats or self.legacy):
            return "is not known: the capture has none of its answers"
        if self.qualifies is None:
            return "may be a DirectX 8 driver; some of its answers are missing"
        return "qualifies as a DirectX 8 driver" if self.qualifies else "is not a DirectX 8 driver"

    @property
    def sentence(self) -> str:
        """Which driver, and the verdict on it."""
        return f"{self.name[:1].upper()}{self.name[1:]} {self.verdict}"


@dataclass(frozen=True)
class DriverCaps:
    """What the driver of a capture said: DriverCaps(), or of one of our profiles: DriverCaps("minimum")."""

    profile: str = ""

    def run(self, capture: Capture, cancel: Cancel | None = None) -> DriverReport:
        """Raises BadInput for a profile that is none."""
        return profile_report(self.profile) if self.profile else report(facts_of(capture))


def facts_of(capture: Capture) -> DriverFacts:
    """What the tape has of the driver's answers."""
    from core.ddi.rules.answers import AnswerCheck

    check = AnswerCheck(DriverFacts(f"the driver of {capture.title}"))
    interesting = {"GetHalInfo", "GetDriverInfo", "CreateD3DBuffer", "CreateSurfaceEx"}
    for call in capture.calls:
        if call.entry in interesting or call.result:
            check.findings(call, 0)
    return check.facts


def profile_report(name: str) -> DriverReport:
    """The report about a profile. Raises BadInput."""
    if name not in PROFILES:
        raise BadInput(unknown("profile", name, PROFILES))
    return report(DriverFacts.of_profile(PROFILES[name]))


def report(facts: DriverFacts) -> DriverReport:
    """The report about these facts."""
    entries = sorted(facts.formats.items())
    listed = [one for _, one in entries]
    old = [*(facts.textures or ()), *(facts.depths or ())]
    problems = [*caps_problems(facts), *(one for entry in listed for one in format_problems(entry)), *list_problems(facts)]
    problems += [("format-unique", f"format {i} is there twice") for i, _ in entries if (duplicate(facts, i) or i) < i]
    return DriverReport(
        facts.name, "" if facts.hal_flags is None else _HAL.text(facts.hal_flags), tuple(_caps(facts)),
        tuple(_row(i, one) for i, one in entries), tuple(_row(i, one) for i, one in enumerate(old)),
        tuple(format_name(one) for one in (seen_by_dx8(listed) or seen_by_dx8(old))),
        tuple(format_name(one) for one in seen_by_dx7(old)), tuple(minimum(facts)), qualifies(facts),
        tuple(finding(rule, -1, text) for rule, text in problems),
    )  # fmt: skip


def _caps(facts: DriverFacts) -> list[CapRow]:
    rows = []
    for cap in CAPS8 if facts.caps is not None else ():
        assert facts.caps is not None
        if cap.name in facts.caps:
            raw = facts.caps[cap.name]
            seen = raw & ~HIDDEN if cap.name == "DevCaps" else raw
            rows.append(CapRow(cap.name, raw, cap.kind.text(raw), cap.kind.text(seen)))
    return rows


def _row(index: int, one: PixelFormat) -> FormatRow:
    flip, blt = tuple(samples_of(one.flip_samples)), tuple(samples_of(one.blt_samples))
    operations = _OPERATIONS.text(int(one.operations)) if one.is_new_style else ""
    return FormatRow(index, format_name(one), "new" if one.is_new_style else "old", operations, flip, blt)
