//! Games by the Rust client: what is sent again is done once, a watch outlives the service, pages.
#![allow(clippy::unwrap_used)] // A test may.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use alamein_client::{Client, ErrorReason, GameWatch, NewGame, Next, Said, Settings, v1};
use alamein_hex::Grid;
use alamein_terrain::{Change, Counter, CounterClass, Environment, Map, Position};
use alamein_tests::plugin_folder;
use alamein_tests::serving::Server;

/// A service that keeps things here.
async fn start(address: &str, store: &Path) -> Server {
    let (address, store) = (address.to_owned(), store.display().to_string());
    let start = move || Server::start_at(&address, plugin_folder()?, &["--store", &store]);
    tokio::task::spawn_blocking(start).await.unwrap().unwrap()
}

/// A client that tries until the rules are loaded.
async fn client(server: &Server) -> Client {
    let settings = Settings {
        deadline: Duration::from_secs(60),
        tries: u32::MAX,
        retries_per_hundred: 10_000,
        ..Settings::default()
    };
    let url = format!("http://{}", server.address());
    let client = Client::connect_with(&url, settings).await.unwrap();
    client.ruleset().await.unwrap();
    client
}

fn position() -> Position {
    let grid = Grid::geomorphic();
    let squad = Counter::new("squad", CounterClass::Squad, grid.hex("P5").unwrap());
    let map = Arc::new(Map::flat(grid));
    Position::new(map, vec![squad], Environment::default()).unwrap()
}

fn to(hex: &str) -> [Change; 1] {
    [Change::Move {
        id: "squad".into(),
        hex: Grid::geomorphic().hex(hex).unwrap(),
        height: None,
        aboard: None,
    }]
}

async fn begun(client: &Client, id: &str) -> v1::Game {
    let new = NewGame {
        id: id.into(),
        owner: "ann".into(),
        ..NewGame::default()
    };
    let start = position();
    let game = client.create_game(&new, &start, &Said::default()).await;
    game.unwrap()
}

async fn moved(client: &Client, game: &v1::Game, hex: &str, said: &Said) -> v1::Game {
    let next = Next::By(&to(hex), Grid::geomorphic());
    client.advance_game(game, next, said).await.unwrap()
}

fn number(game: &v1::Game) -> u64 {
    game.head.as_ref().unwrap().number
}

async fn next(watch: &mut GameWatch) -> u64 {
    let next = tokio::time::timeout(Duration::from_secs(120), watch.next()).await;
    next.unwrap().unwrap().number
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_goes_on_where_the_service_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let server = start("127.0.0.1:0", folder.path()).await;
    let address = server.address().to_owned();
    let client = client(&server).await;
    let mut game = begun(&client, "ridge").await;
    let mut watch = client.watch_game("ridge", 0, None);
    for hex in ["P6", "P7"] {
        game = moved(&client, &game, hex, &Said::default()).await;
    }
    for expected in 1..=3 {
        assert_eq!(next(&mut watch).await, expected);
    }
    let waiting = tokio::spawn(async move {
        let number = next(&mut watch).await;
        (number, watch)
    });
    // It is killed, not stopped, while somebody waits.
    tokio::task::spawn_blocking(move || drop(server))
        .await
        .unwrap();
    let _server = start(&address, folder.path()).await;
    for hex in ["P6", "P5", "P4"] {
        game = moved(&client, &game, hex, &Said::default()).await;
    }
    let (first, mut watch) = waiting.await.unwrap();
    let rest = [first, next(&mut watch).await, next(&mut watch).await];
    assert_eq!((rest, number(&game)), ([4, 5, 6], 6));

    // What stays wrong ends it.
    let waiting = tokio::spawn(async move { (watch.next().await, watch.last()) });
    client.delete_game(&game).await.unwrap();
    let (ended, last) = waiting.await.unwrap();
    assert_eq!(ended.unwrap_err().reason(), Some(ErrorReason::GameNotFound));
    assert_eq!(last, 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_bears_with_a_service_that_is_away_as_long_as_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let server = start("127.0.0.1:0", folder.path()).await;
    let client = client(&server).await;
    begun(&client, "ridge").await;
    let watch = client.watch_game("ridge", 0, None);
    let mut watch = watch.with_patience(Duration::from_millis(300));
    assert_eq!(next(&mut watch).await, 1);
    tokio::task::spawn_blocking(move || drop(server))
        .await
        .unwrap();
    let gone = tokio::time::timeout(Duration::from_secs(60), watch.next()).await;
    let gone = gone.unwrap().unwrap_err();
    assert!(gone.remote().is_some(), "{gone}");
    assert_eq!(watch.last(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_late_is_told_and_what_is_sent_again_is_done_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = start("127.0.0.1:0", folder.path()).await;
    let client = client(&server).await;
    let first = begun(&client, "ridge").await;
    let said = Said {
        by: "ann".into(),
        request_id: "once".into(),
        ..Said::default()
    };
    let second = moved(&client, &first, "P6", &said).await;
    // The answer was lost, say.
    let again = moved(&client, &first, "P6", &said).await;
    assert_eq!((number(&second), &again), (2, &second));

    let next = Next::By(&to("P7"), Grid::geomorphic());
    let late = client.advance_game(&first, next, &Said::default()).await;
    let now = late.unwrap_err().moved_on().unwrap();
    let head = second.head.as_ref().unwrap();
    assert_eq!((&now.etag, now.number), (&second.etag, 2));
    assert_eq!(now.position.to_string(), head.position_id);
    client.may_advance_game(&second, next).await.unwrap();
    assert_eq!(client.game("ridge", None).await.unwrap(), second);
    let nobody = client.game("nobody", None).await.unwrap_err();
    assert!(nobody.moved_on().is_none(), "{nobody}");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_pages_come() {
    let folder = tempfile::tempdir().unwrap();
    let server = start("127.0.0.1:0", folder.path()).await;
    let client = client(&server).await;
    let mut game = begun(&client, "ridge").await;
    for at in 0..205 {
        let hex = if at % 2 == 0 { "P6" } else { "P5" };
        game = moved(&client, &game, hex, &Said::default()).await;
    }
    let mut pages = client.history("ridge", true, None);
    let page = pages.next_page().await.unwrap().unwrap();
    assert!(page.len() < 206, "more than a page: {}", page.len());
    let rest = pages.all().await.unwrap();
    let numbers = page.iter().chain(&rest).map(|entry| entry.number);
    assert!(numbers.eq((1..=206).rev()));
    for at in 0..100 {
        let new = NewGame {
            id: format!("fork-{at}"),
            ..NewGame::default()
        };
        let said = Said::default();
        let fork = client.fork_game("ridge", Some(2), &new, &said).await;
        assert_eq!(number(&fork.unwrap()), 1);
    }
    assert_eq!(client.list_games("ann").await.unwrap().len(), 101);
    assert!(client.list_games("bob").await.unwrap().is_empty());
}
