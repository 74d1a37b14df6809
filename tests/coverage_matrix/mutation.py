"""Whether a test of a state fails when the state is ignored: `python -m tests.coverage_matrix.mutation`.

A mutant of a render or texture stage state is a device that does not look at it.  It is made where tokens are: every record
that sets the state sets its default, so that whatever reads it, in any stage of any lane, reads the default.  A scene kills the
mutant if a picture differs from the expected one, or another state does that it should have changed.  That the value itself is
stored proves nothing here.

The script tries, for every state, the scenes that set it, those first that declare it, and writes `killed.tsv`: state, scene.
`test_mutation.py` repeats each line in the suite; docs/coverage.md shows the score.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import inspector
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES, State
from inspector.tape import MemoryTape, TapeWriter
from tests.scenes import all_scenes
from tests.scenes.check import check_pictures, check_value
from tests.scenes.kit import Scene, Seen, Stage, Token

TABLE = Path(__file__).with_name("killed.tsv")
SETTING = {"RENDERSTATE": "state", "TEXTURESTAGESTATE": "stage_state"}
"""Token -> what its records set, as scenes' covers say it."""


def every_state() -> dict[str, State]:
    """ "state:ALPHAREF" -> its row."""
    return {
        **{f"state:{row.name}": row for row in RENDER_STATES.values()},
        **{f"stage_state:{row.name}": row for row in TEXTURE_STAGE_STATES.values()},
    }  # fmt: skip


@cache
def killed() -> dict[str, str]:
    """State -> the scene that killed its mutant, as committed."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return {key: scene for key, _, scene in (line.partition("\t") for line in lines)}


def records(token: Token) -> list[dict[str, Any]]:
    """The records of a token that sets states; the fields of a token are its only record."""
    op, items, fields = token
    return ([fields] if items is None else list(items)) if op in SETTING else []


def ignoring(token: Token, key: str, row: State) -> Token:
    """The token with the state's default wherever it sets the state."""
    op, items, fields = token
    if SETTING.get(op) != key.partition(":")[0]:
        return token
    changed = [
        one | {"value": row.default_at(one.get("stage", 0))} if one["state"] == row.id else one for one in records(token)
    ]
    return (op, None, changed[0]) if items is None else (op, changed, fields)


@contextmanager
def without(key: str) -> Iterator[None]:
    """Scenes that are played meanwhile ignore a state."""
    tokens, row = Stage.tokens, every_state()[key]

    def mutated(stage: Stage, *given: Token, **more: Any) -> Any:
        return tokens(stage, *(ignoring(token, key, row) for token in given), **more)

    with patch.object(Stage, "tokens", mutated):
        yield


@cache
def setters() -> dict[str, list[Scene]]:
    """The scenes that set each state to something else than its default."""
    found: dict[str, list[Scene]] = {key: [] for key in every_state()}
    ids = {(key.partition(":")[0], row.id): (key, row) for key, row in every_state().items()}
    tokens = Stage.tokens
    for scene in all_scenes():
        seen: set[str] = set()

        def watched(stage: Stage, *given: Token, seen: set[str] = seen, **more: Any) -> Any:
            for token in given:
                for one in records(token):
                    key, row = ids.get((SETTING[token[0]], one["state"]), ("", None))
                    if row and one["value"] != row.default_at(one.get("stage", 0)):
                        seen.add(key)
            return tokens(stage, *given, **more)

        with patch.object(Stage, "tokens", watched):
            scene.record(MemoryTape())
        for key in seen:
            found[key].append(scene)
    return {key: sorted(scenes, key=lambda scene: key not in scene.covers) for key, scenes in found.items()}


def names(key: str, place: Any) -> bool:
    """Whether the place of a value, "ALPHAREF" or ("TEXTURESTAGE", 0, "COLOROP"), is the state itself."""
    return (place[-1] if isinstance(place, tuple) else place) == key.partition(":")[2]


def differs(scene: Scene, key: str, folder: Path) -> bool:
    """Whether what must be seen of the scene is not seen, the state's own value aside."""
    path = folder / "mutant.ddicap"
    path.unlink(missing_ok=True)
    try:
        with TapeWriter(path, durable=False) as writer:
            seen: Seen = scene.record(writer).seen
    except AssertionError:
        return False  # what a call answers is no picture
    with inspector.open(path) as capture:
        try:
            check_pictures(capture, seen)
            for value in seen.values:
                if not names(key, value.key):
                    check_value(capture, value)
        except AssertionError:
            return True
    return False


def kills(scene: Scene, key: str, folder: Path) -> bool:
    """Whether the scene, which is as expected, is not so without the state."""
    with without(key):
        return differs(scene, key, folder)


def killer(key: str, folder: Path) -> str:
    """The first scene that kills a state's mutant, or ""."""
    return next((scene.name for scene in setters()[key] if kills(scene, key, folder)), "")


def table(folder: Path, keys: Iterable[str]) -> dict[str, str]:
    found = {}
    for key in keys:
        found[key] = killer(key, folder)
        if not found[key]:
            print(f"{key} survives {len(setters()[key])} scenes", flush=True)
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = table(Path(folder), every_state())
    killed = {key: scene for key, scene in found.items() if scene}
    TABLE.write_text("".join(f"{key}\t{scene}\n" for key, scene in killed.items()), encoding="utf-8")
    print(f"{len(killed)} of {len(found)} states are killed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
