"""Models that are learned from labels."""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Union

from typing import Unpack

from . import _html, _likewise
from ._errors import Error
from ._options import TrainOptions, encode
from ._settings import PathLike, Progress, how
from ._tables import Table, frame_of


class Model:
    """What was learned from labelled pairs: `Model.open(path)`, or what `train` gives."""

    __slots__ = ("_model", "_path")

    def __init__(self, model: _likewise.Model, path: Optional[str] = None) -> None:
        self._model = model
        self._path = path

    @classmethod
    def open(cls, path: PathLike) -> Model:
        """Reads a model file and checks all of it."""
        return cls(_likewise.Model.open(os.fspath(path)), os.path.abspath(os.fspath(path)))

    def save(self, path: PathLike) -> None:
        """Writes a model file, whole or not at all."""
        self._model.save(os.fspath(path))
        self._path = os.path.abspath(os.fspath(path))

    @property
    def path(self) -> Optional[str]:
        """Where it was read from or written to."""
        return self._path

    @property
    def figures(self) -> dict[str, Any]:
        """How training went: examples, matches, what was reached held out."""
        told: dict[str, Any] = json.loads(self._model.figures)
        return told

    @property
    def threshold(self) -> Optional[float]:
        """The probability from which on a pair is a match."""
        return self._model.threshold

    @property
    def columns(self) -> list[tuple[str, str]]:
        """The columns that are compared, left and right."""
        return self._model.columns

    @property
    def features(self) -> str:
        """The features that describe a pair."""
        return self._model.features

    @property
    def notes(self) -> list[str]:
        """What is good to know of the training."""
        return self._model.notes

    @property
    def html(self) -> Optional[str]:
        """The page on the training, if `train` was called with `report=True`."""
        return self._model.page

    def __repr__(self) -> str:
        figures = self.figures
        return (
            f"<likewise.Model: {figures['learner']}, from {figures['examples']} labelled pairs, "
            f"{figures['matches']} of them matches>"
        )

    def _repr_html_(self) -> str:
        return _html.page(self.html) if self.html is not None else f"<code>{_html.escape(repr(self))}</code>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._path is None:
            raise Error("a model is pickled by its path: save it first")
        return Model.open, (self._path,)


def model_of(model: Union[Model, PathLike, None]) -> Optional[_likewise.Model]:
    """A model, or the file of one."""
    if model is None:
        return None
    return (model if isinstance(model, Model) else Model.open(model))._model


def train(
    pairs: Table,
    *,
    left: Optional[Table] = None,
    right: Optional[Table] = None,
    valid: Optional[Table] = None,
    report: bool = False,
    parses: Any = (),
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Unpack[TrainOptions],
) -> Model:
    """Learns from labelled pairs.

    `pairs` has pairs of texts (`query`, `candidate`, `label`); or, with `left` (and `right`), pairs of records by their ids
    (`ltable_id`, `rtable_id`, `label`). `valid` has more pairs, by which calibration and threshold are chosen. With `report`
    the model shows a page on the training.
    """
    run = how(threads, progress, parses)
    of_left, of_right, of_valid = (
        None if table is None else frame_of(table, run) for table in (left, right, valid)
    )
    labelled = frame_of(pairs, run)
    return Model(_likewise.train(labelled, of_left, of_right, of_valid, encode(options), report, run))
