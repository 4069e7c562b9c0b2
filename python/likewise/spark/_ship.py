"""Files that workers need, sent to each machine once."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import weakref
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: What each session has been sent. A file's name says what is in it, so the same content is never sent twice.
_sent: weakref.WeakKeyDictionary[SparkSession, set[str]] = weakref.WeakKeyDictionary()


def folder() -> str:
    """A folder for files to be sent. It stays as long as this process: files are sent to machines that come later, too."""
    path = tempfile.mkdtemp(prefix="likewise-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def _digest(paths: list[str]) -> str:
    sum_of = hashlib.sha256()
    for path in paths:
        sum_of.update(os.path.basename(path).encode())
        with open(path, "rb") as file:
            while part := file.read(1 << 20):
                sum_of.update(part)
    return sum_of.hexdigest()[:24]


def send_file(spark: SparkSession, path: str, kind: str) -> str:
    """Sends a file; gives the name by which workers find it."""
    name = f"likewise-{kind}-{_digest([path])}"
    named = os.path.join(os.path.dirname(path), name)
    os.replace(path, named)
    sent = _sent.setdefault(spark, set())
    if name not in sent:
        spark.addArtifacts(named, file=True)
        sent.add(name)
    return name


def send_folder(spark: SparkSession, path: str, kind: str) -> str:
    """Sends a folder of files, which is unpacked on each machine; gives the name by which workers find it."""
    paths = sorted(entry.path for entry in os.scandir(path) if entry.is_file())
    name = f"likewise-{kind}-{_digest(paths)}.zip"
    sent = _sent.setdefault(spark, set())
    if name not in sent:
        archive = os.path.join(folder(), name)
        # Not compressed: files are mapped, and most of the time goes into sending.
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as packed:
            for file in paths:
                packed.write(file, os.path.basename(file))
        spark.addArtifacts(archive, archive=True)
        sent.add(name)
    return name


def find(name: str) -> str:
    """Where a worker has what was sent."""
    from pyspark import SparkFiles

    return os.path.join(SparkFiles.getRootDirectory(), name)
