"""Frames of Spark and their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .._errors import InputError, OptionError
from .._tables import need

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def check(frame: Any, verb: str) -> DataFrame:
    """A frame of Spark, or a word on what to call instead."""
    what = f"likewise.spark.{verb}"
    need("pyarrow", what)
    kind = need("pyspark.sql", what).DataFrame
    if not isinstance(frame, kind):
        raise InputError(
            f"{what} takes frames of PySpark, and this is of type {type(frame).__name__}; for tables of one machine there is "
            f"likewise.{verb}"
        )
    found: DataFrame = frame
    return found


def check_id(frame: DataFrame, option: str, name: Optional[str]) -> str:
    """The column that rows go by."""
    names = ", ".join(frame.columns)
    if name is None:
        raise OptionError(
            f"option `{option}` is needed: a frame of Spark has no order to number rows by. Name a column whose values are all different; "
            f"there are {names}"
        )
    if name not in frame.columns:
        raise OptionError(f"option `{option}`: there is no column `{name}`. There are {names}")
    return name


def quoted(name: str) -> str:
    """A column by its name, dots and all."""
    return "`" + name.replace("`", "``") + "`"
