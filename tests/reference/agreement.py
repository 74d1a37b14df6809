"""Do the stored words agree with the exact outcome?  What is allowed, and why.

Coverage: exactly the same.  What may not change (uncovered, failed a test, masked): not by a bit.  Stencil: exactly.
Depth: the exact value rounded, with the slack of float32 (tests.depth_slack: up to three steps of 24 bits, more on slivers;
a 16-bit buffer shows nothing of it but where the exact value lies midway).
Colour: the exact value rounded, within COLOR_SLACK of a step for float32; where a texture is filtered linearly, also what the
8-bit weights of the filter (texture.WEIGHT_SLACK) can do to the result: found by nudging every channel of every such texel by
its slack, both ways, and adding up.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from hypothesis import currently_in_test_context, note

from tests.reference.formats import DEPTHS, TARGETS, Depth
from tests.reference.play import Player
from tests.reference.scene import Draw, Fragment, Outcome, Scene, fragments, outcome
from tests.reference.tests import depth_slack

COLOR_SLACK = 1 / 8  # of a step of the target: three stages that quadruple, on thin triangles
CUT_SLACK = 1.0  # of what clipping cut: its new corners lie on the subpixel grid


@dataclass
class Tally:
    """What was compared, over many scenes."""

    scenes: int = 0
    covered: int = 0
    written: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def share_skipped(self) -> float:
        return self.skipped.total() / max(self.covered, 1)


def color_slack(scene: Scene, fragment: Fragment, stored: tuple[int, int], exact: Outcome) -> list[float]:
    """Per channel, in steps, over the words stored (colour, depth); a doubt for the fragment if a nudge decides a test."""
    least = CUT_SLACK if fragment.snap else COLOR_SLACK
    slack = [least * max(1.0, c.top / 255) if c else 0.0 for c in TARGETS[scene.format].channels]
    for texel, amount in list(fragment.slack.items()):
        moved = [0.0] * 4
        for nudge in (-amount, amount):
            fragment.nudges = {texel: nudge}
            nudged = outcome(scene, fragment, *stored)
            if [c is None for c in nudged.color] != [c is None for c in exact.color] or nudged.stencil != exact.stencil:
                fragment.doubt.reasons.add("filtered alpha")
                return slack
            steps = [abs((new or 0.0) - (old or 0.0)) for new, old in zip(nudged.color, exact.color, strict=True)]
            moved = [max(pair) for pair in zip(moved, steps, strict=True)]
        slack = [total + more for total, more in zip(slack, moved, strict=True)]
    return slack


def color_differences(scene: Scene, exact: Outcome, slack: list[float], before: int, after: int) -> list[str]:
    """What is wrong with a covered pixel; before, after: the packed words."""
    found = []
    for name, channel, value, allowed in zip("rgba", TARGETS[scene.format].channels, exact.color, slack, strict=True):
        if channel is None:
            continue
        stored = channel.of(after)
        if value is None and stored != channel.of(before):
            found.append(f"{name} was written: {stored}")
        elif value is not None and abs(stored - value) > 0.5 + allowed:
            found.append(f"{name} is {stored}, not {value:.3f} (+- {allowed:.3f})")
    return found


def depth_differences(buffer: Depth, exact: Outcome, steepness: float, before: int, after: int) -> list[str]:
    """What is wrong with depth and stencil; before, after: the packed words."""
    found = []
    depth = buffer.depth.of(after)
    slack = 0.5 + depth_slack(buffer.depth, steepness) if exact.depth != buffer.depth.of(before) else 0.0
    if abs(depth - exact.depth) > slack:
        found.append(f"depth is {depth}, not {exact.depth:.3f} (+- {slack:.3f})")
    if buffer.stencil and buffer.stencil.of(after) != exact.stencil:
        found.append(f"stencil is {buffer.stencil.of(after)}, not {exact.stencil}")
    return found


def check(scene: Scene, draw: Draw, before: tuple[np.ndarray, np.ndarray], after: tuple[np.ndarray, np.ndarray],
          tally: Tally, sample: int) -> list[str]:  # fmt: skip
    """Sentences about what a draw did wrong; before, after: words of colour and depth, [height, width], of one sample."""
    covered = fragments(scene, draw, sample)
    changed = (before[0] != after[0]) | (before[1] != after[1])
    found = [f"({x}, {y}) is not covered" for y, x in np.argwhere(changed) if (x, y) not in covered]
    for (x, y), fragment in covered.items():
        old, new = ((int(color[y, x]), int(depth[y, x])) for color, depth in (before, after))
        exact = outcome(scene, fragment, *old)
        slack = color_slack(scene, fragment, old, exact)
        tally.covered += 1
        tally.written += any(value is not None for value in exact.color)
        if fragment.doubt:
            tally.skipped[min(fragment.doubt.reasons)] += 1
            continue
        wrong = color_differences(scene, exact, slack, old[0], new[0])
        if scene.depth_format is not None:
            wrong += depth_differences(DEPTHS[scene.depth_format], exact, fragment.unsteadiness, old[1], new[1])
        found += [f"({x}, {y}): {difference}" for difference in wrong]
    return found


def compare(scene: Scene, tally: Tally) -> None:
    """Draws a scene both ways; AssertionError tells what differs."""
    player, samples = Player(scene), range(max(scene.samples, 1))
    before = [player.stored(sample) for sample in samples]
    for number, draw in enumerate(scene.draws):
        player.draw(draw)
        after = [player.stored(sample) for sample in samples]
        wrong = [text for n in samples for text in check(scene, draw, before[n], after[n], tally, n)]
        if wrong and currently_in_test_context():
            note(f"{draw} of {dataclasses.replace(scene, draws=())}")
        assert not wrong, f"draw {number}: {len(wrong)} differences: " + "; ".join(wrong[:5])
        before = after
    assert player.driver.findings == []
    tally.scenes += 1
