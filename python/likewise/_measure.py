"""Measures: how alike two texts are."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Sequence
from typing import Any, Optional, Union

from . import _likewise, _tables
from ._options import Path, encode
from ._results import Explanation, explain
from ._settings import Progress, how
from ._tables import Texts


class Measure:
    """A measure, written as an expression: `Measure("sc(q=2:4)")`, `Measure("0.7*sc + 0.3*jaro-winkler")`.

    It can be called: `measure(a, b)` is `measure.score(a, b)`. It is pickled as its expression.

    An adaptive measure weighs rare words more. `score` and `explain` take counts from `collection` (a collection file, an
    index or a table); without one all words weigh the same. `cdist` and `cpdist` count the texts at hand then.
    """

    __slots__ = ("_bound", "_given")

    def __init__(
        self,
        expression: Union[str, Measure] = "",
        *,
        analyzer: Optional[str] = None,
        collection: Optional[Path] = None,
    ) -> None:
        given = {
            "measure": str(expression) or None,
            "analyzer": analyzer,
            "collection": None if collection is None else os.fspath(collection),
        }
        self._given: dict[str, Optional[str]] = given
        self._bound = _likewise.Measure(encode(given), how())

    def score(self, left: Optional[str], right: Optional[str]) -> float:
        """The score of two texts. None counts as an empty text, which scores 0."""
        return self._bound.score(left, right)

    __call__ = score

    def explain(self, left: str, right: str) -> Explanation:
        """Why two texts score what they score."""
        return explain(self._bound, left, right)

    @property
    def collection(self) -> Optional[str]:
        """Where words are counted, if that was said."""
        return self._given["collection"]

    @property
    def properties(self) -> dict[str, Any]:
        """What holds for its scores: `unit_interval`, `symmetric`, `adaptive`, `range` and more."""
        told: dict[str, Any] = json.loads(self._bound.properties)
        return told

    def cdist(
        self,
        left: Texts,
        right: Optional[Texts] = None,
        *,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Any:
        """The scores of every text of `left` with every text of `right` (or of `left`), as a matrix: numpy's where numpy is
        installed, or else a memoryview."""
        run = how(threads, progress)
        rows = _tables.frame_of(left, run, one=True)
        columns = rows if right is None else _tables.frame_of(right, run, one=True)
        return _tables.matrix(self._bound.matrix(rows, columns, run), len(rows), len(columns))

    def cpdist(
        self,
        left: Texts,
        right: Texts,
        *,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Any:
        """The scores of the pairs of two columns, as a column of the kind of `left`."""
        run = how(threads, progress)
        first, second = (_tables.frame_of(column, run, one=True) for column in (left, right))
        return _tables.numbers_like(self._bound.pairs(first, second, run), left)

    def __str__(self) -> str:
        return str(self._bound)

    def __repr__(self) -> str:
        return f"likewise.Measure({self._bound.short!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and (str(self), self._given["collection"]) == (
            str(other),
            other._given["collection"],
        )

    def __hash__(self) -> int:
        return hash((str(self), self._given["collection"]))

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._given["measure"], self._given["analyzer"], self._given["collection"])


def _again(expression: Optional[str], analyzer: Optional[str], collection: Optional[str]) -> Measure:
    return Measure(expression or "", analyzer=analyzer, collection=collection)


@functools.lru_cache(maxsize=32)
def cached(expression: str, analyzer: Optional[str]) -> Measure:
    """A measure that needs no file of counts, kept for the next pair of texts."""
    return Measure(expression, analyzer=analyzer)


def measures() -> list[dict[str, Any]]:
    """All measures: dicts of `name`, `summary`, `settings`, `properties`, `range`, `example` and more."""
    told: list[dict[str, Any]] = json.loads(_likewise.measures())
    return told


def cdist(
    left: Texts,
    right: Optional[Texts] = None,
    *,
    measure: Union[str, Measure] = "",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Any:
    """The scores of every text of one column with every text of another. See `Measure.cdist`."""
    chosen = measure if isinstance(measure, Measure) else Measure(measure)
    return chosen.cdist(left, right, threads=threads, progress=progress)


def cpdist(
    left: Texts,
    right: Texts,
    *,
    measure: Union[str, Measure] = "",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Any:
    """The scores of the pairs of two columns. See `Measure.cpdist`."""
    chosen = measure if isinstance(measure, Measure) else Measure(measure)
    return chosen.cpdist(left, right, threads=threads, progress=progress)


def several(measure: Union[str, Measure, Sequence[Union[str, Measure]], None]) -> list[Union[str, Measure]]:
    """One measure or a list of them, as a list; none where nothing or an empty expression stands for the default."""
    if measure is None or measure == "":
        return []
    return [measure] if isinstance(measure, (str, Measure)) else list(measure)
