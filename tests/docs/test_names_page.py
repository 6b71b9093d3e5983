"""The signatures on the page of names are those of the code."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

import pytest

import weavenb
from tests.house.sources import ROOT

PAGE = (ROOT / "docs" / "reference" / "names.md").read_text(encoding="utf-8")
CALL = re.compile(r"^\| `(\.?)(\w+)(\(.*?\))` \|", re.MULTILINE)


def calls():
    """Each call with a signature, with the class whose section it is in."""
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        owner = section.splitlines()[0].strip("`")
        for dot, name, arguments in CALL.findall(section):
            yield f"{owner}.{name}" if dot else name, arguments


def documented(arguments):
    function = ast.parse(f"def f{arguments}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    found = function.args
    plain = [arg.arg for arg in found.posonlyargs + found.args]
    return plain, [arg.arg for arg in found.kwonlyargs], found.kwarg is not None


def actual(path):
    target: Any = weavenb
    for part in path.split("."):
        target = getattr(target, part)
    parameters = [p for p in inspect.signature(target).parameters.values() if p.name != "self"]
    kinds = inspect.Parameter
    plain = [p.name for p in parameters if p.kind in {kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD}]
    named = [p.name for p in parameters if p.kind is kinds.KEYWORD_ONLY]
    return plain, named, any(p.kind is kinds.VAR_KEYWORD for p in parameters)


@pytest.mark.parametrize(("path", "arguments"), list(calls()))
def test_a_call_is_documented_as_it_is(path, arguments):
    assert documented(arguments) == actual(path)


def test_each_public_name_has_a_line_that_tells_what_it_means():
    first_cells = " ".join(re.findall(r"^\| (`.+?`) \| \S", PAGE, re.MULTILINE))
    told = set(re.findall(r"\w+", first_cells)) | {"CompiledGraph", "START", "END"}

    assert [name for name in weavenb.__all__ if name not in told] == []
