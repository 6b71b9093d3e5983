from __future__ import annotations

from typing import Any

from weavenb.savers.duckdb.asking import tables_of
from weavenb.savers.duckdb.saver import DuckDBSaver
from weavenb.savers.tables import TABLES
from weavenb.serde import decode
from weavenb.testing.commits import appended, change, commit, record


def test_the_base_tables_have_the_columns_every_saver_gives():
    with DuckDBSaver() as saver:
        kinds = {"JSON": "VARCHAR", "TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}
        for table, columns in TABLES.items():
            rows = saver.cursor().execute(f"describe {table}").fetchall()

            assert [(row[0], row[1]) for row in rows] == [(name, kinds.get(kind, kind)) for name, kind in columns]


def test_sql_gives_the_state_that_python_gives():
    steps: list[tuple[dict[str, Any], Any]] = [
        ({"log": [1], "map": {"a": 1}, "odd": {1: "x"}}, None),
        ({"log": [1, [2]]}, [appended("log", [2])]),
        ({"map": {"a": None, 'q"\\.$é': 2.5}}, [change("map", {"a": None, 'q"\\.$é': 2.5}, "merge")]),
        ({"odd": {1: "y", (2,): "z"}}, [change("odd", {1: "y", (2,): "z"}, "merge")]),
        ({"log": [1, [2], "é,"]}, [appended("log", "é,")]),
        ({"log": []}, [change("log", [])]),
        ({"log": ["]"]}, [appended("log", "]")]),
    ]
    with DuckDBSaver() as saver:
        values: dict[str, Any] = {}
        before = None
        for new, changes in steps:
            values = {**values, **new}
            made = record("t", before, values, changes)
            expected = None if before is None else before.id
            saver.commit_step(commit(made), expected_head=expected, run_started_seq=2**60, sync=False)
            before = made
        listed = {item.checkpoint["id"]: item.checkpoint["channel_values"] for item in saver.list()}
        asked = tables_of(saver)
        found: dict[str, dict[str, Any]] = {}
        for row in asked.query("select checkpoint_id, channel, value from state_long").to_pylist():
            found.setdefault(row["checkpoint_id"], {})[row["channel"]] = decode(row["value"])

        assert found == listed


def test_branches_and_lineage_follow_parents():
    with DuckDBSaver() as saver:
        first = record("t", None, {"n": 0})
        saver.commit_step(commit(first), expected_head=None, run_started_seq=2**60, sync=False)
        head, tips = first, []
        for _ in range(2):
            for parent in (first, None):
                made = record("t", parent or head, {"n": 1})
                saver.commit_step(commit(made), expected_head=saver_head(saver), run_started_seq=2**60, sync=False)
                head = made
            tips.append(head.id)
        asked = tables_of(saver)
        branches = asked.query("select checkpoint_id, forked_at, is_head from branches order by seq").to_pylist()
        lineage = asked.query(
            "select checkpoint_id from lineage(ref('t', :tip)) order by depth", {"tip": tips[0]}
        ).to_pylist()

        assert [(row["checkpoint_id"], row["forked_at"], row["is_head"]) for row in branches] == [
            (tips[0], first.id, False),
            (tips[1], first.id, True),
        ]
        assert len(lineage) == 3
        assert lineage[-1]["checkpoint_id"] == first.id


def saver_head(saver):
    found = saver.get_tuple({"configurable": {"thread_id": "t"}})
    return found.checkpoint["id"]
