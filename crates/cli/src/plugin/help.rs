//! What the long help of `alamein plugin` teaches beside the options.

pub(crate) const NEW: &str = "\
Examples:
  alamein plugin new stony-wadi
  alamein plugin new stony-wadi --dir ~/rules/wadi --sdk ~/src/alamein

The plugin is a crate of its own, with a terrain of its own and one rule that gives TEM in it. Its
README says how to go on. Nothing is written over a folder that is there.";

pub(crate) const BUILD: &str = "\
Examples:
  alamein plugin build                        the one in this folder, into target/plugins
  alamein plugin build --release --out /srv/alamein/plugins
  alamein plugin build my-c-plugin

A folder with a Cargo.toml is built by cargo. One without, but with C files in it or in its `src`, is
built by cc (or what CC names) against alamein.h; the macros ALAMEIN_PLUGIN_ID,
ALAMEIN_PLUGIN_VERSION, ALAMEIN_PLUGIN_MANIFEST, ALAMEIN_TARGET and ALAMEIN_BUILD_ID hold what its
descriptor must say.

What comes of it is a folder named by the plugin: the library, plugin.json with an `artifact` that
says what the library must be, and the case files. Files are replaced in one step, so that a service
which runs on the old ones is not disturbed.";

pub(crate) const CHECK: &str = "\
Examples:
  alamein plugin check                        build the plugin in this folder, and check it
  alamein plugin check target/plugins/stony-wadi --verbose
  alamein plugin check --set tem=3 --json | jq '.checks[] | select(.verdict == \"fail\")'

First its files are read: nothing of it runs. Then it is loaded and driven with maps, lines, steps and
options made from what its manifest says, its own layers and strange ones, each part in a process of
its own: a plugin that ends its process, or never comes back, is told of and does no harm here.

What its rules say is not judged: that is what `alamein plugin test` is for.

Exit status: 0 if all checks pass, 1 if any fails, 2 for errors.";

pub(crate) const INSPECT: &str = "\
Examples:
  alamein plugin inspect target/plugins/stony-wadi
  alamein plugin inspect /srv/alamein/plugins/deir --json

Its descriptor is read out of the library's bytes; the library is not opened, and nothing of it runs.

Exit status: 0 if a host would take it, 1 if it would be refused, 2 if it cannot be read.";

pub(crate) const TEST: &str = "\
Examples:
  alamein plugin test                         build the plugin in this folder, replay its cases
  alamein plugin test --with ../other-rule    by that plugin too
  alamein plugin test --case tests/cases --set stony-wadi.tem=2

A plugin that comes with this program and has the same id is left out. What a case file may hold and
expect is as for `alamein check`.

Exit status: 0 if nothing differs, 1 if something does, 2 if something cannot be read or loaded.";

pub(crate) const LIST: &str = "\
Examples:
  alamein plugin list                         those that this program judges by
  alamein plugin list target/plugins --json

Each is loaded as the service would load it; none is called.

Exit status: 0 if all are well, 1 if any is refused.";

pub(crate) const LOAD: &str = "\
Examples:
  alamein serve --plugin-dir house/ --admin 127.0.0.1:50052
  alamein plugin load house/stony-wadi --admin 127.0.0.1:50052

Rulesets may be made with it from then on. Of several versions a ruleset takes the highest that it
allows, so that names may come to stand for new revisions. If it is refused nothing changes.";

pub(crate) const REPLACE: &str = "\
Examples:
  alamein plugin replace house/stony-wadi --admin unix:/run/alamein.sock
  alamein plugin replace house/stony-wadi --admin https://rules.example.org:50052 \
      --admin-token-file token --admin-ca ca.pem

Every ruleset that allows the new one gets a new revision with it. Whoever asks by fingerprint or by tag
is judged by the old one on. If it is refused, or a ruleset would be impossible, nothing changes.";

pub(crate) const RETIRE: &str = "\
Examples:
  alamein plugin retire stony-wadi --admin 127.0.0.1:50052

What a ruleset needs cannot be retired: make it anew without first.";

pub(crate) const STATUS: &str = "\
Examples:
  alamein plugin status --admin 127.0.0.1:50052
  alamein plugin status --admin 127.0.0.1:50052 --json | jq '.plugins[] | select(.state == \"refused\")'

A library that was replaced stays in the process: its memory is given back when that ends.";

pub(crate) const LOCK: &str = "\
Examples:
  alamein plugin lock                  those that this program judges by
  alamein plugin lock /srv/plugins     writes /srv/plugins/plugins.lock
  alamein plugin lock --check          for scripts: is it up to date?

The file lists each plugin's id, version, target and the SHA-256 of its library and of its
plugin.json. Whoever loads plugins from a folder with a plugins.lock in it, or with --lock, lets in
what is listed, as it is listed, and says what is missing. None of the plugins' code runs here.

Keep the file where those who may change plugins cannot write, and name it with --lock, if it is to
guard against them too.";
