"""Rows made ready once and searched many times."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from typing import Unpack

from . import _likewise
from ._errors import Error
from ._options import AddOptions, BuildOptions, CompareOptions, DedupeOptions, MatchOptions, SearchOptions, encode
from ._settings import PathLike, Progress, how
from ._tables import Table, frame_of, is_path

if TYPE_CHECKING:
    from ._results import Result


class Index:
    """Rows ready to be searched: in memory, `Index(table, on="name")`, or on disk, `Index.build(table, path, on="name")`
    and `Index.open(path)`.

    An index on disk opens by memory map, is pickled by its path, and is shared by all processes that open it. Any number of
    threads may search it. What another process changes is seen after `refresh()`.
    """

    __slots__ = ("_path", "_rows")

    _rows: _likewise.Rows
    _path: Optional[str]

    def __init__(
        self,
        table: Table,
        *,
        threads: Optional[int] = None,
        progress: Progress = None,
        **options: Unpack[CompareOptions],
    ) -> None:
        run = how(threads, progress)
        self._path = None
        self._rows = _likewise.Rows.of_frame(frame_of(table, run), encode(options), run)

    @classmethod
    def build(
        cls,
        table: Table,
        path: PathLike,
        *,
        threads: Optional[int] = None,
        progress: Progress = None,
        **options: Unpack[BuildOptions],
    ) -> Index:
        """Builds an index on disk and opens it. An index that is there already is replaced when the new one is whole."""
        run = how(threads, progress)
        _likewise.Rows.build(frame_of(table, run), os.fspath(path), encode(options), run)
        return cls.open(path)

    @classmethod
    def open(cls, path: PathLike) -> Index:
        """Opens an index on disk."""
        index = cls.__new__(cls)
        index._path = os.path.abspath(os.fspath(path))
        index._rows = _likewise.Rows.open(index._path, how())
        return index

    @property
    def path(self) -> Optional[str]:
        """Where it lies; None in memory."""
        return self._path

    @property
    def columns(self) -> list[tuple[str, float, str]]:
        """The columns that are compared, each with its weight and measure."""
        return self._rows.columns

    def _on_disk(self) -> str:
        if self._path is None:
            raise Error("an index in memory stays as it is; one that grows and is kept is made by Index.build(table, path)")
        return self._path

    def refresh(self) -> None:
        """Sees what other processes changed."""
        self._rows = _likewise.Rows.open(self._on_disk(), how())

    def add(
        self,
        table: Table,
        *,
        threads: Optional[int] = None,
        progress: Progress = None,
        **options: Unpack[AddOptions],
    ) -> int:
        """Adds the rows of a table that has the same columns; gives how many."""
        run, path = how(threads, progress), self._on_disk()
        added, _ = _likewise.Rows.add(frame_of(table, run), path, encode(options), run)
        self.refresh()
        return added

    def remove(self, ids: Iterable[Union[str, int]]) -> list[str]:
        """Removes the rows with these ids; gives the ids that no row has."""
        given = [ids] if isinstance(ids, (str, int)) else ids
        _, unknown = _likewise.Rows.remove(self._on_disk(), [str(one) for one in given], how())
        self.refresh()
        return unknown

    def compact(self) -> None:
        """Puts together what was added and drops what was removed."""
        _likewise.Rows.compact(self._on_disk(), how())
        self.refresh()

    def verify(self) -> list[str]:
        """Checks every byte, and that everything fits together; gives files that do not belong to the index."""
        _, _, strays = _likewise.Rows.verify(self._on_disk(), how())
        return strays

    def search(
        self,
        queries: Any,
        *,
        query_on: Union[str, Sequence[str], None] = None,
        query_id: Optional[str] = None,
        keep: Union[str, Sequence[str], None] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
        **options: Unpack[SearchOptions],
    ) -> Result:
        """The rows most like a query, or like each of many. See `likewise.search`."""
        from ._calls import search

        return search(
            self, queries, query_on=query_on, query_id=query_id, keep=keep, threads=threads, progress=progress, **options
        )

    def match(
        self,
        left: Table,
        *,
        keep: Union[str, Sequence[str], None] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
        **options: Unpack[MatchOptions],
    ) -> Result:
        """For each row of a table its best rows of the index. See `likewise.match`."""
        from ._calls import match

        return match(left, self, keep=keep, threads=threads, progress=progress, **options)

    def dedupe(
        self,
        *,
        pairs: bool = False,
        threads: Optional[int] = None,
        progress: Progress = None,
        **options: Unpack[DedupeOptions],
    ) -> Result:
        """The rows in clusters of duplicates, or the pairs. See `likewise.dedupe`."""
        from ._calls import dedupe

        return dedupe(self, pairs=pairs, threads=threads, progress=progress, **options)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        where = "in memory" if self._path is None else repr(self._path)
        names = ", ".join(name for name, _, _ in self.columns)
        return f"<likewise.Index {where}: {len(self):,} rows, on {names}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._path is None:
            raise Error("an index in memory cannot be pickled; one on disk is pickled by its path: Index.build(table, path)")
        return Index.open, (self._path,)


def is_index(table: Any) -> bool:
    """Whether it is an index, or the path of one."""
    return isinstance(table, Index) or (is_path(table) and _likewise.is_index(os.fspath(table)))
