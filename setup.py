"""What pyproject.toml cannot say: the wheel holds one package, made of these folders; its page has no relative links.

`ddi_inspector` finds the four again (its docstring says how).
"""

import re
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

PARTS = ("core", "inspector", "ui", "resources")
PAPERS = ("docs", "examples")
"""Folders that the package carries for people to read."""
PAGES = ""
"""Where the pages of this version can be read, as in https://.../blob/v0.2.0; relative links lose their targets without it."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]*)\)")


def absolute(page: str, pages: str = PAGES) -> str:
    """A page whose links lead to `pages`; without an address, links become their text and pictures disappear."""
    if pages:
        return LINK.sub(lambda link: f"{link[1]}[{link[2]}]({pages}/{link[3]})", page)
    return LINK.sub(lambda link: "" if link[1] else link[2], page)


def packages() -> list[str]:
    """The package and everything inside, by the names that a wheel gives them."""
    inside = find_namespace_packages(
        include=[f"{part}{rest}" for part in PARTS + PAPERS for rest in ("", ".*")], exclude=["*__pycache__*"]
    )
    return ["ddi_inspector", *(f"ddi_inspector.{name}" for name in inside)]


class WithNews(build_py):
    """Puts the changelog into the package, where the window looks for it."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            self.copy_file("CHANGELOG.md", str(Path(self.build_lib, "ddi_inspector", "CHANGELOG.md")))


if __name__ == "__main__":
    setup(
        cmdclass={"build_py": WithNews},
        packages=packages(),
        py_modules=["pytest_ddi_inspector"],
        package_dir={f"ddi_inspector.{part}": part for part in PARTS + PAPERS},
        long_description=absolute(Path("README.md").read_text(encoding="utf-8")),
        long_description_content_type="text/markdown",
    )
