//! Requests that are sent again: what they made is given, and nothing is made twice.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_games::{Act, Begin, Fork, GameError, Games, Said, Standing, Turn};
use alamein_hex::Grid;
use alamein_store::{Keeper, KeeperConfig, Memory, Tenant};
use alamein_terrain::{Counter, CounterClass, Digest, Environment, Map, Position};

fn games() -> Games {
    let store = Arc::new(Memory::new());
    Games::new(Keeper::new(store, KeeperConfig::default()))
}

fn tenant(name: &str) -> Tenant {
    name.parse().unwrap()
}

/// A position with a squad in this hex.
fn squad_in(hex: &str) -> Arc<Position> {
    let map = Map::flat(Grid::geomorphic());
    let squad = Counter::new("squad", CounterClass::Squad, map.grid.hex(hex).unwrap());
    Arc::new(Position::new(Arc::new(map), vec![squad], Environment::default()).unwrap())
}

fn begin(hex: &str, owner: &str) -> Begin {
    Begin {
        id: String::new(),
        owner: owner.into(),
        title: "A game".into(),
        position: squad_in(hex),
        rules: Digest::of(b"rules"),
    }
}

fn said(request: &str, at: i64) -> Said {
    Said {
        request: request.into(),
        at,
        ..Said::default()
    }
}

async fn goes_on(games: &Games, from: &Standing, hex: &str) -> Standing {
    let turn = Turn {
        act: Act::Advanced {
            changes: Vec::new(),
        },
        position: squad_in(hex),
        rules: Digest::of(b"rules"),
    };
    let club = tenant("club");
    games.advance(&club, from, turn, said("", 3)).await.unwrap()
}

#[tokio::test]
async fn a_request_that_is_sent_twice_at_once_makes_one_entry() {
    let (games, club) = (games(), tenant("club"));
    let begun = games.begin(&club, begin("A1", "ann"), said("r", 1));
    let begun = begun.await.unwrap();
    let turn = |hex| Turn {
        act: Act::Advanced {
            changes: Vec::new(),
        },
        position: squad_in(hex),
        rules: Digest::of(b"rules"),
    };
    // Each has read how the game stands before either is kept.
    let advance = |hex, said| games.advance(&club, &begun, turn(hex), said);
    let first = advance("B1", said("s", 2)).await.unwrap();
    assert_eq!(advance("B1", said("s", 3)).await.unwrap(), first);
    let further = goes_on(&games, &first, "C1").await;
    assert_eq!(advance("B1", said("s", 4)).await.unwrap(), first);
    // Another request, other content, and one without an id come too late.
    for (hex, said) in [
        ("B1", said("t", 3)),
        ("D1", said("s", 3)),
        ("B1", said("", 3)),
    ] {
        let late = advance(hex, said).await.unwrap_err();
        assert!(
            matches!(&late, GameError::Stale(now) if **now == further),
            "{late}"
        );
    }
}

#[tokio::test]
async fn a_request_begins_one_game_however_often_it_is_sent() {
    let (games, club) = (games(), tenant("club"));
    let first = games.begin(&club, begin("A1", "ann"), said("r", 1));
    let first = first.await.unwrap();
    goes_on(&games, &first, "B1").await;
    let swapped = Begin {
        rules: Digest::of(b"what the ruleset's name stands for by now"),
        ..begin("A1", "ann")
    };
    for again in [begin("A1", "ann"), swapped] {
        let again = games.begin(&club, again, said("r", 2)).await;
        assert_eq!(again.unwrap(), first, "as it was begun");
    }
    assert_eq!(games.list(&club, None, 10).await.unwrap().0.len(), 1);

    // Another request, another game; and so for another tenant.
    let other = games.begin(&club, begin("A1", "ann"), said("s", 1)).await;
    assert_ne!(other.unwrap().id, first.id);
    let others = tenant("others");
    let theirs = games.begin(&others, begin("B1", "bob"), said("r", 1));
    assert_eq!(theirs.await.unwrap().game.owner, "bob");
}

#[tokio::test]
async fn an_id_is_of_one_request_alone() {
    let (games, club) = (games(), tenant("club"));
    let first = games.begin(&club, begin("A1", "ann"), said("r", 1));
    let first = first.await.unwrap();
    let titled = Begin {
        title: "Another".into(),
        ..begin("A1", "ann")
    };
    for other in [begin("B1", "ann"), begin("A1", "bob"), titled] {
        let refused = games.begin(&club, other, said("r", 2)).await;
        assert_eq!(refused, Err(GameError::RequestUsed(first.id.clone())));
    }
    // To begin a game and to fork one are two things, and cannot be taken for each other.
    let fork = games.fork(&club, &first.id, Fork::default(), said("r", 2));
    assert_ne!(fork.await.unwrap().id, first.id);
    assert_eq!(games.list(&club, None, 10).await.unwrap().0.len(), 2);
}

#[tokio::test]
async fn a_request_forks_once_though_the_game_went_on_or_is_gone() {
    let (games, club) = (games(), tenant("club"));
    let game = games.begin(&club, begin("A1", "ann"), said("", 1));
    let game = game.await.unwrap();
    // At the head, wherever that is.
    let fork = || Fork::default();
    let first = games.fork(&club, &game.id, fork(), said("f", 2)).await;
    let first = first.unwrap();
    let on = goes_on(&games, &game, "B1").await;
    goes_on(&games, &first, "C1").await;
    let again = games.fork(&club, &game.id, fork(), said("f", 3)).await;
    assert_eq!(again.unwrap(), first);
    games.end(&club, &on).await.unwrap();
    let again = games.fork(&club, &game.id, fork(), said("f", 4)).await;
    assert_eq!(again.unwrap(), first);
    assert_eq!(games.list(&club, None, 10).await.unwrap().0.len(), 1);

    let elsewhere = Fork {
        number: 2,
        ..Fork::default()
    };
    let titled = Fork {
        title: "Another".into(),
        ..Fork::default()
    };
    for other in [elsewhere, titled] {
        let refused = games.fork(&club, &game.id, other, said("f", 5)).await;
        assert_eq!(refused, Err(GameError::RequestUsed(first.id.clone())));
    }
    let refused = games.fork(&club, "another", fork(), said("f", 5)).await;
    assert_eq!(refused, Err(GameError::RequestUsed(first.id.clone())));
    let named = Fork {
        id: first.id.clone(),
        ..Fork::default()
    };
    let refused = games.fork(&club, &game.id, named, said("other", 5)).await;
    assert_eq!(refused, Err(GameError::Exists(first.id)));
}

#[tokio::test]
async fn at_once_a_request_begins_one_game_too() {
    let (games, club) = (games(), tenant("club"));
    let sent = (1..=8).map(|at| {
        let (games, club) = (games.clone(), club.clone());
        let begun = async move { games.begin(&club, begin("A1", "ann"), said("r", at)).await };
        tokio::spawn(begun)
    });
    let mut begun = Vec::new();
    for sent in sent.collect::<Vec<_>>() {
        begun.push(sent.await.unwrap().unwrap());
    }
    begun.dedup();
    assert_eq!(begun.len(), 1, "{begun:?}");
}
