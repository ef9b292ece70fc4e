#!/usr/bin/env bash
# All that the Java client has to pass. ALAMEIN_BIN names the `alamein` command, ALAMEIN_PLUGINS the folder
# of plugins.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export CI=true ALAMEIN_CLIENT_INSTALLED=true

# The stubs are made anew by every build. What is installed is what the README has its reader install.
mvn -q -B -Dstyle.color=never install -DskipTests spotless:check javadoc:javadoc

rm -rf target/surefire-reports
status=0
mvn -q -B -Dstyle.color=never surefire:test || status=$?
python3 - target/surefire-reports <<'REPORT' || status=1
import pathlib, sys
from xml.etree import ElementTree
suites = [ElementTree.parse(file).getroot() for file in pathlib.Path(sys.argv[1]).glob("TEST-*.xml")]
count = lambda what: sum(int(suite.get(what)) for suite in suites)
failed = count("failures") + count("errors") + count("skipped")
# What Maven wrote may not have ended its line.
print(f"\njava: {count('tests') - failed} passed, {failed} failed")
sys.exit(failed > 0 or not suites)
REPORT
exit "$status"
