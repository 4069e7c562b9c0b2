"""Rows numbered in an order, and frames that are kept while results need them."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from .._errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

#: Frames that are computed once and read several times.
_kept: list[DataFrame] = []


def keep(frame: DataFrame) -> DataFrame:
    """The frame, computed once: in memory, or on disk where that is too small. Lost parts are computed again."""
    from pyspark import StorageLevel

    kept = frame.persist(StorageLevel.MEMORY_AND_DISK)
    _kept.append(kept)
    return kept


def drop(frame: DataFrame) -> None:
    """A frame that nothing needs any more."""
    frame.unpersist()
    _kept[:] = [kept for kept in _kept if kept is not frame]


def release() -> None:
    """Gives back what matches and duplicates found so far keep in Spark's memory and on its disks. Results that were not written or
    collected yet are computed again when they are asked for."""
    for frame in _kept:
        # A session that has ended keeps nothing, and says so.
        with contextlib.suppress(Exception):
            frame.unpersist()
    _kept.clear()


#: Rows are numbered in stretches of about so many, but in no more than so many stretches.
STRETCH, STRETCHES = 10_000, 1_000
#: So many rows of a stretch are looked at to see where it should end.
_SAMPLED = 50


def stretches(rows: int) -> int:
    """In how many stretches so many rows are numbered."""
    return max(1, min(STRETCHES, rows // STRETCH))


def cut(table: DataFrame, by: str, called: str) -> tuple[Column, int]:
    """To which stretch of rows in the order of a column each row belongs, and how many stretches there are. No row is to be without a value
    there; `called` is what the column is called in a message.

    Where stretches end is settled here, and is part of the frame's plan from then on: a row that has to be computed again, wherever,
    gets the number that it had.
    """
    from pyspark.sql import functions as F

    value = F.col(by)
    found = table.agg(F.count(F.lit(1)).alias("rows"), F.count(value).alias("values")).collect()[0]
    rows = found["rows"]
    if found["values"] < rows:
        raise InputError(f"column `{called}` has rows without a value; every row needs an id of its own")
    many = stretches(rows)
    if many == 1:
        return F.lit(0), 1
    # Which rows are looked at changes no result.
    step = max(1, rows // (many * _SAMPLED))
    seen = table.select(by).filter(F.pmod(F.xxhash64(value), F.lit(step)) == 0).sort(by).collect()
    ends = [seen[len(seen) * at // many][0] for at in range(1, many) if seen]
    return _among(value, ends, table.schema[by].dataType, 0, len(ends)), many


def _among(value: Column, ends: list[Any], kind: Any, low: int, high: int) -> Column:
    """How many of the ends from `low` to `high` are not above a value, and those before."""
    from pyspark.sql import functions as F

    if low == high:
        return F.lit(low)
    middle = (low + high) // 2
    below = value < F.lit(ends[middle]).cast(kind)
    return F.when(below, _among(value, ends, kind, low, middle)).otherwise(_among(value, ends, kind, middle + 1, high))


def numbered(rows: DataFrame, by: str, stretch: Column, parts: int, called: str) -> tuple[DataFrame, int]:
    """The rows with a column `row`: their places in the order of a column, from 0; and how many there are. No two rows are to have the same
    there. `stretch` says to which of so many stretches a row belongs: stretches are in the order of the column."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    value = F.col(by)
    order = Window.partitionBy("_stretch").orderBy(by)
    placed = rows.withColumn("_stretch", stretch.cast("int")).repartition(parts, "_stretch")
    twice = value == F.lag(by).over(order)
    placed = keep(placed.withColumns({"_place": F.row_number().over(order) - 1, "_twice": twice}))
    found = placed.groupBy("_stretch").agg(
        F.count(F.lit(1)).alias("rows"), F.min(F.when(F.col("_twice"), value)).alias("twice")
    )
    counted = {part["_stretch"]: part for part in found.collect()}
    starts, start = [], 0
    for number in range(max(counted, default=0) + 1):
        starts.append(start)
        if (part := counted.get(number)) is not None:
            start += part["rows"]
            if part["twice"] is not None:
                raise InputError(f"column `{called}` has `{part['twice']}` twice; every row needs an id of its own")
    start_of = F.element_at(F.array([F.lit(start).cast("long") for start in starts]), F.col("_stretch") + 1)
    return placed.withColumn("row", start_of + F.col("_place")).drop("_stretch", "_place", "_twice"), start
