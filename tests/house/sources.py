"""What the house rules read: the project's files, and their syntax trees."""

from __future__ import annotations

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "weavenb"
TESTS = ROOT / "tests"


def place(path: Path, line: int | None = None) -> str:
    """`weavenb/errors.py:12`, as a reader of a failure wants it."""
    name = path.relative_to(ROOT).as_posix()
    return name if line is None else f"{name}:{line}"


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def nodes(folder: Path) -> Iterator[tuple[Path, ast.AST]]:
    """Each syntax node of each Python file below `folder`."""
    for path in python_files(folder):
        for node in ast.walk(tree(path)):
            yield path, node


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def modules() -> dict[str, Path]:
    """Dotted name -> file, for each module of the package."""
    return {module_name(path): path for path in python_files(PACKAGE)}


def committed_files() -> list[Path]:
    """What git holds; where the project is no clone, all but hidden folders."""
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode == 0:
        found = [ROOT / name for name in told.stdout.split("\0") if name]
    else:
        found = [
            path
            for path in ROOT.rglob("*")
            if not any(part.startswith(".") for part in path.relative_to(ROOT).parts[:-1])
        ]
    return sorted(path for path in found if path.is_file())


def text_of(path: Path) -> str:
    """The file's text; empty for one that holds none, as a picture does."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
