//! Games over a store.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_games::{Act, Begin, Entry, Fork, GameError, Games, Said, Standing, Turn};
use alamein_hex::Grid;
use alamein_store::{Held, Keeper, KeeperConfig, Memory, StoreMetrics, Tenant};
use alamein_terrain::{Change, Counter, CounterClass, Digest, Environment, Map, Position};
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

fn games() -> Games {
    Games::new(Keeper::new(
        Arc::new(Memory::new()),
        KeeperConfig::default(),
    ))
}

fn club() -> Tenant {
    "club".parse().unwrap()
}

/// A position with a squad in this hex.
fn squad_in(hex: &str) -> Arc<Position> {
    let map = Map::flat(Grid::geomorphic());
    let hex = map.grid.hex(hex).unwrap();
    let squad = Counter::new("squad", CounterClass::Squad, hex);
    let position = Position::new(Arc::new(map), vec![squad], Environment::default());
    Arc::new(position.unwrap())
}

fn rules() -> Digest {
    Digest::of(b"rules")
}

fn begin(id: &str) -> Begin {
    Begin {
        id: id.into(),
        owner: "ann".into(),
        title: "A game".into(),
        position: squad_in("A1"),
        rules: rules(),
    }
}

fn said(request: &str) -> Said {
    Said {
        request: request.into(),
        at: 1_000,
        ..Said::default()
    }
}

fn to(hex: &str) -> Turn {
    Turn {
        act: Act::Advanced {
            changes: Vec::new(),
        },
        position: squad_in(hex),
        rules: rules(),
    }
}

async fn begun(games: &Games) -> Standing {
    games.begin(&club(), begin("game"), said("")).await.unwrap()
}

#[tokio::test]
async fn each_entry_names_the_one_before_and_the_position() {
    let games = games();
    let first = begun(&games).await;
    let second = games
        .advance(&club(), &first, to("B1"), said(""))
        .await
        .unwrap();
    let third = games
        .advance(&club(), &second, to("C1"), said(""))
        .await
        .unwrap();
    assert_eq!(games.get(&club(), "game").await.unwrap(), third);
    let entries = games.entries(&club(), &third, 0, 10).await.unwrap();
    let numbers: Vec<u64> = entries.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(entries[0].parent, None);
    for pair in entries.windows(2) {
        assert_eq!(pair[1].parent, Some(pair[0].id()));
    }
    assert_eq!(entries[1].position, squad_in("B1").id());
    assert_eq!(
        games.entries(&club(), &third, 1, 1).await.unwrap(),
        entries[1..2]
    );
}

#[tokio::test]
async fn a_page_of_entries_is_read_at_once() {
    let (metrics, mut registry) = (StoreMetrics::default(), Registry::default());
    metrics.register(&mut registry, Held::default);
    let keeper = Keeper::counting(Arc::new(Memory::new()), KeeperConfig::default(), metrics);
    let games = Games::new(keeper);
    let mut game = begun(&games).await;
    for hex in ["B2", "C2", "D2", "E2", "F2"] {
        let next = games.advance(&club(), &game, to(hex), said("")).await;
        game = next.unwrap();
    }
    let entries = games.entries(&club(), &game, 2, 3).await.unwrap();
    let numbers: Vec<u64> = entries.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers, [3, 4, 5]);
    assert_eq!(entries[1].position, squad_in("D2").id());
    let mut told = String::new();
    encode(&mut told, &registry).unwrap();
    let reads: Vec<&str> = told
        .lines()
        .filter(|line| line.starts_with("store_operations_total{operation=\"get"))
        .collect();
    let once = r#"store_operations_total{operation="get_many",kind="entry",outcome="ok"} 1"#;
    assert_eq!(reads, [once]);
}

#[tokio::test]
async fn of_those_who_know_the_same_head_one_goes_on() {
    let games = games();
    let from = begun(&games).await;
    let hexes = ["B1", "C1", "D1", "E1"];
    let tries = hexes.map(|hex| {
        let (games, from) = (games.clone(), from.clone());
        tokio::spawn(async move { games.advance(&club(), &from, to(hex), said("")).await })
    });
    let mut won = Vec::new();
    for (hex, done) in hexes.into_iter().zip(tries) {
        match done.await.unwrap() {
            Ok(standing) => won.push((hex, standing)),
            Err(GameError::Stale(now)) => assert_eq!(now.number(), 2),
            Err(error) => panic!("{error}"),
        }
    }
    let [(hex, standing)] = &won[..] else {
        panic!("{} went on", won.len());
    };
    assert_eq!(standing.position(), squad_in(hex).id());
    assert_eq!(&games.get(&club(), "game").await.unwrap(), standing);
}

#[tokio::test]
async fn an_etag_is_of_one_entry_alone() {
    let games = games();
    let first = begun(&games).await;
    assert_eq!(
        games.at(&club(), "game", &first.etag()).await.unwrap(),
        first
    );
    let second = games
        .advance(&club(), &first, to("B1"), said(""))
        .await
        .unwrap();
    assert_ne!(first.etag(), second.etag());
    for wrong in [first.etag().as_str(), "2", "2-0000000000000000", "", "x"] {
        let found = games.at(&club(), "game", wrong).await;
        assert_eq!(
            found,
            Err(GameError::Stale(Box::new(second.clone()))),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_request_that_is_sent_again_is_known_by_its_id_and_what_it_does() {
    let games = games();
    let first = begun(&games).await;
    let second = games
        .advance(&club(), &first, to("B1"), said("r1"))
        .await
        .unwrap();
    let third = games
        .advance(&club(), &second, to("C1"), said("r2"))
        .await
        .unwrap();
    let there = squad_in("B1").id();
    let does = |entry: &Entry| entry.position == there;
    let before = async |etag: &str, request: &str| {
        let club = club();
        let made = games.made_before(&club, &third, etag, request, does);
        made.await.unwrap()
    };
    assert_eq!(before(&first.etag(), "r1").await, Some(second.clone()));
    assert_eq!(
        before(&first.etag(), "r2").await,
        None,
        "does something else"
    );
    assert_eq!(before(&first.etag(), "").await, None, "has no id");
    assert_eq!(
        before(&second.etag(), "r1").await,
        None,
        "was made before that"
    );
    assert_eq!(
        before("1-0000000000000000", "r1").await,
        None,
        "never was an etag"
    );
    assert_eq!(before("9-0000000000000000", "r1").await, None);
}

#[tokio::test]
async fn a_game_is_begun_once() {
    let games = games();
    let first = games
        .begin(&club(), begin("game"), said("r"))
        .await
        .unwrap();
    games
        .advance(&club(), &first, to("B1"), said(""))
        .await
        .unwrap();
    let again = games.begin(&club(), begin("game"), said("r")).await;
    assert_eq!(
        again.unwrap(),
        first,
        "the same request gives the same answer"
    );
    let other = games.begin(&club(), begin("game"), said("other")).await;
    assert_eq!(other, Err(GameError::Exists("game".into())));
    let nameless = games.begin(&club(), begin("game"), said("")).await;
    assert_eq!(nameless, Err(GameError::Exists("game".into())));
}

#[tokio::test]
async fn a_game_without_a_name_gets_one_of_its_own() {
    let games = games();
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(games.begin(&club(), begin(""), said("")).await.unwrap().id);
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3);
    for id in ["A", "a b", "ä", &"x".repeat(65)] {
        let refused = games.begin(&club(), begin(id), said("")).await;
        assert_eq!(refused, Err(GameError::BadId(id.into())));
    }
}

#[tokio::test]
async fn a_fork_goes_its_own_way_from_an_entry() {
    let games = games();
    let first = begun(&games).await;
    let second = games
        .advance(&club(), &first, to("B1"), said(""))
        .await
        .unwrap();
    let at_first = Fork {
        number: 1,
        id: "fork".into(),
        ..Fork::default()
    };
    let fork = games
        .fork(&club(), "game", at_first, said(""))
        .await
        .unwrap();
    assert_eq!(fork.position(), first.position());
    assert_eq!(fork.head().parent, Some(first.head().id()));
    assert_eq!(fork.game.forked_from, Some(("game".into(), 1)));
    assert_eq!((fork.number(), fork.game.owner.as_str()), (1, "ann"));
    games
        .advance(&club(), &fork, to("Z1"), said(""))
        .await
        .unwrap();
    assert_eq!(games.get(&club(), "game").await.unwrap(), second);
    let beyond = Fork {
        number: 3,
        ..Fork::default()
    };
    let beyond = games.fork(&club(), "game", beyond, said("")).await;
    assert!(matches!(
        beyond,
        Err(GameError::NoEntry {
            number: 3,
            head: 2,
            ..
        })
    ));
}

#[tokio::test]
async fn another_tenant_sees_nothing() {
    let games = games();
    let standing = begun(&games).await;
    let other: Tenant = "other".parse().unwrap();
    let not_found = GameError::NotFound("game".into());
    assert_eq!(games.get(&other, "game").await, Err(not_found.clone()));
    assert_eq!(
        games.at(&other, "game", &standing.etag()).await,
        Err(not_found.clone())
    );
    let advanced = games.advance(&other, &standing, to("B1"), said("")).await;
    assert_eq!(advanced, Err(not_found.clone()));
    assert_eq!(games.end(&other, &standing).await, Err(not_found));
    assert_eq!(games.list(&other, None, 10).await.unwrap().0, []);
    assert_eq!(games.get(&club(), "game").await.unwrap(), standing);
}

#[tokio::test]
async fn a_game_that_moved_on_is_not_forgotten() {
    let games = games();
    let first = begun(&games).await;
    let second = games
        .advance(&club(), &first, to("B1"), said(""))
        .await
        .unwrap();
    let stale = games.end(&club(), &first).await;
    assert_eq!(stale, Err(GameError::Stale(Box::new(second.clone()))));
    games.end(&club(), &second).await.unwrap();
    let gone = games.get(&club(), "game").await;
    assert_eq!(gone, Err(GameError::NotFound("game".into())));
    begun(&games).await;
}

#[test]
fn an_entry_is_read_back_from_its_canonical_form() {
    let acts = [
        Act::Begun,
        Act::Advanced {
            changes: vec![
                Change::Remove { id: "squad".into() },
                Change::Wreck {
                    id: "x".into(),
                    burning: true,
                },
            ],
        },
        Act::Undone { to: u64::MAX },
        Act::Ruled { from: rules() },
        Act::Forked {
            game: "other".into(),
            number: 7,
        },
    ];
    for act in acts {
        let entry = Entry {
            number: 8,
            parent: Some(Digest::of(b"parent")),
            position: Digest::of(b"position"),
            rules: rules(),
            act,
            by: "ann".into(),
            note: "a note".into(),
            request: "r".into(),
            at: -1,
        };
        let bytes = entry.canonical();
        assert_eq!(Entry::from_canonical(&bytes), Ok(entry));
        for end in 0..bytes.len() {
            assert!(Entry::from_canonical(&bytes[..end]).is_err());
        }
    }
}
