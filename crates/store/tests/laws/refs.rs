//! Laws of refs.

use std::sync::Arc;

use alamein_store::{Kind, Move, Moved, RefKind, RefName, RefState, Store, Tenant};

use crate::things::{PATIENCE, ids, line, map, put, state, tenant, to};

type Any = Arc<dyn Store>;

pub(crate) async fn a_ref_is_made_moved_and_read(store: Any) {
    let (main, at) = (Tenant::main(), RefName::game("g"));
    assert_eq!(store.read(&main, &at).await, Ok(None));
    for (from, value) in [(0, "a"), (1, "b"), (2, "")] {
        let moved = store.advance(&main, to(&at, from, value)).await;
        assert_eq!(moved, Ok(Moved::Done(state(from + 1, value))));
        assert_eq!(
            store.read(&main, &at).await,
            Ok(Some(state(from + 1, value)))
        );
    }
    assert_eq!(store.read(&tenant("other"), &at).await, Ok(None));
    assert_eq!(
        store.read(&main, &RefName::new(RefKind::Tag, "g")).await,
        Ok(None)
    );
}

pub(crate) async fn who_comes_from_an_old_version_is_told_the_new(store: Any) {
    let (main, at) = (Tenant::main(), RefName::game("g"));
    let stale = store.advance(&main, to(&at, 1, "too early")).await;
    assert_eq!(stale, Ok(Moved::Stale(None)));
    store.advance(&main, to(&at, 0, "a")).await.unwrap();
    store.advance(&main, to(&at, 1, "b")).await.unwrap();
    for from in [0, 1, 3, 99] {
        let stale = store.advance(&main, to(&at, from, "c")).await;
        assert_eq!(stale, Ok(Moved::Stale(Some(state(2, "b")))), "{from}");
    }
    assert_eq!(store.log(&main, &at, 0, 10).await.unwrap().len(), 2);
}

pub(crate) async fn of_many_that_move_it_one_does(store: Any) {
    let at = RefName::game("g");
    for round in 0..4 {
        let movers = (0..12).map(|mover| {
            let (store, at) = (Arc::clone(&store), at.clone());
            tokio::spawn(async move {
                let value = format!("{round} by {mover}");
                store
                    .advance(&Tenant::main(), to(&at, round, &value))
                    .await
                    .unwrap()
            })
        });
        let (mut done, mut stale): (Vec<RefState>, Vec<RefState>) = (Vec::new(), Vec::new());
        for mover in movers.collect::<Vec<_>>() {
            match mover.await.unwrap() {
                Moved::Done(state) => done.push(state),
                Moved::Stale(state) => stale.push(state.unwrap()),
            }
        }
        assert_eq!((done.len(), stale.len()), (1, 11));
        assert!(
            stale.iter().all(|state| *state == done[0]),
            "{done:?} {stale:?}"
        );
    }
    assert_eq!(
        store.log(&Tenant::main(), &at, 0, 100).await.unwrap().len(),
        4
    );
}

pub(crate) async fn what_goes_with_a_move_happens_with_it_or_not_at_all(store: Any) {
    let (main, at) = (Tenant::main(), RefName::game("g"));
    let with = |from, name: &str| Move {
        objects: vec![map(name), map("shared")],
        ..to(&at, from, name)
    };
    store.advance(&main, with(0, "one")).await.unwrap();
    let before = store.list(&main, Kind::Map, None, 10).await.unwrap();
    assert_eq!(before.len(), 2);
    let stale = store.advance(&main, with(0, "two")).await.unwrap();
    assert!(matches!(stale, Moved::Stale(_)));
    assert_eq!(
        store.list(&main, Kind::Map, None, 10).await.unwrap(),
        before
    );
    store.advance(&main, with(1, "two")).await.unwrap();
    assert_eq!(ids(&*store, &main, Kind::Map, 10).await.len(), 3);
    // What was there is marked as kept again: a sweep by what was seen before leaves it.
    let old: Vec<_> = before.iter().map(|it| (it.id, it.kept_at)).collect();
    assert_eq!(store.sweep(&main, Kind::Map, &old).await, Ok(1));
    assert!(
        store
            .get(&main, Kind::Map, map("shared").id())
            .await
            .unwrap()
            .is_some()
    );
}

pub(crate) async fn a_log_is_read_in_pages(store: Any) {
    let (main, at) = (Tenant::main(), RefName::game("g"));
    let mut all = Vec::new();
    for from in 0..11 {
        let value = format!("value {from}");
        store.advance(&main, to(&at, from, &value)).await.unwrap();
        all.push(line(from + 1, &value));
    }
    for page in [1, 4, 11, 100] {
        let mut read = Vec::new();
        loop {
            let after = read
                .last()
                .map_or(0, |line: &alamein_store::Logged| line.version);
            let lines = store.log(&main, &at, after, page).await.unwrap();
            let over = lines.len() < page;
            read.extend(lines);
            if over {
                break;
            }
        }
        assert_eq!(read, all, "{page}");
    }
    assert_eq!(
        store.log(&main, &RefName::game("none"), 0, 9).await,
        Ok(Vec::new())
    );
    assert_eq!(store.log(&main, &at, 11, 9).await, Ok(Vec::new()));
    assert_eq!(store.log(&main, &at, u64::MAX, 9).await, Ok(Vec::new()));
}

pub(crate) async fn one_may_move_without_a_line(store: Any) {
    let (main, at) = (Tenant::main(), RefName::new(RefKind::Tag, "t"));
    store.advance(&main, to(&at, 0, "a")).await.unwrap();
    let silent = Move {
        log: None,
        ..to(&at, 1, "b")
    };
    store.advance(&main, silent).await.unwrap();
    store.advance(&main, to(&at, 2, "c")).await.unwrap();
    let lines = store.log(&main, &at, 0, 10).await.unwrap();
    assert_eq!(lines, [line(1, "a"), line(3, "c")]);
}

pub(crate) async fn what_is_forgotten_has_no_log_any_more(store: Any) {
    let main = Tenant::main();
    let (at, longer) = (RefName::game("g"), RefName::game("g2"));
    for at in [&at, &longer] {
        store.advance(&main, to(at, 0, "a")).await.unwrap();
        store.advance(&main, to(at, 1, "b")).await.unwrap();
    }
    assert_eq!(store.forget(&main, &at, 1).await, Ok(false));
    assert_eq!(store.forget(&tenant("other"), &at, 2).await, Ok(false));
    assert_eq!(store.forget(&main, &at, 2).await, Ok(true));
    assert_eq!(store.forget(&main, &at, 2).await, Ok(false));
    assert_eq!(store.read(&main, &at).await, Ok(None));
    assert_eq!(store.log(&main, &at, 0, 10).await, Ok(Vec::new()));
    assert_eq!(store.log(&main, &longer, 0, 10).await.unwrap().len(), 2);
    let made = store.advance(&main, to(&at, 0, "anew")).await;
    assert_eq!(made, Ok(Moved::Done(state(1, "anew"))));
    assert_eq!(
        store.log(&main, &at, 0, 10).await,
        Ok(vec![line(1, "anew")])
    );
}

pub(crate) async fn they_are_listed_by_name_and_kind(store: Any) {
    let main = Tenant::main();
    let mut names: Vec<String> = (0..23).map(|it| format!("game-{it}")).collect();
    for name in &names {
        let at = RefName::game(name.clone());
        store.advance(&main, to(&at, 0, name)).await.unwrap();
    }
    let tag = RefName::new(RefKind::Tag, "game-5");
    store.advance(&main, to(&tag, 0, "a tag")).await.unwrap();
    names.sort();
    for page in [1, 5, 23, 100] {
        let mut read: Vec<String> = Vec::new();
        loop {
            let after = read.last().map(String::as_str);
            let listed = store.refs(&main, RefKind::Game, after, page).await.unwrap();
            let over = listed.len() < page;
            for (name, at) in listed {
                assert_eq!(at, state(1, &name));
                read.push(name);
            }
            if over {
                break;
            }
        }
        assert_eq!(read, names, "{page}");
    }
    let tags = store.refs(&main, RefKind::Tag, None, 10).await;
    assert_eq!(tags, Ok(vec![("game-5".into(), state(1, "a tag"))]));
    assert_eq!(
        store.refs(&tenant("other"), RefKind::Game, None, 10).await,
        Ok(Vec::new())
    );
}

pub(crate) async fn any_text_is_a_name(store: Any) {
    let main = Tenant::main();
    let long = "x".repeat(1000);
    // In the order of their bytes, which is none that a language has.
    let names = [
        "",
        "A",
        "B",
        "Z",
        "a",
        "a b",
        "a/b",
        "ab",
        &long,
        "{}'\"\\",
        "é",
        "ж",
        "\u{1F3B2}",
    ];
    for name in names.iter().rev() {
        let at = RefName::game(*name);
        store.advance(&main, to(&at, 0, name)).await.unwrap();
        assert_eq!(
            store.read(&main, &at).await,
            Ok(Some(state(1, name))),
            "{name}"
        );
        assert_eq!(
            store.log(&main, &at, 0, 9).await.unwrap().len(),
            1,
            "{name}"
        );
    }
    let listed = store.refs(&main, RefKind::Game, None, 100).await.unwrap();
    let listed: Vec<&str> = listed.iter().map(|(name, _)| &**name).collect();
    assert_eq!(listed, names);
}

pub(crate) async fn moves_are_told(store: Any) {
    let at = RefName::game("g");
    let mut moves = store.moves();
    let next = async move {
        let told = tokio::time::timeout(PATIENCE, moves.recv()).await;
        (told.expect("nothing is told").unwrap(), moves)
    };
    store
        .advance(&tenant("club"), to(&at, 0, "a"))
        .await
        .unwrap();
    let (told, mut moves) = next.await;
    assert_eq!(told, (tenant("club"), at.clone()));
    store.forget(&tenant("club"), &at, 1).await.unwrap();
    let told = tokio::time::timeout(PATIENCE, moves.recv()).await;
    assert_eq!(
        told.expect("nothing is told").unwrap(),
        (tenant("club"), at)
    );
}

pub(crate) async fn tenants_are_those_of_whom_something_is_kept(store: Any) {
    assert_eq!(store.tenants().await, Ok(Vec::new()));
    assert!(put(&*store, &tenant("b"), &map("one")).await);
    assert!(put(&*store, &Tenant::house(), &map("one")).await);
    let at = RefName::game("g");
    store.advance(&tenant("c"), to(&at, 0, "a")).await.unwrap();
    store.advance(&tenant("a"), to(&at, 0, "a")).await.unwrap();
    store.forget(&tenant("a"), &at, 1).await.unwrap();
    let all = [Tenant::house(), tenant("b"), tenant("c")];
    assert_eq!(store.tenants().await.unwrap(), all);
}
