"""Likewise in DuckDB's SQL: `likewise.duckdb.register(connection)`.

DuckDB's functions in Python are scalar and get a vector of some thousand rows at a time; table functions cannot be written in
Python. So scores never depend on the rows at hand (`collection` tells which words are rare, or all weigh the same), and a
search gives a list, which SQL unnests.
"""

from __future__ import annotations

import functools
from typing import Any, Optional

from ._calls import search
from ._index import Index
from ._measure import Measure
from ._options import Path
from ._tables import need


def register(
    connection: Any,
    *,
    collection: Optional[Path] = None,
    index: Optional[Index] = None,
    threads: Optional[int] = None,
) -> None:
    """Registers functions with a connection.

    - `likewise_score(a, b, measure)`: how alike two texts are. A null is alike nothing: its score is null.
    - `likewise_search(path, query, k)`: the rows of an index on disk most like a query, as a list of structs of `rank`,
      `id`, `score` and `text`: `SELECT unnest(likewise_search('faq.lw', question, 3), recursive := true) FROM asked`.
    - `likewise_search(query, k)` instead, over `index`, if one is given.

    `collection` (a collection file, an index or a table) tells adaptive measures how rare words are; without one all words
    weigh the same. DuckDB needs pyarrow and numpy for this.
    """
    pyarrow = need("pyarrow", "a function in DuckDB")
    need("numpy", "a function in DuckDB")
    counted = "none" if collection is None else collection

    @functools.lru_cache(maxsize=32)
    def measure_of(expression: str) -> Measure:
        return Measure(expression, collection=counted)

    def score(left: Any, right: Any, measure: Any) -> Any:
        columns = [_whole(pyarrow, column) for column in (left, right)]
        expressions = _whole(pyarrow, measure)
        distinct = expressions.unique().to_pylist()
        if len(distinct) == 1:
            return measure_of(distinct[0]).cpdist(*columns, threads=threads)
        scores: list[Optional[float]] = [None] * len(expressions)
        given = expressions.to_pylist()
        for expression in distinct:
            rows = [at for at, own in enumerate(given) if own == expression]
            some = (column.take(rows) for column in columns)
            for at, value in zip(rows, measure_of(expression).cpdist(*some, threads=threads).to_pylist()):
                scores[at] = value
        return pyarrow.array(scores, pyarrow.float64())

    text = "VARCHAR"
    connection.create_function("likewise_score", score, [text, text, text], "DOUBLE", type="arrow")

    fields = {"rank": "BIGINT", "id": "VARCHAR", "score": "DOUBLE", "text": "VARCHAR"}
    results = connection.list_type(connection.struct_type(fields))

    @functools.lru_cache(maxsize=32)
    def open_index(path: str) -> Index:
        return Index.open(path)

    def found(rows: Index, queries: list[str], k: int) -> list[list[dict[str, Any]]]:
        lists: list[list[dict[str, Any]]] = [[] for _ in queries]
        for hit in search(rows, queries, k=k, threads=threads).to_dicts():
            number = int(hit.pop("query")) - 1
            lists[number].append({**hit, "id": str(hit["id"])})
        return lists

    def by_path(path: Any, query: Any, k: Any) -> Any:
        return _searched(pyarrow, found, [open_index(one) for one in path.to_pylist()], query, k)

    def by_index(query: Any, k: Any) -> Any:
        return _searched(pyarrow, found, [index] * len(query), query, k)

    if index is None:
        connection.create_function("likewise_search", by_path, [text, text, "BIGINT"], results, type="arrow")
    else:
        connection.create_function("likewise_search", by_index, [text, "BIGINT"], results, type="arrow")


def _whole(pyarrow: Any, column: Any) -> Any:
    """A column in one piece."""
    return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column


def _searched(pyarrow: Any, found: Any, indexes: list[Any], query: Any, k: Any) -> Any:
    """Searches of some queries: those of one index and one `k` together."""
    queries, counts = query.to_pylist(), k.to_pylist()
    together: dict[tuple[int, int], list[int]] = {}
    for row, (rows, count) in enumerate(zip(indexes, counts)):
        together.setdefault((id(rows), count), []).append(row)
    lists: list[Any] = [None] * len(queries)
    for (_, count), numbers in together.items():
        asked = [queries[row] for row in numbers]
        for row, hits in zip(numbers, found(indexes[numbers[0]], asked, count)):
            lists[row] = hits
    fields = [
        ("rank", pyarrow.int64()),
        ("id", pyarrow.string()),
        ("score", pyarrow.float64()),
        ("text", pyarrow.string()),
    ]
    return pyarrow.array(lists, pyarrow.list_(pyarrow.struct(fields)))
