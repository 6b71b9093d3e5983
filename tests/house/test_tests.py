"""Tests that test something."""

from __future__ import annotations

import ast

from tests.house.sources import TESTS, nodes, place

CHECKS = {"raises", "warns", "expect"}


def name_of(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def checks_something(function: ast.AST) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = name_of(node)
            if name in CHECKS or name.startswith(("assert_", "check_")):
                return True
    return False


def test_every_test_checks_something():
    found = [
        f"{place(path, node.lineno)}: {node.name}"
        for path, node in nodes(TESTS)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not checks_something(node)
    ]

    assert found == []


def test_no_test_vanishes_where_something_is_missing():
    found = [
        place(path, node.lineno)
        for path, node in nodes(TESTS)
        if isinstance(node, ast.Call) and name_of(node) in {"importorskip", "skip"}
    ]

    assert found == [], "the set-up brings what a test needs; where it cannot, the test fails"
