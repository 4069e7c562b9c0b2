"""Connected components of pairs, for graphs that no machine holds.

Alternating large and small stars (Kiveris and others, *Connected Components in MapReduce and Beyond*, 2014): each round every node hangs its
larger neighbours, then its smaller ones, under the smallest of its neighbourhood. What is left is a star for each component, its smallest
node in the middle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._numbers import drop, keep

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Sum = tuple[int, int]


def components(pairs: DataFrame) -> DataFrame:
    """The nodes of pairs `a`, `b` (whole numbers): `node` and `component`, which is the smallest node of its component."""
    from pyspark.sql import functions as F

    a, b = F.col("a"), F.col("b")
    apart = pairs.filter(a != b)
    edges = keep(apart.select(F.greatest(a, b).alias("u"), F.least(a, b).alias("v")).distinct())
    before = _sum(edges)
    while True:
        after = keep(_round(edges))
        now = _sum(after)
        drop(edges)
        edges = after
        if now == before:
            break
        before = now
    u, v = F.col("u"), F.col("v")
    nodes = edges.select(F.explode(F.array(u, v)).alias("node"), v.alias("component"))
    return nodes.distinct()


def _sum(edges: DataFrame) -> Sum:
    """What tells edges from others: their number, and the sum of their hashes."""
    from pyspark.sql import functions as F

    # Decimal numbers have room for the sum.
    hashes = F.sum(F.xxhash64("u", "v").cast("decimal(38,0)"))
    found = edges.agg(F.count(F.lit(1)).alias("edges"), hashes.alias("hashes")).collect()[0]
    return found["edges"], int(found["hashes"] or 0)


def _round(edges: DataFrame) -> DataFrame:
    """One large and one small star. Each reads its edges once: the plan grows by so much a round, and must not double."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    u, v, least = F.col("u"), F.col("v"), F.col("least")
    of_node = Window.partitionBy("u")
    # Each node's larger neighbours, under the least of the neighbourhood and itself.
    ways = F.explode(F.array(F.struct(u, v), F.struct(v.alias("u"), u.alias("v"))))
    both = edges.select(ways.alias("edge")).select("edge.u", "edge.v")
    found = both.withColumn("least", F.least(F.min("v").over(of_node), u))
    large = found.filter(v > u).select(v.alias("u"), least.alias("v")).distinct()
    # Its smaller neighbours and itself, under the least of them.
    found = large.withColumn("least", F.min("v").over(of_node))
    return found.select(F.when(v == least, u).otherwise(v).alias("u"), least.alias("v")).distinct()
