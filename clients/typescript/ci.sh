#!/usr/bin/env bash
# Checks the TypeScript client: that its generated code is that of proto/, its types, its style, and its
# tests against a real service. ALAMEIN_BIN is the built command, ALAMEIN_PLUGINS the folder of plugins.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

say() { printf '==> typescript: %s\n' "$*"; }

say "packages"
stamp=node_modules/.package-lock.json
if [[ ! -f $stamp || package-lock.json -nt $stamp ]]; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
fi

say "generated code"
before=$(find src/gen -type f -exec cksum {} + | sort)
./generate.sh
if [[ "$(find src/gen -type f -exec cksum {} + | sort)" != "$before" ]]; then
  echo "src/gen was not that of proto/; commit it as generate.sh just wrote it." >&2
  exit 1
fi

say "types and style"
npx --no-install tsc -p tsconfig.json
npx --no-install biome ci --colors=off .

say "tests"
mkdir -p ../../target/clients
results=$PWD/../../target/clients/typescript.json
rm -f "$results"
status=0
NO_COLOR=1 npx --no-install vitest run --reporter=default --reporter=json --outputFile.json="$results" || status=$?
node -e '
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(require("fs").readFileSync(process.argv[1]));
  console.log(`typescript: ${passed} passed, ${failed} failed`);
' "$results"
exit "$status"
