"""What a saver promises of the optional operations it lists. Part of `SaverContract`."""

# ruff: noqa: S101, PLR2004  tests that travel: a name is a sentence, `assert` is what they are made of

from __future__ import annotations

from typing import Any, cast

import pytest

from weavenb.errors import (
    CheckpointNotFound,
    ConcurrentUpdate,
    DeltaDependency,
    SerializationFailed,
    ThreadDeleted,
    ThreadExists,
    ThreadNotFound,
    Unsupported,
)
from weavenb.model.records import StateRecord, StepCommit
from weavenb.model.tasks import NO_ROUTE, Failed, Finished, Paused, Question, Span, Task
from weavenb.savers.contract import CheckpointTuple, CommitsSteps, Saver
from weavenb.testing.commits import appended, change, commit, config, ended, record, start, write

__all__ = ["StepContract"]


def store(saver: Saver, made: StateRecord, **more: Any) -> StateRecord:
    """Commit a record at the head."""
    head = saver.get_tuple(config(made.thread, namespace=made.namespace))
    expected = None if head is None else head.checkpoint["id"]
    cast("CommitsSteps", saver).commit_step(
        commit(made, **more), expected_head=expected, run_started_seq=2**60, sync=True
    )
    return made


def got(saver: Saver, thread: str, id_: str | None = None, namespace: str = "") -> CheckpointTuple:
    """The checkpoint, which must be there."""
    found = saver.get_tuple(config(thread, id_, namespace))
    assert found is not None
    return found


def values(saver: Saver, thread: str, id_: str | None = None) -> Any:
    """The state at a checkpoint."""
    return got(saver, thread, id_).checkpoint["channel_values"]


def needs(saver: Saver, capability: str) -> None:
    """End the test well where the saver does not offer this."""
    if capability not in saver.capabilities:
        pytest.skip(f"{type(saver).__name__} does not offer {capability}")


class StepContract:
    """`commit_step`, `fork_at`, `annotate`, `put_checkpoint_with_writes`, `read_tables`."""

    # commit_step -------------------------------------------------------------------------------------

    def test_steps_build_on_each_other(self, saver: Saver) -> None:
        needs(saver, "commit_step")
        first = store(saver, record("t", None, {"n": 0, "log": ["a"]}, next=["go"]), started=start())
        second = store(
            saver,
            record("t", first, {"n": 0, "log": ["a", ("b",)]}, [appended("log", ("b",))]),
            ended=ended(),
        )
        third = record("t", second, {"log": ["a", ("b",)]}, [change("n", None, "remove")])
        store(saver, third)

        assert values(saver, "t") == {"log": ["a", ("b",)]}
        assert values(saver, "t", second.id) == {"n": 0, "log": ["a", ("b",)]}
        assert values(saver, "t", first.id) == {"n": 0, "log": ["a"]}
        found = got(saver, "t", first.id)
        assert found.checkpoint["next"] == [{"id": "0.go.0.t", "node": "go", "path": "", "triggered_by": ["a"]}]
        assert found.checkpoint["produced_by"] == ["a"]
        assert got(saver, "t", second.id).checkpoint["updated_channels"] == ["log"]
        assert found.metadata == {"source": "input", "step": -1, "run_id": "run", "branch": None}

    def test_long_growth_reads_right_at_every_point(self, saver: Saver) -> None:
        needs(saver, "commit_step")
        made: list[StateRecord] = []
        log: list[int] = []
        seen: dict[str, int] = {}
        for i in range(1100):
            log = [*log, i]
            seen = {**seen, f"k{i % 7}": i}
            changes = [appended("log", i), change("seen", {f"k{i % 7}": i}, "merge")]
            at = record("t", made[-1] if made else None, {"log": log, "seen": seen}, changes)
            made.append(at)
            cast("CommitsSteps", saver).commit_step(
                commit(at), expected_head=at.parent, run_started_seq=2**60, sync=False
            )

        for i in (1099, 0, 511, 512, 513, 1024, 600):
            found = values(saver, "t", made[i].id)
            assert found == {"log": list(range(i + 1)), "seen": dict(made[i].values["seen"])}
            assert list(found["seen"]) == list(made[i].values["seen"])
        branch = record("t", made[3], {"log": [0, 1, 2, 3, "x"], "seen": {}}, [
            appended("log", "x"), change("seen", {}),
        ])  # fmt: skip
        store(saver, branch)
        assert values(saver, "t") == {"log": [0, 1, 2, 3, "x"], "seen": {}}
        assert values(saver, "t", made[4].id)["log"] == [0, 1, 2, 3, 4]

    def test_two_writers_lose_nothing(self, saver: Saver) -> None:
        needs(saver, "commit_step")
        first = store(saver, record("t", None, {"n": 0}))
        winner = store(saver, record("t", first, {"n": 1}))
        loser = record("t", first, {"n": 2})

        with pytest.raises(ConcurrentUpdate):
            cast("CommitsSteps", saver).commit_step(
                commit(loser), expected_head=first.id, run_started_seq=2**60, sync=True
            )
        assert got(saver, "t").checkpoint["id"] == winner.id
        assert values(saver, "t", loser.id) == {"n": 2}

    def test_numbers_grow_with_every_commit(self, saver: Saver) -> None:
        needs(saver, "commit_step")
        steps = cast("CommitsSteps", saver)
        before = steps.sequence()
        first = record("t", None, {"n": 0})
        receipt = steps.commit_step(commit(first), expected_head=None, run_started_seq=before, sync=True)
        second = steps.commit_step(
            commit(record("t", first, {"n": 1})),
            expected_head=first.id,
            run_started_seq=before,
            sync=True,
        )
        steps.flush()

        assert before < receipt.seq < second.seq <= steps.sequence()

    def test_a_run_from_before_a_deletion_is_refused(self, saver: Saver) -> None:
        needs(saver, "commit_step")
        steps = cast("CommitsSteps", saver)
        began = steps.sequence()
        first = store(saver, record("t", None, {"n": 0}))
        saver.delete_thread("t")

        with pytest.raises(ThreadDeleted):
            steps.commit_step(
                commit(record("t", first, {"n": 1})),
                expected_head=first.id,
                run_started_seq=began,
                sync=True,
            )
        assert saver.get_tuple(config("t")) is None
        store(saver, record("t", None, {"n": 5}))
        assert values(saver, "t") == {"n": 5}

    def test_an_open_step_keeps_results_questions_and_errors(self, saver: Saver) -> None:
        needs(saver, "commit_step")
        first = store(saver, record("t", None, {"n": 0}, next=["a", "b"]))
        a, b = first.next
        span = Span(1, 10, 20)
        question = Question("b?0", {"sure": True})
        outcomes = (
            Finished(a, (), NO_ROUTE, span),
            Paused(b, (question,), span),
            Failed(Task("x", "x"), ValueError("no"), "trace", span),
        )
        pending = (
            write(a.id, "n", 1),
            write(a.id, "__route__", {"targets": [], "replaces": False}),
            write(b.id, "__interrupt__", [{"id": "b?0", "value": {"sure": True}}]),
        )
        steps = cast("CommitsSteps", saver)
        for more in (pending, (write(b.id, "__answer__", {"b?0": "yes"}),), pending[:2]):
            steps.commit_step(
                StepCommit("t", "", "run", first.id, outcomes=outcomes, pending=more),
                expected_head=first.id,
                run_started_seq=2**60,
                sync=True,
            )

        found = got(saver, "t")
        assert sorted(found.pending_writes, key=str) == sorted(
            [
                (a.id, "n", 1),
                (a.id, "__route__", {"targets": [], "replaces": False}),
                (b.id, "__interrupt__", [{"id": "b?0", "value": {"sure": True}}]),
                (b.id, "__answer__", {"b?0": "yes"}),
            ],
            key=str,
        )
        assert found.checkpoint["id"] == first.id

    # fork_at -----------------------------------------------------------------------------------------

    def test_a_fork_has_the_ancestors_and_what_was_carried(self, saver: Saver) -> None:
        needs(saver, "fork_at")
        needs(saver, "commit_step")
        first = store(saver, record("t", None, {"log": [1]}, next=["a"]))
        second = store(
            saver,
            record("t", first, {"log": [1, 2]}, [appended("log", 2)], next=["b"]),
            kept=(write(first.next[0].id, "__route__", {"targets": [], "replaces": False}),),
            carried=(write("done", "__route__", {"targets": [], "replaces": False}),),
        )
        saver.put_writes(config("t"), [("log", [9])], second.next[0].id)
        third = store(saver, record("t", second, {"log": [1, 2, 3]}, [appended("log", 3)]))
        at = saver.fork_at(config("t", second.id), "u")
        store(saver, record("u", second, {"log": [1, 2, 7]}, [appended("log", 7)]))
        saver.delete_thread("t")

        assert at == config("u", second.id)
        assert saver.get_tuple(config("u", third.id)) is None
        assert values(saver, "u") == {"log": [1, 2, 7]}
        assert values(saver, "u", first.id) == {"log": [1]}
        forked = got(saver, "u", second.id)
        assert [task for task, _, _ in forked.pending_writes] == ["done"]
        assert forked.parent_config == config("u", first.id)

    def test_a_fork_goes_from_what_is_to_what_is_not(self, saver: Saver) -> None:
        needs(saver, "fork_at")
        saver.put(config("t"), {"id": "c", "channel_values": {"a": 1}}, {}, {"a": 1})
        saver.put(config("taken"), {"id": "c", "channel_values": {}}, {}, {})

        with pytest.raises(ThreadNotFound):
            saver.fork_at(config("nobody"), "new")
        with pytest.raises(CheckpointNotFound):
            saver.fork_at(config("t", "nope"), "new")
        with pytest.raises(ThreadExists):
            saver.fork_at(config("t"), "taken")
        assert saver.get_tuple(config("new")) is None

    def test_what_is_not_offered_is_refused(self, saver: Saver) -> None:
        if "fork_at" not in saver.capabilities:
            with pytest.raises(Unsupported):
                saver.fork_at(config("t"), "u")
        assert isinstance(saver, CommitsSteps) or "commit_step" not in saver.capabilities

    # removal -----------------------------------------------------------------------------------------

    def test_values_survive_while_a_kept_checkpoint_is_built_on_them(self, saver: Saver) -> None:
        needs(saver, "commit_step")
        first = store(saver, record("t", None, {"log": [1]}, run="r1"))
        second = store(saver, record("t", first, {"log": [1, 2]}, [appended("log", 2)], run="r2"))

        with pytest.raises(DeltaDependency):
            saver.delete_for_runs(["r1"])
        saver.prune(["t"])
        assert values(saver, "t") == {"log": [1, 2]}
        store(saver, record("t", second, {"log": [1, 2, 3]}, [appended("log", 3)], run="r2"))
        assert values(saver, "t") == {"log": [1, 2, 3]}

    def test_a_step_on_a_pruned_parent_is_whole(self, saver: Saver) -> None:
        needs(saver, "commit_step")
        first = store(saver, record("t", None, {"log": [1], "n": 1}))
        store(saver, record("t", first, {"log": [1], "n": 2}, [change("n", 2)]))
        saver.prune(["t"])
        late = record("t", first, {"log": [1, 5], "n": 1}, [appended("log", 5)])
        store(saver, late)

        assert values(saver, "t") == {"log": [1, 5], "n": 1}

    # annotate ----------------------------------------------------------------------------------------

    def test_what_is_noted_shows_and_can_be_found(self, saver: Saver) -> None:
        needs(saver, "annotate")
        for i in range(3):
            saver.put(config("t"), {"id": f"c{i}", "channel_values": {}}, {"step": i}, {})
        saver.annotate(config("t", "c1"), label="best", tags=["a", "b"], note="why", bookmark=True)
        saver.annotate(config("t", "c1"), tags=["b", "c"], remove=["a"])

        metadata = got(saver, "t", "c1").metadata
        assert metadata["label"] == "best"
        assert metadata["tags"] == ["b", "c"]
        assert metadata["step"] == 1
        by_tag = saver.list(config("t"), filter={"tags": ["c", "b"]})
        assert [item.checkpoint["id"] for item in by_tag] == ["c1"]
        assert list(saver.list(config("t"), filter={"tags": ["a"]})) == []
        by_label = saver.list(config("t"), filter={"label": "best"})
        assert [item.checkpoint["id"] for item in by_label] == ["c1"]
        saver.annotate(config("t", "c1"), label="")
        assert "label" not in got(saver, "t", "c1").metadata

    def test_only_what_is_there_can_be_noted(self, saver: Saver) -> None:
        needs(saver, "annotate")
        saver.put(config("t"), {"id": "c", "channel_values": {}}, {}, {})

        with pytest.raises(ThreadNotFound):
            saver.annotate(config("nobody"), label="x")
        with pytest.raises(CheckpointNotFound):
            saver.annotate(config("t", "nope"), label="x")

    # the others --------------------------------------------------------------------------------------

    def test_a_checkpoint_and_its_writes_are_stored_both_or_neither(self, saver: Saver) -> None:
        needs(saver, "put_checkpoint_with_writes")
        checkpoint = {"id": "c", "channel_values": {"a": 1}}
        with pytest.raises(SerializationFailed):
            saver.put_checkpoint_with_writes(config("t"), checkpoint, {}, {"a": 1}, [("a", object())], task_id="x")
        assert saver.get_tuple(config("t")) is None

        saver.put_checkpoint_with_writes(config("t"), checkpoint, {}, {"a": 1}, [("a", 2)], task_id="x")
        assert got(saver, "t").pending_writes == [("x", "a", 2)]

    def test_tables_say_what_was_stored(self, saver: Saver) -> None:
        needs(saver, "read_tables")
        needs(saver, "commit_step")
        first = store(saver, record("t", None, {"log": [1]}, next=["go"]), started=start())
        task = first.next[0]
        store(
            saver,
            record("t", first, {"log": [1, 2]}, [appended("log", 2)]),
            outcomes=(Finished(task, (), NO_ROUTE, Span(1, 1_000, 3_500)),),
            ended=ended(),
        )
        store(saver, record("other", None, {"log": [1, 2]}))
        tables = {name: table.to_pylist() for name, table in saver.read_tables("t").items()}

        assert [row["step"] for row in tables["checkpoints"]] == [-1, 0]
        assert [row["op"] for row in tables["channel_values"]] == ["set", "append"]
        assert [row["event"] for row in tables["run_events"]] == ["start", "end"]
        assert [row["node"] for row in tables["tasks"]] == ["go"]
        assert tables["tasks"][0]["duration_ms"] == 2.5
        assert tables["graph_defs"][0]["def_hash"] == "def"
        seqs = [row["seq"] for rows in tables.values() for row in rows]
        assert len(set(seqs)) == len(seqs)
        everything = saver.read_tables()["checkpoints"].to_pylist()
        assert len(everything) == 3
        # However a value came about, it has one hash: equal states are found by it.
        assert everything[1]["state_hash"] == everything[2]["state_hash"]
        assert everything[0]["state_hash"] != everything[1]["state_hash"]
