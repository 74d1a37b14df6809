"""docs/api.md has what scripts import; `python -m tests.docs.api` writes it again."""

from __future__ import annotations

import pytest

import ddi_inspector as ddi
from tests.docs import api


@pytest.fixture(scope="module")
def page() -> str:
    return api.PAGE.read_text(encoding="utf-8")


@pytest.mark.slow  # at night: questions and docstrings change all day
@pytest.mark.parametrize("name", ddi.QUESTIONS)
def test_every_question_has_its_parameters_and_its_answer(name: str, page: str) -> None:
    kind = getattr(ddi, name)
    back = api.annotation(api.answer_of(kind))
    assert back and f"### {name}\n\n`{api.signature(kind, name)}` → `{back}`\n" in page, "python -m tests.docs.api"


def test_a_question_has_its_parameters_and_its_answer() -> None:
    told = "\n".join(api.question("PixelHistory"))
    assert "`PixelHistory(where='render_target', x=0, y=0, first=None," in told
    assert "→ `History`" in told and "Every fragment, clear, copy and upload" in told


def test_answers_are_described_with_fields_and_methods(page: str) -> None:
    assert "### History\n" in page and "* `last_writer -> Entry | None`: The entry that gave the pixel its value" in page
    assert "* `image(event, surface='render_target'" in page
    assert "`fate: str`" in page


@pytest.mark.slow
def test_the_page_is_what_the_sources_say(page: str) -> None:
    assert api.page() == page, "python -m tests.docs.api"
