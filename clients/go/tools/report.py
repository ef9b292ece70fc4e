"""Counts the tests of files that `go test -json` wrote: report.py NAME FILE...

Shows what tests wrote that did not pass, and the counts of case files. The last line is
`NAME: N passed, M failed`; it fails where a test did not pass, one that was skipped too.
"""

import json
import sys


def main(name: str, files: list[str]) -> bool:
    passed = failed = 0
    for file in files:
        with open(file, encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines if line.startswith("{")]
        ended = {(e["Package"], e.get("Test")): e["Action"] for e in events if e["Action"] in ("pass", "fail", "skip")}
        for e in events:
            outcome = ended.get((e.get("Package"), e.get("Test")))
            # A package without tests is skipped as a whole, which is nothing to show.
            bad = outcome == "fail" or outcome == "skip" and "Test" in e
            if e["Action"] == "build-output" or e["Action"] == "output" and (bad or "cases: " in e["Output"]):
                sys.stdout.write(e["Output"])
        tests = [action for (_, test), action in ended.items() if test]
        passed += tests.count("pass")
        failed += len(tests) - tests.count("pass")
    print(f"{name}: {passed} passed, {failed} failed")
    return failed == 0 and passed > 0


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1], sys.argv[2:]))
