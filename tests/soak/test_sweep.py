"""The sweep: its examples can be run at any place, and it notices what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import inspector
from inspector.cli.arguments import whole_parser
from tests.inspector.conftest import ROOM
from tests.soak.sweep import Result, Sampled, ask_questions, examples, places, run_commands, words_of


def test_every_example_names_the_place() -> None:
    parser = whole_parser()
    with inspector.open(ROOM) as capture:
        first, middle, last = places(capture)
        assert first.event == capture.draws[0] and last.event == len(capture.events) - 1
        for place in (first, middle, last):
            parsed = [parser.parse_args(words_of(one, place, str(ROOM), "copy")) for one in examples()]
            events = {chosen.event for chosen in parsed if getattr(chosen, "event", None) is not None}
            assert events == {place.event}
            frames = {chosen.frame for chosen in parsed if getattr(chosen, "frame", None) is not None}
            assert frames == {place.frame}
            files = {str(chosen.file) for chosen in parsed if getattr(chosen, "file", None) is not None}
            assert files == {str(ROOM), "copy", "game.ddicap", "game.ddirec"}


def test_commands_and_questions_have_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with inspector.open(ROOM) as capture:
        place = places(capture)[0]
        asked = next(ask_questions(capture, [place]))
    assert (asked.what, asked.code, asked.wrong) == ("? StateAt", 0, "")
    found = list(run_commands(ROOM, [place], ["info", "trim", "image"]))
    assert len(found) > 9 and not [one for one in found if one.wrong]
    refused = {one.what for one in found if one.code}
    assert refused == {"info game.ddicap", "info game.ddirec", "info bug.zip"}  # which commands write that were not asked for
    assert (tmp_path / "first-draw" / "frame2.ddicap").stat().st_size > 10_000


def test_a_sample_is_a_part_and_the_same_for_a_file_and_a_seed() -> None:
    with inspector.open(ROOM) as capture:
        place = places(capture)[0]

    def chosen(part: float, seed: int, name: str) -> list[bool]:
        wanted = Sampled(part, seed, name)
        return [wanted() for _ in range(400)]

    assert chosen(0.25, 1, "a") == chosen(0.25, 1, "a") != chosen(0.25, 1, "b") and chosen(0.25, 1, "a") != chosen(0.25, 2, "a")
    assert 60 < sum(chosen(0.25, 1, "a")) < 140 and all(chosen(1.0, 1, "a")) and not any(chosen(0.0, 1, "a"))
    with inspector.open(ROOM) as capture:
        assert not list(ask_questions(capture, [place], Sampled(0.0)))


@pytest.mark.parametrize(
    "result, wrong",
    [
        (Result("info game.trace", "", 0, 1.0, "", 9), ""),
        (Result("info game.trace", "", 0, 1.0), "empty"),
        (Result("info game.trace", "", 2, 1.0, "no"), ""),
        (Result("info game.trace", "", 70, 1.0, "internal error"), "exit code 70"),
        (Result("info game.trace", "", 2, 1.0, "Traceback (most recent call last)"), "exit code 2"),
        (Result("info game.trace", "", 0, 61.0, "", 9), "61 s"),
        (Result("trim game.trace --frame 2 a.ddicap", "", 1, 1.0, "", 9), "differs"),
        (Result("compare game.trace --a 'frame 1' --b 'frame 2'", "", 1, 1.0, "", 9), ""),
        (Result("compare game.trace game.ddicap", "", 1, 1.0, "", 9), "differs"),
        (Result("? StateAt", "", 70, 1.0, "KeyError: 3", 1), "exit code 70"),
    ],
)
def test_what_is_wrong_is_noticed(result: Result, wrong: str) -> None:
    assert result.wrong == wrong
