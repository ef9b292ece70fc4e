#!/usr/bin/env bash
# All that this example has to pass; the Go client's ci.sh does the same. ALAMEIN_BIN names the `alamein`
# command, ALAMEIN_PLUGINS the folder of plugins.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export CI=true

results=$(mktemp)
trap 'rm -f "$results"' EXIT
status=0
../../clients/go/tools/check.sh . "$results" || status=$?
python3 ../../clients/go/tools/report.py game-server "$results" || status=1
exit "$status"
