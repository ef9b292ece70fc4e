//! What `alamein game --help` teaches beside the options.

pub(crate) const CREATE: &str = "\
Examples:
  alamein game create my-case.json --id ridge --owner ann --server http://localhost:50051
  alamein game create my-case.json --ruleset desert-2026 --server http://localhost:50051

The game pins the revision that its ruleset is now: rules that are swapped meanwhile change nothing for it.";

pub(crate) const SHOW: &str = "\
Examples:
  alamein game show ridge --server http://localhost:50051
  alamein game show ridge --server http://localhost:50051 --json | jq -r .etag
  alamein game show ridge --as-side british --server http://localhost:50051";

pub(crate) const LIST: &str = "\
Examples:
  alamein game list --owner ann --server http://localhost:50051";

pub(crate) const ADVANCE: &str = "\
Examples:
  alamein game advance ridge changes.json --by ann --server http://localhost:50051
  echo '[{\"move\": {\"counter\": \"A\", \"hex\": \"R7\"}}]' |
    alamein game advance ridge - --server http://localhost:50051
  alamein game advance ridge --to next.json --etag ETAG --server http://localhost:50051

`alamein position apply --help` tells which changes there are. Where somebody else was faster, nothing is
done: look at what they did, and do it again.

Exit status: 0 if it is done, 1 if the game has moved on meanwhile, 2 for errors.";

pub(crate) const UNDO: &str = "\
Examples:
  alamein game undo ridge --server http://localhost:50051
  alamein game undo ridge --to 4 --note 'we forgot the wind' --server http://localhost:50051

Nothing is lost: what is taken back stays in the history. The rules stay those that are in force.

Exit status: 0 if it is done, 1 if the game has moved on meanwhile, 2 for errors.";

pub(crate) const FORK: &str = "\
Examples:
  alamein game fork ridge --at 7 --id ridge-what-if --server http://localhost:50051";

pub(crate) const HISTORY: &str = "\
Examples:
  alamein game history ridge --server http://localhost:50051
  alamein game history ridge --newest-first --limit 5 --server http://localhost:50051
  alamein game history ridge --json --server http://localhost:50051 | jq -c .changes

With --json each entry is a line.";

pub(crate) const WATCH: &str = "\
Examples:
  alamein game watch ridge --server http://localhost:50051
  alamein game watch ridge --after 12 --json --server http://localhost:50051

It goes on until it is stopped, the game is deleted, or the service is away for ten minutes. A connection
that is lost is made again, and each entry is shown once. With --json each is a line.";

pub(crate) const RULESET: &str = "\
Examples:
  alamein game ruleset ridge our-club --server http://localhost:50051

Exit status: 0 if it is done, 1 if the game has moved on meanwhile, 2 for errors.";

pub(crate) const RECORD: &str = "\
Examples:
  alamein game record ridge --from game.jsonl --save ridge.jsonl --server http://localhost:50051
  alamein game record ridge --ask questions.json --save ridge.jsonl --server http://localhost:50051
  alamein replay ridge.jsonl

A game's history holds its positions and its rules, and no questions. --from finds, in what `alamein serve
--record` wrote, each question that was asked about a position of this game and was ruled on by the rules
that the game had there. --ask puts questions of one's own, as they are in a case file on the same map, to
every position of the game by the rules that it had there; who is not on the map there is not asked about,
which is told. What is written knows all that is hidden, and only its owner may read it.";

pub(crate) const DELETE: &str = "\
Examples:
  alamein game delete ridge --yes --server http://localhost:50051

Exit status: 0 if it is done, 1 if the game has moved on meanwhile, 2 for errors.";
