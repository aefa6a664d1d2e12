"""Print the modules of which the tests ran less than a share of lines, from what `make cover` measured.

    python tests/long/uncovered.py [--under 85]

Reads `.coverage` in the current folder. Lines that only a process runs that is killed are not counted as run.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from coverage import Coverage


def main() -> None:
    """Print a line for each such module, the least covered first, and the whole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--under", type=float, default=85)
    under = parser.parse_args().under
    measured = Coverage()
    measured.load()
    rows = []
    here = [name for name in measured.get_data().measured_files() if Path(name).is_relative_to(Path.cwd())]
    for name in here:  # tests also run copies of the package elsewhere
        _, lines, _, missing, where = measured.analysis2(name)
        rows.append((len(lines), len(missing), str(Path(name).relative_to(Path.cwd())), where))
    every, absent = sum(row[0] for row in rows), sum(row[1] for row in rows)
    shares = sorted((100 * (1 - missing / max(lines, 1)), name, where) for lines, missing, name, where in rows)
    for share, name, where in shares:
        if share < under:
            print(f"{share:5.1f} %  {name}  not run: {where}")
    print(f"{100 * (1 - absent / every):5.1f} %  of {every:,} lines in {len(rows)} modules")


if __name__ == "__main__":
    main()
