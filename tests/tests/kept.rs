//! What a service keeps in its store outlasts it, however it ends.
#![allow(clippy::unwrap_used)] // A test may.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use alamein_client::{Client, v1};
use alamein_hex::Grid;
use alamein_terrain::{Environment, Map, Position};
use alamein_tests::plugin_folder;
use alamein_tests::serving::{Server, binary, served};

fn position(level: i16) -> Position {
    let map = Map {
        base_level: level,
        ..Map::flat(Grid::new(5, 5).unwrap())
    };
    Position::new(Arc::new(map), Vec::new(), Environment::default()).unwrap()
}

/// A server that keeps things in a folder, and a client that tries until its rules are loaded.
async fn serve(store: &Path) -> (Server, Client) {
    let store = store.display().to_string();
    served(&["--store", &store]).await.unwrap()
}

async fn get(client: &Client, id: &str) -> v1::Position {
    let request = v1::GetPositionRequest {
        position_id: id.to_owned(),
        as_side: String::new(),
    };
    let call = client.call(&request, |request| {
        let mut stub = client.positions();
        async move { stub.get_position(request).await }
    });
    call.await.unwrap().position.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_acknowledged_is_there_after_the_service_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("kept/here");
    let mut kept: Vec<String> = Vec::new();
    for number in 0..3 {
        let (server, client) = serve(&store).await;
        for id in &kept {
            get(&client, id).await;
        }
        kept.push(
            client
                .create_position(&position(number))
                .await
                .unwrap()
                .id
                .to_string(),
        );
        // Killed, not asked to stop.
        drop(server);
    }
    let (mut server, client) = serve(&store).await;
    for id in &kept {
        get(&client, id).await;
    }
    // Nobody else gets at it meanwhile, and whoever tries is told who has it.
    let holder = format!("is in use by process {}", server.pid());
    let plugins = plugin_folder().unwrap().to_str().unwrap();
    let second = ["serve", "--listen", "127.0.0.1:0", "--plugins", plugins];
    for command in [&second[..], &["store", "check"]] {
        let refused = alamein(command, &store);
        assert!(!refused.0 && refused.2.contains(&holder), "{refused:?}");
    }
    assert!(server.stop().unwrap().success(), "{}", server.log());

    // It is well, and goes from one store to another.
    let (well, told, _) = alamein(&["store", "check"], &store);
    assert!(
        well && told.ends_with(" checked: 0 wrong\n") && !told.starts_with("0 "),
        "{told}"
    );
    let file = folder.path().join("export.jsonl");
    let file = file.to_str().unwrap();
    let other = folder.path().join("other");
    let (well, _, error) = alamein(&["store", "stat"], &other);
    assert!(
        !well && error.contains("there is no store") && !other.exists(),
        "{error}"
    );
    assert!(alamein(&["store", "export", file], &store).0);
    let (well, told, error) = alamein(&["store", "import", file], &other);
    assert!(
        well && told.contains(" objects read, ") && !told.contains(" 0 of them new;"),
        "{told}{error}"
    );
    let (_, counts, _) = alamein(&["store", "stat", "--json"], &other);
    let counts: serde_json::Value = serde_json::from_str(&counts).unwrap();
    let objects = counts["objects"].as_array().unwrap();
    let positions = objects.iter().find(|it| it["kind"] == "position");
    assert_eq!(positions.unwrap()["count"], 3);
    // What no game has is told, and dropped when that is wanted.
    let (_, told, _) = alamein(&["store", "gc", "--older-than", "0s"], &other);
    assert!(
        told.contains("Nothing was dropped: --apply does it."),
        "{told}"
    );
    let (_, told, _) = alamein(&["store", "gc", "--older-than", "0s", "--apply"], &other);
    assert!(told.contains(" objects dropped"), "{told}");
    let (well, _, _) = alamein(&["store", "check"], &other);
    assert!(well);
    // Rulesets are roots; positions and maps that no game has are not.
    let (_, counts, _) = alamein(&["store", "stat", "--json"], &other);
    let counts: serde_json::Value = serde_json::from_str(&counts).unwrap();
    let left = counts["objects"].as_array().unwrap();
    let left = left
        .iter()
        .filter(|it| it["kind"] == "position" && it["count"] != 0);
    assert_eq!(left.count(), 0, "{counts}");
}

/// Runs the command on a store: whether it succeeded, and what it said on both ways.
fn alamein(line: &[&str], store: &Path) -> (bool, String, String) {
    let ran = Command::new(binary().unwrap())
        .args(line)
        .arg("--store")
        .arg(store)
        .output();
    let ran = ran.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (ran.status.success(), text(&ran.stdout), text(&ran.stderr))
}
