//! Games over gRPC: who goes on, who is told that the game moved on, and who watches.
#![allow(clippy::unwrap_used)] // A test may.

use std::time::Duration;

use alamein_client::v1::{
    self, advance_game_request::Next, create_game_request::Start, game_entry,
};
use alamein_client::{Client, Error, ErrorReason};
use alamein_tests::serving::{Server, served};
use tonic::{Code, Streaming};

/// A server on the built plugins, and a client that tries until the rules are loaded.
async fn serve() -> (Server, Client) {
    served(&[]).await.unwrap()
}

/// A position with a squad in this hex, on a board of so many columns.
fn squad_in(hex: &str, columns: u32) -> v1::Position {
    v1::Position {
        map_source: Some(v1::position::MapSource::Map(v1::Map {
            board: Some(v1::Board { columns, rows: 10 }),
            ..v1::Map::default()
        })),
        counters: vec![v1::Counter {
            id: "squad".into(),
            class: v1::CounterClass::Squad.into(),
            hex: hex.into(),
            ..v1::Counter::default()
        }],
        ..v1::Position::default()
    }
}

macro_rules! call {
    ($client:expr, $method:ident, $request:expr) => {{
        let request = $request;
        let call = $client.call(&request, |request| {
            let mut stub = $client.games();
            async move { stub.$method(request).await }
        });
        call.await
    }};
}

async fn begin(client: &Client, id: &str) -> v1::Game {
    let request = v1::CreateGameRequest {
        game_id: id.into(),
        owner: "ann".into(),
        start: Some(Start::Position(squad_in("B2", 8))),
        ..v1::CreateGameRequest::default()
    };
    call!(client, create_game, request).unwrap().game.unwrap()
}

fn advance(game: &v1::Game, hex: &str, request_id: &str) -> v1::AdvanceGameRequest {
    v1::AdvanceGameRequest {
        game_id: game.game_id.clone(),
        etag: game.etag.clone(),
        next: Some(Next::Position(squad_in(hex, 8))),
        request_id: request_id.into(),
        ..v1::AdvanceGameRequest::default()
    }
}

async fn advanced(client: &Client, game: &v1::Game, hex: &str) -> v1::Game {
    let answer = call!(client, advance_game, advance(game, hex, ""));
    answer.unwrap().game.unwrap()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(answer: Result<T, Error>, code: Code, reason: ErrorReason) -> Error {
    let error = answer.unwrap_err();
    let remote = error.remote().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(
        (remote.code, remote.reason),
        (code, Some(reason)),
        "{error}"
    );
    error
}

fn head(game: &v1::Game) -> &v1::GameEntry {
    game.head.as_ref().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_etag_changes_nothing_and_tells_the_head() {
    let (_server, client) = serve().await;
    let first = begin(&client, "stale").await;
    assert_eq!(head(&first).number, 1);
    assert!(!first.rules_fingerprint.is_empty());
    let second = advanced(&client, &first, "C3").await;
    assert_eq!(head(&second).parent_id, head(&first).entry_id);

    let late = call!(client, advance_game, advance(&first, "D4", ""));
    let error = refused(late, Code::Aborted, ErrorReason::EtagStale);
    let told = &error.remote().unwrap().metadata;
    assert_eq!(told["etag"], second.etag);
    assert_eq!(told["position_id"], head(&second).position_id);
    let get = v1::GetGameRequest {
        game_id: "stale".into(),
        as_side: String::new(),
    };
    assert_eq!(call!(client, get_game, get).unwrap().game.unwrap(), second);

    let again = call!(client, advance_game, advance(&second, "D4", "r1"));
    let third = again.unwrap().game.unwrap();
    let sent_again = call!(client, advance_game, advance(&second, "D4", "r1"));
    assert_eq!(
        sent_again.unwrap().game.unwrap(),
        third,
        "an answer that was lost"
    );
    let other = call!(client, advance_game, advance(&second, "E4", "r1"));
    refused(other, Code::Aborted, ErrorReason::EtagStale);
    let by_changes = |hex| v1::AdvanceGameRequest {
        next: Some(Next::Changes(v1::ChangeList {
            changes: vec![moved("squad", hex)],
        })),
        ..advance(&third, hex, "r2")
    };
    let fourth = call!(client, advance_game, by_changes("F4")).unwrap().game;
    let sent_again = call!(client, advance_game, by_changes("F4"));
    assert_eq!(sent_again.unwrap().game, fourth, "an answer that was lost");
    let other = call!(client, advance_game, by_changes("G4"));
    refused(other, Code::Aborted, ErrorReason::EtagStale);
    let missing = v1::AdvanceGameRequest {
        etag: String::new(),
        ..advance(&second, "D4", "r1")
    };
    let missing = call!(client, advance_game, missing);
    refused(missing, Code::InvalidArgument, ErrorReason::MissingField);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_stays_on_its_map_and_only_checks_when_asked_to() {
    let (_server, client) = serve().await;
    let game = begin(&client, "map").await;
    let elsewhere = v1::AdvanceGameRequest {
        next: Some(Next::Position(squad_in("B2", 9))),
        ..advance(&game, "B2", "")
    };
    let elsewhere = call!(client, advance_game, elsewhere);
    refused(elsewhere, Code::InvalidArgument, ErrorReason::MapsDiffer);
    let off = call!(client, advance_game, advance(&game, "J2", ""));
    refused(off, Code::InvalidArgument, ErrorReason::HexOffMap);
    let only = v1::AdvanceGameRequest {
        validate_only: true,
        ..advance(&game, "C3", "")
    };
    let checked = call!(client, advance_game, only).unwrap().game.unwrap();
    assert_eq!(checked, game);
    let gone = v1::GetGameRequest {
        game_id: "nobody".into(),
        as_side: String::new(),
    };
    refused(
        call!(client, get_game, gone),
        Code::NotFound,
        ErrorReason::GameNotFound,
    );
    let taken = v1::CreateGameRequest {
        game_id: "map".into(),
        start: Some(Start::Position(squad_in("B2", 8))),
        ..v1::CreateGameRequest::default()
    };
    refused(
        call!(client, create_game, taken),
        Code::AlreadyExists,
        ErrorReason::GameExists,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn undo_fork_and_other_rules_are_entries() {
    let (_server, client) = serve().await;
    let first = begin(&client, "acts").await;
    let second = advanced(&client, &first, "C3").await;
    let undo = v1::UndoGameRequest {
        game_id: "acts".into(),
        etag: second.etag.clone(),
        ..v1::UndoGameRequest::default()
    };
    let third = call!(client, undo_game, undo).unwrap().game.unwrap();
    assert_eq!(head(&third).number, 3);
    assert_eq!(head(&third).position_id, head(&first).position_id);
    let undone = v1::GameUndone { to_number: 1 };
    assert_eq!(head(&third).act, Some(game_entry::Act::Undone(undone)));

    let spec = v1::RulesetSpec {
        name: "both".into(),
        grazing_policy: v1::GrazingPolicy::Both.into(),
        plugins: vec![v1::PluginRequirement {
            plugin_id: "sight".into(),
            ..v1::PluginRequirement::default()
        }],
        ..v1::RulesetSpec::default()
    };
    let make = v1::CreateRulesetRequest {
        source: Some(v1::create_ruleset_request::Source::Spec(spec)),
        ..v1::CreateRulesetRequest::default()
    };
    let made = client.call(&make, |request| {
        let mut stub = client.rulesets();
        async move { stub.create_ruleset(request).await }
    });
    let fingerprint = made.await.unwrap().ruleset.unwrap().fingerprint;
    let other = v1::ChangeGameRulesetRequest {
        game_id: "acts".into(),
        etag: third.etag.clone(),
        ruleset: "both".into(),
        ..v1::ChangeGameRulesetRequest::default()
    };
    let fourth = call!(client, change_game_ruleset, other)
        .unwrap()
        .game
        .unwrap();
    assert_eq!(fourth.rules_fingerprint, fingerprint);
    let changed = v1::GameRulesetChanged {
        from_fingerprint: first.rules_fingerprint.clone(),
    };
    assert_eq!(
        head(&fourth).act,
        Some(game_entry::Act::RulesetChanged(changed))
    );

    let fork = v1::ForkGameRequest {
        game_id: "acts".into(),
        number: 2,
        new_game_id: "fork".into(),
        ..v1::ForkGameRequest::default()
    };
    let fork = call!(client, fork_game, fork).unwrap().game.unwrap();
    assert_eq!(head(&fork).position_id, head(&second).position_id);
    assert_eq!(fork.rules_fingerprint, first.rules_fingerprint);
    assert_eq!(head(&fork).parent_id, head(&second).entry_id);

    for newest_first in [false, true] {
        let mut numbers = Vec::new();
        let mut page_token = String::new();
        loop {
            let page = v1::ListEntriesRequest {
                game_id: "acts".into(),
                page_size: 3,
                page_token,
                newest_first,
                as_side: String::new(),
            };
            let page = call!(client, list_entries, page).unwrap();
            numbers.extend(page.entries.iter().map(|entry| entry.number));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        let mut expected = vec![1, 2, 3, 4];
        if newest_first {
            expected.reverse();
        }
        assert_eq!(numbers, expected);
    }
    let games = call!(client, list_games, v1::ListGamesRequest::default()).unwrap();
    let ids: Vec<_> = games
        .games
        .iter()
        .map(|game| game.game_id.as_str())
        .collect();
    assert_eq!(ids, ["acts", "fork"]);
}

async fn watch(client: &Client, id: &str, after: u64) -> Streaming<v1::WatchGameResponse> {
    let request = v1::WatchGameRequest {
        game_id: id.into(),
        after_number: after,
        as_side: String::new(),
    };
    client
        .games()
        .watch_game(request)
        .await
        .unwrap()
        .into_inner()
}

async fn next(stream: &mut Streaming<v1::WatchGameResponse>) -> v1::GameEntry {
    let message = tokio::time::timeout(Duration::from_secs(30), stream.message()).await;
    message.unwrap().unwrap().unwrap().entry.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_watches_sees_every_entry_once_and_in_order_from_where_they_were() {
    let (mut server, client) = serve().await;
    let mut game = begin(&client, "watched").await;
    let mut from_start = watch(&client, "watched", 0).await;
    assert_eq!(&next(&mut from_start).await, head(&game));
    for hex in ["C3", "D4", "E5"] {
        game = advanced(&client, &game, hex).await;
        assert_eq!(&next(&mut from_start).await, head(&game));
    }
    let mut resumed = watch(&client, "watched", 2).await;
    assert_eq!(next(&mut resumed).await.number, 3);
    assert_eq!(next(&mut resumed).await.number, 4);
    let ahead = v1::WatchGameRequest {
        game_id: "watched".into(),
        after_number: 5,
        as_side: String::new(),
    };
    let ahead = client.games().watch_game(ahead).await.unwrap_err();
    assert_eq!(ahead.code(), Code::NotFound, "{ahead}");

    let mut deleted = {
        let doomed = begin(&client, "doomed").await;
        let mut stream = watch(&client, "doomed", 1).await;
        let delete = v1::DeleteGameRequest {
            game_id: "doomed".into(),
            etag: doomed.etag,
            allow_missing: false,
        };
        call!(client, delete_game, delete).unwrap();
        stream.message().await.unwrap_err()
    };
    assert_eq!(deleted.code(), Code::NotFound);

    let stop = tokio::task::spawn_blocking(move || server.stop());
    deleted = resumed.message().await.unwrap_err();
    assert_eq!(deleted.code(), Code::Unavailable, "{deleted}");
    assert!(deleted.message().contains("after_number 4"), "{deleted}");
    assert!(stop.await.unwrap().unwrap().success());
}

fn counter(id: &str, hex: &str, side: &str, known_to: &[&str]) -> v1::Counter {
    v1::Counter {
        id: id.into(),
        class: v1::CounterClass::Squad.into(),
        hex: hex.into(),
        side: side.into(),
        known_to: known_to.iter().map(|side| (*side).to_owned()).collect(),
        ..v1::Counter::default()
    }
}

fn moved(id: &str, hex: &str) -> v1::Change {
    v1::Change {
        change: Some(v1::change::Change::Move(v1::MoveChange {
            counter_id: id.into(),
            hex: hex.into(),
            ..v1::MoveChange::default()
        })),
    }
}

/// A game with a hidden German squad in this hex, in which that squad and then a British one move; its
/// history as the British see it.
async fn seen_by_the_british(
    client: &Client,
    id: &str,
    hidden_in: &str,
) -> (v1::Game, Vec<v1::GameEntry>) {
    let mut position = squad_in("B2", 8);
    position.counters = vec![
        counter("brit", "B2", "british", &[]),
        counter("secret", hidden_in, "german", &["german"]),
    ];
    let begin = v1::CreateGameRequest {
        game_id: id.into(),
        start: Some(Start::Position(position)),
        ..v1::CreateGameRequest::default()
    };
    let mut game = call!(client, create_game, begin).unwrap().game.unwrap();
    for change in [moved("secret", "E5"), moved("brit", "C3")] {
        let request = v1::AdvanceGameRequest {
            game_id: id.into(),
            etag: game.etag.clone(),
            next: Some(Next::Changes(v1::ChangeList {
                changes: vec![change],
            })),
            ..v1::AdvanceGameRequest::default()
        };
        game = call!(client, advance_game, request).unwrap().game.unwrap();
    }
    let as_side = "british".to_owned();
    let list = v1::ListEntriesRequest {
        game_id: id.into(),
        as_side: as_side.clone(),
        ..v1::ListEntriesRequest::default()
    };
    let entries = call!(client, list_entries, list).unwrap().entries;
    let get = v1::GetGameRequest {
        game_id: id.into(),
        as_side,
    };
    (call!(client, get_game, get).unwrap().game.unwrap(), entries)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_side_sees_no_more_of_a_game_than_it_may_know() {
    let (_server, client) = serve().await;
    let (mut game, mut entries) = seen_by_the_british(&client, "one", "G7").await;
    let (mut other, mut others) = seen_by_the_british(&client, "two", "F6").await;
    for entry in entries.iter_mut().chain(&mut others) {
        entry.create_time = None;
    }
    assert_eq!(entries, others, "they differ in what is hidden alone");
    for game in [&mut game, &mut other] {
        game.game_id = String::new();
        game.create_time = None;
        game.head.as_mut().unwrap().create_time = None;
    }
    assert_eq!(game, other);
    assert!(game.etag.is_empty() && head(&game).entry_id.is_empty());

    let advanced =
        |changes: Vec<v1::Change>| Some(game_entry::Act::Advanced(v1::GameAdvanced { changes }));
    assert_eq!(entries[1].act, advanced(vec![]), "what moved is hidden");
    assert_eq!(entries[2].act, advanced(vec![moved("brit", "C3")]));
    let told = v1::ListEntriesRequest {
        game_id: "one".into(),
        ..v1::ListEntriesRequest::default()
    };
    let told = call!(client, list_entries, told).unwrap().entries;
    assert_eq!(told[1].act, advanced(vec![moved("secret", "E5")]));

    let mut watched = v1::WatchGameRequest {
        game_id: "one".into(),
        after_number: 1,
        as_side: "british".into(),
    };
    let mut stream = client
        .games()
        .watch_game(watched.clone())
        .await
        .unwrap()
        .into_inner();
    for entry in &entries[1..] {
        let mut seen = next(&mut stream).await;
        seen.create_time = None;
        assert_eq!(&seen, entry);
    }
    watched.as_side = "german".into();
    let mut stream = client
        .games()
        .watch_game(watched)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(next(&mut stream).await.act, told[1].act);
}
