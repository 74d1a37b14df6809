"""The program's text: what imports what, and digests that tell one text from another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core import sources


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Path]]:
    """Modules of a made-up program."""
    found = {name: tmp_path / f"{name}.py" for name in ("core", "core.tape", "core.tapes", "core.tape.reader", "inspector.cli")}
    for name, path in found.items():
        path.write_text(name, encoding="utf-8")
    monkeypatch.setattr(sources, "source_files", lambda: found)
    forget()
    yield found
    forget()


def forget() -> None:
    for kept in (sources.source, sources._digest, sources.digest_of_packages):
        kept.cache_clear()


def edited(path: Path) -> str:
    path.write_text(path.read_text(encoding="utf-8") + "!", encoding="utf-8")
    forget()
    return sources.digest_of_packages("core.tape", "inspector")


def test_the_digest_of_packages_changes_with_their_text_only(text: dict[str, Path]) -> None:
    before = sources.digest_of_packages("core.tape", "inspector")
    assert edited(text["core.tapes"]) == edited(text["core"]) == before
    seen = [before, *(edited(text[name]) for name in ("core.tape", "core.tape.reader", "inspector.cli"))]
    assert len(set(seen)) == 4


def test_the_digest_of_modules_knows_their_names_and_the_circumstances(text: dict[str, Path]) -> None:
    text["core.tape"].write_text("core.tapes", encoding="utf-8")
    one = sources.digest_of(["core.tape"], "1")
    assert one == sources.digest_of(["core.tape"], "1") and len(one) == 20
    assert len({one, sources.digest_of(["core.tape"], "2"), sources.digest_of(["core.tapes"], "1")}) == 3


def test_sources_follow_imports_within_the_project():
    found = sources.sources_of("core.pipeline.pixel.shade")
    pipeline, kernels = (
        {"core.pipeline.pixel.shade", "core.pipeline.pixel.blend"},
        {"core.kernels.simd.compiled.vectors", "core.kernels.jit"},
    )
    assert {*pipeline, *kernels, "core.spec.enums"} <= set(found)
    assert all(name.startswith("core") for name in found)
