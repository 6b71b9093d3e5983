"""Several writers, one thread."""

from __future__ import annotations

import threading

import pytest

from tests.engine.graphs import in_line, says
from weavenb.errors import ConcurrentUpdate, StoreError, ThreadDeleted, WeaveError


def meeting(barrier):
    """A node that waits until all runs are in it."""

    def node(state):
        barrier.wait(10)
        return {"log": ["n"]}

    return node


def run_together(app, thread, count):
    """Each run's output or error."""
    found: list[object] = [None] * count

    def run(n):
        try:
            found[n] = app.invoke({"log": [f"in{n}"]}, thread=thread)
        except WeaveError as error:
            found[n] = error

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread_ in threads:
        thread_.start()
    for thread_ in threads:
        thread_.join(20)
    return found


def test_of_three_runs_on_one_thread_no_result_is_lost_without_a_word(saver):
    app = in_line(saver, {"n": says("n"), "m": says("m")})
    app.invoke({}, thread="t")
    found = run_together(app, "t", 3)
    head = app.get_state(thread="t")
    lost = [n for n, each in enumerate(found) if isinstance(each, ConcurrentUpdate)]
    known = {each.config["configurable"]["checkpoint_id"] for each in app.get_state_history(thread="t")}

    assert all(isinstance(each, dict | ConcurrentUpdate) for each in found)
    for n, each in enumerate(found):
        if n not in lost and "commit_step" in saver.capabilities:
            assert f"in{n}" in head.values["log"]
        if isinstance(each, dict):
            assert each.config["configurable"]["checkpoint_id"] in known  # type: ignore[attr-defined]  # the list holds both kinds


def test_the_loser_of_two_runs_gets_concurrent_update_and_its_steps_stay_as_a_branch(saver):
    began, go_on = threading.Event(), threading.Event()
    first = [True]

    def node(state):
        if first.pop() if first else False:
            began.set()
            assert go_on.wait(10)
        return {"log": ["n"]}

    app = in_line(saver, {"n": node})
    errors: list[BaseException] = []

    def slow():
        try:
            app.invoke({"log": ["slow"]}, thread="t")
        except ConcurrentUpdate as error:
            errors.append(error)

    runner = threading.Thread(target=slow)
    runner.start()
    assert began.wait(10)
    quick = app.update_state("t", {"log": ["quick"]})
    go_on.set()
    runner.join(10)
    whole = list(app.get_state_history(thread="t"))

    assert len(errors) == 1
    assert errors[0].code == "concurrent_update"  # type: ignore[attr-defined]  # the list holds both kinds
    assert ["slow", "n"] in [found.values["log"] for found in whole]
    if "commit_step" in saver.capabilities:
        assert app.get_state(thread="t").config == quick


def test_a_late_step_does_not_bring_a_deleted_thread_back(saver):
    began, go_on = threading.Event(), threading.Event()

    def node(state):
        began.set()
        assert go_on.wait(10)
        return {"log": ["n"]}

    app = in_line(saver, {"n": node})
    errors: list[BaseException] = []

    def slow():
        try:
            app.invoke({}, thread="t")
        except StoreError as error:
            errors.append(error)

    runner = threading.Thread(target=slow)
    runner.start()
    assert began.wait(10)
    saver.delete_thread("t")
    go_on.set()
    runner.join(10)

    assert [type(error) for error in errors] == [ThreadDeleted]
    assert app.get_state(thread="t") is None


def test_a_deleted_thread_may_begin_anew(saver):
    app = in_line(saver, {"a": says("a")})
    app.invoke({}, thread="t")
    saver.delete_thread("t")

    assert app.invoke({}, thread="t") == {"log": ["a"]}
    assert len(list(app.get_state_history(thread="t"))) == 2


def test_runs_on_different_threads_do_not_meet(saver):
    barrier = threading.Barrier(8)
    app = in_line(saver, {"n": meeting(barrier), "m": says("m")})
    found: dict[int, object] = {}

    def run(n):
        found[n] = app.invoke({"log": [f"in{n}"]}, thread=f"t{n}")

    threads = [threading.Thread(target=run, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert found == {n: {"log": [f"in{n}", "n", "m"]} for n in range(8)}


def test_an_edit_beside_an_edit_is_kept(saver):
    app = in_line(saver, {"a": says("a")})
    app.invoke({}, thread="t")

    def edit(n):
        while True:
            try:
                app.update_state("t", {"log": [f"e{n}"]})
            except ConcurrentUpdate:
                continue
            return

    threads = [threading.Thread(target=edit, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    whole = [found.values["log"] for found in app.get_state_history(thread="t")]

    assert all(any(f"e{n}" in log for log in whole) for n in range(4))


@pytest.mark.parametrize("turns", [3])
def test_a_run_inside_a_run_on_its_own_thread_id_is_told(saver, turns):
    def node(state):
        app.update_state("t", {"log": ["inner"]}, as_node="n")
        return {"log": ["outer"]}

    app = in_line(saver, {"n": node})

    with pytest.raises(ConcurrentUpdate):
        app.invoke({}, thread="t")

    assert any("inner" in found.values["log"] for found in app.get_state_history(thread="t"))
