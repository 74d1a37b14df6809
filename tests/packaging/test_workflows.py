"""What CI runs is there: actions, files, modules, names of the matrix.  The schema: `check-jsonschema` at night."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = sorted((ROOT / ".github" / "actions").glob("*/action.yml"))
PINNED = re.compile(r"[\w-]+/[\w-]+@v\d+")


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
            assert "run" in step or PINNED.fullmatch(step["uses"])
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
        assert all(PINNED.fullmatch(step.get("uses", "a/b@v1")) for step in read(path)["runs"]["steps"])


def test_every_harness_of_the_matrix_is_a_module() -> None:
    matrix = read(ROOT / ".github" / "workflows" / "fuzz.yml")["jobs"]["fuzz"]["strategy"]["matrix"]["harness"]
    assert matrix == sorted(set(matrix)) and all((ROOT / "tests" / "fuzz" / f"{name}.py").exists() for name in matrix)


LOCKS = sorted(ROOT.glob("requirements*.lock"))
PROVIDED = {
    "pip-audit": "pip-audit",
    "cyclonedx-py": "cyclonedx-bom",
    "check-jsonschema": "check-jsonschema",
}  # command: package
OF_THE_SHELL = {"for", "do", "done", "python"}


def requirements(path: Path) -> dict[str, str]:
    """Name -> the whole requirement with its options, one line."""
    lines = [line for line in path.read_text("utf-8").replace("\\\n", " ").splitlines() if not line.lstrip().startswith("#")]
    return {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-"): line for line in lines if line.strip()}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_every_requirement_of_a_lock_has_a_version_and_hashes(path: Path) -> None:
    found = requirements(path)
    for name, line in found.items():
        assert re.fullmatch(r"[\w.-]+==[\w.+!]+( *; [^#]+?)?( +--hash=sha256:[0-9a-f]{64})+ *", line), name
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = project["project"]["dependencies"] + (project["dependency-groups"]["test"] if "test" in path.stem else [])
    names = {re.split(r"[^\w.-]", one, maxsplit=1)[0].lower().replace("_", "-") for one in wanted if isinstance(one, str)}
    assert names and names <= set(found)


def test_the_locks_are_audited_and_listed_every_night() -> None:
    workflow = read(ROOT / ".github" / "workflows" / "tests.yml")
    job = workflow["jobs"]["packages"]
    assert workflow["on"]["schedule"] and "schedule" in job["if"]
    runs = {step.get("name", ""): step["run"] for step in job["steps"] if "run" in step}
    installed = next(run for run in runs.values() if "pip install" in run).split("install")[1].split()
    commands = {line.split()[0] for run in runs.values() for line in run.splitlines()} - OF_THE_SHELL
    assert commands == set(PROVIDED) and {PROVIDED[name] for name in commands} == set(installed)
    stems = {path.stem for path in LOCKS}
    for command, words in (("pip-audit", "--require-hashes"), ("cyclonedx-py", "$lock.cdx.json")):
        (run,) = (run for run in runs.values() if f"{command} " in run and "pip install" not in run)
        assert set(re.search(r"for lock in ([^;]+); do", run)[1].split()) == stems, command  # type: ignore[index]
        assert words in run and '"$lock.lock"' in run
    kept = next(step for step in job["steps"] if step.get("uses", "").startswith("actions/upload-artifact"))
    assert kept["with"]["path"] == "*.cdx.json"
    assert not any("continue-on-error" in step for step in job["steps"]), "what is vulnerable fails the night"
