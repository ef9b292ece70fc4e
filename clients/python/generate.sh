#!/usr/bin/env bash
# Makes src/alamein/v1 anew of proto/alamein/v1. Another folder may be given in its place.
set -euo pipefail
# shellcheck source=tools/venv.sh
. "$(dirname "${BASH_SOURCE[0]}")/tools/venv.sh"
python_tools

out=${1:-$here/src}
rm -rf "$out/alamein/v1"
mkdir -p "$out"
cd "$root/proto"
"$venv/bin/python" -m grpc_tools.protoc -I . \
  --python_out="$out" --grpc_python_out="$out" \
  --plugin=protoc-gen-mypy="$venv/bin/protoc-gen-mypy" --mypy_out=quiet:"$out" \
  --plugin=protoc-gen-mypy_grpc="$venv/bin/protoc-gen-mypy_grpc" --mypy_grpc_out=quiet:"$out" \
  alamein/v1/*.proto
"$venv/bin/python" "$here/tools/names.py" "$out/alamein/v1"
