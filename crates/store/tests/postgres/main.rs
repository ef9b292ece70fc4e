//! A store in PostgreSQL, and what happens to databases: a real one is stopped, killed, cut off and read
//! alone. Where there is none on this machine, these tests say so and pass.
#![allow(clippy::unwrap_used, clippy::expect_used)] // A test may.

#[path = "../../../../tests/src/postgres.rs"]
#[allow(dead_code, unreachable_pub)] // It is shared with the end to end tests.
mod database;
mod proxy;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use alamein_store::{
    Kind, Move, Moved, Object, Postgres, PostgresConfig, RefName, Room, Store, StoreError, Tenant,
};
use alamein_terrain::Digest;
use database::End;

const PATIENCE: Duration = Duration::from_secs(60);

async fn server() -> Option<database::Postgres> {
    let start = tokio::task::spawn_blocking(database::Postgres::start);
    start.await.unwrap().unwrap()
}

fn config(url: String) -> PostgresConfig {
    PostgresConfig {
        most_connections: 4,
        statement_timeout: Duration::from_secs(20),
        patience: Duration::from_secs(20),
        opening: PATIENCE,
        ..PostgresConfig::new(url)
    }
}

async fn sql(url: &str, statement: &'static str) {
    let pool = sqlx::PgPool::connect(url).await.unwrap();
    sqlx::raw_sql(statement).execute(&pool).await.unwrap();
    pool.close().await;
}

fn map(number: usize) -> Object {
    Object::new(Kind::Map, format!("map {number}"))
}

async fn put(store: &dyn Store, object: Object) -> Result<bool, StoreError> {
    let new = store
        .put(&Tenant::main(), &[object], &Room::default())
        .await?;
    Ok(new[0])
}

async fn is_there(store: &dyn Store, object: &Object) -> bool {
    let found = store.get(&Tenant::main(), Kind::Map, object.id()).await;
    found.unwrap().is_some_and(|found| found == object.bytes())
}

fn to(from: u64, value: &str) -> Move {
    Move {
        at: RefName::game("g"),
        from,
        value: value.to_owned().into(),
        log: Some(Digest::of(value.as_bytes())),
        objects: vec![Object::new(Kind::Entry, value.to_owned())],
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_share_all_and_hear_of_each_others_moves() {
    let Some(server) = server().await else { return };
    // All of them make the tables, at the same time.
    let url = server.url("postgres");
    let open = |url: String| tokio::spawn(async move { Postgres::open(&config(url)).await });
    let opening: Vec<_> = (0..4).map(|_| open(url.clone())).collect();
    let mut stores = Vec::new();
    for opened in opening {
        stores.push(opened.await.unwrap().unwrap());
    }
    assert_eq!(Postgres::migrate(&config(url.clone())).await, Ok(false));
    assert!(put(&stores[0], map(1)).await.unwrap());
    assert!(!put(&stores[1], map(1)).await.unwrap());
    assert!(is_there(&stores[2], &map(1)).await);

    let mut moves = stores[1].moves();
    let at = RefName::game("g");
    let mut from = 0;
    let start = Instant::now();
    // What is told before the other listens is lost, so it is told until it is heard.
    let told = loop {
        assert!(start.elapsed() < PATIENCE, "nothing is heard");
        let moved = stores[0]
            .advance(&Tenant::main(), to(from, &format!("{from}")))
            .await;
        assert!(matches!(moved, Ok(Moved::Done(_))), "{moved:?}");
        from += 1;
        if let Ok(told) = tokio::time::timeout(Duration::from_millis(300), moves.recv()).await {
            break told.unwrap();
        }
    };
    assert_eq!(told, (Tenant::main(), at.clone()));

    // It is heard again after the connections were thrown out.
    sql(
        &url,
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()",
    )
    .await;
    while moves.try_recv().is_ok() {}
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < PATIENCE, "nothing is heard any more");
        let moved = stores[0]
            .advance(&Tenant::main(), to(from, &format!("{from}")))
            .await;
        assert!(matches!(moved, Ok(Moved::Done(_))), "{moved:?}");
        from += 1;
        if tokio::time::timeout(Duration::from_millis(300), moves.recv())
            .await
            .is_ok()
        {
            break;
        }
    }
    for store in stores {
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_that_are_missing_or_newer_are_told() {
    let Some(server) = server().await else { return };
    let url = server.url("postgres");
    let looking = PostgresConfig {
        migrate: false,
        ..config(url.clone())
    };
    let missing = Postgres::open(&looking).await.unwrap_err();
    let StoreError::Version { what } = &missing else {
        panic!("{missing}")
    };
    assert!(what.contains("run `alamein store migrate`"), "{what}");
    assert_eq!(Postgres::migrate(&looking).await, Ok(true));
    Postgres::open(&looking).await.unwrap().close().await;
    // A newer one that this version may still use, and one that it may not.
    sql(&url, "update alamein_form set form = 9").await;
    Postgres::open(&config(url.clone()))
        .await
        .unwrap()
        .close()
        .await;
    sql(&url, "update alamein_form set readable_by = 9").await;
    let newer = Postgres::open(&config(url.clone())).await.unwrap_err();
    assert!(matches!(newer, StoreError::Version { .. }), "{newer}");
    assert!(newer.to_string().contains("run a newer version"), "{newer}");
    let nobody = format!(
        "postgres://rommel:sekrit@127.0.0.1:{}/postgres",
        server.port()
    );
    let refused = Postgres::open(&config(nobody)).await.unwrap_err();
    assert!(matches!(refused, StoreError::Settings { .. }), "{refused}");
    assert!(refused.to_string().contains("rommel") && !refused.to_string().contains("sekrit"));
}

/// Keeps maps and moves a game all the time, and tells what was acknowledged.
struct Load {
    stop: Arc<AtomicBool>,
    tasks: Vec<tokio::task::JoinHandle<(Vec<Object>, u64)>>,
}

impl Load {
    fn start(store: &Arc<Postgres>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let tasks = (0..4).map(|at| {
            let (store, stop) = (Arc::clone(store), Arc::clone(&stop));
            tokio::spawn(async move { load(&*store, at, &stop).await })
        });
        let tasks = tasks.collect();
        Self { stop, tasks }
    }

    /// What was acknowledged, and how many calls failed.
    async fn stop(self) -> (Vec<Object>, u64) {
        self.stop.store(true, Ordering::Relaxed);
        let (mut kept, mut failed) = (Vec::new(), 0);
        for task in self.tasks {
            let (objects, failures) = task.await.unwrap();
            kept.extend(objects);
            failed += failures;
        }
        (kept, failed)
    }
}

async fn load(store: &dyn Store, at: usize, stop: &AtomicBool) -> (Vec<Object>, u64) {
    let (mut kept, mut failed, mut number) = (Vec::new(), 0, at);
    while !stop.load(Ordering::Relaxed) {
        number += 4;
        let object = map(number);
        match put(store, object.clone()).await {
            Ok(_) => kept.push(object),
            Err(StoreError::Unavailable { .. }) => failed += 1,
            Err(error) => panic!("{error}"),
        }
    }
    (kept, failed)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_stopped_and_started_costs_nothing_but_time() {
    let Some(mut server) = server().await else {
        return;
    };
    let store = Postgres::open(&config(server.url("postgres")))
        .await
        .unwrap();
    let store = Arc::new(store);
    let load = Load::start(&store);
    for (from, end) in (0..).zip([End::Fast, End::Killed]) {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let restart = tokio::task::spawn_blocking(move || {
            server.end(end).unwrap();
            server.resume().unwrap();
            server
        });
        // A game goes on meanwhile: each move is made once and no more.
        let moved = store
            .advance(&Tenant::main(), to(from, &format!("{from}")))
            .await;
        assert!(
            matches!(&moved, Ok(Moved::Done(state)) if state.version == from + 1),
            "{moved:?}"
        );
        server = restart.await.unwrap();
    }
    let (kept, failed) = load.stop().await;
    // It was away for less than is tried again.
    assert_eq!(failed, 0);
    assert!(kept.len() > 10, "{}", kept.len());
    for object in &kept {
        assert!(is_there(&*store, object).await);
    }
    let log = store
        .log(&Tenant::main(), &RefName::game("g"), 0, 10)
        .await
        .unwrap();
    assert_eq!(log.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_away_for_long_is_told_with_when_to_try_again() {
    let Some(mut server) = server().await else {
        return;
    };
    let short = PostgresConfig {
        patience: Duration::from_millis(200),
        ..config(server.url("postgres"))
    };
    let store = Postgres::open(&short).await.unwrap();
    assert!(put(&store, map(1)).await.unwrap());
    let mut server = tokio::task::spawn_blocking(move || {
        server.end(End::Killed).unwrap();
        server
    })
    .await
    .unwrap();
    let away = put(&store, map(2)).await.unwrap_err();
    assert!(
        matches!(&away, StoreError::Unavailable { retry_after, .. } if !retry_after.is_zero()),
        "{away}"
    );
    assert!(store.ping().await.is_err());
    let opening = PostgresConfig {
        opening: Duration::from_millis(200),
        ..short
    };
    let settings = Postgres::open(&opening).await.unwrap_err();
    assert!(settings.to_string().contains("is not there"), "{settings}");
    let _server = tokio::task::spawn_blocking(move || {
        server.resume().unwrap();
        server
    })
    .await
    .unwrap();
    assert!(is_there(&store, &map(1)).await);
    assert!(put(&store, map(2)).await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_is_cut_or_hangs_is_survived() {
    let Some(server) = server().await else { return };
    let proxy = proxy::Proxy::start(server.port()).await;
    let url = format!("postgres://postgres@127.0.0.1:{}/postgres", proxy.port());
    let quick = PostgresConfig {
        statement_timeout: Duration::from_secs(2),
        patience: Duration::from_millis(500),
        ..config(url)
    };
    let store = Postgres::open(&quick).await.unwrap();
    assert!(put(&store, map(0)).await.unwrap());
    // Cut: every connection is lost at once, and the next is as good as the first was.
    for number in 1..4 {
        proxy.cut();
        assert!(put(&store, map(number)).await.unwrap());
    }
    // Nothing comes through any more, and nobody says so.
    proxy.hang(true);
    let start = Instant::now();
    let hangs = put(&store, map(9)).await.unwrap_err();
    assert!(matches!(hangs, StoreError::Unavailable { .. }), "{hangs}");
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    proxy.hang(false);
    let start = Instant::now();
    while put(&store, map(9)).await.is_err() {
        assert!(start.elapsed() < PATIENCE, "it does not come back");
    }
    for number in [0, 1, 2, 3, 9] {
        assert!(is_there(&store, &map(number)).await, "{number}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_read_alone_is_read_and_told() {
    let Some(server) = server().await else { return };
    let url = server.url("postgres");
    let store = Postgres::open(&config(url.clone())).await.unwrap();
    assert!(put(&store, map(1)).await.unwrap());
    sql(
        &url,
        "alter database postgres set default_transaction_read_only = on",
    )
    .await;
    let others = "select pg_terminate_backend(pid) from pg_stat_activity \
        where pid <> pg_backend_pid() and backend_type = 'client backend'";
    sql(&url, others).await;
    let refused = put(&store, map(2)).await.unwrap_err();
    assert!(
        matches!(refused, StoreError::CannotWrite { .. }),
        "{refused}"
    );
    assert!(matches!(
        store.ping().await,
        Err(StoreError::CannotWrite { .. })
    ));
    let moved = store.advance(&Tenant::main(), to(0, "a")).await;
    assert!(
        matches!(moved, Err(StoreError::CannotWrite { .. })),
        "{moved:?}"
    );
    assert!(is_there(&store, &map(1)).await);
    // Tables that are as they should be need no writing.
    Postgres::open(&config(url.clone()))
        .await
        .unwrap()
        .close()
        .await;
    let again = "begin read write; \
        alter database postgres set default_transaction_read_only = off; commit";
    sql(&url, again).await;
    let start = Instant::now();
    while put(&store, map(2)).await.is_err() {
        assert!(start.elapsed() < PATIENCE, "it is not written again");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_were_meddled_with_are_not_believed() {
    let Some(server) = server().await else { return };
    let url = server.url("postgres");
    let store = Postgres::open(&config(url.clone())).await.unwrap();
    let (main, at) = (Tenant::main(), RefName::game("g"));
    store.advance(&main, to(0, "a")).await.unwrap();
    sql(&url, "update alamein_logs set version = 7").await;
    let log = store.log(&main, &at, 0, 9).await;
    assert!(matches!(log, Err(StoreError::Damaged { .. })), "{log:?}");
    sql(&url, "update alamein_refs set value = 'b'").await;
    for read in [
        store.read(&main, &at).await.err(),
        store.refs(&main, at.kind, None, 9).await.err(),
    ] {
        let Some(StoreError::Damaged { at, .. }) = read else {
            panic!("{read:?}")
        };
        assert_eq!(at, "game g of main");
    }
}
