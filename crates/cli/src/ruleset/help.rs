//! What `alamein ruleset --help` teaches beside the options.

pub(crate) const LIST: &str = "\
Examples:
  alamein ruleset list --rulesets clubs/
  alamein ruleset list --server http://localhost:50051

Each line is a revision: its fingerprint, the names that stand for it now, its tags. Of more than the
service keeps, the oldest goes that no name or tag stands for.";

pub(crate) const SHOW: &str = "\
Examples:
  alamein ruleset show                            the usual one: every plugin of the folder
  alamein ruleset show our-club.toml
  alamein ruleset show desert-2026 --server http://localhost:50051
  alamein ruleset show --toml > our-club.toml     a file to begin with";

pub(crate) const CHECK: &str = "\
Examples:
  alamein ruleset check our-club.toml clubs/

Each thing that is wrong stands on a line of its own: file, line, field, what to do. What would clash
comes after it. Exit status: 0 if nothing is wrong, 1 if something is, 2 if a file cannot be read.";

pub(crate) const CREATE: &str = "\
Examples:
  alamein ruleset create our-club.toml --server http://localhost:50051
  alamein ruleset create our-club.toml --tag desert-2026 --server http://localhost:50051
  alamein ruleset create our-club.toml --validate-only --server http://localhost:50051

The ruleset's name then stands for the new revision. Whoever asks by fingerprint or by tag is judged by
the old one on.";

pub(crate) const TAG: &str = "\
Examples:
  alamein ruleset tag our-club desert-2026 --server http://localhost:50051

A tag stands for one revision and stays with it, whatever plugins are replaced.";

pub(crate) const DIFF: &str = "\
Examples:
  alamein ruleset diff default our-club.toml
  alamein ruleset diff our-club desert-2026 --server http://localhost:50051

Exit status: 0 if nothing differs, 1 if something does, 2 for errors.";

pub(crate) const COMPARE: &str = "\
Examples:
  alamein serve --record games.jsonl              a service that writes down what it judges
  alamein ruleset compare default our-club.toml games.jsonl
  alamein ruleset compare our-club desert-2026 cases/*.json --server http://localhost:50051

Every ruling that changes is shown twice, as the one and as the other gives it, each with its reasons.
Exit status: 0 if none changes, 1 if some do, 2 for errors.";

pub(crate) const CONFLICTS: &str = "\
Examples:
  alamein ruleset conflicts our-club.toml
  alamein ruleset conflicts our-club --server http://localhost:50051

Two plugins that replace the same rule, a circle, what a plugin needs and is not there, an unknown rule:
all of it is told, with both plugins. Exit status: 0 if nothing clashes, 1 if something does.";
