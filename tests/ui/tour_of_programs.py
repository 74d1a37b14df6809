"""The manual's pictures of every panel on recorded programs: `python -m tests.ui.tour_of_programs CAPTURES [PANEL...]`.

CAPTURES is the folder of recorded programs that the tests use.  As tests.ui.tour, in one size and theme, into
docs/panels/programs, which docs/panels.md shows.  Nothing compares them: those captures are not part of this project.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.ui.tour import PICTURES, Look, Stop, make_small, run, take, wait

FOLDER = PICTURES / "programs"
LOOK = Look(1500, 900, 100, "dark")
SPRITES, CUBE, OLDER = "apps/hge_tut07", "apps/ace_d3d5", "d3d7/apps/own_d3d6"
NOTE = """# Sprites

All of them are one draw, #1329. The pixel at #event=1333&pixel=320,240 is covered fourteen times.
"""


def _bookmark(window: Any) -> None:
    marking = window.desk.bookmarking
    for event, name in ((1324, "The ground"), (1329, "2,000 sprites in one draw"), (1333, "The line of text")):
        window.desk.focus.go(event=event)
        marking.toggle()
        wait(lambda event=event: any(one.focus.event == event for one in window.desk.bookmarks))
        marking.rename(next(one for one in window.desk.bookmarks if one.focus.event == event), name)
        wait(lambda name=name: any(one.name == name for one in window.desk.bookmarks))


def _overlay(window: Any) -> None:
    window.surface.set_overlay("written")


def _note(window: Any) -> None:
    window.docks.panels["notes"].edit.setPlainText(NOTE)


def _query(window: Any) -> None:
    panel = window.docks.panels["query"]
    panel.edit.setPlainText("SELECT name, kind, count(*) AS events\nFROM events GROUP BY name ORDER BY events DESC")
    panel.run()


def _console(window: Any) -> None:
    window.docks.panels["console"].run("[capture.primitives(e) for e in capture.draws[:6]]")


def _verify(window: Any) -> None:
    panel = window.docks.panels["verify"]
    panel.run()
    wait(lambda: bool(panel.model.rows))


def _finding(window: Any) -> None:
    tree = window.docks.panels["findings"].tree
    tree.setCurrentIndex(tree.model().index(1, 0, tree.model().index(0, 0)))


def _compare(window: Any) -> None:
    panel = window.docks.panels["comparison"]
    panel.a.setText("frame 50")
    panel.b.setText("frame 51")
    panel.compare()
    wait(lambda: panel.found is not None)
    panel.tabs[2].click()  # Surfaces


def _without(window: Any) -> None:
    window.docks.panels["what-if"].add("disable 1329")


SPRITE, WORDS, FACE = "#event=1329&pixel=320,240", "#event=1333&pixel=320,240", "#event=761&pixel=450,360"
STOPS = {
    "timeline": Stop("timeline", SPRITES, WORDS),
    "events": Stop("events", SPRITES, SPRITE),
    "token": Stop("token", SPRITES, SPRITE),
    "surface": Stop("surface", SPRITES, WORDS, _overlay),
    "state": Stop("state", CUBE, FACE),
    "vertices": Stop("vertices", CUBE, FACE),
    "resources": Stop("resources", SPRITES, SPRITE),
    "buffers": Stop("buffers", CUBE, FACE),
    "inspector": Stop("inspector", SPRITES, SPRITE),
    "calls": Stop("calls", SPRITES, SPRITE),
    "findings": Stop("findings", OLDER, "#event=311", _finding),
    "stepping": Stop("stepping", SPRITES, SPRITE),
    "history": Stop("history", SPRITES, WORDS),
    "statistics": Stop("statistics", SPRITES, SPRITE),
    "bookmarks": Stop("bookmarks", SPRITES, SPRITE, _bookmark),
    "notes": Stop("notes", SPRITES, SPRITE, _note),
    "driver": Stop("driver", SPRITES, SPRITE),
    "query": Stop("query", SPRITES, SPRITE, _query),
    "console": Stop("console", SPRITES, SPRITE, _console),
    "verify": Stop("verify", SPRITES, SPRITE, _verify),
    "comparison": Stop("comparison", SPRITES, WORDS, _compare),
    "what-if": Stop("what-if", SPRITES, WORDS, _without),
}


def main(words: list[str]) -> int:
    if words[0] != "--here":
        run("tests.ui.tour_of_programs", LOOK.scale, *words)
        return 0
    with tempfile.TemporaryDirectory() as folder:  # bookmarks and notes are kept beside a trace
        copies = {name: Path(folder) / f"{Path(name).name}.trace" for name in (SPRITES, CUBE, OLDER)}
        for name, copy in copies.items():
            shutil.copyfile(Path(words[1]) / f"{name}.trace", copy)
        wanted = {name: STOPS[name] for name in words[2:] or STOPS}
        take(FOLDER, LOOK, wanted, copies)
    for name in wanted:
        make_small(FOLDER / f"{name}.webp")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
