"""Exceptions: one tree, with the library's own messages."""

from __future__ import annotations


class Error(Exception):
    """Whatever likewise raises. The message says what is wrong and what to do."""


class OptionError(Error, ValueError):
    """Options that do not exist, or do not go together or with the input."""


class ExpressionError(OptionError):
    """A measure or analyzer that cannot be read; the message points at the character."""


class InputError(Error, ValueError):
    """Input that is not what the task needs."""


class TableError(Error):
    """A table in a file that cannot be read."""


class CollectionError(Error):
    """Counts that cannot be made or read."""


class IndexFileError(Error):
    """An index that cannot be built, opened or changed."""


class ModelError(Error):
    """A model that cannot be read, written or used."""


class DataError(Error):
    """Evaluation data that cannot be read."""


class MissingPackageError(Error, ImportError):
    """A package that is only needed for what was asked for, and is not installed."""


class Cancelled(Error):
    """Work that was ended from outside."""


class InternalError(Error, RuntimeError):
    """A defect of likewise."""
