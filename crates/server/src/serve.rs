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
use alamein_store::{Keeper, KeeperConfig, Store, StoreConfig, StoreMetrics};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use tokio::net::unix::pipe::{OpenOptions, Sender};
use tokio::sync::{oneshot, watch};

use crate::admin::{self, Admin, AdminConfig, Folders};
use crate::audit::Audit;
use crate::auth::{AuthConfig, Guard, exposure};
use crate::metrics::{Counting, Credentials, MetricsListener, MoreMetrics};
use crate::pins::PinCounts;
use crate::record::{Ending, Record};
use crate::reload::{Renew, keep_fresh, when_asked};
use crate::ruled::Ruled;
use crate::rules::{Rules, RulesSource};
use crate::running::{Background, Readiness, Reloads, Signals, Supervisor};
use crate::service::{Service, ServiceLimits};
use crate::transport::{
    BoundServer, Control, Page, ServerBuilder, ServerConfig, Shutdown, StartError, Tls,
    TransportMetrics,
};

/// All that a server is to be.
#[derive(Clone, Debug, Default)]
pub struct Serving {
    /// The transport of the service.
    pub config: ServerConfig,
    /// Where what is kept is kept. Default: in memory.
    pub store: StoreConfig,
    /// How many bytes of that are remembered beside it. Default: as a [`KeeperConfig`] has it.
    pub cache_bytes: Option<u64>,
    /// The limits of what a request may ask.
    pub limits: ServiceLimits,
    /// Where the rules come from.
    pub source: RulesSource,
    /// The TLS of the service. Default: none.
    pub tls: Option<Tls>,
    /// The page that browsers are given. Default: none.
    pub page: Option<Page>,
    /// What is asked of who calls. Default: nothing.
    pub auth: AuthConfig,
    /// The file to write down in who changes what. Default: none.
    pub audit: Option<PathBuf>,
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
    /// What is read anew on SIGHUP, while it is served by [`serve`].
    pub reloads: Reloads,
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
    /// What it keeps things in, to be closed when the servers are no more.
    pub store: Arc<dyn Store>,
    /// The end of the record, to be waited for when the servers are no more.
    pub record: Option<Ending>,
    /// That of the audit log, likewise.
    pub audit: Option<Ending>,
    /// How far it is.
    pub readiness: watch::Receiver<Readiness>,
    /// What goes on in the background.
    pub(crate) parts: Background,
}

/// How a service came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How many connections had to be cut off because they did not finish in time.
    pub cut_off: usize,
    /// The part of the service whose failure ended it. Nothing where it was asked to stop.
    pub failed: Option<String>,
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
        store,
        cache_bytes,
        mut limits,
        mut source,
        tls,
        page,
        auth,
        audit,
        admin,
        watch,
        record,
        metrics,
        more_metrics,
        ruled,
        reloads,
    } = serving;
    let parts = Background::default();
    if let Some(admin) = &admin {
        admin.check(auth.asks())?;
    }
    let (guard, mut fresh) = auth.guard()?;
    let (audit, audited) = begin_audit(audit)?;
    fresh.extend(
        audit
            .iter()
            .map(|it| Arc::new(it.clone()) as Arc<dyn Renew>),
    );
    let guard = guard.audited(audit.clone());
    let of_admin = admin.as_ref().and_then(|admin| admin.tls.as_ref());
    fresh.extend(tls.iter().chain(of_admin).map(Tls::renew));
    let shown = [("main", tls.as_ref()), ("admin", of_admin)].into_iter();
    let credentials = Credentials {
        tls: shown
            .filter_map(|(listener, tls)| Some((listener, tls?.clone())))
            .collect(),
        fresh: fresh.clone(),
        audit,
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
    let store = store.open().await?;
    // What is forgotten with the process needs no copies of what it has loaded.
    limits.store_builds &= store.name() != "memory";
    let keeping = KeeperConfig {
        room: limits.room(),
        cache_bytes: cache_bytes.unwrap_or(KeeperConfig::default().cache_bytes),
    };
    let counts = StoreMetrics::default();
    let pins = PinCounts::default();
    let keeper = Keeper::counting(Arc::clone(&store), keeping, counts.clone());
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
                pins: &pins,
                serving: &serving,
                reloads: &reloads,
                more: &more_metrics,
            };
            Some(bind_metrics(address, counting.registry()).await?)
        }
    };
    let service = Service::new(rules.clone(), limits, keeper)
        .recording(record)
        .counting(ruled)
        .pinning(pins);
    parts.spawn("keeping of rulesets", service.clone().tend());
    let server = ServerBuilder::new(config.clone())
        .metrics(transport.clone())
        .tls(tls)
        .page(page)
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
        parts.spawn_endless("metrics listener", metrics.serve());
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
    when_asked(&fresh, &reloads);
    let keep_fresh = keep_fresh(fresh, async move { until.stopping().await });
    parts.spawn("reading of files that changed", keep_fresh);
    let (readiness, how_far) = watch::channel(Readiness::Loading);
    let keeping = Keeping {
        controls,
        rules: rules.clone(),
        fit,
        readiness,
        parts: parts.clone(),
    };
    parts.spawn("readiness", keeping.run(source, watched));
    Ok(Served {
        server,
        admin,
        rules,
        store,
        record: ending,
        audit: audited,
        readiness: how_far,
        parts,
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

fn begin_audit(file: Option<PathBuf>) -> Result<(Option<Audit>, Option<Ending>), StartError> {
    let Some(file) = file else {
        return Ok((None, None));
    };
    let begun = heard(&file).and_then(|_heard| Audit::to(&file));
    let (audit, ending) = begun.map_err(|source| StartError::Audit { file, source })?;
    Ok((Some(audit), Some(ending)))
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

/// Who says whether the server is fit to serve.
struct Keeping {
    /// Of the service itself, and then of those beside it.
    controls: Vec<Control>,
    rules: Rules,
    /// Whether there are threads to judge on.
    fit: watch::Receiver<bool>,
    readiness: watch::Sender<Readiness>,
    parts: Background,
}

impl Keeping {
    /// Loads the rules, and from then on says whether the server is fit to serve.
    async fn run(mut self, source: RulesSource, watched: Option<Vec<PathBuf>>) {
        let (loading, mut whole) = (self.rules.clone(), self.rules.whole());
        let load = move || loading.load(&source);
        if let Err(error) = tokio::task::spawn_blocking(load).await {
            self.parts.fail("loading of the rules", &error.to_string());
            return;
        }
        let Some(main) = self.controls.first().cloned() else {
            return;
        };
        if let Some(folders) = watched {
            self.watch(folders, &main);
        }
        loop {
            let ready = *self.fit.borrow_and_update() && *whole.borrow_and_update();
            for (at, control) in self.controls.iter().enumerate() {
                // Plugins can be administered although what there is cannot be judged by.
                control.set_ready(ready || at > 0).await;
            }
            self.readiness.send_replace(match ready {
                true => Readiness::Serving,
                false => Readiness::NotServing,
            });
            tokio::select! {
                changed = self.fit.changed() => if changed.is_err() { return },
                changed = whole.changed() => if changed.is_err() { return },
                () = main.stopping() => return,
            }
        }
    }

    fn watch(&self, folders: Vec<PathBuf>, main: &Control) {
        let (of, rules, parts) = (main.clone(), self.rules.clone(), self.parts.clone());
        if let Err(error) = admin::watch(rules, Folders(folders), parts, move || of.is_stopping()) {
            tracing::error!("the folders of plugins cannot be watched: {error}");
        }
    }
}

/// The same, served until it is told to stop by SIGINT or SIGTERM. SIGHUP reads anew what can be. What
/// started it is told how it is, if that listens (`NOTIFY_SOCKET`).
///
/// # Errors
/// As [`start`].
pub async fn serve(serving: Serving) -> Result<Ended, StartError> {
    // Whoever is told where it listens may ask it to stop.
    let signals = Signals::hear();
    let reloads = serving.reloads.clone();
    let Served {
        server,
        admin,
        rules,
        store,
        record,
        audit,
        readiness,
        parts,
    } = start(serving).await?;
    let supervisor = Supervisor;
    let mut controls = vec![server.control()];
    controls.extend(admin.as_ref().map(BoundServer::control));
    signals.heed(controls, reloads, &parts, supervisor);
    supervisor.follow(readiness, &parts);
    supervisor.show_life(server.control(), server.pulse(), &parts);
    let admin = admin.map(|admin| beside(admin, &parts));
    let mut cut_off = server.serve().await.cut_off;
    if let Some(admin) = admin {
        // Where it failed there is nothing to be cut off.
        cut_off += admin.await.unwrap_or_default();
    }
    drop(rules);
    store.close().await;
    for written in [record, audit].into_iter().flatten() {
        // A handler that was cut off may still hold it.
        let wait = tokio::task::spawn_blocking(move || written.wait());
        let _ = tokio::time::timeout(std::time::Duration::from_secs(5), wait).await;
    }
    Ok(Ended {
        cut_off,
        failed: parts.failed(),
    })
}

/// Serves what is beside the service. It gives how many connections were cut off in the end.
fn beside(server: BoundServer, parts: &Background) -> oneshot::Receiver<usize> {
    let (tell, cut_off) = oneshot::channel();
    let (control, failing) = (server.control(), parts.clone());
    parts.spawn("admin listener", async move {
        let Shutdown { cut_off } = server.serve().await;
        if !control.is_stopping() {
            failing.fail("admin listener", "it came to an end");
        }
        // Nobody waits for it where the service itself has failed.
        let _ = tell.send(cut_off);
    });
    cut_off
}
