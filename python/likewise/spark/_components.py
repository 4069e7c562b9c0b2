"""Connected components of pairs, for graphs that no machine holds.

Alternating large and small stars (Kiveris and others, *Connected Components in MapReduce and Beyond*, 2014): each round every node hangs its
larger neighbours, then its smaller ones, under the smallest of its neighbourhood. What is left is a star for each component, its smallest
node in the middle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _workers
from ._numbers import drop, keep

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: So many pairs are no work for a single worker.
FEW = 2_000_000
#: So many pairs go into a part, and no more than so many parts are made.
PART, PARTS = 200_000, 1_000


def components(pairs: DataFrame) -> tuple[DataFrame, int]:
    """The nodes of pairs `a`, `b` (whole numbers), which are never the same: `node`, and `component`, which is one of its component's. And
    a number of parts that is right for so many pairs."""
    many = pairs.count()
    parts = max(1, min(PARTS, many // PART))
    if many <= FEW:
        found = pairs.repartition(1).mapInArrow(_workers.components(), "node bigint, component bigint")
        return keep(found), parts
    return _stars(pairs, parts), parts


def _stars(pairs: DataFrame, parts: int) -> DataFrame:
    from pyspark.sql import functions as F

    a, b = F.col("a"), F.col("b")
    edges = pairs.select(F.greatest(a, b).alias("u"), F.least(a, b).alias("v"))
    edges = keep(edges.repartition(parts, "u").distinct())
    before = _sum(edges)
    while True:
        after = keep(_round(edges, parts))
        now = _sum(after)
        drop(edges)
        edges = after
        if now == before:
            break
        before = now
    u, v = F.col("u"), F.col("v")
    return edges.select(F.explode(F.array(u, v)).alias("node"), v.alias("component")).distinct()


def _sum(edges: DataFrame) -> tuple[int, int]:
    """What tells edges from others: their number, and the sum of their hashes."""
    from pyspark.sql import functions as F

    # Decimal numbers have room for the sum.
    hashes = F.sum(F.xxhash64("u", "v").cast("decimal(38,0)"))
    found = edges.agg(F.count(F.lit(1)).alias("edges"), hashes.alias("hashes")).collect()[0]
    return found["edges"], int(found["hashes"] or 0)


def _round(edges: DataFrame, parts: int) -> DataFrame:
    """One large and one small star. Each reads its edges once: the plan grows by so much a round, and must not double. Edges with the same
    `u` are in the same part, which is all that finding the least and leaving out repeated ones ask for."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    u, v, least = F.col("u"), F.col("v"), F.col("least")
    of_node = Window.partitionBy("u")
    # Each node's larger neighbours, under the least of the neighbourhood and itself.
    ways = F.explode(F.array(F.struct(u, v), F.struct(v.alias("u"), u.alias("v"))))
    both = edges.select(ways.alias("edge")).select("edge.u", "edge.v").repartition(parts, "u")
    found = both.withColumn("least", F.least(F.min("v").over(of_node), u))
    large = found.filter(v > u).select(v.alias("u"), least.alias("v")).repartition(parts, "u").distinct()
    # Its smaller neighbours and itself, under the least of them.
    found = large.withColumn("least", F.min("v").over(of_node))
    small = found.select(F.when(v == least, u).otherwise(v).alias("u"), least.alias("v"))
    return small.repartition(parts, "u").distinct()
