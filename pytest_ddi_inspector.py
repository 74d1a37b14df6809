"""A plugin for pytest: every capture of a captures.toml becomes a file of test items, every expectation an item.

    pytest captures.toml                     # pytest-xdist, JUnit and HTML reports work as with all tests
    pytest captures.toml --ddi-update        # write hashes and reference images anew

A failing item leaves the images, what differs and a report of the frame in a folder beside the file (--ddi-output).  Nothing of
DDI Inspector is imported before a captures.toml is collected: its packages have names that others have, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

OUTPUT = "ddi-output"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ddi", "DDI Inspector")
    group.addoption("--ddi-update", action="store_true", help="write the hashes and reference images of captures.toml anew")
    group.addoption(
        "--ddi-output", metavar="FOLDER", help=f"where failing captures leave files (default: {OUTPUT} beside captures.toml)"
    )
    parser.addini("ddi_piglit", "file names of YAML files for piglit-replay", type="args", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name == "captures.toml" or file_path.name in parent.config.getini("ddi_piglit"):
        return Manifest.from_parent(parent, path=file_path)  # type: ignore[no-any-return]
    return None


class Manifest(pytest.File):
    """A captures.toml."""

    def collect(self) -> Iterator[pytest.Collector]:
        import ddi_inspector  # noqa: F401 - finds the packages
        from core.errors import BadInput
        from inspector import manifest

        try:
            entries = manifest.read(self.path)
        except BadInput as error:
            raise self.CollectError(str(error)) from error
        for number, entry in enumerate(entries):
            name = (
                entry.path.relative_to(self.path.parent).as_posix()
                if entry.path.is_relative_to(self.path.parent)
                else entry.path.name
            )
            yield CaptureFile.from_parent(self, name=name, entry=entry, number=number)


class CaptureFile(pytest.Collector):
    """One capture; it is opened when its first item runs, and closed after its last."""

    def __init__(self, *, entry: Any, number: int, **more: Any) -> None:
        super().__init__(**more)
        self.entry, self.number = entry, number
        self._capture: Any = None

    def collect(self) -> Iterator[pytest.Item]:
        for check in self.entry.checks:
            yield CaptureItem.from_parent(self, name=check.name, check=check)

    @property
    def capture(self) -> Any:
        if self._capture is None:
            import ddi_inspector

            self._capture = ddi_inspector.open(self.entry.path)
        return self._capture

    def teardown(self) -> None:
        if self._capture is not None:
            self._capture.close()
            self._capture = None


class NotMet(Exception):
    """An expectation that is not met: the sentence, and the files that were left."""


class CaptureItem(pytest.Item):
    """One expectation of one capture."""

    def __init__(self, *, check: Any, **more: Any) -> None:
        super().__init__(**more)
        self.check = check

    def runtest(self) -> None:
        file: CaptureFile = self.parent  # type: ignore[assignment]
        outcome = self.check.run(file.capture)
        if outcome.met or (self.config.getoption("--ddi-update") and self.update(file)):
            return
        raise NotMet("\n".join([f"expected: {outcome.expected}", f"found: {outcome.found}", *self.leave(file, outcome)]))

    def update(self, file: CaptureFile) -> bool:
        """Writes the hash or the reference image anew; False for what cannot be, BadInput for an image elsewhere."""
        from core.errors import BadInput
        from inspector import manifest
        from inspector.exports.png import opaque, png
        from inspector.files import write_bytes

        if isinstance(self.check.expectation, manifest.FrameHash):
            path = file.parent.path  # type: ignore[union-attr]
            text = manifest.with_hash(path.read_text("utf-8"), file.number, manifest.hash_of(file.capture))
            write_bytes(path, text.encode())
            return True
        if self.check.reference is not None:
            folder = file.parent.path.parent  # type: ignore[union-attr]
            if not self.check.reference.resolve().is_relative_to(folder.resolve()):
                raise BadInput(f"--ddi-update writes only within {folder}, not {self.check.reference}")
            where = self.check.expectation.values.get("surface", "render_target")
            write_bytes(self.check.reference, png(opaque(file.capture.image(self.check.event_in(file.capture), where))))
            return True
        return False

    def leave(self, file: CaptureFile, outcome: Any) -> Iterator[str]:
        """Files for who looks into it; a line about each."""
        from inspector.expectations import Pixel
        from inspector.exports.png import opaque, png
        from inspector.exports.report import report
        from inspector.files import write_bytes

        beside = file.parent.path.parent / OUTPUT  # type: ignore[union-attr]
        folder = Path(self.config.getoption("--ddi-output") or beside) / re.sub(r"[^\w.@,-]+", "_", f"{file.name} {self.name}")
        folder.mkdir(parents=True, exist_ok=True)
        capture, event = file.capture, self.check.event_in(file.capture)
        made = {
            "image.png": lambda: png(opaque(capture.image(event))),
            "report.html": lambda: report(capture, event, 1).encode(),
        }
        if outcome.picture is not None:
            made["difference.png"] = lambda: png(outcome.picture)
        if outcome.picture is not None or isinstance(self.check.expectation, Pixel):
            made["bisect.txt"] = lambda: self.bisect(capture, event).encode()
        for name, make in made.items():
            try:
                write_bytes(folder / name, make())
            except Exception as error:  # what is left is a help; the failure is the news
                yield f"{name} was not written: {error}"
            else:
                yield f"left: {folder / name}"

    def bisect(self, capture: Any, event: int) -> str:
        """Which token and primitive made the image, or the pixel, wrong."""
        from inspector.expectations import Pixel
        from inspector.query.comparison.bisect import Bisect
        from inspector.query.comparison.right import Color, Picture

        expected = self.check.expectation
        if isinstance(expected, Pixel):
            right = Color(expected.rgba, expected.tolerance)
            query = Bisect.pixel(right, expected.x, expected.y, where=expected.where, last=event)
        else:
            one = expected.values
            picture = Picture.of(
                self.check.reference, one.get("tolerance", 0), one.get("allow", 0), one.get("ignore_edges", False)
            )
            query = Bisect(picture, one.get("surface", "render_target"), last=event)
        return str(capture.ask(query).sentence) + "\n"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from core.errors import BadInput

        if isinstance(excinfo.value, NotMet | BadInput):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.parent.name}::{self.name}"  # type: ignore[union-attr]
