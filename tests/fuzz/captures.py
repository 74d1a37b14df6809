"""`.ddicap` files: bytes, columns with right digests, values of calls, the schema; opened, then asked anything."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path

import inspector
from core.errors import BadInput
from tests.fuzz.inputs import Harness, main
from tests.fuzz.recipes import cooked, some_recipe
from tests.soak.questions import questions


def make(chooser: random.Random) -> bytes:
    asked = [chooser.randrange(1 << 16) for _ in range(4)]
    return json.dumps({**some_recipe(chooser), "asked": asked}).encode()


def run(data: bytes, folder: Path) -> None:
    recipe = json.loads(data)
    path = cooked(recipe, folder)
    try:
        capture = inspector.open(path)
    except BadInput as error:
        assert str(path) in str(error)
        return
    with capture:
        if not len(capture.events):
            return
        every = list(questions(capture))
        for number in recipe["asked"]:
            with suppress(BadInput):
                every[number % len(every)][1]()
        assert all(isinstance(finding.text, str) for finding in capture.findings)
        assert all(isinstance(notice, str) for notice in capture.tape.notices)


HARNESS = Harness("captures", make, run, 6, seconds=20.0)

if __name__ == "__main__":
    main(HARNESS)
