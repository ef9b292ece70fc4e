#!/usr/bin/env bash
# All that the Go client has to pass. ALAMEIN_BIN names the `alamein` command, ALAMEIN_PLUGINS the folder
# of plugins.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export CI=true

before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R gen "$before/gen"
./generate.sh
if ! diff -r "$before/gen" gen >"$before/differs"; then
  head -40 "$before/differs"
  echo "go: the stubs in clients/go/gen are not those of the proto files; commit what generate.sh made" >&2
  exit 1
fi

go mod tidy -diff
unformatted=$(gofmt -l .)
[[ -z "$unformatted" ]] || { echo "go: gofmt -w $unformatted" >&2; exit 1; }
go vet ./...
go tool -modfile=tools/go.mod staticcheck ./...

status=0
go test -count=1 -json ./... >"$before/tests" || status=$?
# Of tests alone, not of packages. A test that does not pass shows all that it wrote.
python3 - "$before/tests" <<'REPORT' || status=1
import json, sys
events = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")]
ended = {(e["Package"], e.get("Test")): e["Action"] for e in events if e["Action"] in ("pass", "fail", "skip")}
for e in events:
    key = (e.get("Package", e.get("ImportPath")), e.get("Test"))
    bad = ended.get(key) in ("fail", "skip") and (e.get("Test") or ended.get(key) == "fail")
    if e["Action"] == "build-output" or e["Action"] == "output" and (bad or "cases: " in e["Output"]):
        sys.stdout.write(e["Output"])
tests = [action for (_, test), action in ended.items() if test]
passed, failed = tests.count("pass"), tests.count("fail") + tests.count("skip")
print(f"go: {passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
REPORT
exit "$status"
