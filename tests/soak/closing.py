"""Captures asked, prepared, cancelled and closed by several threads at once: `python -m tests.soak.closing SECONDS FILE...`.

Every picture is compared with that of a capture which one thread asks, also pictures of moments whose capture has been
closed long ago, and pictures after others that were given up.  Whoever asks a closed capture gets a TapeError.  What is kept
for later openings is looked at in the end.
"""

from __future__ import annotations

import faulthandler
import random
import sys
import threading
import time
from collections import Counter, deque
from pathlib import Path

import numpy as np

import inspector
from core.device.past.moment import Moment
from core.errors import Cancelled, TapeError
from core.spec.subresource import Subresource
from inspector.timeline.mapped import forget_pages
from inspector.timeline.spare import give_back

PLACES = 20  # draws of each capture
OPEN = 3.0  # seconds that a capture is open at most
Truth = dict[tuple[Path, int], np.ndarray]


class Stress:
    """What the threads share."""

    def __init__(self, files: list[Path], seconds: float) -> None:
        self.files, self.truth, self.counts = files, _truth(files), Counter[str]()
        self.end = time.monotonic() + seconds
        self.open: dict[int, tuple[Path, inspector.Capture]] = {}
        self.moments: deque[tuple[Path, int, Moment]] = deque(maxlen=40)

    def change(self, number: int, chance: random.Random) -> None:
        """Opens another capture, and closes the one before while others ask it."""
        path = chance.choice(self.files)
        before, self.open[number] = self.open.get(number), (path, inspector.open(path))
        if before is not None:
            before[1].close()
            self.counts["closed"] += 1
        time.sleep(chance.random() * OPEN)

    def look(self, number: int, chance: random.Random) -> None:
        """A picture, and now and then a moment to look back at."""
        path, capture = self.open[number]
        event = self._place(path, chance)
        if chance.random() < 0.5:
            self.moments.append((path, event, capture.moment(event)))
        self._check(path, event, capture.image(event))

    def look_back(self, number: int, chance: random.Random) -> None:
        """A picture of a moment of before."""
        if self.moments:
            path, event, moment = chance.choice(list(self.moments))
            self._check(path, event, moment.rgba(Subresource()))

    def give_up(self, number: int, chance: random.Random) -> None:
        """A picture that is no longer wanted soon: the device stops on its way there."""
        stop = time.monotonic() + chance.random() / 20
        path, capture = self.open[number]
        event = self._place(path, chance)
        self._check(path, event, capture.image(event, cancel=lambda: time.monotonic() > stop))

    def prepare(self, number: int, chance: random.Random) -> None:
        """Makes keyframes, and gives up now and then."""
        stop = time.monotonic() + chance.random() / 5
        self.open[number][1].prepare(lambda: time.monotonic() > stop and chance.random() < 0.1)

    def give_back(self, number: int, chance: random.Random) -> None:
        """Memory that nothing needs at the moment."""
        give_back()
        forget_pages()
        time.sleep(0.01)

    def _place(self, path: Path, chance: random.Random) -> int:
        return chance.choice([event for one, event in self.truth if one == path])

    def _check(self, path: Path, event: int, image: np.ndarray) -> None:
        self.counts["pictures"] += 1
        if not np.array_equal(image, self.truth[path, event]):
            self.counts["wrong"] += 1
            print(f"{path.name} #event={event} is wrong", flush=True)

    def repeat(self, name: str, number: int, chance: random.Random) -> None:
        """On a thread of its own."""
        while time.monotonic() < self.end:
            try:
                getattr(self, name)(number, chance)
            except (Cancelled, TapeError, KeyError) as error:  # the last: nothing is open yet
                self.counts[type(error).__name__] += 1
                time.sleep(0.005)


def _truth(files: list[Path]) -> Truth:
    """Pictures by path and event."""
    found: Truth = {}
    for path in files:
        with inspector.open(path) as capture:
            for event in capture.draws[:: max(len(capture.draws) // PLACES, 1)].tolist():
                found[path, event] = capture.image(event)
    return found


def main(arguments: list[str]) -> int:
    faulthandler.enable()
    seconds, *files = arguments
    stress = Stress([Path(file) for file in files], float(seconds))
    names = ("change", "look", "look_back", "give_up", "prepare", "give_back")
    threads = [
        threading.Thread(target=stress.repeat, args=(name, number, random.Random(10 * number + place)))
        for number in range(2)
        for place, name in enumerate(names)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for path, capture in stress.open.values():
        capture.close()
        again = _truth([path])
        stress.counts["kept and wrong"] += sum(not np.array_equal(again[place], stress.truth[place]) for place in again)
    print(dict(stress.counts))
    return int(stress.counts["wrong"] + stress.counts["kept and wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
