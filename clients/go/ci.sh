#!/usr/bin/env bash
# All that the Go client, and the example that is made with it, have to pass. ALAMEIN_BIN names the `alamein`
# command, ALAMEIN_PLUGINS the folder of plugins.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export CI=true

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R gen "$scratch/gen"
./generate.sh
if ! diff -r "$scratch/gen" gen >"$scratch/differs"; then
  head -40 "$scratch/differs"
  echo "go: the stubs in clients/go/gen are not those of the proto files; commit what generate.sh made" >&2
  exit 1
fi

status=0
tools/check.sh . "$scratch/client" || status=$?
tools/check.sh ../../examples/game-server "$scratch/example" || status=$?
touch "$scratch/client" "$scratch/example"
python3 tools/report.py go "$scratch/client" "$scratch/example" || status=1
exit "$status"
