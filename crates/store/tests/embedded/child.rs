//! What these tests do in a process of its own: this very program again, told what to do by its
//! environment.

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use alamein_store::{Embedded, EmbeddedConfig, Move, RefName, Store, StoreError, Tenant};

use crate::{is_there, map, put};

const ROLE: &str = "ALAMEIN_TEST_ROLE";
const FOLDER: &str = "ALAMEIN_TEST_FOLDER";

/// How large the maps are that fill a disk.
pub(crate) const LARGE: usize = 64 << 10;

/// A command that is this program again, in a role.
pub(crate) fn role(program: &Path, role: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    as_role(&mut command, role, folder);
    command
}

/// Gives a command that starts this program a role.
pub(crate) fn as_role(command: &mut Command, role: &str, folder: &Path) {
    command
        .args([
            "--exact",
            "child::in_a_role",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(ROLE, role)
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
}

/// The lines that a child tells, those of the test harness left out.
pub(crate) fn lines(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let out = child.stdout.take().unwrap();
    let lines = std::io::BufReader::new(out).lines().map_while(Result::ok);
    lines.filter_map(|line| {
        // The harness writes the name of the test on the same line first.
        let at = line.find("told: ")?;
        Some(line[at + 6..].to_owned())
    })
}

fn tell(what: impl std::fmt::Display) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "told: {what}").unwrap();
    out.flush().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_role() {
    let (Ok(role), Ok(folder)) = (std::env::var(ROLE), std::env::var(FOLDER)) else {
        return;
    };
    let config = EmbeddedConfig::new(&folder);
    match &*role {
        "write" => write(&config).await,
        "fill" => fill(&config).await,
        "read" => read(&config).await,
        other => panic!("there is no role {other}"),
    }
}

/// Keeps maps and moves a game until it is killed, and tells each that is acknowledged.
async fn write(config: &EmbeddedConfig) {
    let store = std::sync::Arc::new(Embedded::open(config).unwrap());
    let at = RefName::game("g");
    let now = store.read(&Tenant::main(), &at).await.unwrap();
    let mut from = now.map_or(0, |state| state.version);
    tell(format!("begun {from}"));
    for round in 0.. {
        let begin = from as usize * 10_000 + round * 4;
        // Several at once, so that they are written together.
        let puts = (begin..begin + 4).map(|number| {
            let store = std::sync::Arc::clone(&store);
            tokio::spawn(async move {
                put(&*store, &map(number, 10 + number % 9000))
                    .await
                    .unwrap();
                tell(format!("map {number}"));
            })
        });
        for put in puts.collect::<Vec<_>>() {
            put.await.unwrap();
        }
        let entry = map(from as usize + 1_000_000_000, 100);
        let change = Move {
            at: at.clone(),
            from,
            value: format!("{from}").into(),
            log: Some(entry.id()),
            objects: vec![entry],
        };
        store.advance(&Tenant::main(), change).await.unwrap();
        from += 1;
        tell(format!("game {from}"));
    }
}

/// Keeps maps until there is no room, reads them all, and when it is told that there is room, keeps more.
async fn fill(config: &EmbeddedConfig) {
    let store = Embedded::open(config).unwrap();
    let mut kept = 0;
    let full = loop {
        match put(&store, &map(kept, LARGE)).await {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
        assert!(kept < 10_000, "it is never full");
    };
    assert!(matches!(full, StoreError::CannotWrite { .. }), "{full}");
    for number in 0..kept {
        assert!(
            is_there(&store, &map(number, LARGE)).await,
            "{number} of {kept}"
        );
    }
    // Nothing of what was refused is there, and it is refused again.
    assert!(!is_there(&store, &map(kept, LARGE)).await);
    let again = put(&store, &map(kept, LARGE)).await;
    assert!(
        matches!(again, Err(StoreError::CannotWrite { .. })),
        "{again:?}"
    );
    tell(format!("full {kept}: {full}"));
    std::io::stdin().lock().lines().next().unwrap().unwrap();
    let start = Instant::now();
    while put(&store, &map(kept, LARGE)).await.is_err() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "it does not go on"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for number in 0..=kept {
        assert!(
            is_there(&store, &map(number, LARGE)).await,
            "{number} of {kept}"
        );
    }
    tell("goes on");
}

/// Reads a map where nothing may be written.
async fn read(config: &EmbeddedConfig) {
    let store = Embedded::open(config).unwrap();
    assert!(is_there(&store, &map(1, 100)).await);
    let refused = put(&store, &map(2, 100)).await.unwrap_err();
    assert!(
        matches!(refused, StoreError::CannotWrite { .. }),
        "{refused}"
    );
    assert!(is_there(&store, &map(1, 100)).await);
    tell(refused);
}
