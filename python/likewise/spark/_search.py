"""Many queries against an index that every worker has."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Unpack

from .. import _likewise
from .._errors import InputError
from .._index import Index
from .._options import SearchOptions
from . import _ship, _workers
from ._frames import check, check_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .._calls import Names
    from .._settings import PathLike


def search(
    queries: DataFrame,
    index: Index | PathLike,
    *,
    query_on: Names = None,
    query_id: Optional[str] = None,
    shared: bool = False,
    **options: Unpack[SearchOptions],
) -> DataFrame:
    """The rows of an index on disk most like each query: `query`, `rank`, `id`, `score` and `text`.

    The index is sent to every machine once and mapped by its workers. With `shared` its path is one that all machines see, and nothing is
    sent. `query_on` names the columns that are compared, and `query_id` the one that queries go by, which is needed: a frame of Spark has no
    order to number them by.
    """
    query_id = check_id(check(queries, "search"), "query_id", query_id)
    path = os.path.abspath(os.fspath(index.path or "") if isinstance(index, Index) else os.fspath(index))
    if isinstance(index, Index) and index.path is None:
        raise InputError("an index in memory cannot be sent to workers; build one on disk: Index.build(table, path, …)")
    given: dict[str, Any] = dict(options)
    schema, kinds = _schema(path, queries, query_on, query_id, given)
    name = path if shared else _ship.send_folder(queries.sparkSession, path, "index")
    work = _workers.search(name, not shared, queries.columns, query_on, query_id, given, schema)
    # Maps take no columns with dots in their names.
    return queries.toDF(*(f"column{number}" for number in range(len(queries.columns)))).mapInArrow(work, kinds)


def _schema(path: str, queries: DataFrame, on: Any, id: str, options: dict[str, Any]) -> tuple[Any, str]:
    """What a search finds, as Arrow's and as Spark's types: from one without queries, which also says what is wrong with the options."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import to_arrow_schema

    from .._calls import search as find

    nothing = to_arrow_schema(queries.schema).empty_table()
    found = pa.table(find(Index.open(path), nothing, query_on=on, query_id=id, **options))
    own = queries.schema[id].dataType.simpleString()
    kinds = {"query": own, "rank": "bigint", "score": "double", "text": "string", "proven": "boolean"}
    fields, named = [], []
    for field in found.schema:
        number = pa.types.is_integer(field.type)
        kind = kinds.get(field.name) or ("bigint" if number else "string")
        named.append(f"`{field.name}` {kind}")
        fields.append(field.with_type(pa.string()) if pa.types.is_large_string(field.type) else field)
    return pa.schema(fields), ", ".join(named)
