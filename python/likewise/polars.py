"""Likewise in the expressions of Polars: `import likewise.polars`.

```python
frame.with_columns(alike=pl.col("a").likewise.score(pl.col("b"), measure="jaro-winkler"))
```

An expression sees its columns whole, so that words are counted in the texts at hand, as `likewise.score` counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional, Union

from ._calls import score as _score
from ._errors import InputError, MissingPackageError
from ._options import AnyMeasure, Path, ScoreOptions

try:
    import polars
except ImportError as error:
    raise MissingPackageError("expressions of Polars need the package polars, which is not installed") from error


def score(
    left: Union[str, polars.Expr],
    right: Union[str, polars.Expr],
    *,
    measure: AnyMeasure = "",
    analyzer: Optional[str] = None,
    collection: Optional[Path] = None,
    threads: Optional[int] = None,
) -> polars.Expr:
    """How alike the texts of two columns are, row by row: the scores of `likewise.score`. A null scores 0.

    A text stands for a column, as everywhere in Polars; `pl.lit("text")` compares all rows with one text. Words are counted in
    both columns, whole, unless `collection` names a collection file, an index or a table.
    """
    options: ScoreOptions = {"measure": measure}
    if analyzer is not None:
        options["analyzer"] = analyzer
    if collection is not None:
        options["collection"] = collection

    def scores(columns: Sequence[polars.Series]) -> polars.Series:
        rows = _rows(columns)
        one, other = (column if len(column) == rows else column.new_from_index(0, rows) for column in columns)
        found: polars.Series = _score(one, other, threads=threads, **options)
        return found.alias(columns[0].name)

    return polars.map_batches([left, right], scores, return_dtype=polars.Float64)


def _rows(columns: Sequence[polars.Series]) -> int:
    """How many rows there are: a column of one row goes with any number."""
    lengths = [len(column) for column in columns]
    several = [length for length in lengths if length != 1]
    if len(set(several)) > 1:
        raise InputError(f"the columns have {lengths[0]} and {lengths[1]} rows")
    return several[0] if several else 1


@polars.api.register_expr_namespace("likewise")
class Expressions:
    """What `import likewise.polars` adds to an expression: `pl.col("a").likewise`."""

    def __init__(self, expression: polars.Expr) -> None:
        self._expression = expression

    def score(
        self,
        other: Union[str, polars.Expr],
        *,
        measure: AnyMeasure = "",
        analyzer: Optional[str] = None,
        collection: Optional[Path] = None,
        threads: Optional[int] = None,
    ) -> polars.Expr:
        """How alike the texts of this column and of another are. See `likewise.polars.score`."""
        return score(
            self._expression, other, measure=measure, analyzer=analyzer, collection=collection, threads=threads
        )
