"""Imports: none of the package's own front door, no circles, nothing heavy, nothing started."""

from __future__ import annotations

import ast
import graphlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.house.sources import PACKAGE, ROOT, module_name, modules, nodes, place, tree

HEAVY = {
    "IPython",
    "anywidget",
    "duckdb",
    "graphviz",
    "ipywidgets",
    "numpy",
    "pandas",
    "pyarrow",
    "wasmtime",
}
FRONT_DOOR = PACKAGE / "__init__.py"

WATCH = """
import json, sys, threading

sockets = []
sys.addaudithook(lambda event, args: event.startswith("socket.") and sockets.append(event))
before = set(sys.modules)

import weavenb

print(json.dumps({
    "modules": sorted(set(sys.modules) - before),
    "threads": [thread.name for thread in threading.enumerate()],
    "sockets": sockets,
}))
"""


def after_import() -> dict[str, list[str]]:
    """What a fresh interpreter holds once weavenb is imported."""
    told = subprocess.run([sys.executable, "-c", WATCH], cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(told.stdout)
    return found


def test_importing_weavenb_loads_no_heavy_package():
    loaded = {name.partition(".")[0] for name in after_import()["modules"]}

    assert loaded & HEAVY == set()


def test_importing_weavenb_starts_no_thread_and_opens_no_socket():
    found = after_import()

    assert found["threads"] == ["MainThread"]
    assert found["sockets"] == []


def test_inside_the_package_nobody_comes_through_the_front_door():
    found = []
    for path, node in nodes(PACKAGE):
        if path == FRONT_DOOR:
            continue
        if isinstance(node, ast.Import):
            wrong = any(alias.name == "weavenb" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "weavenb":
            wrong = any(f"weavenb.{alias.name}" not in modules() for alias in node.names)
        else:
            continue
        if wrong:
            found.append(place(path, node.lineno))

    assert found == []


def test_the_package_imports_by_whole_names():
    found = [
        place(path, node.lineno)
        for path, node in nodes(PACKAGE)
        if isinstance(node, ast.ImportFrom) and node.level and path != FRONT_DOOR
    ]

    assert found == [], "write the whole name: from weavenb.model.refs import CheckpointRef"


def at_import(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when the module is imported: none in a function, none for types."""
    for statement in body:
        match statement:
            case ast.Import() | ast.ImportFrom():
                yield statement
            case ast.If(test=test, orelse=orelse) if "TYPE_CHECKING" in ast.unparse(test):
                yield from at_import(orelse)
            case ast.If(body=inner, orelse=orelse):
                yield from at_import([*inner, *orelse])
            case ast.Try(body=inner, handlers=handlers, orelse=orelse, finalbody=last):
                caught = [line for handler in handlers for line in handler.body]
                yield from at_import([*inner, *caught, *orelse, *last])
            case ast.With(body=inner) | ast.ClassDef(body=inner):
                yield from at_import(inner)


def needs(path: Path) -> set[str]:
    """The package's modules that importing this one imports."""
    known = modules()
    found: set[str] = set()
    for statement in at_import(tree(path).body):
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
        elif statement.module is not None and not statement.level:
            inner = {f"{statement.module}.{alias.name}" for alias in statement.names}
            found |= (inner & known.keys()) or {statement.module}
    return found & known.keys() - {module_name(path)}


def test_no_module_imports_itself_by_a_detour():
    order = graphlib.TopologicalSorter({name: needs(path) for name, path in modules().items()})
    try:
        order.prepare()
    except graphlib.CycleError as error:
        circle = error.args[1]
    else:
        circle = []

    assert circle == []
