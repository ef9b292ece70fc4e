#!/usr/bin/env bash
# Checks the page: its types, its style, that web/dist is what its sources build to, how large that is,
# and its tests in Chromium against a real service. ALAMEIN_BIN is the built command, ALAMEIN_PLUGINS the
# folder of plugins, CHROMIUM the browser (/usr/bin/chromium). Screenshots go to target/web-screenshots.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

say() { printf '==> web: %s\n' "$*"; }

chromium=${CHROMIUM:-/usr/bin/chromium}
for needed in "${ALAMEIN_BIN:-}" "${ALAMEIN_PLUGINS:-}" "$chromium"; do
  if [[ -z "$needed" || ! -e "$needed" ]]; then
    echo "The page's tests need ALAMEIN_BIN (the built command), ALAMEIN_PLUGINS and Chromium ($chromium)." >&2
    [[ -n "${CI:-}" ]] && exit 1
    echo "SKIPPED: all of the page's tests." >&2
    exit 0
  fi
done

export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
packages() {
  local stamp=$1/node_modules/.package-lock.json
  if [[ ! -f $stamp || $1/package-lock.json -nt $stamp ]]; then
    npm --prefix "$1" ci --ignore-scripts --no-audit --no-fund --loglevel=error
  fi
}

say "packages"
packages .
packages ../clients/typescript

say "types and style"
npx --no-install tsc
npx --no-install biome ci --colors=off .

say "the built page"
made=../target/web/dist
npx --no-install vite build --logLevel warn --outDir "$made" --emptyOutDir
if ! diff -r "$made" dist; then
  echo "web/dist is not what its sources build to: run npm run build in web/ and commit it." >&2
  exit 1
fi
raw=$(find dist -type f -exec cat {} + | wc -c)
packed=0
while IFS= read -r file; do
  packed=$((packed + $(gzip -9c "$file" | wc -c)))
done < <(find dist -type f)
say "$raw bytes, $packed packed"
if ((raw >= 400000 || packed >= 300000)); then
  echo "The page is too large: it may have 400000 bytes, and 300000 packed." >&2
  exit 1
fi

say "tests"
npm --prefix ../clients/typescript run --silent build
mkdir -p ../target/web
rm -rf ../target/web/*.json ../target/web-screenshots
status=0
NO_COLOR=1 npx --no-install vitest run --reporter=default --reporter=json \
  --outputFile.json=../target/web/units.json || status=$?
NO_COLOR=1 npx --no-install playwright test || status=$?
node -e '
  const read = (file) => JSON.parse(require("fs").readFileSync(file));
  const units = read("../target/web/units.json");
  const { expected, flaky, unexpected } = read("../target/web/browser.json").stats;
  const passed = units.numPassedTests + expected + flaky;
  console.log(`web: ${passed} passed, ${units.numFailedTests + unexpected} failed`);
'
exit "$status"
