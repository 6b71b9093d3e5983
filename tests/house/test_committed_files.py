"""What is committed speaks of this project alone and fits every machine."""

from __future__ import annotations

import re

from tests.house.sources import ROOT, committed_files, place, text_of

# In two pieces, so that this file does not hold what it looks for.
REGISTRIES = (
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "registry.npm" + "js",
    "npmjs" + ".com",
    "yarnpkg" + ".com",
    "deb.debian" + ".org",
)
MACHINE_PATH = re.compile(r"(?<![\w.-])/(?:root|home|work|Users)" + "/")
TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "binder",
    "constraints.txt",
    "docs",
    "notebooks",
    "pyproject.toml",
    "tests",
    "weavenb",
}


def test_no_committed_file_names_a_registry():
    found = [f"{place(path)}: {host}" for path in committed_files() for host in REGISTRIES if host in text_of(path)]

    assert found == []


def test_no_committed_file_holds_a_path_of_one_machine():
    found = [
        place(path, number)
        for path in committed_files()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]

    assert found == []


def test_constraints_are_versions_only():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    version = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+")

    assert [line for line in lines if line[:1] != "#" and not version.fullmatch(line)] == []


def test_the_top_level_holds_nothing_new():
    found = {path.relative_to(ROOT).parts[0] for path in committed_files()}

    assert found - TOP_LEVEL == set()
