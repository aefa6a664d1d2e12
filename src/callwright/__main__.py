"""The program: `callwright`, or `python -m callwright`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an interrupt while it is loaded ends as a later one does."""
    try:
        from callwright.cli import main as commands

        commands()
    except KeyboardInterrupt:
        sys.stderr.write("callwright: interrupted.\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
