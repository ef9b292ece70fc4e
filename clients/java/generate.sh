#!/usr/bin/env bash
# Makes the stubs of the proto files, in target/generated-sources. A build does so too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mvn -q -B generate-sources
