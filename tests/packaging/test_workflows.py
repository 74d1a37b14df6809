"""What CI runs is there: actions, files, modules, names of the matrix.  The schema: `check-jsonschema` at night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = sorted((ROOT / ".github" / "actions").glob("*/action.yml"))


def read(path: Path) -> dict[str, Any]:
    found = yaml.load(path.read_text("utf-8"), yaml.BaseLoader)  # "on" stays a text
    assert isinstance(found, dict)
    return found


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in WORKFLOWS:
        yield from ((f"{path.stem} {name}", job) for name, job in read(path)["jobs"].items())


@pytest.mark.parametrize(("name", "job"), list(jobs()), ids=lambda part: part if isinstance(part, str) else "")
def test_a_job_is_made_of_what_is_there(name: str, job: dict[str, Any]) -> None:
    assert int(job["timeout-minutes"]) > 0
    known = set(job.get("strategy", {}).get("matrix", {})) - {"include", "exclude"}
    assert set(re.findall(r"matrix\.(\w+)", str(job))) <= known
    for step in job["steps"]:
        assert len(step.keys() & {"uses", "run"}) == 1
        if step.get("uses", "").startswith("./"):
            action = read(ROOT / step["uses"] / "action.yml")
            needed = {one for one, about in action["inputs"].items() if about["required"] == "true"}
            assert needed <= set(step["with"]) <= set(action["inputs"])
        else:
            assert "run" in step or re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"])
        for module in re.findall(r"-m (tests\.[\w.]+)(?!\S*\$)\s", step.get("run", "")):
            assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module
        for folder in re.findall(r"\btests/\w+", step.get("run", "")):
            assert (ROOT / folder).exists(), folder


def test_every_file_is_a_workflow_or_an_action() -> None:
    for path in WORKFLOWS:
        assert read(path).keys() >= {"name", "on", "jobs", "permissions"}
    for path in ACTIONS:
        assert read(path)["runs"]["using"] == "composite" and all(
            "shell" in step or "uses" in step for step in read(path)["runs"]["steps"]
        )


def test_every_harness_of_the_matrix_is_a_module() -> None:
    matrix = read(ROOT / ".github" / "workflows" / "fuzz.yml")["jobs"]["fuzz"]["strategy"]["matrix"]["harness"]
    assert matrix == sorted(set(matrix)) and all((ROOT / "tests" / "fuzz" / f"{name}.py").exists() for name in matrix)
