"""What pyproject.toml cannot say: the wheel holds one package, made of these folders; its page has no relative links.

`ddi_inspector` finds the four again (its docstring says how).
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

PARTS = ("core", "inspector", "ui", "resources")
PAPERS = ("docs", "examples")
"""Folders that the package carries for people to read."""
PAGES = ""
"""Where the pages of this version can be read, as in https://.../blob/v0.2.0; relative links lose their targets without it."""
FACADE = """from pathlib import Path
from ddi_inspector.inspector import *
HOME: Path
__version__: str
def main() -> int: ...
def window() -> int: ...
"""
"""`ddi_inspector` to type checkers."""
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


class Stub(ast.NodeTransformer):
    """What a type checker needs of a module, with its parts under the names that a wheel gives them.

    Type checkers do not run `Finder`: to them a wheel has no `core`.  Bodies of functions are left out unless they give an
    object its attributes.
    """

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.module and node.module.partition(".")[0] in PARTS:
            node.module = f"ddi_inspector.{node.module}"
            for name in node.names:
                name.asname = None if name.name == "*" else name.asname or name.name  # else it is private to the stub
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        given = [inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)]
        if not given:
            words = ast.get_docstring(node)
            kept = ast.Constant(words) if words else ast.Constant(...)
            node.body = [ast.Expr(kept)]
        return node


def stub(source: str) -> str:
    """A module as a `.pyi`."""
    return ast.unparse(ast.fix_missing_locations(Stub().visit(ast.parse(source)))) + "\n"


class WithRest(build_py):
    """Puts into the package what is not in its folders: the changelog, where the window looks for it; stubs for type checkers;
    the recording DLLs, where mingw-w64 is installed.
    """

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            package = Path(self.build_lib, "ddi_inspector")
            self.copy_file("CHANGELOG.md", str(package / "CHANGELOG.md"))
            write_stubs(package)
            build_tracers(package / "resources" / "tracer")


def write_stubs(package: Path) -> None:
    """A `.pyi` beside each module of `core` and `inspector`, and one for the package itself."""
    for part in ("core", "inspector"):
        for path in (package / part).rglob("*.py"):
            path.with_suffix(".pyi").write_text(stub(path.read_text(encoding="utf-8")), encoding="utf-8")
    (package / "__init__.pyi").write_text(FACADE, encoding="utf-8")


def build_tracers(folder: Path) -> None:
    """The recording DLLs of these sources; without compilers those that are there stay, and `record` says what helps.

    In a process of its own: what generates their sources is the package that is being built.
    """
    command = [sys.executable, "-m", "resources.tracer.build", str(folder.resolve())]
    subprocess.run(command, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, check=False)


if __name__ == "__main__":
    setup(
        cmdclass={"build_py": WithRest},
        packages=packages(),
        py_modules=["pytest_ddi_inspector"],
        package_dir={f"ddi_inspector.{part}": part for part in PARTS + PAPERS},
        long_description=absolute(Path("README.md").read_text(encoding="utf-8")),
        long_description_content_type="text/markdown",
    )
