#!/usr/bin/env bash
# Checks the module in a folder and runs its tests, whose outcomes it writes into a file as JSON:
# tools/check.sh FOLDER FILE
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$1"

go mod tidy -diff
unformatted=$(gofmt -l .)
[[ -z "$unformatted" ]] || { echo "gofmt -w $unformatted" >&2; exit 1; }
go vet ./...
go tool -modfile="$tools/go.mod" staticcheck ./...
go test -count=1 -json ./... >"$2"
