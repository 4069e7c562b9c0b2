"""Options of the tasks, named as the flags of the command, and how they are handed to the engine.

The engine knows every option, with its default, and refuses others; these classes are for editors and type checkers. A test
holds them to the engine's own list.
"""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from . import _likewise
from ._errors import OptionError

if TYPE_CHECKING:
    from ._measure import Measure

#: Columns: `"name,city"` or `["name", "city"]` joins them, `"name:0.7,city:0.3"` or a dict scores each by itself with a weight.
On = Union[str, Sequence[str], Mapping[str, float]]
#: A measure, as an expression or an object.
AnyMeasure = Union[str, "Measure"]
Path = Union[str, "os.PathLike[str]"]
#: A duration: `"50ms"`, `"1.5s"`.
Time = Union[str, datetime.timedelta]


class CompareOptions(TypedDict, total=False):
    """What is compared, and by what."""

    #: The columns to compare; the only one, or the one called `text`, without it.
    on: On
    #: The column that names a row; its number, from 1, without it.
    id: str
    #: The measure; several where several make sense.
    measure: Union[AnyMeasure, Sequence[AnyMeasure]]
    #: How texts become terms, for measures that do not say themselves: `"analyzer(stem=porter)"`.
    analyzer: str
    #: Where counts come from that tell how rare words are: a collection file, an index, a table, or `"none"`.
    collection: Path
    #: What an empty cell says where columns have weights: nothing, its column's weight being spread over the others, or that rows are not alike.
    missing: Literal["neutral", "disagree"]


class ScoreOptions(CompareOptions, total=False):
    """Options for scoring pairs."""


class SearchOptions(CompareOptions, total=False):
    """Options of a search."""

    #: How many results (10).
    k: int
    #: Leave out results that score less.
    min: float
    #: Also all results that score what the last one does.
    ties: bool
    #: Stop after this time.
    within: Time


class MatchOptions(CompareOptions, total=False):
    """Options for matching two tables."""

    #: The columns of the left table, if they are called differently there.
    left_on: On
    #: The columns of the right table.
    right_on: On
    #: The column that names a row of the left table, if not `id`.
    left_id: str
    #: The column that names a row of the right table, if not `id`.
    right_id: str
    #: How many rows for each; with `one_to_one`, among how many to choose.
    k: int
    #: Leave out pairs that score less; a threshold is proposed without it.
    min: float
    #: Learn what each column of `on` counts from the rows themselves, without labels; the score is then a probability.
    weights: Literal["learn"]
    #: Use each row of either table at most once, with the largest total score.
    one_to_one: bool
    #: Compare each row only with its 100 best by this measure: approximate, for measures without bounds and large tables.
    candidates_by: AnyMeasure
    #: Build the index of the right table on disk, with about so many bytes of memory.
    max_memory: int


class DedupeOptions(CompareOptions, total=False):
    """Options for finding duplicates."""

    #: Rows that score at least this belong together; a threshold is learned from `labels` or proposed without it.
    min: float
    #: Look only at each row's `k` nearest.
    k: int
    #: A column in which equal values mean the same thing: the threshold is learned from it.
    labels: str
    #: Learn what each column of `on` counts from the rows themselves, without labels; `min` is then a probability.
    weights: Literal["learn"]
    #: How pairs become clusters.
    method: Literal["cohesive", "components", "average"]
    #: Leave out rows that stand alone.
    only_duplicates: bool
    #: Only the rows that stand for their clusters.
    representatives: bool
    #: Compare each row only with its 100 best by this measure: approximate, for measures without bounds and large tables.
    candidates_by: AnyMeasure
    #: Build the index on disk, with about so many bytes of memory.
    max_memory: int


class BuildOptions(CompareOptions, total=False):
    """Options for building an index on disk."""

    #: About how many bytes of memory rows may take; the rest goes to disk meanwhile.
    max_memory: int


class AddOptions(TypedDict, total=False):
    """Options for adding rows to an index on disk."""

    #: About how many bytes of memory rows may take.
    max_memory: int
    #: What happens to a row whose id the index has already.
    on_duplicate: Literal["error", "replace", "keep"]


class RankOptions(CompareOptions, total=False):
    """Options for ranking by a model."""

    #: How many candidates are retrieved for a query (100).
    candidates: int
    #: How many results (10).
    k: int
    #: Leave out results whose probability (or rating) is less.
    min: float


class TrainOptions(TypedDict, total=False):
    """Options for training."""

    #: The column of queries, in a table of pairs of texts.
    query: str
    #: The column of candidates.
    candidate: str
    #: The columns of records that are compared; all that both tables have without it.
    on: On
    #: Those of the left table, if they are called differently there.
    left_on: On
    #: Those of the right table.
    right_on: On
    #: The column that names a row of the left table.
    left_id: str
    #: The column that names a row of the right table.
    right_id: str
    #: The column of labelled pairs with ids of the left table.
    pairs_left: str
    #: The column of labelled pairs with ids of the right table.
    pairs_right: str
    #: The column with labels, grades or ratings.
    label: str
    #: A grade of at least this is a match.
    positive: float
    #: What is learned.
    target: Literal["match", "rating"]
    #: The matches that are listed are all there are: each left row's so many best candidates count as none unless listed.
    candidates: int
    #: The measure by which candidates are chosen.
    candidates_by: AnyMeasure
    #: A preset, or a list of measures and features.
    features: Union[str, Sequence[AnyMeasure]]
    #: How texts become terms, for features that do not say themselves.
    analyzer: str
    #: A file of word vectors, for features that use one and do not name one.
    vectors: Path
    #: Who parses texts that bring no trees: a parser's model, `"en"` (built in) or `"none"`; without it the English one, texts in
    #: Latin script.
    parser: Path
    #: `"forest"` or `"svm"`.
    learner: str
    #: What the threshold is chosen for: `"f1"`, `"f0.5"`, `"f2"`, `"accuracy"`.
    metric: str
    #: Folds of cross-validation.
    folds: int
    #: Where random numbers start.
    seed: int


class AnswerOptions(CompareOptions, total=False):
    """Options for answering questions."""

    #: Whether a hypothesis is compared with the best sentence or the whole document.
    against: Literal["sentence", "document"]
    #: Compares paths of integrated syntactic graphs: how they are made.
    graph: Mapping[str, Any]
    #: A model file.
    model: Path
    #: Questions whose two best choices differ by less are left open.
    unsure: float


class EvaluateOptions(CompareOptions, total=False):
    """Options of an evaluation; which of them apply depends on the kind of data."""

    #: Run every smaller range of q of this measure too.
    sweep: AnyMeasure
    #: The measure that retrieves candidates (`rank`).
    retrieve: AnyMeasure
    #: How many candidates are retrieved (`rank`).
    candidates: int
    #: What a document of a grade is worth: its grade, or 2^grade − 1 (`retrieve`, `rank`).
    gains: Literal["linear", "exponential"]
    #: Whether a hypothesis is compared with the best sentence or the whole document (`answer`).
    against: Literal["sentence", "document"]
    #: Compares paths of integrated syntactic graphs (`answer`).
    graph: Mapping[str, Any]
    #: Questions whose two best choices differ by less are left open (`answer`).
    unsure: float


_COLUMNS = ("on", "left_on", "right_on", "query_on")


def columns(value: Any) -> Any:
    """Columns as the engine reads them: one text."""
    if isinstance(value, Mapping):
        return ",".join(f"{_likewise.join_names([name])}:{weight}" for name, weight in value.items())
    if isinstance(value, (list, tuple)):
        return _likewise.join_names([str(name) for name in value])
    return value


def names(value: Union[str, Sequence[str], None]) -> list[str]:
    """A list of columns to pass on."""
    if value is None:
        return []
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else list(value)


def _plain(name: str, value: Any) -> Any:
    from ._measure import Measure

    if name in _COLUMNS:
        return columns(value)
    if isinstance(value, Measure):
        return str(value)
    if name == "features" and isinstance(value, (list, tuple)):
        return ", ".join(str(feature) for feature in value)
    if isinstance(value, (list, tuple)):
        return [_plain("", item) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds()}s"
    return value


def _collection(options: Mapping[str, Any]) -> Union[str, None]:
    """Where words are counted, if a measure says so: a measure brings its collection along."""
    from ._measure import Measure, several

    by = [measure.collection for measure in several(options.get("measure")) if isinstance(measure, Measure)]
    said = options.get("collection")
    counted = dict.fromkeys([*filter(None, by), *([] if said is None else [os.fspath(said)])])
    if len(counted) > 1:
        places = " and ".join(f"`{place}`" for place in counted)
        raise OptionError(f"option `collection`: words are counted in one place, and {places} are named; a measure brings its own along")
    return next(iter(counted), None)


def encode(options: Mapping[str, Any]) -> str:
    """Options as the engine reads them: a JSON object. None is as good as nothing."""
    given = {name: _plain(name, value) for name, value in options.items() if value is not None}
    counted = _collection(options)
    if counted is not None:
        given["collection"] = counted
    return json.dumps(given, default=_number)


def _number(value: Any) -> Any:
    """Numbers of numpy's, and whatever else says what it is worth."""
    if hasattr(value, "item"):
        return value.item()
    return str(value)
