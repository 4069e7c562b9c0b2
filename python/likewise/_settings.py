"""How calls are run: threads, progress, files that measures find by themselves."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from ._errors import OptionError

#: Told of a stage of the work, how many steps are done, and how many there are if that is known.
ProgressCallback = Callable[[str, int, Optional[int]], object]
Progress = Union[bool, ProgressCallback, None]
PathLike = Union[str, "os.PathLike[str]"]
How = tuple[Optional[int], Optional[ProgressCallback], Optional[str], list[str]]

_threads: Optional[int] = None
_wordnet: Optional[str] = None


def configure(*, threads: Optional[int] = None, wordnet: Optional[PathLike] = None) -> None:
    """Sets what holds for all calls that do not say otherwise: how many threads they use (one for each processor without
    it), and the directory of WordNet's files. Results never depend on the number of threads. What is left out is set back.
    """
    global _threads, _wordnet
    _threads = _checked(threads)
    _wordnet = None if wordnet is None else os.fspath(wordnet)


def _checked(threads: Optional[int]) -> Optional[int]:
    if threads is not None and not (hasattr(threads, "__index__") and 1 <= threads <= 1024):
        raise OptionError(f"option `threads` is {threads!r}; it must be a whole number from 1 to 1024")
    return threads


def how(
    threads: Optional[int] = None,
    progress: Progress = None,
    parses: Union[PathLike, Sequence[PathLike]] = (),
) -> How:
    """What the engine wants to know of a call."""
    callback = _Bar() if progress is True else progress or None
    files = [parses] if isinstance(parses, (str, os.PathLike)) else parses
    return (
        _threads if threads is None else _checked(threads),
        callback,
        _wordnet,
        [os.fspath(file) for file in files],
    )


class _Bar:
    """A bar of tqdm where that is installed, or else a line on standard error."""

    def __init__(self) -> None:
        self._stage: Optional[str] = None
        self._bar: Any = None
        self._told = 0.0
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm: Any = tqdm

    def __call__(self, stage: str, done: int, total: Optional[int]) -> None:
        if self._tqdm is not None:
            if stage != self._stage:
                self._close()
                self._bar = self._tqdm(total=total, desc=stage)
            self._stage = stage
            self._bar.update(done - self._bar.n)
            return
        now = time.monotonic()
        if stage == self._stage and now - self._told < 1.0:
            return
        self._stage, self._told = stage, now
        of = "" if total is None else f" of {total:,}"
        print(f"{stage}: {done:,}{of}", file=sys.stderr)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __del__(self) -> None:
        self._close()
