#!/usr/bin/env bash
# Makes the generated stubs in `gen` anew of the proto files. Needs Go and buf; the plugins of protoc are
# pinned in tools/go.mod.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

buf_version=1.75.0
buf=$(command -v buf || true)
if [[ "$("${buf:-false}" --version 2>/dev/null)" != "$buf_version" ]]; then
  venv="$(cd ../.. && pwd)/target/clients/buf-$buf_version"
  buf="$venv/bin/buf"
  if [[ ! -x "$buf" ]]; then
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --retries 5 "buf-bin==$buf_version"
  fi
fi

rm -rf gen
"$buf" generate
