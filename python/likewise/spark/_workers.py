"""What runs in Spark's Python workers: batches of Arrow in, batches of Arrow out."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute

from .. import _likewise
from . import _ship

Batches = Iterator[pa.RecordBatch]
Worker = Callable[[Batches], Batches]

#: One thread: Spark runs a worker for each core.
HOW: tuple[int, None, None, list[str]] = (1, None, None, [])
#: So many rows are worked on together, or as many as have so many bytes.
TOGETHER, BYTES = 100_000, 1 << 26
#: So many rows go back at a time.
OUT = 10_000


def _together(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches put together to tables of many rows."""
    held: list[pa.RecordBatch] = []
    rows, size = 0, 0
    for batch in batches:
        if batch.num_rows:
            held.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= TOGETHER or size >= BYTES:
            yield pa.Table.from_batches(held)
            held, rows, size = [], 0, 0
    if held:
        yield pa.Table.from_batches(held)


def _whole(batches: Iterable[pa.RecordBatch], by: str) -> Iterator[pa.Table]:
    """Batches that are sorted by a column, put together to tables that have all rows of each of its values that they have."""
    held: list[pa.Table] = []
    for table in _together(batches):
        values = table.column(by)
        # The last value may go on in the next table; if it is not the first here, all before it are whole.
        last = pa.compute.index(values, values[-1]).as_py()
        if last or (held and held[-1].column(by)[-1] != values[-1]):
            yield pa.concat_tables([*held, table.slice(0, last)])
            held, table = [], table.slice(last)
        held.append(table)
    if held:
        yield pa.concat_tables(held)


def _out(frame: Any) -> pa.Table:
    """A table of the engine's, with texts as Spark takes them."""
    table = pa.table(frame)
    kinds = [pa.string() if pa.types.is_large_string(kind) else kind for kind in table.schema.types]
    return table.cast(pa.schema(list(zip(table.column_names, kinds))))


def _frame(table: pa.Table) -> _likewise.Frame:
    return _likewise.Frame.of_arrow(table)


@functools.lru_cache(maxsize=4)
def _parts(task: str, options: str, counts: str) -> _likewise.Parts:
    return _likewise.Parts(task, options, _ship.find(counts), HOW)


def texts(columns: list[str]) -> Worker:
    """Rows as their `id` and the `text` that is compared: that of some columns."""

    def work(batches: Batches) -> Batches:
        for table in _together(batches):
            made = _out(_likewise.part_texts(_frame(table), columns, HOW))
            yield from pa.table({"id": table.column("id"), "text": made.column("text")}).to_batches()

    return work


def count(task: str, options: str) -> Worker:
    """The words of texts."""

    def work(batches: Batches) -> Batches:
        for table in _together(batches):
            yield from _out(_likewise.count(_frame(table), task, options, HOW)).to_batches()

    return work


def sketch(task: str, options: str, counts: str) -> Worker:
    """How long texts are."""

    def work(batches: Batches) -> Batches:
        parts = _parts(task, options, counts)
        found = [parts.sketch(_frame(table), HOW) for table in _together(batches)]
        if found:
            merged = _likewise.merge_sketches(found, parts.measures)
            # Of how many measures it is, only who has bound the measure to the counts knows: the default adapts to them.
            measures = pa.array([parts.measures], pa.int64())
            yield pa.record_batch({"sketch": pa.array([merged], pa.binary()), "measures": measures})

    return work


def frequencies(task: str, options: str, counts: str, sketch: bytes) -> Worker:
    """How many texts are listed under each feature."""

    def work(batches: Batches) -> Batches:
        parts = _parts(task, options, counts)
        for table in _together(batches):
            yield from _out(parts.frequencies(_frame(table), sketch, HOW)).to_batches()

    return work


def cells(task: str, options: str, counts: str, sketch: bytes, layout: str) -> Worker:
    """Each row once for every cell that it goes to."""

    def work(batches: Batches) -> Batches:
        parts = _parts(task, options, counts)
        for table in _together(batches):
            placed = pa.table(parts.cells(_frame(table), sketch, layout, HOW))
            table = table.combine_chunks()
            for first in range(0, placed.num_rows, OUT):
                some = placed.slice(first, OUT)
                yield from table.take(some.column("at")).append_column("cell", some.column("cell")).to_batches()

    return work


def pairs(task: str, options: str, counts: str, layout: str, ids: tuple[str, str]) -> Worker:
    """The pairs of whole cells. Rows come sorted by cell; `ids` are the columns with ids of left and of right rows."""

    def work(batches: Batches) -> Batches:
        parts = None
        for table in _whole(batches, "cell"):
            parts = parts or _parts(task, options, counts)
            found = pa.table(parts.pairs(_frame(table.drop(sorted(set(ids)))), layout, HOW))
            left, right = found.column("left"), found.column("right")
            columns = {
                "left": table.column("row").take(left),
                "right": table.column("row").take(right),
                "left_id": table.column(ids[0]).take(left),
                "right_id": table.column(ids[1]).take(right),
                "score": found.column("score"),
            }
            yield from pa.table(columns).to_batches(max_chunksize=OUT)

    return work


def components() -> Worker:
    """The components of few pairs, which all come here: each node with one of its component's."""

    def work(batches: Batches) -> Batches:
        held = list(batches)
        if held:
            table = pa.Table.from_batches(held)
            one = pa.nulls(table.num_rows, pa.int64()).fill_null(0)
            columns = [one, *table.columns, one.cast(pa.float64())]
            pairs = pa.table(columns, ["component", "left", "right", "score"])
            found = pa.table(_likewise.cluster_parts(_frame(pairs), '{"method": "components"}', HOW))
            yield from found.select(["row", "first"]).rename_columns(["node", "component"]).to_batches()

    return work


def clusters(options: str) -> Worker:
    """The clusters of whole components. Pairs come sorted by component."""

    def work(batches: Batches) -> Batches:
        for table in _whole(batches, "component"):
            yield from _out(_likewise.cluster_parts(_frame(table), options, HOW)).to_batches()

    return work


def assign() -> Worker:
    """Of whole components the pairs that use each row once. Pairs come sorted by component."""

    def work(batches: Batches) -> Batches:
        for table in _whole(batches, "component"):
            chosen = _likewise.assign(_frame(table), HOW)
            yield from table.take(pa.array(chosen, pa.int64())).to_batches()

    return work


@functools.lru_cache(maxsize=4)
def _index(name: str, shipped: bool) -> Any:
    from .._index import Index

    return Index.open(_ship.find(name) if shipped else name)


def search(
    name: str, shipped: bool, names: list[str], on: Any, id: str, options: dict[str, Any], schema: pa.Schema
) -> Worker:
    """The rows of an index most like each of many queries, whose columns have these names."""

    def work(batches: Batches) -> Batches:
        from .._calls import search as find

        index = _index(name, shipped)
        for batch in batches:
            asked = pa.Table.from_batches([batch]).rename_columns(names)
            found = find(index, asked, query_on=on, query_id=id, threads=1, **options)
            yield from pa.table(found).cast(schema).to_batches()

    return work
