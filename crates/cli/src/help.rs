//! What `--help` teaches beside the options.

pub(crate) const TOP: &str = "\
Begin with these:
  alamein demo                       a few telling rulings, with the picture
  alamein fire H K --example         does the hollow protect K from H? and by which rule?
  alamein check cases/               replay case files
  alamein fire --help                every command has examples in its long help

Exit status: 0 for any ruling, whatever it says; 1 if `check` or `replay` found a difference, or a game has
moved on; 2 for errors.";

pub(crate) const LOS: &str = "\
Examples:
  alamein los J G --example              counter J to counter G
  alamein los J H --example --explain    what was considered, too
  alamein los S4 Q7 --example --picture  from hex to hex: an ordinary unit in each
  alamein los P3 R7 --map desert.toml    on a map without counters
  alamein los tk1 K5:2 --case my.json    to a unit in Bypass at a vertex of K5
                                         (0 is between north and north-east, then clockwise)

The first line is the verdict. Then comes each rule that bore on it: its number, what it does and
where. What was set aside stands there with the rule that did so.";

pub(crate) const FIRE: &str = "\
Examples:
  alamein fire H K --example                  Direct Fire
  alamein fire H K --example --attack oba     Offboard Artillery, H observing
  alamein fire B D --example --policy BOTH    as if a grazing line had to cross on both sides
  alamein fire H K --example --json | jq .verdict
  alamein fire H K --example --save dispute.json && alamein check dispute.json";

pub(crate) const LANE: &str = "\
Examples:
  alamein lane E S10 Q7 --example             Infantry that moves in Q7
  alamein lane E S10 R8 vehicle --example     a vehicle that moves in R8

The lane runs from the machine gun to the hex that holds the Fire Lane counter. The mover is not on
the map: it is asked about.";

pub(crate) const MOVE: &str = "\
Examples:
  alamein move tank Q6 Q5 --example           a tank leaves a hollow
  alamein move A R6 R7 --example              the counter A
  alamein move truck N4 N3 --case my.json --ec wet --weight 4 --ground-pressure normal
  alamein move tank P4 P5 P6:2 Q7 --example --allowance 5
                                              over three hexsides, with a turn by 2 in P6
  alamein move squad P4 P5 P6 --example --along track

Of more than one step each has a line: where it ends, what the move has cost by then, what the step
adds and owes. With --explain its rules follow. `R6:2` turns by 2 hexsides once R6 is entered; as the
first hex, before the move leaves it. What a change of VCA costs is not judged, nor is a Minimum Move.";

pub(crate) const LOAD: &str = "\
Examples:
  alamein load --server http://localhost:50051                   find the knee, then ask for twice as much
  alamein load --server http://localhost:50051 --rate 2000       only so many calls in a second
  alamein load --server http://localhost:50051 --pid $(pidof alamein) --questions 100

Calls are made when they are due, whether those before them are answered or not; the time of a call
counts from when it was due. The knee is the highest rate at which 99 of 100 calls are answered, and 99 of
100 answers come within --bound. Run it on another machine than the service: it needs cores of its own.";

pub(crate) const BENCH: &str = "\
Examples:
  alamein bench                               everything, in some minutes
  alamein bench rulings --for 5               only rulings, each for five seconds
  alamein bench --history figures.jsonl       compare with the last time, and add these
  alamein bench --curve boards --curve counters

What is measured: an empty board, the worked example, and four boards of desert with every overlay and
sixty counters. Services that are called are started for this, on free ports of this machine. Ratios are
of one run; figures of another machine, or of one that does something else too, are no measure.";

pub(crate) const SETUP: &str = "\
Examples:
  alamein setup gun Q6 --example              is a Gun in plain view Emplaced there?
  alamein setup gun Q6 --example --hidden --explain
  alamein setup gun Q6 --example --beneath trench
  alamein setup pillbox N4 --map desert.toml  may there be a pillbox?

A Gun is one that its crew mans and that is not limbered. What the scenario's own instructions say is
not judged.";

pub(crate) const REACH: &str = "\
Examples:
  alamein reach tank Q6 --example --allowance 4
  alamein reach A R6 --example --allowance 8 --ec mud --ground-pressure low
  alamein reach squad P4 --example --allowance 4 --along track
  alamein reach squad P4 --example --allowance 4 --json | jq '.hexes[] | select(.cost == 4).hex'

The picture has the cheapest cost in each hex; `3+1DR` owes a DR on the way. Steps whose cost nobody
knows are not taken and are named. Only terrain is judged: no other units, no changes of VCA, no Minimum
Move.";

pub(crate) const FOV: &str = "\
Examples:
  alamein fov H --example                       what counter H sees of the map
  alamein fov S4 --example --range 5 --picture  from a hex, with a picture
  alamein fov P3 --map desert.toml --svg seen.svg
  alamein fov H --example --json | jq -r '.hexes[] | select(.sight == \"hindered\").hex'

Each hex is asked about as `alamein los` would: an ordinary unit on the ground in it is the other end. In
pictures `o` is seen, `+2` is seen through Hindrances of +2, `-` is not seen for terrain, `-6` is not seen for
Hindrances of +6 in sum, and of `?` nobody can say, for a rule decides that is not implemented.";

pub(crate) const MATRIX: &str = "\
Examples:
  alamein matrix --example --out los.parquet
  alamein matrix --map desert.toml --out los.arrow --range 12
  python3 -c \"import pyarrow.parquet as p; print(p.read_table('los.parquet').to_pandas())\"

A row for each two hexes, in both directions, viewer by viewer: from, to, range, sight (clear, hindered,
blocked_by_terrain, blocked_by_hindrances, not_implemented) and hindrance, the DRM, which is null where there is
none to tell. The fingerprint of the rules, the id of the position and the grazing policy are in the schema's
metadata. Rows are written as they are judged, so that the largest map takes no more memory than one hex's view.";

pub(crate) const ASK: &str = "\
Examples:
  alamein ask s001-q05 --case sample-01.json --explain --picture

Shows the ruling on a question that a case file asks, such as one that `alamein check` finds to
differ.";

pub(crate) const MAP_NEW: &str = "\
Examples:
  alamein map new desert.toml && alamein map show desert.toml
  alamein map new                             to the terminal

A map file says what a scenario card says: boards, overlays, what special rules change. Nothing is
written over a file that is there.";

pub(crate) const MAP_CHECK: &str = "\
Examples:
  alamein map check desert.toml
  alamein map check maps/*.toml --json | jq '.files[].problems[]'

Each thing that is wrong stands on a line of its own: file, line, field, what to do. With plugins, or
a service (--server), the layers are checked too; one that no plugin owns is a warning.

Exit status: 0 if nothing is wrong, 1 if something is, 2 if a file cannot be read.";

pub(crate) const MAP_SHOW: &str = "\
Examples:
  alamein map show --example
  alamein map show --example --around R7 --margin 2
  alamein map show desert.toml --hexes P5-T9
  alamein map show my-case.json --line K5 P9 --svg line.svg
  alamein map show desert.toml --hexes all --svg desert.svg
  alamein map show desert.toml --hexes all --png desert.png --width 1600

Without --hexes, --around and --line the part is drawn on which there is anything. Layers that no
plugin owns are drawn too.";

pub(crate) const MAP_CONVERT: &str = "\
Examples:
  alamein map convert desert.toml desert.json
  alamein map convert desert.toml --to case > my-case.json
  alamein map convert my-case.json desert.toml

Between map files nothing is lost but comments. In a case file the boards are one, and overlays and
changes are made: it has layers, and from it a map file of one board comes.";

pub(crate) const MAP_IMPORT: &str = "\
Examples:
  alamein map import --vasl boards/bd26 --out 26.toml
  alamein map import --vasl unpacked/bd26 | less

What no layer holds is told by kind, with how many hexes show it, and again at the top of the file.
No board comes with Alamein: VASL's are VASL's.";

pub(crate) const MAP_OVERLAYS: &str = "\
Examples:
  alamein map overlays               all of them, in short
  alamein map overlays D2 H3         how these look; other hexes are named by column and row from 1
  alamein map overlays SD5 --svg sd5.svg";

pub(crate) const CHECK: &str = "\
Examples:
  alamein check sample-01.json sample-02.json.gz
  alamein check cases/ --contested
  alamein check cases/ --json | jq '.questions[] | select(.outcome == \"failed\")'

A question is skipped, with its reason, if the rules leave it open, if nothing that is loaded
answers it, or if its line meets a layer that no loaded plugin owns. Only what a file expects is
compared. The last line is `N passed, N failed, N skipped`.

Exit status: 0 if nothing differs, 1 if something does, 2 if a file cannot be read.";

pub(crate) const REPLAY: &str = "\
Examples:
  alamein replay game.jsonl
  alamein replay game.jsonl --ruleset our-club.toml
  alamein replay game.jsonl --json | jq 'select(.differences)'

Each question that `alamein serve --record` wrote is ruled on again, by the options that were recorded
unless --ruleset says otherwise. Of a ruling that differs is shown what, and both explanations: `-` before
what only the record has, `+` before what only the new ruling has. Beforehand it is checked that each line
is what was ruled on: its position and its question must give the id of its ruling. A record that breaks
off in its last line is taken up to there.

Exit status: 0 if nothing differs, 1 if something does, 2 if a line cannot be used.";

pub(crate) const POSITION_SHOW: &str = "\
Examples:
  alamein position show my-case.json
  alamein position show my-case.json --as-side british
  alamein position show ID --server http://localhost:50051 --json > kept.json";

pub(crate) const POSITION_APPLY: &str = "\
Examples:
  alamein position apply my-case.json changes.json --save next.json
  echo '[{\"wreck\": {\"counter\": \"A\", \"burning\": true}}]' | alamein position apply my-case.json -
  alamein position apply ID changes.json --server http://localhost:50051

Changes are a list in JSON, made one after the other, all or none. Each is an object of one field:
  {\"place\": COUNTER}                            as counters stand in case files
  {\"remove\": {\"counter\": ID}}
  {\"move\": {\"counter\": ID, \"hex\": HEX}}          with \"height\", and \"aboard\" of what
  {\"board\": {\"counter\": ID, \"carrier\": ID}}      {\"dismount\": {\"counter\": ID}}
  {\"turn\": {\"counter\": ID, \"facing\": 0 to 5}}
  {\"flags\": {\"counter\": ID, \"set\": [\"entrenched\"], \"clear\": [\"in_motion\"]}}
  {\"wreck\": {\"counter\": ID, \"burning\": true}}
  {\"attribute\": {\"counter\": ID, \"name\": NAME, \"value\": NUMBER}}
  {\"side\": {\"counter\": ID, \"side\": SIDE}}        {\"known_to\": {\"counter\": ID, \"sides\": [SIDE]}}
  {\"lay_fire_lane\": {\"counter\": ID, \"hex\": HEX}} {\"lift_fire_lane\": {\"counter\": ID}}
  {\"ec\": \"wet\"}";

pub(crate) const POSITION_DIFF: &str = "\
Examples:
  alamein position diff before.json after.json
  alamein position diff before.json after.json --json > changes.json
  alamein position diff ID ID --server http://localhost:50051 --as-side british

Exit status: 0 if nothing differs, 1 if something does, 2 for errors.";

pub(crate) const POSITION_CREATE: &str = "\
Examples:
  alamein position create my-case.json --server http://localhost:50051

Writes the id under which the service keeps the position; in JSON it is `position_id`.";

pub(crate) const RULES: &str = "\
Examples:
  alamein rules                 the plugins, in short, and every option with its value
  alamein rules deir            one plugin in full: layers, rules, options
  alamein rules --json          everything, for programs";

pub(crate) const SERVE: &str = "\
Examples:
  alamein serve                                  on 127.0.0.1:50051, every plugin
  alamein serve --listen 0.0.0.0:8080 --policy BOTH
  alamein serve --only deir --only sight         by these plugins alone
  alamein fire H K --example --server http://localhost:50051

Every option can also be set in a file (`alamein config init` writes one) or in the environment, as
ALAMEIN_ and the flag's name: ALAMEIN_MAX_REQUESTS. A flag comes before the environment, the environment
before the file. A switch that is set elsewhere is taken back with `=false`.

Everything a client may ask for has a limit; each has its flag. Health, reflection and gRPC-Web are
on. The log goes to stderr; RUST_LOG=debug says more. SIGTERM or Ctrl-C stops in order, a second
one at once.

Exit status: 0 stopped in order, 2 wrong flags, 3 stopped with something cut off, 69 something that it
stands on is not there, 70 a fault of this program, 71 an address cannot be bound, 78 wrong configuration.";

pub(crate) const CONFIG_CHECK: &str = "\
Examples:
  alamein config check                        the file that `alamein serve` would read
  alamein config check alamein.toml
  alamein config check -- --listen 0.0.0.0:50051 --admin 0.0.0.0:50052
  alamein config check alamein.toml --json | jq '.faults[]'

Nothing is bound and nothing is loaded. What a value is, whether options go together, whether files are
there and whether a certificate fits its key is all looked at.

Exit status: 0 if nothing is wrong with it, 1 if something is.";

pub(crate) const CONFIG_SHOW: &str = "\
Examples:
  alamein config show                         everything, and where it comes from
  alamein config show alamein.toml --set      only what is not left at its default
  alamein config show --json | jq '.options[] | select(.from.kind != \"default\")'

What is shown is itself a configuration file that sets the same. Passwords are not shown.";

pub(crate) const CONFIG_INIT: &str = "\
Examples:
  alamein config init alamein.toml && alamein serve --config alamein.toml
  alamein config init | less

Every option stands in it, explained, commented out and at its default. Nothing is written over a file
that is there.";

pub(crate) const DOCTOR: &str = "\
Examples:
  alamein doctor                              what `alamein serve` would be started with here
  alamein doctor --config /etc/alamein/alamein.toml --server http://localhost:50051
  alamein doctor --json | jq '.findings[] | select(.state != \"ok\")'

It looks at the configuration, the plugins (and has them rule on what is known), certificates and secrets,
addresses, open files, memory, disk and clock; with --server also at a service that runs: whether it can be
reached, its health, its rules, how long it takes to answer and what time it is there. Nothing is changed.
Run it as the user that the service runs as.

Exit status: 0 if nothing has to be put right, 1 if something has.";

pub(crate) const DEMO: &str = "\
Starts a service on a free port of this machine, with the plugins loaded from their folder, asks it
over gRPC about the built-in worked example, and shows what it says, each ruling with its reasons.
With --server it asks that service instead.";

pub(crate) const STORE_MIGRATE: &str = "\
Examples:
  alamein store migrate --store postgres://alamein@db/alamein

The service does this itself when it starts, unless it has --store-migrate false. Replicas of the version
before go on while it is done.";

pub(crate) const STORE_CHECK: &str = "\
Examples:
  alamein store check                            the usual folder; no service may use it meanwhile
  alamein store check --store postgres://alamein@db/alamein --json

Every object must have the bytes that it is named for, and whatever a position, a ruleset, a tag or a
game names must be there. What is wrong is told with what to do.

Exit status: 0 nothing is wrong, 1 something is, 2 for errors.";

pub(crate) const STORE_EXPORT: &str = "\
Examples:
  alamein store export backup.jsonl
  alamein store export - --tenant club --store postgres://alamein@db/alamein | gzip > club.jsonl.gz

The file is text, a JSON object on each line, and can be imported into any store. An object that is
damaged ends it; `alamein store check` tells which are.";

pub(crate) const STORE_IMPORT: &str = "\
Examples:
  alamein store import backup.jsonl --store /var/lib/alamein
  gunzip < club.jsonl.gz | alamein store import - --store postgres://alamein@db/alamein

Each object is checked. What is there already stays, so an import that was broken off can be made again.
A game or a name that stands elsewhere here ends it, and is left as it is.";

pub(crate) const STORE_GC: &str = "\
Examples:
  alamein store gc                               tell what would be dropped
  alamein store gc --apply --older-than 90d

What a game, a tag, a ruleset or a revision leads to stays. All else goes, if nobody has made it within
--older-than: a position that is asked about by its id alone must be created again then.";

pub(crate) const STORE_STAT: &str = "\
Examples:
  alamein store stat
  alamein store stat --tenant club --json";
