"""Rows numbered in an order, and frames that are kept while results need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

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
        frame.unpersist()
    _kept.clear()


#: Spark numbers rows within a partition by the lower bits.
_WITHIN = (1 << 33) - 1


def numbered(rows: DataFrame, by: str) -> DataFrame:
    """The rows with a column `row`: their places in the order of a column, from 0. No two rows are to have the same there, or none."""
    from pyspark.sql import functions as F

    own = F.monotonically_increasing_id()
    ordered = keep(rows.sort(by).withColumns({"_part": F.spark_partition_id(), "_place": own}))
    counted = ordered.groupBy("_part").agg(
        F.count(F.lit(1)).alias("rows"), F.sum(F.col(by).isNull().cast("int")).alias("nulls")
    )
    parts = {part["_part"]: part for part in counted.collect()}
    if any(part["nulls"] for part in parts.values()):
        raise InputError(f"column `{by}` has rows without a value; every row needs an id of its own")
    # Equal values lie in the same partition.
    twice = ordered.groupBy(by).count().filter("count > 1").select(by).limit(1).collect()
    if twice:
        raise InputError(f"column `{by}` has `{twice[0][0]}` twice; every row needs an id of its own")
    starts, start = [], 0
    for number in range(max(parts, default=0) + 1):
        starts.append(start)
        start += parts[number]["rows"] if number in parts else 0
    within = F.col("_place").bitwiseAND(F.lit(_WITHIN))
    start_of = F.element_at(F.array([F.lit(start).cast("long") for start in starts]), F.col("_part") + 1)
    return ordered.withColumn("row", start_of + within).drop("_part", "_place")
