#!/usr/bin/env bash
# Generates src/gen out of the service's definition in proto/ and the two standard ones beside this.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[[ -d node_modules ]] || npm ci --ignore-scripts
PATH="$PWD/node_modules/.bin:$PATH" buf generate --clean
