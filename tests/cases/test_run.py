"""The list of cases that do not pass yet only shrinks."""

from __future__ import annotations

import pytest

from tests.cases import run
from tests.cases.run import Verdict, judge, read_list, report, update

pytest_plugins = ["pytester"]


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "not_yet.txt"
    path.write_text("# why\na.py::test_one\na.py::test_two\n", encoding="utf-8")
    return path


def test_exactly_the_listed_ones_failing_is_right(capsys):
    assert report(judge(["a", "b"], ["b", "a"])) == 0
    assert capsys.readouterr().out == ""


def test_a_failure_that_is_not_listed_is_named(capsys):
    verdict = judge(["a"], ["a", "b"])

    assert verdict == Verdict(broken=("b",), done=())
    assert report(verdict) == 1
    assert "  b\n" in capsys.readouterr().out


def test_a_listed_case_that_passes_asks_for_its_line_to_go(capsys):
    verdict = judge(["a", "b"], ["a"])

    assert verdict == Verdict(broken=(), done=("b",))
    assert report(verdict) == 1
    assert "take their lines out" in capsys.readouterr().out


def test_an_update_takes_lines_out_and_adds_none(listed):
    update(listed, {"a.py::test_two", "a.py::test_new"})

    assert read_list(listed) == ["a.py::test_two"]
    assert listed.read_text(encoding="utf-8").startswith("# why\n")


def test_an_update_fills_an_empty_list(tmp_path):
    update(tmp_path / "new.txt", {"b", "a"})

    assert read_list(tmp_path / "new.txt") == ["a", "b"]


def test_failing_skipped_and_unreadable_cases_all_count_as_not_passing(pytester):
    pytester.makepyfile(
        test_mixed="""
        import pytest
        def test_good(): pass
        def test_bad(): assert 0
        def test_absent(): pytest.skip("not here")
        @pytest.fixture
        def late():
            yield
            raise ValueError
        def test_torn_down(late): pass
        """,
        test_unreadable="import no_such_module",
    )
    results = run.Results()

    pytester.inline_run("--continue-on-collection-errors", plugins=[results])

    assert results.passed == {"test_mixed.py::test_good"}
    assert results.unmet == {
        "test_mixed.py::test_bad",
        "test_mixed.py::test_absent",
        "test_mixed.py::test_torn_down",
        "test_unreadable.py",
    }
