"""Checks that go on after a failure, and tell of all failures at the end."""

import sys
import traceback


class Checks:
    """What was checked, and what failed."""

    def __init__(self):
        self.count = 0
        self.failed = []

    def run(self, name, check, known=""):
        """Runs one check. If it fails and that is known, it is told and no more."""
        self.count += 1
        try:
            check()
        except Exception as error:
            if known:
                print(f"KNOWN {name}: {known}", flush=True)
                return
            self.failed.append(name)
            trace = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{trace.filename.rsplit('/', 1)[-1]}:{trace.lineno}"
            print(f"FAILED {name}: {type(error).__name__} at {where}: {error}", flush=True)

    def run_all(self, functions):
        """Runs functions, each named by its first line of documentation."""
        for function in functions:
            self.run(function.__doc__.split("\n")[0], function)

    def end(self):
        """Ends the script. It fails if a check did."""
        print(f"{sys.argv[0].rsplit('/', 1)[-1]}: {self.count - len(self.failed)} of {self.count}")
        sys.exit(1 if self.failed else 0)


def same(found, expected, what=""):
    """Checks that two things are the same."""
    assert found == expected, f"{what + ' is ' if what else ''}{found!r}, and not {expected!r}"
