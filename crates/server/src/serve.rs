//! A whole server: every service, its rules loaded once it listens.

use std::sync::Arc;

use alamein_engine::Health;
use alamein_proto::v1::adjudication_service_server::AdjudicationServiceServer;
use alamein_proto::v1::map_service_server::MapServiceServer;
use alamein_proto::v1::position_service_server::PositionServiceServer;
use alamein_proto::v1::ruleset_service_server::RulesetServiceServer;
use tokio::sync::watch;

use crate::rules::{Rules, RulesSource};
use crate::service::{Service, ServiceLimits};
use crate::transport::{BoundServer, Control, ServerBuilder, ServerConfig, Shutdown, StartError};

/// A server that listens and loads its rules.
#[derive(Debug)]
pub struct Served {
    /// The server. Nothing is answered until it is served.
    pub server: BoundServer,
    /// Its rules.
    pub rules: Rules,
}

/// Binds a server and starts to load its rules. Health says NOT_SERVING until they are in force,
/// and for good if a plugin is refused: then every question is answered with what was refused. It
/// says so too while so many threads are lost in plugins that nothing is judged.
///
/// # Errors
/// A setting that makes no sense, or an address that cannot be bound.
pub async fn start(
    config: ServerConfig,
    limits: ServiceLimits,
    mut source: RulesSource,
) -> Result<Served, StartError> {
    let rules = Rules::default();
    let (tell, fit) = watch::channel(true);
    source.engine.on_health = Some(Arc::new(move |threads: &Health| {
        tell.send_replace(threads.fit());
    }));
    let service = Service::new(rules.clone(), limits);
    let server = ServerBuilder::new(config)
        .service(AdjudicationServiceServer::new(service.clone()))
        .service(MapServiceServer::new(service.clone()))
        .service(PositionServiceServer::new(service.clone()))
        .service(RulesetServiceServer::new(service))
        .bind()
        .await?;
    tokio::spawn(keep_ready(server.control(), rules.clone(), source, fit));
    Ok(Served { server, rules })
}

/// Loads the rules, and from then on says whether the server is fit to serve.
async fn keep_ready(
    control: Control,
    rules: Rules,
    source: RulesSource,
    mut fit: watch::Receiver<bool>,
) {
    let load = move || rules.load(&source);
    let loaded = tokio::task::spawn_blocking(load).await.unwrap_or(false);
    loop {
        let ready = loaded && *fit.borrow_and_update();
        control.set_ready(ready).await;
        tokio::select! {
            changed = fit.changed() => if changed.is_err() { return },
            () = control.stopping() => return,
        }
    }
}

/// The same, served until it is told to stop.
///
/// # Errors
/// As [`start`].
pub async fn serve(
    config: ServerConfig,
    limits: ServiceLimits,
    source: RulesSource,
) -> Result<Shutdown, StartError> {
    let Served { server, .. } = start(config, limits, source).await?;
    let control = server.control();
    tokio::spawn(async move {
        stop_signal().await;
        // First what must be done: a log that nobody reads any more must not keep it from being done.
        control.shutdown();
        tracing::info!("asked to stop; once more stops at once");
        stop_signal().await;
        control.abort();
    });
    Ok(server.serve().await)
}

/// Waits for SIGINT or SIGTERM.
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminate = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        result = tokio::signal::ctrl_c() => {
            if result.is_err() {
                std::future::pending::<()>().await;
            }
        }
        _ = terminate => {}
    }
}
