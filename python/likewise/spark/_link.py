"""Match and dedupe of tables that no machine holds: what runs where, and in which order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Unpack

from .. import _likewise
from .._errors import OptionError
from .._options import DedupeOptions, MatchOptions, encode
from .._settings import how
from . import _ship, _workers
from ._components import components
from ._frames import check, check_id, quoted
from ._numbers import cut, keep, numbered, stretches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: About so many rows are listed in a cell, and a feature under which more are listed has cells of its own. In larger cells a row is once for
#: more of its features; smaller ones keep more cores busy.
CELL = 200_000
#: The most partitions that a join is cut into without being told.
MOST = 10_000


def match(
    left: DataFrame,
    right: DataFrame,
    *,
    partitions: Optional[int] = None,
    **options: Unpack[MatchOptions],
) -> DataFrame:
    """For each row of a frame its best rows of another: `left_id`, `right_id`, `score` and `rank` (among the row's own).

    As `likewise.match` over both frames in the order of their ids, to the last digit. Every row needs an id of its own: `id`, or `left_id`
    and `right_id`. `min` is needed, and the measure must be one that can be joined: the default one, and others of `word-grams`.
    `partitions` says in how many parts the join is cut, if not as many as it seems to need.
    """
    join = _Join("match", dict(options), partitions)
    both = join.take("id")
    ids = [
        check_id(check(table, "match"), "id" if both else f"{side}_id", join.take(f"{side}_id") or both)
        for side, table in (("left", left), ("right", right))
    ]
    k, once = join.options.get("k"), bool(join.options.get("one_to_one"))
    join.check()
    tables = [join.rows(left, ids[0], False), join.rows(right, ids[1], True)]
    pairs = join.pairs(tables)
    if once:
        return join.once(pairs if k is None else join.best(pairs, k))
    return join.best(pairs, 1 if k is None else k).select("left_id", "right_id", "score", "rank")


def dedupe(
    table: DataFrame,
    *,
    pairs: bool = False,
    partitions: Optional[int] = None,
    **options: Unpack[DedupeOptions],
) -> DataFrame:
    """The rows of a frame in clusters of duplicates: `id`, `cluster` (from 1) and `representative`. With `pairs` the pairs instead:
    `left_id`, `right_id` and `score`.

    As `likewise.dedupe` over the frame in the order of its ids, to the last digit. Every row needs an `id` of its own. `min` is needed, and
    the measure must be one that can be joined: the default one, and others of `word-grams`. `partitions` says in how many parts the join is
    cut, if not as many as it seems to need.
    """
    join = _Join("pairs" if pairs else "clusters", dict(options), partitions)
    id = check_id(check(table, "dedupe"), "id", join.take("id"))
    join.check()
    rows = join.rows(table, id, False)
    found = join.pairs([rows])
    if pairs:
        return found.select("left_id", "right_id", "score")
    return join.clusters(rows, found)


class _Join:
    """One match or dedupe on its way."""

    def __init__(self, task: str, options: dict[str, Any], partitions: Optional[int]) -> None:
        self.task, self.options, self.partitions = task, options, partitions
        if partitions is not None and partitions < 1:
            raise OptionError(f"option `partitions` is {partitions}; it must be at least 1")

    def take(self, name: str) -> Any:
        return self.options.pop(name, None)

    def check(self) -> None:
        """Whether the options fit, before anything is computed."""
        self.encoded = encode(self.options)
        self.measures = _likewise.check_parts(self.task, self.encoded, how())

    def rows(self, table: DataFrame, id: str, right: bool) -> DataFrame:
        """The rows of a table: `row`, their number, `id` and `text`."""
        from pyspark.sql import functions as F

        compared = _likewise.part_columns(table.columns, self.task, self.encoded, right)
        ids = F.col(quoted(id)).alias("id")
        # Maps take no columns with dots in their names.
        own = {f"text{number}": F.col(quoted(name)) for number, name in enumerate(compared)}
        columns = table.select(ids, *(column.alias(name) for name, column in own.items()))
        kind = table.schema[id].dataType.simpleString()
        texts = columns.mapInArrow(_workers.texts(list(own)), f"id {kind}, text string")
        rows, self.many = numbered(texts, "id", *cut(table.select(ids), "id", id), id)
        return rows

    def pairs(self, tables: list[DataFrame]) -> DataFrame:
        """The pairs of rows: `left` and `right`, their numbers, `left_id`, `right_id` and `score`."""
        from pyspark.sql import functions as F

        session = tables[-1].sparkSession
        if _likewise.part_adapts(self.task, self.encoded):
            counted = [self._count(table, f"counts{side}") for side, table in enumerate(tables)]
            self.options["measure"] = _likewise.adapt_parts(self.encoded, counted, how())
            self.encoded = encode(self.options)
        else:
            counted = [self._count(tables[-1], "counts")]
        self.counts = _ship.send_file(session, counted[-1], "counts")
        ids = ("id", "id") if len(tables) == 1 else ("left_id", "right_id")
        sides = []
        for side, table in enumerate(tables):
            own = [F.col("id").alias(ids[side])]
            if len(tables) == 2:
                # The other table's ids may be of another kind.
                other = tables[1 - side].schema["id"].dataType
                own.insert(1 - side, F.lit(None).cast(other).alias(ids[1 - side]))
            sides.append(table.select(F.lit(side).cast("bigint").alias("side"), "row", "text", *own))
        rows = sides[0] if len(sides) == 1 else sides[0].union(sides[1])
        sketch = self._sketch(rows)
        layout, cells = self._layout(rows, sketch)
        kinds = {name: rows.schema[name].dataType.simpleString() for name in ids}
        work = _workers.cells(self.task, self.encoded, self.counts, sketch, layout)
        of_ids = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
        listed = rows.mapInArrow(work, f"side bigint, row bigint, text string, {of_ids}, cell bigint")
        listed = listed.repartition(self.partitions or min(cells, MOST), "cell").sortWithinPartitions("cell")
        work = _workers.pairs(self.task, self.encoded, self.counts, layout, ids)
        of_ids = f"left_id {kinds[ids[0]]}, right_id {kinds[ids[1]]}"
        return keep(listed.mapInArrow(work, f"left bigint, right bigint, {of_ids}, score double"))

    def _count(self, table: DataFrame, name: str) -> str:
        """Counts the words of a table, in a file."""
        from pyspark.sql import functions as F

        work = _workers.count(self.task, self.encoded)
        kinds = "analyzer bigint, term string, length bigint, texts bigint, occurrences bigint"
        counted = table.select("text").mapInArrow(work, kinds).groupBy("analyzer", "term", "length")
        summed = counted.agg(F.sum("texts").alias("texts"), F.sum("occurrences").alias("occurrences"))
        frame = _likewise.Frame.of_arrow(summed.toArrow())
        path = os.path.join(_ship.folder(), name)
        _likewise.save_counts(frame, self.task, self.encoded, path, how())
        return path

    def _sketch(self, rows: DataFrame) -> bytes:
        """How long texts are."""
        work = _workers.sketch(self.task, self.encoded, self.counts)
        found = rows.select("text").mapInArrow(work, "sketch binary, measures bigint").collect()
        measures = found[0]["measures"] if found else self.measures
        return _likewise.merge_sketches([bytes(row["sketch"]) for row in found], measures)

    def _layout(self, rows: DataFrame, sketch: bytes) -> tuple[str, int]:
        """Which rows meet in which cell, and how many cells there are."""
        from pyspark.sql import functions as F

        work = _workers.frequencies(self.task, self.encoded, self.counts, sketch)
        listed = rows.select("text").mapInArrow(work, "feature bigint, rows bigint")
        summed = listed.groupBy("feature").agg(F.sum("rows").alias("rows"))
        heavy = F.when(F.col("rows") > CELL, F.struct("feature", "rows"))
        found = summed.agg(F.sum("rows").alias("listed"), F.collect_list(heavy).alias("heavy")).collect()[0]
        features = [(one["feature"], one["rows"]) for one in found["heavy"]]
        cells = self.partitions or -(-(found["listed"] or 0) // CELL)
        return _likewise.layout(cells, features, CELL)

    def best(self, pairs: DataFrame, k: int) -> DataFrame:
        """Each left row's best pairs, with their `rank`."""
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        order = Window.partitionBy("left").orderBy(F.col("score").desc(), F.col("right"))
        ranked = pairs.withColumn("rank", F.row_number().over(order).cast("bigint"))
        return ranked.filter(F.col("rank") <= k)

    def _by_component(self, pairs: DataFrame, right: Any) -> DataFrame:
        """Pairs with their components, each component in one partition. `right` numbers right rows, apart from left ones in a match."""
        from pyspark.sql import functions as F

        edges = pairs.select(F.col("left").alias("a"), right.alias("b"))
        of, parts = components(edges)
        placed = pairs.join(of.withColumnRenamed("node", "left"), "left")
        return placed.repartition(parts, "component").sortWithinPartitions("component")

    def once(self, pairs: DataFrame) -> DataFrame:
        """Pairs that use each row once, with the largest total score."""
        from pyspark.sql import functions as F

        right = -F.col("right") - F.lit(1)
        placed = self._by_component(pairs, right)
        kinds = ", ".join(f"{name} {placed.schema[name].dataType.simpleString()}" for name in placed.columns)
        chosen = placed.mapInArrow(_workers.assign(), kinds)
        return chosen.select("left_id", "right_id", "score", F.lit(1).cast("bigint").alias("rank"))

    def clusters(self, rows: DataFrame, pairs: DataFrame) -> DataFrame:
        """All rows with their clusters."""
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        placed = self._by_component(pairs, F.col("right")).select("component", "left", "right", "score")
        work = _workers.clusters(self.encoded)
        members = keep(placed.mapInArrow(work, "row bigint, first bigint, stands bigint"))
        first = F.coalesce("first", "row")
        all_rows = rows.select("row", "id").join(members, "row", "left")
        all_rows = all_rows.select("row", "id", first.alias("first"), F.coalesce("stands", "row").alias("stands"))
        # Clusters are numbered in the order of their first rows.
        firsts = all_rows.filter(F.col("row") == F.col("first")).select("first")
        parts = stretches(self.many)
        stretch = F.floor(F.col("first") * F.lit(parts) / F.lit(max(self.many, 1)))
        clusters, _ = numbered(firsts, "first", stretch, parts, "first")
        clusters = clusters.select("first", (F.col("row") + 1).alias("cluster"))
        found = all_rows.join(clusters, "first")
        if self.options.get("only_duplicates"):
            of = Window.partitionBy("first")
            found = found.withColumn("size", F.count(F.lit(1)).over(of)).filter(F.col("size") > 1)
        if self.options.get("representatives"):
            found = found.filter(F.col("row") == F.col("stands"))
        leaders = rows.select(F.col("row").alias("stands"), F.col("id").alias("representative"))
        return found.join(leaders, "stands").select("id", "cluster", "representative")
