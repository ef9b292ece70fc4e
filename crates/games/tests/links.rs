//! What games lead to is found, and never swept away.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;
use std::time::Duration;

use alamein_games::{Act, Begin, GameLinks, Games, Said, Turn};
use alamein_hex::Grid;
use alamein_store::care::{self, GcOptions};
use alamein_store::{Keeper, KeeperConfig, Kind, Memory, Store, Tenant};
use alamein_terrain::{Counter, CounterClass, Digest, Environment, Map, Position};

fn squad_in(hex: &str) -> Arc<Position> {
    let map = Map::flat(Grid::geomorphic());
    let hex = map.grid.hex(hex).unwrap();
    let squad = Counter::new("squad", CounterClass::Squad, hex);
    Arc::new(Position::new(Arc::new(map), vec![squad], Environment::default()).unwrap())
}

#[tokio::test]
async fn what_a_game_leads_to_stays_and_is_well() {
    let store: Arc<dyn Store> = Arc::new(Memory::new());
    let keeper = Keeper::new(Arc::clone(&store), KeeperConfig::default());
    let (games, club) = (
        Games::new(keeper.clone()),
        "club".parse::<Tenant>().unwrap(),
    );
    let begin = Begin {
        id: "game".into(),
        owner: "ann".into(),
        title: String::new(),
        position: squad_in("A1"),
        rules: Digest::of(b"rules"),
    };
    let mut stands = games.begin(&club, begin, Said::default()).await.unwrap();
    for hex in ["A2", "A3"] {
        let turn = Turn {
            act: Act::Advanced {
                changes: Vec::new(),
            },
            position: squad_in(hex),
            rules: Digest::of(b"rules"),
        };
        stands = games
            .advance(&club, &stands, turn, Said::default())
            .await
            .unwrap();
    }
    // On the same map, and in no game.
    keeper.keep_position(&club, squad_in("A4")).await.unwrap();
    let options = GcOptions {
        whose: None,
        older_than: Duration::ZERO,
        apply: true,
    };
    let collected = care::collect(&*store, &options, &GameLinks).await.unwrap();
    assert_eq!(collected.dropped.len(), 1);
    assert_eq!(collected.dropped[&(club.clone(), Kind::Position)].0, 1);
    // Three entries, three positions, one map.
    assert_eq!(collected.kept.0, 7);
    let checked = care::check(&*store, &None, &GameLinks, &mut |_| ())
        .await
        .unwrap();
    assert_eq!(
        (checked.wrong.len(), checked.unknown),
        (0, 0),
        "{checked:?}"
    );

    // What is gone all the same is told, of every entry that names it.
    let listed = store.list(&club, Kind::Position, None, 9).await.unwrap();
    let first = squad_in("A1").id();
    let old: Vec<_> = listed
        .iter()
        .filter(|it| it.id == first)
        .map(|it| (it.id, it.kept_at))
        .collect();
    assert_eq!(store.sweep(&club, Kind::Position, &old).await, Ok(1));
    let checked = care::check(&*store, &None, &GameLinks, &mut |_| ())
        .await
        .unwrap();
    assert_eq!(checked.wrong.len(), 1, "{checked:?}");
    assert!(
        checked.wrong[0]
            .what
            .contains(&format!("its position {first} is not there"))
    );
}
