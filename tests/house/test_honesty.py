"""Nothing is swallowed, nothing is promised that is not there."""

from __future__ import annotations

import ast
import re

from tests.house.sources import PACKAGE, TESTS, nodes, place, python_files

EVERYTHING = {"Exception", "BaseException"}
UNREASONED = re.compile(r"#\s*(noqa(:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*)?|type:\s*ignore(\[[\w, -]+\])?)\s*$")


def catches_everything(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    parts = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(part, ast.Name) and part.id in EVERYTHING for part in parts)


def does_nothing(body: list[ast.stmt]) -> bool:
    return all(
        isinstance(line, ast.Pass | ast.Continue)
        or (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
        for line in body
    )


def test_no_handler_swallows_every_error():
    found = [
        place(path, node.lineno)
        for path, node in nodes(PACKAGE)
        if isinstance(node, ast.ExceptHandler) and catches_everything(node.type) and does_nothing(node.body)
    ]

    assert found == []


def test_no_error_is_suppressed_unnamed():
    found = [
        place(path, node.lineno)
        for path, node in nodes(PACKAGE)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in {"suppress", "contextlib.suppress"}
        and any(catches_everything(argument) for argument in node.args)
    ]

    assert found == []


def test_nothing_is_left_unimplemented():
    found = [
        place(path, node.lineno)
        for path, node in nodes(PACKAGE)
        if isinstance(node, ast.Name) and node.id in {"NotImplementedError", "NotImplementedType"}
    ]

    assert found == []


def test_each_exception_to_a_lint_rule_says_why():
    found = [
        place(path, number)
        for path in [*python_files(PACKAGE), *python_files(TESTS)]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if UNREASONED.search(line)
    ]

    assert found == [], "say why: # noqa: BLE001 - a worker hands each failure back as a value"
