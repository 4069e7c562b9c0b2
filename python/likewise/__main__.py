"""The command: `python -m likewise`, or `likewise`."""

from __future__ import annotations

import signal
import sys

from . import _likewise


def main() -> int:
    """Runs the command with the arguments of the process."""
    # Ctrl-C ends the command, as it ends any other: Python's own handler would wait until the command is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _likewise.main(["likewise", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
