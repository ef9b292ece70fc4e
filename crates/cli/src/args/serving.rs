//! The command line of `alamein serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use alamein_server::transport::Address;
use clap::Args;

use super::measures::{bytes, duration, some_time, whole};
use super::{RuleArgs, Securing, StoreArgs, Telling};

// A service judges by its own plugins and by all its rulesets: to ask another, or to choose one, has no
// sense here, and `serve` refuses it.
#[derive(Args, Debug)]
#[command(mut_arg("server", |it| it.hide(true)), mut_arg("ruleset", |it| it.hide(true)))]
#[command(mut_arg("token_file", |it| it.hide(true)), mut_arg("tls_ca", |it| it.hide(true)))]
#[command(mut_arg("client_cert", |it| it.hide(true)), mut_arg("client_key", |it| it.hide(true)))]
// By the rule its name in the environment would be the one that --plugins has.
#[command(mut_arg("plugin_dir", |it| it.env("ALAMEIN_PLUGIN_DIRS")))]
pub(crate) struct Serve {
    /// The configuration file, which sets what no flag and no environment sets
    ///
    /// If it is not given: `alamein.toml` in the working directory, else /etc/alamein/alamein.toml, else
    /// none.
    #[arg(long, value_name = "FILE", env = "ALAMEIN_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Where to listen; port 0 takes a free one
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1:50051",
        env = "ALAMEIN_LISTEN"
    )]
    pub(crate) listen: SocketAddr,
    /// Judge by this plugin and no others but those named likewise
    #[arg(long, value_name = "PLUGIN")]
    pub(crate) only: Vec<String>,
    /// Give browsers a page on which to look at maps and lines: open the address of `--listen` in one
    ///
    /// The page calls the service by gRPC-Web, as any other page may. It is open to everybody; where tokens
    /// are asked for, it asks for one.
    #[arg(long, conflicts_with = "no_web")]
    pub(crate) web: bool,
    /// Pages of this origin may call by gRPC-Web; `*` is any
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) web_origin: Vec<String>,
    /// No gRPC-Web
    #[arg(long)]
    pub(crate) no_web: bool,
    /// No reflection: clients cannot ask for the API's definition
    #[arg(long)]
    pub(crate) no_reflection: bool,
    /// Answer in gzip where a client takes it
    #[arg(long)]
    pub(crate) gzip: bool,
    /// How much of answers is kept, to be given again to whoever asks the same one question; 0 keeps none
    ///
    /// Batches and streams are judged each time, and with --record, --verify-every or a trace that is
    /// followed so is every question.
    #[arg(long, value_name = "SIZE", default_value = "8MiB", value_parser = bytes)]
    pub(crate) answer_cache: usize,
    /// When stopped: how long to go on accepting, so that load balancers see it coming
    #[arg(long, value_name = "DURATION", default_value = "3s", value_parser = duration)]
    pub(crate) lame_duck: Duration,
    /// When stopped: how long what is open may then take to finish
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = duration)]
    pub(crate) drain: Duration,
    /// Where to tell metrics: `GET /metrics`, for Prometheus; nowhere if it is not given
    #[arg(long, value_name = "ADDRESS", env = "ALAMEIN_METRICS")]
    pub(crate) metrics: Option<SocketAddr>,
    /// Write the log as JSON
    #[arg(long)]
    pub(crate) log_json: bool,
    /// Write every question that is judged into this file, with its answer
    ///
    /// Each is a line and a case file of its own, for `alamein replay`, `alamein ruleset compare` and
    /// `alamein check`. A file that is there is gone on with. No request waits for it: what does not fit
    /// is dropped, counted and told in the log. What an allowance reaches is no ruling and is not written;
    /// the steps of a path are.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// A ruleset file, or a folder of them: rulesets to start with
    #[arg(long, value_name = "FILE")]
    pub(crate) rulesets: Vec<PathBuf>,
    /// Clients can make and tag no rulesets
    #[arg(long)]
    pub(crate) fixed_rulesets: bool,
    #[command(flatten)]
    pub(crate) securing: Securing,
    #[command(flatten)]
    pub(crate) storing: StoreArgs,
    #[command(flatten)]
    pub(crate) swapping: Swapping,
    #[command(flatten)]
    pub(crate) judging: Judging,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) connections: Connections,
    #[command(flatten)]
    pub(crate) telling: Telling,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// Replacing plugins while the service runs.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Replacing plugins")]
pub(crate) struct Swapping {
    /// Where plugins can be loaded, replaced and retired: `127.0.0.1:50052` or `unix:/run/alamein.sock`
    ///
    /// Whoever can connect runs code in this process: other addresses than those of this machine need
    /// TLS and a token.
    #[arg(long, value_name = "ADDRESS", env = "ALAMEIN_ADMIN")]
    pub(crate) admin: Option<Address>,
    /// The certificate with which to speak TLS there, in PEM, those that vouch for it after it
    #[arg(long, value_name = "FILE", requires_all = ["admin", "admin_tls_key"])]
    pub(crate) admin_tls_cert: Option<PathBuf>,
    /// Its private key, in PEM
    #[arg(long, value_name = "FILE", requires_all = ["admin", "admin_tls_cert"])]
    pub(crate) admin_tls_key: Option<PathBuf>,
    /// The certificates that vouch for those of clients there, in PEM
    #[arg(long, value_name = "FILE", requires = "admin_tls_cert")]
    pub(crate) admin_tls_client_ca: Option<PathBuf>,
    /// Turn away clients without a certificate there
    #[arg(long, requires = "admin_tls_client_ca")]
    pub(crate) admin_tls_client_required: bool,
    /// A file with a token that opens everything there; only its owner may read it
    ///
    /// Without --tokens every request there must bear this one. With --tokens it may as well be one of
    /// those that have the scope plugins:admin.
    #[arg(long, value_name = "FILE", requires = "admin")]
    pub(crate) admin_token_file: Option<PathBuf>,
    /// For developers: load what is built in the folders of plugins as soon as it is whole
    ///
    /// Then several builds of one version may be loaded, and builds count in every fingerprint.
    #[arg(long)]
    pub(crate) watch: bool,
    /// How many libraries this process may hold; none that is replaced is ever unloaded
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = whole::<u64>(1))]
    pub(crate) max_libraries: u64,
    /// Keep builds of plugins in the store, so that a ruleset which is pinned outlasts their folders
    ///
    /// Kept is what a ruleset with a name, a tag or a game is made with. What comes out of the store again
    /// passes the same checks as what comes from a folder.
    #[arg(
        long,
        value_name = "WHETHER",
        default_value_t = true,
        action = clap::ArgAction::Set,
        num_args = 0..=1,
        default_missing_value = "true"
    )]
    pub(crate) store_builds: bool,
    /// The longest build that is kept there
    #[arg(long = "max-build-bytes", value_name = "SIZE", default_value = "64MiB", value_parser = bytes)]
    pub(crate) build_bytes: usize,
    /// How many revisions of rulesets are held in memory
    ///
    /// Of more, that goes which was least lately asked for and that no name of the service itself means. It
    /// comes back from the store when it is asked for.
    #[arg(
        long = "max-loaded-revisions",
        value_name = "N",
        default_value_t = 1_024, value_parser = whole::<usize>(1))]
    pub(crate) loaded_revisions: usize,
}

/// How to judge, and what to do about a plugin that does not come back from a call.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Judging")]
pub(crate) struct Judging {
    /// How many threads judge; as many as the machine has cores if it is not given
    #[arg(long = "threads", value_name = "N", value_parser = whole::<usize>(1))]
    pub(crate) threads: Option<usize>,
    /// How long a request may be judged; plugins that ask are told when it is over
    #[arg(long = "budget", value_name = "DURATION", default_value = "10s", value_parser = some_time)]
    pub(crate) budget: Duration,
    /// How long a request may wait for a thread to judge it
    ///
    /// A queue that does not become empty takes up no bursts: while it stands, a request waits for a
    /// tenth of that. Who would wait longer is turned away with a time to come back.
    #[arg(long = "max-wait", value_name = "DURATION", default_value = "500ms", value_parser = duration)]
    pub(crate) wait: Duration,
    /// How long a call of a plugin may go on after that
    ///
    /// Then its thread is given up as lost and another takes its place; the plugin is out of use.
    #[arg(long = "grace", value_name = "DURATION", default_value = "5s", value_parser = duration)]
    pub(crate) grace: Duration,
    /// Make every Nth call of a plugin twice, and refuse to rule where the answers differ
    #[arg(long = "verify-every", value_name = "N", value_parser = whole::<u32>(1))]
    pub(crate) verify: Option<u32>,
    /// At how many lost threads to stop judging; twice the threads, and at least 4, if it is not given
    #[arg(long = "max-lost-threads", value_name = "N", value_parser = whole::<usize>(1))]
    pub(crate) lost_threads: Option<usize>,
}

/// How long connections last, and the parts of them.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Connections")]
pub(crate) struct Connections {
    /// How long a client may take nothing of an answer before it is given up
    ///
    /// When as long has passed again, its connection is cut.
    #[arg(long = "reader-timeout", value_name = "DURATION", default_value = "20s", value_parser = duration)]
    pub(crate) reader: Duration,
    /// How long a new connection may take to shake hands and begin to ask
    #[arg(long = "handshake-timeout", value_name = "DURATION", default_value = "10s", value_parser = duration)]
    pub(crate) handshake: Duration,
    /// How long a connection may be open without a request
    #[arg(long = "idle-timeout", value_name = "DURATION", default_value = "10m", value_parser = duration)]
    pub(crate) idle: Duration,
    /// How often a connection is asked whether its client is still there
    #[arg(long = "keepalive", value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub(crate) keepalive: Duration,
    /// How long it may take to answer that
    #[arg(long = "keepalive-timeout", value_name = "DURATION", default_value = "10s", value_parser = duration)]
    pub(crate) keepalive_timeout: Duration,
    /// How old a connection may become, give or take a tenth, before its client is asked to open another
    ///
    /// So load spreads over replicas that were added. If it is not given: any age.
    #[arg(long = "max-connection-age", value_name = "DURATION", value_parser = duration)]
    pub(crate) age: Option<Duration>,
    /// How long what is open on such a connection may go on before it is cut
    #[arg(long = "connection-grace", value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub(crate) connection_grace: Duration,
}

/// How much a client may ask for.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// How long a request may take
    #[arg(long = "max-deadline", value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub(crate) deadline: Duration,
    /// How many requests are worked on at once
    #[arg(long = "max-requests", value_name = "N", default_value_t = 256, value_parser = whole::<usize>(1))]
    pub(crate) requests: usize,
    /// How many of them may wait for an answer all the time; 16 for each core if it is not given
    ///
    /// A crowd that is soon worked off is let in whole. One that stands makes everybody wait, and is
    /// turned away down to so many.
    #[arg(long = "max-standing", value_name = "N", value_parser = whole::<usize>(1))]
    pub(crate) standing: Option<usize>,
    /// How many bytes the requests that are read and worked on take together, unpacked
    ///
    /// What is beyond it is turned away, with a time to come back. One connection may take as much as it
    /// leaves to all others; so it is with --max-requests.
    #[arg(long = "max-bytes-in-flight", value_name = "SIZE", default_value = "256MiB", value_parser = bytes)]
    pub(crate) bytes_in_flight: usize,
    /// How many requests a connection may have open at once; its client keeps back the others
    #[arg(long = "max-streams", value_name = "N", default_value_t = 128, value_parser = whole::<u32>(1))]
    pub(crate) streams: u32,
    /// The most messages that a client may send in one stream
    #[arg(
        long = "max-stream-messages",
        value_name = "N",
        default_value_t = 100_000, value_parser = whole::<u64>(1))]
    pub(crate) stream_messages: u64,
    /// The longest head of a request
    #[arg(long = "max-header-bytes", value_name = "SIZE", default_value = "16KiB", value_parser = bytes)]
    pub(crate) header_bytes: usize,
    /// How many connections are open at once
    #[arg(long = "max-connections", value_name = "N", default_value_t = 1_024, value_parser = whole::<usize>(1))]
    pub(crate) connections: usize,
    /// The longest request
    #[arg(long = "max-request-bytes", value_name = "SIZE", default_value = "4MiB", value_parser = bytes)]
    pub(crate) request_bytes: usize,
    /// The longest answer
    #[arg(long = "max-response-bytes", value_name = "SIZE", default_value = "4MiB", value_parser = bytes)]
    pub(crate) response_bytes: usize,
    /// The most questions in a batch
    #[arg(long = "max-questions", value_name = "N", default_value = "10000", value_parser = whole::<usize>(1))]
    pub(crate) questions: usize,
    /// The most steps of a path
    #[arg(long = "max-steps", value_name = "N", default_value = "1000", value_parser = whole::<usize>(1))]
    pub(crate) steps: usize,
    /// The most changes of a position at once
    #[arg(long = "max-changes", value_name = "N", default_value = "1000", value_parser = whole::<usize>(1))]
    pub(crate) changes: usize,
    /// The most hexes of a map
    #[arg(long = "max-hexes", value_name = "N", default_value = "65536", value_parser = whole::<usize>(1))]
    pub(crate) hexes: usize,
    /// The most counters of a position
    #[arg(long = "max-counters", value_name = "N", default_value = "4096", value_parser = whole::<usize>(1))]
    pub(crate) counters: usize,
    /// The most maps that a tenant keeps; 100,000 if it is not given, and 1,000 in memory
    #[arg(long = "max-maps", value_name = "N", value_parser = whole::<usize>(0))]
    pub(crate) maps: Option<usize>,
    /// The most positions that a tenant keeps; 1,000,000 if it is not given, and 10,000 in memory
    #[arg(long = "max-positions", value_name = "N", value_parser = whole::<usize>(0))]
    pub(crate) positions: Option<usize>,
    /// The most rulesets that have names
    #[arg(long = "max-rulesets", value_name = "N", default_value_t = 1_000, value_parser = whole::<usize>(0))]
    pub(crate) named_rulesets: usize,
    /// How many may watch games at once
    #[arg(long = "max-watches", value_name = "N", default_value_t = 10_000, value_parser = whole::<usize>(0))]
    pub(crate) watches: usize,
    /// The most revisions of rulesets, and ruleset files, that are kept for one tenant
    #[arg(long = "max-revisions", value_name = "N", default_value_t = 10_000, value_parser = whole::<usize>(0))]
    pub(crate) revisions: usize,
    /// The most tags of rulesets
    #[arg(long = "max-tags", value_name = "N", default_value_t = 1_000, value_parser = whole::<usize>(0))]
    pub(crate) tags: usize,
}
