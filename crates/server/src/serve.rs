//! A whole server: every service, its rules loaded once it listens.

use std::net::SocketAddr;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alamein_engine::Health;
use alamein_proto::v1::adjudication_service_server::AdjudicationServiceServer;
use alamein_proto::v1::game_service_server::GameServiceServer;
use alamein_proto::v1::map_service_server::MapServiceServer;
use alamein_proto::v1::plugin_admin_service_server::PluginAdminServiceServer;
use alamein_proto::v1::position_service_server::PositionServiceServer;
use alamein_proto::v1::ruleset_service_server::RulesetServiceServer;
use alamein_store::{Keeper, KeeperConfig, Memory, Store, StoreMetrics};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use tokio::net::unix::pipe::{OpenOptions, Sender};
use tokio::sync::watch;

use crate::admin::{self, Admin, AdminConfig, Folders};
use crate::auth::{AuthConfig, Guard, exposure};
use crate::metrics::{Counting, Credentials, MetricsListener, MoreMetrics};
use crate::record::Record;
use crate::reload::keep_fresh;
use crate::ruled::Ruled;
use crate::rules::{Rules, RulesSource};
use crate::service::{Service, ServiceLimits};
use crate::transport::{
    BoundServer, Control, ServerBuilder, ServerConfig, Shutdown, StartError, Tls, TransportMetrics,
};

/// All that a server is to be.
#[derive(Clone, Debug, Default)]
pub struct Serving {
    /// The transport of the service.
    pub config: ServerConfig,
    /// The limits of what a request may ask.
    pub limits: ServiceLimits,
    /// Where the rules come from.
    pub source: RulesSource,
    /// The TLS of the service. Default: none.
    pub tls: Option<Tls>,
    /// What is asked of who calls. Default: nothing.
    pub auth: AuthConfig,
    /// Where plugins are administered. Default: nowhere.
    pub admin: Option<AdminConfig>,
    /// Whether the folders of plugins are watched, and what is built there is loaded. Only for
    /// developers: builds then count in fingerprints.
    pub watch: bool,
    /// The file to write every question into that is judged.
    pub record: Option<PathBuf>,
    /// Where metrics are read. Default: nowhere.
    pub metrics: Option<SocketAddr>,
    /// What else is told there.
    pub more_metrics: MoreMetrics,
    /// What counts rulings, and writes some of them into the log.
    pub ruled: Ruled,
}

/// A server that listens and loads its rules.
#[derive(Debug)]
pub struct Served {
    /// The server. Nothing is answered until it is served.
    pub server: BoundServer,
    /// The server on which plugins are administered, if that is wanted.
    pub admin: Option<BoundServer>,
    /// Its rules.
    pub rules: Rules,
    /// The end of the record, to be waited for when the servers are no more.
    pub record: Option<crate::record::Ending>,
}

/// Binds a server and starts to load its rules. Health says NOT_SERVING until they are in force,
/// and as long as a ruleset that was to be is refused: then every question by it is answered with what
/// was refused. It says so too while so many threads are lost in plugins that nothing is judged.
///
/// # Errors
/// A setting that makes no sense, or an address that cannot be bound.
pub async fn start(serving: Serving) -> Result<Served, StartError> {
    let Serving {
        config,
        limits,
        mut source,
        tls,
        auth,
        admin,
        watch,
        record,
        metrics,
        more_metrics,
        ruled,
    } = serving;
    if let Some(admin) = &admin {
        admin.check(auth.asks())?;
    }
    let (guard, mut fresh) = auth.guard()?;
    let of_admin = admin.as_ref().and_then(|admin| admin.tls.as_ref());
    fresh.extend(tls.iter().chain(of_admin).map(Tls::renew));
    let shown = [("main", tls.as_ref()), ("admin", of_admin)].into_iter();
    let credentials = Credentials {
        tls: shown
            .filter_map(|(listener, tls)| Some((listener, tls?.clone())))
            .collect(),
        fresh: fresh.clone(),
    };
    exposure::tell(&config.listen, tls.is_some(), auth.asks());
    source.settings.developer |= watch;
    let rules = Rules::default();
    let (tell, fit) = watch::channel(true);
    source.engine.on_health = Some(Arc::new(move |threads: &Health| {
        tell.send_replace(threads.fit());
    }));
    let (record, ending) = match record {
        None => (None, None),
        Some(file) => {
            let begun = heard(&file).and_then(|_heard| Record::to(&file));
            let (record, ending) = begun.map_err(|source| StartError::Record { file, source })?;
            (Some(record), Some(ending))
        }
    };
    let store: Arc<dyn Store> = Arc::new(Memory::new());
    let keeping = KeeperConfig {
        room: limits.room(),
        ..KeeperConfig::default()
    };
    let counts = StoreMetrics::default();
    let keeper = Keeper::counting(store, keeping, counts.clone());
    let (transport, serving) = (TransportMetrics::default(), Gauge::default());
    let metrics = match metrics {
        None => None,
        Some(address) => {
            let counting = Counting {
                engine: &source.engine.metrics,
                rules: &rules,
                ruled: &ruled,
                transport: &transport,
                store: &counts,
                keeper: &keeper,
                credentials,
                serving: &serving,
                more: &more_metrics,
            };
            Some(bind_metrics(address, counting.registry()).await?)
        }
    };
    let service = Service::new(rules.clone(), limits, keeper)
        .recording(record)
        .counting(ruled);
    let server = ServerBuilder::new(config.clone())
        .metrics(transport.clone())
        .tls(tls)
        .guard(guard.clone())
        .serving(serving)
        .service(AdjudicationServiceServer::new(service.clone()))
        .service(MapServiceServer::new(service.clone()))
        .service(PositionServiceServer::new(service.clone()))
        .service(GameServiceServer::new(service.clone()))
        .service(RulesetServiceServer::new(service))
        .bind()
        .await?;
    if let Some(metrics) = metrics {
        tokio::spawn(metrics.serve());
    }
    let folders = source.folders();
    let admin = match admin {
        None => None,
        Some(admin) => Some(bind_admin(admin, &config, &guard, &rules, &folders, transport).await?),
    };
    let watched = watch.then_some(folders);
    let controls = [
        Some(server.control()),
        admin.as_ref().map(BoundServer::control),
    ];
    let controls = controls.into_iter().flatten().collect();
    let until = server.control();
    tokio::spawn(keep_fresh(fresh, async move { until.stopping().await }));
    tokio::spawn(keep_ready(controls, rules.clone(), source, watched, fit));
    Ok(Served {
        server,
        admin,
        rules,
        record: ending,
    })
}

async fn bind_metrics(
    address: SocketAddr,
    registry: Registry,
) -> Result<MetricsListener, StartError> {
    let listener = MetricsListener::bind(address, registry).await;
    listener.map_err(|source| StartError::Bind {
        address: address.into(),
        source,
    })
}

/// A pipe that nobody reads would keep whoever opens it waiting, and no signal would be heard.
fn heard(file: &Path) -> std::io::Result<Option<Sender>> {
    if !file.metadata().is_ok_and(|it| it.file_type().is_fifo()) {
        return Ok(None);
    }
    let opened = OpenOptions::new().open_sender(file);
    let unheard = |error| std::io::Error::other(format!("it is a pipe that nobody reads: {error}"));
    opened.map(Some).map_err(unheard)
}

async fn bind_admin(
    admin: AdminConfig,
    config: &ServerConfig,
    guard: &Guard,
    rules: &Rules,
    folders: &[PathBuf],
    metrics: TransportMetrics,
) -> Result<BoundServer, StartError> {
    let service = Admin::new(rules.clone(), folders.to_vec());
    let builder = ServerBuilder::new(admin.transport(config))
        .metrics(metrics)
        .tls(admin.tls)
        .guard(guard.or_shared(admin.token));
    builder
        .service(PluginAdminServiceServer::new(service))
        .bind()
        .await
}

/// Loads the rules, and from then on says whether the server is fit to serve.
async fn keep_ready(
    controls: Vec<Control>,
    rules: Rules,
    source: RulesSource,
    watched: Option<Vec<PathBuf>>,
    mut fit: watch::Receiver<bool>,
) {
    let (loading, mut whole) = (rules.clone(), rules.whole());
    let load = move || loading.load(&source);
    let loaded = tokio::task::spawn_blocking(load).await.is_ok();
    let Some(main) = controls.first().cloned() else {
        return;
    };
    if let Some(folders) = watched {
        let of = main.clone();
        let watching = admin::watch(rules, Folders(folders), move || of.is_stopping());
        if let Err(error) = watching {
            tracing::error!("the folders of plugins cannot be watched: {error}");
        }
    }
    loop {
        let ready = loaded && *fit.borrow_and_update() && *whole.borrow_and_update();
        for (at, control) in controls.iter().enumerate() {
            // Plugins can be administered although what there is cannot be judged by.
            control.set_ready(ready || at > 0).await;
        }
        tokio::select! {
            changed = fit.changed() => if changed.is_err() { return },
            changed = whole.changed() => if changed.is_err() { return },
            () = main.stopping() => return,
        }
    }
}

/// The same, served until it is told to stop.
///
/// # Errors
/// As [`start`].
pub async fn serve(serving: Serving) -> Result<Shutdown, StartError> {
    let Served {
        server,
        admin,
        rules,
        record,
    } = start(serving).await?;
    let mut controls = vec![server.control()];
    controls.extend(admin.as_ref().map(BoundServer::control));
    tokio::spawn(async move {
        stop_signal().await;
        // First what must be done: a log that nobody reads any more must not keep it from being done.
        controls.iter().for_each(Control::shutdown);
        tracing::info!("asked to stop; once more stops at once");
        stop_signal().await;
        controls.iter().for_each(Control::abort);
    });
    let admin = admin.map(|admin| tokio::spawn(admin.serve()));
    let mut shutdown = server.serve().await;
    if let Some(admin) = admin {
        let admin = admin.await.unwrap_or(Shutdown { cut_off: 0 });
        shutdown.cut_off += admin.cut_off;
    }
    drop(rules);
    if let Some(record) = record {
        // A handler that was cut off may still hold it.
        let wait = tokio::task::spawn_blocking(move || record.wait());
        let _ = tokio::time::timeout(std::time::Duration::from_secs(5), wait).await;
    }
    Ok(shutdown)
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
