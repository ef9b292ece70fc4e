#!/usr/bin/env bash
# All that a change to this client has to pass. ALAMEIN_BIN is the command and ALAMEIN_PLUGINS the folder of its
# plugins; `cargo xtask clients python` builds them and calls this. Ends with `python: N passed, M failed`.
set -euo pipefail
# shellcheck source=tools/venv.sh
. "$(dirname "${BASH_SOURCE[0]}")/tools/venv.sh"
export CI=true
unset PYTHONPATH
python_tools
bin="$venv/bin"
cd "$here"

echo "generated code"
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
./generate.sh "$fresh"
diff --recursive --brief --exclude=__pycache__ "$fresh/alamein/v1" src/alamein/v1 || {
  echo "src/alamein/v1 is not what proto/ says: run clients/python/generate.sh" >&2
  exit 1
}

echo "lint and types"
# The examples in Python are held to the same, and tried by the same tests.
sources=(. ../../examples/heatmap)
"$bin/ruff" check --quiet "${sources[@]}"
"$bin/ruff" format --quiet --check "${sources[@]}"
"$bin/mypy" --no-error-summary

echo "tests"
status=0
timeout 900 "$bin/python" -m pytest --junit-xml="$fresh/report.xml" "$@" || status=$?
"$bin/python" tools/count.py "$fresh/report.xml"
exit "$status"
