//! `alamein serve`: the service.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use alamein_cases::Settings;
use alamein_engine::{EngineConfig, EngineMetrics};
use alamein_server::transport::{ServerConfig, Tls, Token};
use alamein_server::{AdminConfig, RulesSource, ServiceLimits, Serving, serve};
use anyhow::{Context, Result, ensure};
use tokio::runtime::Builder;

use crate::args::{Judging, RuleArgs, Serve, Swapping};
use crate::plugins;
use crate::ruleset::files;

/// How long it is waited at the end for threads that nobody waits for any more.
const LAST: Duration = Duration::from_millis(500);

pub(crate) fn run(command: &Serve) -> Result<()> {
    let mut source = source(&command.rules, &command.only)?;
    source.engine = engine(&command.judging);
    // A service runs for long, and for others: nobody else may have a hand in what it loads.
    source.choice.trust.own_files = true;
    if source.choice.trust.unsigned {
        tracing::warn!("plugins that nobody signed are let in: --unsigned");
    }
    source.more_folders.clone_from(&command.rules.plugin_dir);
    for file in files::all(&command.rulesets)? {
        source
            .rulesets
            .push(files::read(&file).context("--rulesets")?);
    }
    ensure!(
        command.rules.ruleset.is_none() && command.rules.server.is_none(),
        "a service judges by all rulesets that it has; name one where you ask"
    );
    source.settings.most_libraries = command.swapping.max_libraries;
    source.settings.most_tags = command.limits.tags;
    let serving = Serving {
        config: config(command),
        limits: limits(command),
        source,
        admin: admin(&command.swapping)?,
        watch: command.swapping.watch,
        record: command.record.clone(),
        metrics: command.metrics,
    };
    serving.config.check()?;
    announce(&command.listen, &serving.source.folder);
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("no threads to serve on")?;
    let shutdown = runtime.block_on(serve(serving));
    // A thread may be in a plugin, in a pipe or in a comparison that does not end.
    runtime.shutdown_timeout(LAST);
    let shutdown = shutdown?;
    if shutdown.cut_off > 0 {
        eprintln!("alamein: {} connections were cut off", shutdown.cut_off);
    }
    Ok(())
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
        budget: Duration::from_millis(judging.budget),
        grace: Duration::from_millis(judging.grace),
        lost_threads: judging.lost_threads.unwrap_or((2 * threads).max(4)),
        verify_every: judging.verify.unwrap_or(0),
        on_health: None,
        metrics: EngineMetrics::default(),
    }
}

/// Where plugins are administered, and who may.
fn admin(swapping: &Swapping) -> Result<Option<AdminConfig>> {
    let Some(listen) = swapping.admin.clone() else {
        return Ok(None);
    };
    let tls = match (&swapping.admin_tls_cert, &swapping.admin_tls_key) {
        (Some(certificate), Some(key)) => {
            Some(Tls::read(certificate, key).context("--admin-tls-cert, --admin-tls-key")?)
        }
        _ => None,
    };
    let token = swapping.admin_token_file.as_deref().map(Token::read);
    let config = AdminConfig {
        listen,
        tls,
        token: token.transpose().context("--admin-token-file")?,
    };
    config.check()?;
    Ok(Some(config))
}

fn announce(listen: &SocketAddr, folder: &Path) {
    tracing::info!(%listen, plugins = %folder.display(), "starting; Ctrl-C stops in order");
}

fn config(command: &Serve) -> ServerConfig {
    let crate::args::Limits {
        deadline,
        requests,
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
    ServerConfig {
        listen: command.listen.into(),
        max_deadline: Duration::from_millis(deadline),
        max_concurrent_requests: requests,
        max_connections: connections,
        max_request_bytes: request_bytes,
        max_response_bytes: response_bytes,
        max_bytes_in_flight: bytes_in_flight,
        max_streams_per_connection: streams,
        max_stream_messages: stream_messages,
        max_header_bytes: header_bytes,
        reader_timeout: Duration::from_millis(times.reader),
        handshake_timeout: Duration::from_millis(times.handshake),
        idle_timeout: Duration::from_millis(times.idle),
        keepalive_interval: Duration::from_millis(times.keepalive),
        keepalive_timeout: Duration::from_millis(times.keepalive_timeout),
        max_connection_age: times.age.map(Duration::from_millis),
        max_connection_grace: Duration::from_millis(times.grace),
        gzip_responses: command.gzip,
        lame_duck: Duration::from_millis(command.lame_duck),
        drain_limit: Duration::from_millis(command.drain),
        web: !command.no_web,
        web_origins: command.web_origin.clone(),
        reflection: !command.no_reflection,
        ..ServerConfig::default()
    }
}

fn limits(command: &Serve) -> ServiceLimits {
    let limits = &command.limits;
    let mut service = ServiceLimits {
        max_questions: limits.questions,
        max_maps: limits.maps,
        max_positions: limits.positions,
        max_rulesets: limits.named_rulesets,
        fixed_rulesets: command.fixed_rulesets,
        ..ServiceLimits::default()
    };
    service.request.max_hexes = limits.hexes;
    service.request.max_steps = limits.steps;
    service.request.max_counters = limits.counters;
    service
}
