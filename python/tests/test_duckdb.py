"""Functions in DuckDB's SQL."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import likewise
import likewise.duckdb as in_duckdb
from conftest import EXAMPLES


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    in_duckdb.register(connection)
    return connection


def test_scores_are_those_of_measures(connection: duckdb.DuckDBPyConnection) -> None:
    customers = EXAMPLES / "messy-customers.csv"
    for measure in ("levenshtein", "sc", "tfidf", "0.5*jaro + 0.5*sc"):
        rows = connection.sql(
            f"SELECT a.name, b.name, likewise_score(a.name, b.name, '{measure}') "
            f"FROM read_csv('{customers}') a, read_csv('{customers}') b WHERE a.id < 'c020'"
        ).fetchall()
        by = likewise.Measure(measure, collection="none")
        assert len(rows) > 5000
        assert all(score == by(left, right) for left, right, score in rows if left and right)


def test_measures_may_differ_by_row_and_nulls_stay(connection: duckdb.DuckDBPyConnection) -> None:
    rows = connection.sql(
        "SELECT likewise_score(a, b, m) FROM (VALUES ('ab', 'ab', 'equal'), ('ab', 'b', 'levenshtein'), (NULL, 'b', 'jaro'), "
        "('ab', 'ac', 'equal')) t(a, b, m)"
    ).fetchall()
    assert rows == [(1.0,), (0.5,), (None,), (0.0,)]
    with pytest.raises(duckdb.Error, match="levenshtein"):
        connection.sql("SELECT likewise_score('a', 'b', 'levenstein')").fetchall()


def test_an_index_is_searched_from_sql(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = tmp_path / "faq.lw"
    index = likewise.Index.build(EXAMPLES / "faq.csv", path, on="question", id="id")
    asked = ["reset my pasword", "delete acount", "nothing like it xyzzy"]
    expected = [tuple(row) for row in index.search(asked, k=2)]
    connection.execute("CREATE TABLE asked AS SELECT * FROM (VALUES (1, $1), (2, $2), (3, $3)) t(n, q)", asked)
    sql = "SELECT * FROM (SELECT n, unnest(likewise_search({}, 2), recursive := true) FROM asked) ORDER BY n, rank"
    assert connection.sql(sql.format(f"'{path}', q")).fetchall() == expected
    other = duckdb.connect()
    in_duckdb.register(other, index=index)
    other.execute("CREATE TABLE asked AS SELECT * FROM (VALUES (1, $1), (2, $2), (3, $3)) t(n, q)", asked)
    assert other.sql(sql.format("q")).fetchall() == expected
