"""Tells how many tests of a JUnit report held: ``python: N passed, M failed``.

count.py REPORT
"""

import sys
from pathlib import Path
from xml.etree import ElementTree as Xml


def main(report: Path) -> None:
    """Prints the closing line that ``cargo xtask clients`` looks for."""
    suites = list(Xml.parse(report).getroot().iter("testsuite"))  # noqa: S314 - pytest wrote it just now
    number = {
        what: sum(int(suite.get(what, "0")) for suite in suites)
        for what in ("tests", "failures", "errors", "skipped")
    }
    failed = number["failures"] + number["errors"]
    print(f"python: {number['tests'] - failed - number['skipped']} passed, {failed} failed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
