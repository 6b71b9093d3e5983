"""Small files, small functions."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.sources import PACKAGE, TESTS, nodes, place

MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60
WRITTEN_BY_HAND = {".py", ".js", ".css", ".sql"}


def too_long(folder: Path) -> list[str]:
    found = []
    for path in sorted(folder.rglob("*")):
        by_hand = path.suffix in WRITTEN_BY_HAND and "static" not in path.parts
        if not by_hand or not path.is_file():
            continue
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES_OF_A_FILE:
            found.append(f"{place(path)}: {lines} lines")
    return found


def test_no_file_of_the_package_is_over_400_lines():
    assert too_long(PACKAGE) == []


def test_no_file_of_the_tests_is_over_400_lines():
    assert too_long(TESTS) == []


def test_no_function_of_the_package_is_over_60_lines():
    found = []
    for path, node in nodes(PACKAGE):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_LINES_OF_A_FUNCTION:
                found.append(f"{place(path, node.lineno)}: {node.name} has {lines} lines")

    assert found == []
