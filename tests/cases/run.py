"""Runs a folder of acceptance cases and holds the result against the list of those not done yet.

``python -m tests.cases.run <folder>`` fails when a case fails that is not listed, and when a listed
case passes: then its line goes. ``--update`` takes such lines out; it adds lines only to a list
that has none.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIST = HERE / "not_yet.txt"
SHOWN = 40


@dataclass
class Results:
    """A pytest plugin that notes how each case ended."""

    passed: set[str] = field(default_factory=set)
    """Ids of the cases of which every phase passed."""
    unmet: set[str] = field(default_factory=set)
    """Ids of all others: failed, in error, skipped, or in a file that cannot be collected."""

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be read counts as one case that does not pass."""
        if not report.passed:
            self.unmet.add(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Any phase that does not pass makes the case one that does not."""
        if report.passed and report.nodeid not in self.unmet:
            self.passed.add(report.nodeid)
        elif not report.passed:
            self.passed.discard(report.nodeid)
            self.unmet.add(report.nodeid)


@dataclass(frozen=True)
class Verdict:
    """What a run says about the list."""

    broken: tuple[str, ...]
    """Not passing, and not on the list."""
    done: tuple[str, ...]
    """On the list, and passing or no longer there."""


def judge(listed: Collection[str], unmet: Collection[str]) -> Verdict:
    """Compares the list with what did not pass."""
    return Verdict(tuple(sorted(set(unmet) - set(listed))), tuple(sorted(set(listed) - set(unmet))))


def read_list(path: Path) -> list[str]:
    """The ids in the list, without comments and blank lines."""
    if not path.exists():
        return []
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def write_list(path: Path, ids: Collection[str]) -> None:
    """Stores the ids below the comments that the list begins with."""
    old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    head = [line for line in old if line.startswith("#")]
    path.write_text("\n".join([*head, *sorted(ids)]) + "\n", encoding="utf-8")


def update(path: Path, unmet: Collection[str]) -> None:
    """Fills an empty list; from any other, only takes out what passes now."""
    listed = read_list(path)
    write_list(path, set(listed) & set(unmet) if listed else unmet)


def report(verdict: Verdict) -> int:
    """Prints the verdict; 0 when the list is right."""
    for title, ids in (
        ("fail and are not on the list", verdict.broken),
        ("are on the list and pass now: take their lines out (UPDATE=1 does)", verdict.done),
    ):
        if ids:
            print(f"\n{len(ids)} cases {title}:")
            print("\n".join(f"  {name}" for name in ids[:SHOWN]))
            if len(ids) > SHOWN:
                print(f"  ... and {len(ids) - SHOWN} more")
    return 1 if verdict.broken or verdict.done else 0


def main() -> int:
    """Runs the cases; 0 when exactly the listed ones do not pass."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--update", action="store_true")
    asked = parser.parse_args()

    folder = asked.folder.resolve()
    if not folder.is_dir():
        print(f"cases: there is no folder {asked.folder}")
        return 2
    sys.dont_write_bytecode = True
    results = Results()
    words = ["-c", str(HERE / "cases.ini"), f"--rootdir={folder}", str(folder)]
    code = pytest.main(words, plugins=[results])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED}:
        print(f"cases: pytest itself ended with {code!r}")
        return 2

    if asked.update:
        update(LIST, results.unmet)
    verdict = judge(read_list(LIST), results.unmet)
    ended = report(verdict)
    print(f"\ncases: {len(results.passed)} pass, {len(results.unmet)} do not yet")
    return ended


if __name__ == "__main__":
    sys.exit(main())
