from __future__ import annotations

import pytest

from weavenb.errors import QueryFailed
from weavenb.savers.duckdb.asking import tables_of
from weavenb.savers.duckdb.saver import DuckDBSaver
from weavenb.savers.memory import MemorySaver
from weavenb.testing.commits import appended, change, commit, record

HOSTILE = [
    "insert into checkpoints(seq) values (1)",
    "delete from checkpoints",
    "update store_meta set drained_seq = 0",
    "drop view threads",
    "create table x(a int)",
    "create or replace macro ref(a, b) as 1",
    "attach 'x.db'",
    "copy checkpoints to 'x.csv'",
    "export database 'x'",
    "install httpfs",
    "load httpfs",
    "pragma version",
    "pragma database_list",
    "set threads = 1",
    "reset threads",
    "call pragma_version()",
    "commit",
    "commit; drop table checkpoints",
    "commit; select 1",
    "select 1; select 2",
    "select 1; -- ;\n delete from checkpoints",
    "select 1 /* ; */ ; delete from checkpoints",
    "/* select */ delete from checkpoints",
    "with a as (select 1) delete from checkpoints",
    "explain analyze delete from checkpoints",
    "begin",
    "rollback",
    "checkpoint",
    "vacuum",
    "prepare p as select 1",
    "execute p",
    "use memory",
    "select * from duckdb_settings()",
    'select * from "duckdb_settings"()',
    'select * from main."DuckDB_Settings"()',
    "select * from duckdb_databases",
    "select * from duckdb_secrets()",
    "select * from pragma_database_list",
    "select current_setting('home_directory')",
    "select \"current_setting\"('home_directory')",
    "select getenv('HOME')",
    "select * from read_text('/etc/passwd')",
    "select * from read_csv('/etc/passwd')",
    "select * from glob('/*')",
    "select * from '/etc/passwd'",
    "from 'x.parquet'",
    "select * from query('select * from duckdb_settings()')",
    "select * from query_table('duckdb_settings')",
    "select * from json_execute_serialized_sql(json_serialize_sql('select * from duckdb_settings()'))",
    "select * from arrow_scan(1, 2, 3)",
    "select * from pandas_scan(1)",
    "select * from force_checkpoint()",
    "select * from (select * from duckdb_logs())",
    "select (select count(*) from duckdb_extensions())",
    "select * from checkpoint()",
    "select 1 as getenv, getenv('HOME')",
    "select current_setting('home_directory') as current_setting",
    "select ('HOME').getenv() as getenv",
    "select * from duckdb_settings() as duckdb_settings",
    "select 1 as duckdb_settings from duckdb_settings",
    "select 1 as duckdb_settings from (describe duckdb_settings)",
    "select getenv('HOME') over () as getenv",
    "select 1 as getenv where getenv('HOME') is not null",
    "select [getenv(x) for x in ['HOME']] as getenv",
    "select 1 as getenv order by getenv('HOME')",
    "with getenv as (select getenv('HOME')) select * from getenv",
    "select * from (pivot (select 1 as getenv, getenv('HOME') as x) on x using first(getenv))",
    "select 1 as glob from glob('/*') as glob(glob)",
    "select x.getenv() as getenv from (select 'HOME' as x)",
    "pivot (select 1 as checkpoint) on checkpoint",
    "",
    "   -- nothing",
    "selec 1",
    "select",
]


@pytest.fixture
def saver(tmp_path):
    with DuckDBSaver(tmp_path / "runs.duckdb") as saver:
        fill(saver)
        yield saver


def fill(saver):
    first = record("t", None, {"log": ["a"], "n": 1}, next=["go"])
    saver.commit_step(commit(first), expected_head=None, run_started_seq=2**60, sync=False)
    second = record("t", first, {"log": ["a", "b"], "n": 2}, [appended("log", "b"), change("n", 2)])
    saver.commit_step(commit(second), expected_head=first.id, run_started_seq=2**60, sync=False)
    return first, second


@pytest.mark.parametrize("sql", HOSTILE)
def test_what_is_not_one_plain_question_is_refused(saver, sql):
    before = saver.cursor().execute("select count(*) from checkpoints").fetchall()

    with pytest.raises(QueryFailed):
        tables_of(saver).query(sql)
    assert saver.cursor().execute("select count(*) from checkpoints").fetchall() == before


def test_a_question_sees_what_was_just_committed(saver):
    found = tables_of(saver).query("select count(*) as n from checkpoints").to_pylist()

    assert found == [{"n": 2}]


def test_parameters_stand_outside_of_texts_and_comments_only(saver):
    sql = "select :who as a, ':who' as b, 'é' as c, ':who'::varchar as d -- :who\n where :who = 'x' /* :who */"

    found = tables_of(saver).query(sql, {"who": "x"}).to_pylist()

    assert found == [{"a": "x", "b": ":who", "c": "é", "d": ":who"}]


def test_a_parameter_that_is_not_asked_for_is_told(saver):
    with pytest.raises(QueryFailed, match=":who"):
        tables_of(saver).query("select 1", {"who": 1})


def test_a_misspelt_name_is_answered_with_the_nearest(saver):
    asked = tables_of(saver)

    with pytest.raises(QueryFailed, match="Did you mean 'checkpoints'"):
        asked.query("select * from chekpoints")
    with pytest.raises(QueryFailed, match="Did you mean 'checkpoint_id'"):
        asked.query("select chekpoint_id from checkpoints")


def test_a_question_that_takes_too_long_is_stopped(saver):
    with pytest.raises(QueryFailed, match="longer than"):
        tables_of(saver).query(
            "select count(*) from range(1000000000) a, range(1000000) b where a.range + b.range = 3", timeout=0.2
        )

    assert tables_of(saver).query("select 1 as one").to_pylist() == [{"one": 1}]


def test_too_many_rows_are_refused(saver):
    with pytest.raises(QueryFailed, match="more than 10 rows"):
        tables_of(saver).query("select * from range(11)", most_rows=10)


def test_the_same_questions_are_answered_for_a_saver_in_memory(saver):
    with MemorySaver() as other:
        fill(other)
        questions = [
            "select thread_id, checkpoints from threads",
            "select channel, value from state_at((select max(seq) from checkpoints))",
            "select channel, op, before, after from diffs order by seq, channel",
            "select step, changed from timeline order by seq",
            "select count(*) as n from lineage((select max(seq) from checkpoints))",
        ]

        asked = tables_of(other)
        answers = [asked.query(sql).to_pylist() for sql in questions]
        asked.close()

    assert answers == [tables_of(saver).query(sql).to_pylist() for sql in questions]


def test_state_is_whole_through_what_was_appended(saver):
    found = tables_of(saver).query("select channel, value from state_at((select max(seq) from checkpoints))")

    assert found.to_pylist() == [{"channel": "log", "value": '["a","b"]'}, {"channel": "n", "value": "2"}]


@pytest.mark.parametrize(
    "sql",
    [
        "select seq as checkpoint from checkpoints order by checkpoint",
        'select seq as "checkpoint" from checkpoints where "checkpoint" > 0',
        "select c.checkpoint from (select seq as checkpoint from checkpoints) c",
        "select checkpoint from (select seq from checkpoints) as c(checkpoint)",
        "select seq as query, seq as set_at, seq as load_ms from checkpoints order by set_at",
    ],
)
def test_a_column_may_be_called_as_a_function_is(saver, sql):
    assert tables_of(saver).query(sql).num_rows == 2
