"""Questions in SQL: one statement, reading only, whatever is typed."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import duckdb
import orjson

from weavenb.errors import QueryFailed, nearest

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MOST_ROWS", "TIMEOUT", "run"]

TIMEOUT: Final = 30.0
"""Seconds after which a question is stopped."""
MOST_ROWS: Final = 1_000_000
"""Rows a question may answer with: more would fill a notebook's memory."""
REFUSED: Final = re.compile(
    # settings, paths, secrets and logs; files; SQL hidden in a text; memory by address; what acts
    r"duckdb_.*|pragma_.*|pg_settings|current_setting|getenv|.*secrets?"
    r"|read_.*|write_.*|glob|sniff_csv|parquet_.*|.*_scan|.*_scan_.*|scan_.*"
    r"|query|query_table|json_execute_serialized_sql|from_substrait.*|python_.*"
    r"|(force_)?checkpoint|enable_.*|disable_.*|set_.*|nextval|truncate_.*|load_.*|install_.*",
    re.IGNORECASE,
)
NAMED: Final = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
MISSING: Final = re.compile(
    r"(?:[Rr]eferenced column|Referenced table|Table with name|Table Function with name|Function with name"
    r"|does not have a column named|column named|Macro Function)\s+\"?([A-Za-z_]\w*)\"?"
)
NAMES: Final = (
    "select column_name from information_schema.columns where table_schema = 'main'"
    " union select table_name from information_schema.tables where table_schema = 'main'"
    " union select function_name from duckdb_functions() where not internal"
)


def run(
    cursor: duckdb.DuckDBPyConnection,
    sql: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    timeout: float = TIMEOUT,
    most_rows: int = MOST_ROWS,
) -> pa.Table:
    """Answer one SELECT; ``:name`` stands for a parameter.

    Raises:
        QueryFailed: if it is refused, wrong, too slow or too large.
    """
    given = dict(parameters or {})
    text, used = _translated(sql, given)
    unused = sorted(given.keys() - used)
    if unused:
        raise QueryFailed(f"The query has no :{unused[0]}, for which a parameter was given.")
    _check_kind(cursor, text)
    _check_names(cursor, text)
    late = threading.Event()

    def stop() -> None:
        late.set()
        cursor.interrupt()

    watchdog = threading.Timer(timeout, stop)
    watchdog.daemon = True
    watchdog.start()
    cursor.execute("begin transaction read only").fetchall()
    try:
        table: pa.Table = cursor.sql(text, params=given or None).limit(most_rows + 1).to_arrow_table()
    except duckdb.Error as error:
        if late.is_set():
            raise QueryFailed(f"The query took longer than {timeout:g} s and was stopped: narrow it.") from error
        raise _explained(cursor, error) from error
    except (OverflowError, TypeError, AttributeError) as error:
        raise QueryFailed(f"The query cannot be run: {error}") from error
    finally:
        watchdog.cancel()
        watchdog.join()
        cursor.execute("rollback").fetchall()
    if table.num_rows > most_rows:
        raise QueryFailed(f"The query answers with more than {most_rows} rows: narrow it, or add a limit.")
    return table


def _tokens(sql: bytes) -> Iterator[tuple[bytes, str, int]]:
    """Text, kind and place of each token; places are counted in bytes."""
    found = duckdb.tokenize(sql.decode())
    ends = [*[place for place, _ in found[1:]], len(sql)] if found else []
    for (place, kind), end in zip(found, ends, strict=True):
        yield sql[place:end].rstrip(), str(kind).rpartition(".")[2], place


def _translated(sql: str, given: Mapping[str, Any]) -> tuple[str, set[str]]:
    """The text with DuckDB's ``$name`` for our ``:name``, outside of texts, names in quotes and comments."""
    try:
        source = sql.encode()
        tokens = list(_tokens(source))
    except (duckdb.Error, UnicodeError) as error:
        raise QueryFailed(f"The query cannot be read: {str(error).splitlines()[0]}") from error
    used: set[str] = set()
    parts, done = [], 0
    for (text, kind, place), (name, _, after) in itertools.pairwise(tokens):
        if kind != "operator" or not text.endswith(b":") or text.endswith(b"::") or after != place + len(text):
            continue
        plain = NAMED.match(name)
        if plain is None or plain[0].decode() not in given:
            continue
        used.add(plain[0].decode())
        parts += [source[done : after - 1], b"$"]
        done = after
    for text, _, _ in tokens:
        used.update(name.decode() for name in re.findall(rb"^\$([A-Za-z_]\w*)", text))
    return b"".join([*parts, source[done:]]).decode(), used


def _check_kind(cursor: duckdb.DuckDBPyConnection, text: str) -> None:
    try:
        statements = cursor.extract_statements(text)
    except duckdb.Error as error:
        raise QueryFailed(f"The query is no SQL that DuckDB reads: {_first(error)}") from error
    if len(statements) != 1:
        raise QueryFailed(f"One statement is answered at a time, this holds {len(statements)}.")
    kind = str(statements[0].type).rpartition(".")[2]
    if kind != "SELECT":
        raise QueryFailed(f"Only SELECT is answered here, this is {kind}: history is changed by the saver's own calls.")


def _check_names(cursor: duckdb.DuckDBPyConnection, text: str) -> None:
    """Refuse what shows settings or paths, or reaches out of the tables."""
    names = {token.decode() for token, kind, _ in _tokens(text.encode()) if kind in {"identifier", "keyword"}}
    if any(name.lower().startswith("u&") for name in names) or re.search(r'\bu&"', text, re.IGNORECASE):
        raise QueryFailed("Names written by their code points are not answered here.")
    # The parser's own view, which no way of writing escapes; a SHOW or DESCRIBE has none.
    tree = orjson.loads(cursor.execute("select json_serialize_sql(?::varchar)", [text]).fetchall()[0][0])
    if not tree["error"]:
        # Columns and the names a question gives them reach nothing, whatever they are called.
        harmless = set(_texts_at(tree, frozenset({"alias", "column_names", "column_name_alias"})))
        names = {name for name in names if _unquoted(name) not in harmless}
    names.update(_texts_at(tree, frozenset({"function_name", "table_name"})))
    for name in sorted(names):
        plain = _unquoted(name)
        if REFUSED.fullmatch(plain):
            raise QueryFailed(f"{plain} is not answered here: a query sees the tables of history and nothing else.")


def _unquoted(name: str) -> str:
    return name.strip('"').replace('""', '"')


def _texts_at(tree: object, keys: frozenset[str]) -> Iterator[str]:
    """Each text, or list of texts, that stands under one of `keys` anywhere in the parser's tree."""
    if isinstance(tree, list):
        for item in tree:
            yield from _texts_at(item, keys)
    elif isinstance(tree, dict):
        for key, item in tree.items():
            if key in keys:
                yield from [text for text in (item if isinstance(item, list) else [item]) if isinstance(text, str)]
            # A table function's own call stands inside.
            yield from _texts_at(item, keys)


def _explained(cursor: duckdb.DuckDBPyConnection, error: duckdb.Error) -> QueryFailed:
    text = _first(error)
    missing = MISSING.search(str(error))
    found = None
    if missing is not None:
        cursor.execute("rollback").fetchall()
        cursor.execute("begin transaction read only").fetchall()
        names = {row[0] for row in cursor.execute(NAMES).fetchall()}
        found = nearest(missing[1], names)
    return QueryFailed(text, found)


def _first(error: duckdb.Error) -> str:
    return str(error).strip().splitlines()[0].rstrip()
