//! `alamein serve`: the service.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use alamein_cases::Settings;
use alamein_engine::{EngineConfig, EngineMetrics};
use alamein_rulesets::RulesetSpec;
use alamein_server::auth::{JwtConfig, Token};
use alamein_server::transport::{ConfigError, Page, ServerConfig, StartError, Tls, TlsFiles};
use alamein_server::{
    AdminConfig, AuthConfig, Ended, MoreMetrics, Quota, Reloads, Ruled, RulesSource, ServiceLimits,
    Serving, serve,
};
use alamein_store::StoreConfig;
use anyhow::{Context, Error, Result, anyhow};
use tokio::runtime::Builder;

use crate::args::{Judging, RuleArgs, Securing, Serve, Swapping};
use crate::config::{Configured, Sources};
use crate::exit::Exit;
use crate::plugins;
use crate::ruleset::files;
use crate::store;
use crate::telemetry::Telemetry;

/// How long it is waited at the end for threads that nobody waits for any more.
const LAST: Duration = Duration::from_millis(500);
/// How long it may take at the end to send the last traces.
const LAST_TRACES: Duration = Duration::from_secs(2);

/// Serves until it is asked to stop, and gives the status to end with.
pub(crate) fn run(command: &Serve, sources: &Sources) -> Exit {
    let telemetry = match Telemetry::start(command) {
        Ok(telemetry) => telemetry,
        Err(error) => {
            eprintln!("alamein: {}", sources.fault(&format!("{error:#}")));
            return Exit::Configuration;
        }
    };
    let exit = run_telling(command, sources, &telemetry);
    telemetry.end(LAST_TRACES);
    exit
}

fn run_telling(command: &Serve, sources: &Sources, telemetry: &Telemetry) -> Exit {
    match &sources.file {
        Some(file) => tracing::info!(file = %file.display(), "configuration read"),
        None => tracing::info!("no configuration file; `alamein config init` writes one"),
    }
    let mut serving = match prepare(command) {
        Ok(serving) => serving,
        Err(errors) => {
            for error in errors {
                eprintln!("alamein: {}", sources.fault(&format!("{error:#}")));
            }
            return Exit::Configuration;
        }
    };
    if serving.source.choice.trust.unsigned {
        tracing::warn!("plugins that nobody signed are let in: --unsigned");
    }
    let before = sources.clone();
    serving
        .reloads
        .add("configuration", move || before.changes());
    let level = telemetry.level();
    serving.reloads.add("log", move || {
        let now = Configured::again()?.serve.telling.log_level;
        level.set(now.as_deref()).map_err(|it| format!("{it:#}"))?;
        Ok(format!(
            "log-level is {}",
            now.as_deref().unwrap_or("as usual")
        ))
    });
    telemetry.register(&mut serving.more_metrics);
    announce(&command.listen, &serving.source.folder);
    let runtime = match Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("alamein: no threads to serve on: {error}");
            return Exit::Unavailable;
        }
    };
    runtime.spawn(telemetry.telling());
    let shutdown = runtime.block_on(serve(serving));
    // A thread may be in a plugin, in a pipe or in a comparison that does not end.
    runtime.shutdown_timeout(LAST);
    match shutdown {
        Ok(Ended {
            failed: Some(part), ..
        }) => {
            eprintln!("alamein: {part} failed, as the log says; please report it");
            Exit::Internal
        }
        Ok(Ended { cut_off: 0, .. }) => Exit::Stopped,
        Ok(Ended { cut_off, .. }) => {
            eprintln!("alamein: {cut_off} connections were cut off");
            Exit::CutOff
        }
        Err(error) => not_started(&error, sources),
    }
}

/// Tells why the service did not start and what to do.
fn not_started(error: &StartError, sources: &Sources) -> Exit {
    let (exit, told) = match error {
        StartError::Config(error) => (Exit::Configuration, of_setting(error)),
        StartError::Bind { source, .. } => {
            let what_to_do = match source.kind() {
                ErrorKind::AddrInUse => {
                    "; something listens there already: stop it, or listen elsewhere (--listen, --admin, \
                     --metrics)"
                }
                ErrorKind::AddrNotAvailable => "; this machine has no such address",
                ErrorKind::PermissionDenied => {
                    "; a port below 1024 is for root or CAP_NET_BIND_SERVICE, a socket needs a folder that \
                     may be written"
                }
                _ => "",
            };
            (Exit::Address, format!("{error}{what_to_do}"))
        }
        StartError::Auth(_) => (Exit::Configuration, error.to_string()),
        StartError::Reflection(_) => (Exit::Internal, error.to_string()),
        _ => (Exit::Unavailable, error.to_string()),
    };
    eprintln!("alamein: {}", sources.fault(&told));
    exit
}

/// What a service is to be, as the command line has it. Nothing is bound and no plugin is opened.
///
/// # Errors
/// All that is wrong, each in the words of the flags.
pub(crate) fn prepare(command: &Serve) -> Result<Serving, Vec<Error>> {
    let mut wrong = Wrong::default();
    let asked_elsewhere = command.rules.ruleset.is_some() || command.rules.server.is_some();
    if asked_elsewhere {
        let what = "a service judges by all rulesets that it has; name one where you ask";
        wrong.0.push(anyhow!(what));
    }
    let source = wrong.unless(source(&command.rules, &command.only));
    let store = wrong.unless(store::config(&command.storing));
    let rulesets = rulesets(&command.rulesets, &mut wrong);
    let auth = auth(&command.securing);
    wrong.unless(auth.check().context("--tokens, --jwks, --quota-..."));
    let tls = wrong.unless(tls(&command.securing));
    let admin = wrong.unless(admin(&command.swapping, auth.asks()));
    let config = config(command);
    if let Err(error) = config.check() {
        wrong.0.push(anyhow!(of_setting(&error)));
    }
    let (Some(mut source), Some(store), Some(admin), Some(tls), true) =
        (source, store, admin, tls, wrong.0.is_empty())
    else {
        return Err(wrong.0);
    };
    source.engine = engine(&command.judging);
    // A service runs for long, and for others: nobody else may have a hand in what it loads.
    source.choice.trust.own_files = true;
    source.more_folders.clone_from(&command.rules.plugin_dir);
    source.rulesets = rulesets;
    source.settings.most_libraries = command.swapping.max_libraries;
    source.settings.most_tags = command.limits.tags;
    source.settings.most_revisions = command.swapping.loaded_revisions;
    Ok(Serving {
        config,
        limits: limits(command, &store),
        store,
        cache_bytes: Some(command.storing.store_cache as u64),
        source,
        tls,
        page: command.web.then(|| Page::new(alamein_page::files())),
        auth,
        audit: command.securing.audit.clone(),
        admin,
        watch: command.swapping.watch,
        record: command.record.clone(),
        metrics: command.metrics,
        more_metrics: MoreMetrics::default(),
        ruled: Ruled::logging(command.telling.log_rulings),
        reloads: Reloads::default(),
    })
}

/// All that is wrong.
#[derive(Default)]
struct Wrong(Vec<Error>);

impl Wrong {
    /// What was made, unless something is wrong with it, which is noted.
    fn unless<T>(&mut self, made: Result<T>) -> Option<T> {
        made.map_err(|error| self.0.push(error)).ok()
    }
}

fn rulesets(named: &[PathBuf], wrong: &mut Wrong) -> Vec<RulesetSpec> {
    let files = wrong.unless(files::all(named).context("--rulesets"));
    let files = files.unwrap_or_default().into_iter();
    let read = files.filter_map(|file| wrong.unless(files::read(&file).context("--rulesets")));
    read.collect()
}

/// What is wrong with a setting, in the words of its flag.
fn of_setting(error: &ConfigError) -> String {
    let flag = match error.name {
        "max_concurrent_requests" => "max-requests".to_owned(),
        "max_standing_requests" => "max-standing".to_owned(),
        "web_origins" => "web-origin".to_owned(),
        name => name.replace('_', "-"),
    };
    format!("--{flag}: {}", error.what)
}

/// Where the rules come from, as the command line has it.
pub(crate) fn source(rules: &RuleArgs, only: &[String]) -> Result<RulesSource> {
    let mut choice = plugins::choice(rules, &Settings::default())?;
    choice.plugins = only.to_vec();
    Ok(RulesSource {
        folder: plugins::folder(rules)?,
        choice,
        ..RulesSource::default()
    })
}

/// How to judge, as the command line has it.
fn engine(judging: &Judging) -> EngineConfig {
    let usual = EngineConfig::default();
    let threads = judging.threads.unwrap_or(usual.threads).max(1);
    EngineConfig {
        threads,
        budget: judging.budget,
        grace: judging.grace,
        longest_wait: Some(judging.wait),
        lost_threads: judging.lost_threads.unwrap_or((2 * threads).max(4)),
        verify_every: judging.verify.unwrap_or(0),
        on_health: None,
        metrics: EngineMetrics::default(),
    }
}

/// Where plugins are administered, and who may.
fn admin(swapping: &Swapping, asks: bool) -> Result<Option<AdminConfig>> {
    let Some(listen) = swapping.admin.clone() else {
        return Ok(None);
    };
    let tls = match (&swapping.admin_tls_cert, &swapping.admin_tls_key) {
        (Some(certificate), Some(key)) => {
            let files = TlsFiles {
                certificate: certificate.clone(),
                key: key.clone(),
                client_ca: swapping.admin_tls_client_ca.clone(),
                client_required: swapping.admin_tls_client_required,
            };
            Some(Tls::read(files).context("--admin-tls-cert, --admin-tls-key")?)
        }
        _ => None,
    };
    let token = swapping.admin_token_file.as_deref().map(Token::read);
    let config = AdminConfig {
        listen,
        tls,
        token: token.transpose().context("--admin-token-file")?,
    };
    config
        .check(asks)
        .map_err(|error| anyhow!(of_setting(&error)))?;
    Ok(Some(config))
}

/// The TLS of the service.
fn tls(securing: &Securing) -> Result<Option<Tls>> {
    let (Some(certificate), Some(key)) = (&securing.tls_cert, &securing.tls_key) else {
        return Ok(None);
    };
    let files = TlsFiles {
        certificate: certificate.clone(),
        key: key.clone(),
        client_ca: securing.tls_client_ca.clone(),
        client_required: securing.tls_client_required,
    };
    Tls::read(files).context("--tls-cert, --tls-key").map(Some)
}

/// What is asked of who calls.
fn auth(securing: &Securing) -> AuthConfig {
    let jwt = securing.jwks.clone().map(|jwks| JwtConfig {
        jwks,
        issuer: securing.jwt_issuer.clone().unwrap_or_default(),
        audience: securing.jwt_audience.clone().unwrap_or_default(),
        tenant_claim: securing.jwt_tenant_claim.clone(),
        scope_claim: securing.jwt_scope_claim.clone(),
    });
    AuthConfig {
        tokens: securing.tokens.clone(),
        jwt,
        quota: Quota {
            requests_per_second: securing.quota_requests_per_second,
            burst: securing.quota_burst,
            concurrent_requests: securing.quota_concurrent_requests,
        },
        open_reflection: securing.open_reflection,
    }
}

fn announce(listen: &SocketAddr, folder: &Path) {
    tracing::info!(%listen, plugins = %folder.display(), "starting; Ctrl-C stops in order");
}

fn config(command: &Serve) -> ServerConfig {
    let crate::args::Limits {
        deadline,
        requests,
        standing,
        connections,
        request_bytes,
        response_bytes,
        bytes_in_flight,
        streams,
        stream_messages,
        header_bytes,
        ..
    } = command.limits;
    let times = command.connections;
    let usual = ServerConfig::default();
    ServerConfig {
        listen: command.listen.into(),
        max_deadline: deadline,
        max_concurrent_requests: requests,
        max_standing_requests: standing.unwrap_or(usual.max_standing_requests),
        max_connections: connections,
        max_request_bytes: request_bytes,
        max_response_bytes: response_bytes,
        max_bytes_in_flight: bytes_in_flight,
        max_streams_per_connection: streams,
        max_stream_messages: stream_messages,
        max_header_bytes: u32::try_from(header_bytes).unwrap_or(u32::MAX),
        reader_timeout: times.reader,
        handshake_timeout: times.handshake,
        idle_timeout: times.idle,
        keepalive_interval: times.keepalive,
        keepalive_timeout: times.keepalive_timeout,
        max_connection_age: times.age,
        max_connection_grace: times.connection_grace,
        gzip_responses: command.gzip,
        answer_cache_bytes: command.answer_cache,
        lame_duck: command.lame_duck,
        drain_limit: command.drain,
        web: !command.no_web,
        web_origins: command.web_origin.clone(),
        reflection: !command.no_reflection,
        slow: command.telling.log_slow,
        traces: command.telling.otlp_endpoint.is_some(),
        log_requests: command.telling.log_requests,
        ..usual
    }
}

/// How much memory requests may take together.
pub(crate) fn most_bytes_in_flight(command: &Serve) -> usize {
    config(command).max_bytes_in_flight
}

fn limits(command: &Serve, store: &StoreConfig) -> ServiceLimits {
    let limits = &command.limits;
    // Memory is little, and a client must not fill it.
    let (maps, positions) = match store {
        StoreConfig::Memory => (1_000, 10_000),
        StoreConfig::Embedded(_) | StoreConfig::Postgres(_) => (100_000, 1_000_000),
    };
    let mut service = ServiceLimits {
        max_questions: limits.questions,
        max_maps: limits.maps.unwrap_or(maps),
        max_positions: limits.positions.unwrap_or(positions),
        max_rulesets: limits.named_rulesets,
        max_watches: limits.watches,
        max_tags: limits.tags,
        max_revisions: limits.revisions,
        store_builds: command.swapping.store_builds,
        max_build_bytes: command.swapping.build_bytes as u64,
        fixed_rulesets: command.fixed_rulesets,
        ..ServiceLimits::default()
    };
    service.request.max_hexes = limits.hexes;
    service.request.max_steps = limits.steps;
    service.request.max_changes = limits.changes;
    service.request.max_counters = limits.counters;
    service
}
