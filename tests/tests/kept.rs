//! What a service keeps in its store outlasts it, however it ends.
#![allow(clippy::unwrap_used)] // A test may.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use alamein_client::{Client, Settings, v1};
use alamein_hex::Grid;
use alamein_terrain::{Environment, Map, Position};
use alamein_tests::serving::{Server, binary};
use alamein_tests::{plugin_folder, root};

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
    let start = move || Server::start(plugin_folder()?, &["--store", &store]);
    let server = tokio::task::spawn_blocking(start).await.unwrap().unwrap();
    let settings = Settings {
        deadline: Duration::from_secs(60),
        tries: u32::MAX,
        ..Settings::default()
    };
    let url = format!("http://{}", server.address());
    let client = Client::connect_with(&url, settings).await.unwrap();
    client.ruleset().await.unwrap();
    (server, client)
}

async fn get(client: &Client, id: &str) -> v1::Position {
    let request = v1::GetPositionRequest {
        position_id: id.to_owned(),
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
    let second = Command::new(binary().unwrap())
        .args(["serve", "--listen", "127.0.0.1:0", "--plugins"])
        .arg(root().join("target/alamein/plugins"))
        .arg("--store")
        .arg(&store)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    let holder = format!("is in use by process {}", server.pid());
    assert!(!second.status.success() && said.contains(&holder), "{said}");
    assert!(server.stop().unwrap().success(), "{}", server.log());
}
