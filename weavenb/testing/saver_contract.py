"""What a saver promises, as tests. Subclass `SaverContract` with a fixture named ``saver``."""

# ruff: noqa: S101, PLR2004  tests that travel: a name is a sentence, `assert` is what they are made of

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from weavenb.errors import (
    DeltaDependency,
    SerializationFailed,
    StorageTrouble,
    StoreError,
    ThreadDeleted,
    ThreadExists,
)
from weavenb.savers.contract import Saver
from weavenb.testing.commits import config
from weavenb.testing.step_contract import StepContract
from weavenb.testing.values import HOSTILE_NAMES, VALUES

__all__ = ["SaverContract"]


def put(saver: Saver, thread: str, id_: str, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Put a checkpoint after ``parent``."""
    checkpoint = {"v": 1, "id": id_, "channel_values": values, "next": more.pop("next", [])}
    at = config(thread, more.pop("parent", None), more.pop("namespace", ""))
    return saver.put(at, checkpoint, {"source": "loop", "step": 0, **more}, dict.fromkeys(values, 1))


def ids(saver: Saver, *args: Any, **opts: Any) -> list[str]:
    """Ids of what a listing gives."""
    return [item.checkpoint["id"] for item in saver.list(*args, **opts)]


def values_at(saver: Saver, thread: str, id_: str | None = None) -> Any:
    """The state at a checkpoint."""
    found = saver.get_tuple(config(thread, id_))
    assert found is not None
    return found.checkpoint["channel_values"]


class SaverContract(StepContract):
    """The ten required operations; `StepContract` adds those a saver lists in `capabilities`."""

    # put and get -------------------------------------------------------------------------------------

    def test_what_was_never_stored_is_none(self, saver: Saver) -> None:
        assert saver.get_tuple(config("nobody")) is None
        assert list(saver.list(config("nobody"))) == []

    def test_a_checkpoint_comes_back_by_id_and_as_head(self, saver: Saver) -> None:
        stored = put(saver, "t", "c1", {"a": 1}, next=[{"id": "1.n", "node": "n", "path": ""}])

        for at in (stored, config("t"), config("t", "c1")):
            found = saver.get_tuple(at)
            assert found is not None
            assert found.config == stored == config("t", "c1")
            assert found.checkpoint["channel_values"] == {"a": 1}
            assert found.checkpoint["next"] == [{"id": "1.n", "node": "n", "path": ""}]
            assert found.parent_config is None
            assert set(found.checkpoint["channel_versions"]) == {"a"}

    def test_an_unknown_id_is_none_and_not_the_head(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": 1})

        assert saver.get_tuple(config("t", "nope")) is None

    def test_the_last_put_is_the_head_and_names_its_parent(self, saver: Saver) -> None:
        put(saver, "t", "z", {"a": 1})
        put(saver, "t", "b", {"a": 2}, parent="z")

        found = saver.get_tuple(config("t"))
        assert found is not None
        assert found.checkpoint["id"] == "b"
        assert found.parent_config == config("t", "z")

    def test_metadata_keeps_what_the_caller_gave(self, saver: Saver) -> None:
        put(saver, "t", "c1", {}, run_id="r", who={"x": [1]}, branch="b")

        found = saver.get_tuple(config("t"))
        assert found is not None
        assert found.metadata == {
            "source": "loop", "step": 0, "run_id": "r", "branch": "b", "who": {"x": [1]},
        }  # fmt: skip

    def test_putting_the_same_checkpoint_again_changes_nothing(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": 1})
        put(saver, "t", "c2", {"a": 2}, parent="c1")
        put(saver, "t", "c1", {"a": 1})

        assert ids(saver, config("t")) == ["c2", "c1"]
        assert values_at(saver, "t") == {"a": 2}

    def test_a_channel_that_did_not_change_keeps_its_value(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": [1], "b": 1})
        checkpoint = {"id": "c2", "channel_values": {"a": [1], "b": 2}}
        saver.put(config("t", "c1"), checkpoint, {}, {"b": 2})

        assert values_at(saver, "t", "c2") == {"a": [1], "b": 2}
        assert values_at(saver, "t", "c1") == {"a": [1], "b": 1}

    def test_a_channel_that_is_gone_is_gone(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": 1, "b": 1})
        put(saver, "t", "c2", {"b": 1}, parent="c1")

        assert values_at(saver, "t") == {"b": 1}

    def test_namespaces_have_their_own_heads(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": 1})
        put(saver, "t", "c1", {"a": 2}, namespace="child:x")

        assert values_at(saver, "t") == {"a": 1}
        inner = saver.get_tuple(config("t", namespace="child:x"))
        assert inner is not None
        assert inner.checkpoint["channel_values"] == {"a": 2}

    # values ------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("name", sorted(VALUES))
    def test_a_value_comes_back_as_the_type_it_went_in(self, saver: Saver, name: str) -> None:
        put(saver, "t", "c1", {"v": VALUES[name]})
        found = values_at(saver, "t")["v"]

        assert type(found) is type(VALUES[name])
        assert repr(found) == repr(VALUES[name])

    @pytest.mark.parametrize("name", HOSTILE_NAMES)
    def test_odd_names_are_names(self, saver: Saver, name: str) -> None:
        put(saver, f"t{name}", f"c{name}", {name: {name: name}}, namespace=name)
        at = config(f"t{name}", namespace=name)
        saver.put_writes(at, [(name, name)], f"task{name}")
        found = saver.get_tuple(at)

        assert found is not None
        assert found.checkpoint["channel_values"] == {name: {name: name}}
        assert found.pending_writes == [(f"task{name}", name, name)]

    def test_a_large_value_comes_back(self, saver: Saver) -> None:
        big = {"text": "ab\u2028" * 300_000, "list": list(range(100_000))}
        put(saver, "t", "c1", big)

        assert values_at(saver, "t") == big

    def test_what_cannot_be_kept_is_refused_whole(self, saver: Saver) -> None:
        with pytest.raises(SerializationFailed) as caught:
            put(saver, "t", "c1", {"fine": 1, "odd": [object()]})

        assert caught.value.details["channel"] == "odd"
        assert caught.value.details["path"] == "[0]"
        assert saver.get_tuple(config("t")) is None

    def test_readers_share_no_object_with_what_is_stored(self, saver: Saver) -> None:
        mine = {"rows": [[1]]}
        put(saver, "t", "c1", {"v": mine})
        mine["rows"].append([2])
        values_at(saver, "t")["v"]["rows"].clear()

        assert values_at(saver, "t") == {"v": {"rows": [[1]]}}

    # writes ------------------------------------------------------------------------------------------

    def test_writes_are_kept_beside_their_checkpoint_in_order(self, saver: Saver) -> None:
        at = put(saver, "t", "c1", {})
        saver.put_writes(at, [("b", 1), ("a", (2,))], "t1")
        saver.put_writes(at, [("a", 3)], "t2")
        put(saver, "t", "c2", {}, parent="c1")

        first, second = saver.get_tuple(at), saver.get_tuple(config("t"))
        assert first is not None
        assert second is not None
        assert first.pending_writes == [("t1", "b", 1), ("t1", "a", (2,)), ("t2", "a", 3)]
        assert second.pending_writes == []

    def test_writing_the_same_again_changes_nothing(self, saver: Saver) -> None:
        at = put(saver, "t", "c1", {})
        for value in (1, 2):
            saver.put_writes(at, [("a", value)], "t1")

        found = saver.get_tuple(at)
        assert found is not None
        assert found.pending_writes == [("t1", "a", 1)]

    def test_a_reserved_channel_holds_its_last_value(self, saver: Saver) -> None:
        at = put(saver, "t", "c1", {})
        for value in ({"message": "one"}, {"message": "two"}):
            saver.put_writes(at, [("a", 0), ("__error__", value)], "t1")

        found = saver.get_tuple(at)
        assert found is not None
        assert found.pending_writes == [("t1", "a", 0), ("t1", "__error__", {"message": "two"})]

    def test_a_result_that_is_taken_back_makes_room(self, saver: Saver) -> None:
        at = put(saver, "t", "c1", {})
        saver.put_writes(at, [("a", 1), ("__route__", {"targets": []})], "t1")
        saver.put_writes(at, [("a", 9)], "t2")
        saver.put_writes(at, [("__error__", {"message": "no"}), ("__route__", None)], "t1")
        saver.put_writes(at, [("a", 2)], "t1")

        found = saver.get_tuple(at)
        assert found is not None
        plain = [each for each in found.pending_writes if each[1] == "a"]
        assert plain == [("t2", "a", 9), ("t1", "a", 2)]
        assert ("t1", "__route__", None) in found.pending_writes

    # list --------------------------------------------------------------------------------------------

    def test_a_list_is_newest_first_and_pages_without_gap_or_double(self, saver: Saver) -> None:
        names = [f"c{i}" for i in (5, 3, 9, 1, 7)]  # ids in no order: commits are what counts
        for i, name in enumerate(names):
            put(saver, "t", name, {"i": i}, parent=names[i - 1] if i else None)
        put(saver, "other", "x", {})
        pages, before = [], None
        while page := ids(saver, config("t"), limit=2, before=before):
            pages += page
            before = config("t", page[-1])

        assert pages == names[::-1]
        assert ids(saver, config("t"), limit=0) == []
        assert ids(saver) == ["x", *names[::-1]]

    def test_a_list_compares_metadata_by_equality(self, saver: Saver) -> None:
        put(saver, "t", "c1", {}, run_id="r1", kind="x")
        put(saver, "t", "c2", {}, parent="c1", run_id="r2", kind={"k": 1})
        put(saver, "t", "c3", {}, parent="c2", run_id="r2", source="update")

        assert ids(saver, config("t"), filter={"run_id": "r2"}) == ["c3", "c2"]
        assert ids(saver, config("t"), filter={"source": "update"}) == ["c3"]
        assert ids(saver, config("t"), filter={"kind": {"k": 1}}) == ["c2"]
        assert ids(saver, config("t"), filter={"kind": "nope"}) == []
        assert ids(saver, filter={"run_id": "r2", "step": 0}, limit=1) == ["c3"]

    # whole threads -----------------------------------------------------------------------------------

    def test_a_deleted_thread_is_gone_with_its_namespaces(self, saver: Saver) -> None:
        put(saver, "t", "c1", {})
        put(saver, "t", "c1", {}, namespace="child")
        put(saver, "stays", "c1", {})
        saver.delete_thread("t")
        saver.delete_thread("unknown")

        assert saver.get_tuple(config("t")) is None
        assert saver.get_tuple(config("t", namespace="child")) is None
        assert ids(saver) == ["c1"]

    def test_a_late_put_does_not_bring_a_deleted_thread_back(self, saver: Saver) -> None:
        at = put(saver, "t", "c1", {})
        saver.delete_thread("t")

        with pytest.raises(ThreadDeleted):
            put(saver, "t", "c2", {}, parent="c1")
        with pytest.raises(ThreadDeleted):
            saver.put_writes(at, [("a", 1)], "t1")
        assert saver.get_tuple(config("t")) is None

    def test_a_deleted_name_may_begin_anew(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": 1})
        saver.delete_thread("t")
        put(saver, "t", "c2", {"a": 2})

        assert ids(saver, config("t")) == ["c2"]

    def test_a_copy_has_the_same_ids_and_stands_alone(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": [1]})
        saver.put_writes(config("t"), [("a", 5)], "t1")
        put(saver, "t", "c2", {"a": [1, 2]}, parent="c1")
        saver.copy_thread("t", "u")
        saver.copy_thread("unknown", "v")
        saver.delete_thread("t")

        assert ids(saver, config("u")) == ["c2", "c1"]
        assert values_at(saver, "u") == {"a": [1, 2]}
        first = saver.get_tuple(config("u", "c1"))
        assert first is not None
        assert first.pending_writes == [("t1", "a", 5)]
        assert ids(saver, config("v")) == []

    def test_a_copy_never_mixes_with_what_is_there(self, saver: Saver) -> None:
        put(saver, "t", "c1", {})
        put(saver, "u", "c1", {})

        with pytest.raises(ThreadExists):
            saver.copy_thread("t", "u")

    def test_a_runs_checkpoints_go_and_the_head_falls_back(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": 1}, run_id="r1")
        put(saver, "t", "c2", {"a": 2}, parent="c1", run_id="r2")
        put(saver, "only", "c1", {}, run_id="r2")
        saver.delete_for_runs(["r2"])

        assert ids(saver, config("t")) == ["c1"]
        assert values_at(saver, "t") == {"a": 1}
        assert saver.get_tuple(config("only")) is None

    def test_copies_are_no_part_of_the_run_they_were_made_of(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": 1}, run_id="r1")
        saver.copy_thread("t", "u")
        saver.delete_for_runs(["r1"])

        assert saver.get_tuple(config("t")) is None
        assert values_at(saver, "u") == {"a": 1}

    def test_a_run_that_others_build_on_is_kept_whole(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": 1}, run_id="r1")
        put(saver, "t", "c2", {"a": 1}, parent="c1", run_id="r2")

        with pytest.raises(DeltaDependency):
            saver.delete_for_runs(["r1"])
        assert ids(saver, config("t")) == ["c2", "c1"]

    def test_pruning_keeps_the_head_of_each_namespace_readable(self, saver: Saver) -> None:
        for i in range(4):
            put(saver, "t", f"c{i}", {"a": i, "same": "x"}, parent=f"c{i - 1}" if i else None)
            put(saver, "t", f"c{i}", {"n": i}, namespace="child")
        saver.put_writes(config("t"), [("__interrupt__", [{"id": "q", "value": 1}])], "t1")
        saver.prune(["t", "unknown"])

        head = saver.get_tuple(config("t"))
        assert head is not None
        assert ids(saver, config("t")) == ["c3"]
        assert head.checkpoint["channel_values"] == {"a": 3, "same": "x"}
        assert head.parent_config is None
        assert len(head.pending_writes) == 1
        assert ids(saver, config("t", namespace="child")) == ["c3"]

    def test_pruning_keeps_as_many_as_asked(self, saver: Saver) -> None:
        for i in range(4):
            put(saver, "t", f"c{i}", {"a": i}, parent=f"c{i - 1}" if i else None)
        saver.prune(["t"], strategy="keep_latest", keep=2, older_than=timedelta(days=1))
        assert len(ids(saver, config("t"))) == 4

        saver.prune(["t"], keep=2)
        assert ids(saver, config("t")) == ["c3", "c2"]

        saver.prune(["t"], strategy="delete")
        assert ids(saver, config("t")) == []

    def test_a_copy_of_a_grown_value_reads_the_same(self, saver: Saver) -> None:
        for i in range(5):
            put(saver, "t", f"c{i}", {"a": list(range(i))}, parent=f"c{i - 1}" if i else None)
        saver.copy_thread("t", "u")
        saver.prune(["u"])

        assert values_at(saver, "u") == {"a": [0, 1, 2, 3]}
        assert values_at(saver, "t", "c2") == {"a": [0, 1]}

    # the rest ----------------------------------------------------------------------------------------

    def test_the_history_of_a_channel_is_a_seed_and_what_was_added(self, saver: Saver) -> None:
        put(saver, "t", "c1", {"a": [1]})
        found = saver.get_delta_channel_history(config("t"), ["a", "nope"])

        assert found == {"a": {"seed": [1], "writes": []}}

    def test_a_version_always_grows(self, saver: Saver) -> None:
        first = saver.next_version(None, "a")

        assert saver.next_version(first, "a") > first

    def test_what_is_not_offered_says_so(self, saver: Saver) -> None:
        assert saver.capabilities <= {
            "annotate", "commit_step", "fork_at", "put_checkpoint_with_writes", "put_many", "read_tables",
        }  # fmt: skip

    def test_a_closed_saver_says_so_whatever_is_asked(self, saver: Saver) -> None:
        put(saver, "t", "c1", {})
        saver.close()
        saver.close()

        for ask in (
            lambda: saver.get_tuple(config("t")),
            lambda: list(saver.list()),
            lambda: put(saver, "t", "c2", {}),
            lambda: saver.delete_thread("t"),
        ):
            with pytest.raises(StorageTrouble) as caught:
                ask()
            assert isinstance(caught.value, StoreError)
            assert caught.value.code == "storage_error"
