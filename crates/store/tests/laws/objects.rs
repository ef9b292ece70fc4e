//! Laws of objects.

use std::future::Future as _;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::{Duration, SystemTime};

use alamein_store::{Kind, Object, Room, Store, StoreError, Tenant};
use alamein_terrain::Digest;
use bytes::Bytes;

use crate::things::{PATIENCE, any_room, ids, map, put, tenant};

type Any = Arc<dyn Store>;

pub(crate) async fn what_is_kept_is_there_and_nothing_else(store: Any) {
    let (main, one) = (Tenant::main(), map("one"));
    assert_eq!(store.get(&main, Kind::Map, one.id()).await, Ok(None));
    assert!(put(&*store, &main, &one).await);
    let found = store.get(&main, Kind::Map, one.id()).await;
    assert_eq!(found, Ok(Some(one.bytes().clone())));
    let other = Digest::of(b"another");
    assert_eq!(store.get(&main, Kind::Map, other).await, Ok(None));
}

pub(crate) async fn many_are_read_at_once(store: Any) {
    let (main, club) = (Tenant::main(), tenant("club"));
    let objects: Vec<Object> = (0..300).map(|it| map(&format!("map {it}"))).collect();
    let here = [&objects[..200], &[map("")]].concat();
    store.put(&main, &here, &any_room()).await.unwrap();
    store
        .put(&club, &objects[200..], &any_room())
        .await
        .unwrap();
    // In whatever order, some twice, some not there or another's, and one that is empty.
    let mut asked: Vec<&Object> = objects.iter().rev().chain(&objects[7..9]).collect();
    asked.push(&here[200]);
    let ids: Vec<Digest> = asked.iter().map(|it| it.id()).collect();
    let found = store.get_many(&main, Kind::Map, &ids).await.unwrap();
    let there = |object: &&Object| here.contains(object).then(|| object.bytes().clone());
    let expected: Vec<Option<Bytes>> = asked.iter().map(there).collect();
    assert_eq!(found, expected);
    assert_eq!(found.iter().flatten().count(), 203);
    let none = store.get_many(&main, Kind::Position, &ids[..3]).await;
    assert_eq!(none, Ok(vec![None; 3]));
    let none = store
        .get_many(&tenant("nobody"), Kind::Map, &ids[..3])
        .await;
    assert_eq!(none, Ok(vec![None; 3]));
    assert_eq!(store.get_many(&main, Kind::Map, &[]).await, Ok(Vec::new()));
}

pub(crate) async fn keeping_again_is_the_same(store: Any) {
    let (main, one) = (Tenant::main(), map("one"));
    assert!(put(&*store, &main, &one).await);
    let first = store.list(&main, Kind::Map, None, 2).await.unwrap();
    assert!(!put(&*store, &main, &one).await);
    let second = store.list(&main, Kind::Map, None, 2).await.unwrap();
    assert_eq!((first.len(), second.len()), (1, 1));
    assert!(second[0].kept_at > first[0].kept_at, "{first:?} {second:?}");
    assert_eq!(second[0].len, 3);
    let age = SystemTime::now().duration_since(first[0].kept_at);
    assert!(age.unwrap_or_default() < PATIENCE, "{first:?}");
}

pub(crate) async fn the_same_twice_in_one_call_is_one(store: Any) {
    let (main, one) = (Tenant::main(), map("one"));
    let room = Room([(Kind::Map, 1)].into());
    let new = store.put(&main, &[one.clone(), one], &room).await.unwrap();
    assert_eq!(new, [true, false]);
    assert_eq!(ids(&*store, &main, Kind::Map, 10).await.len(), 1);
}

pub(crate) async fn lists_go_by_id_and_in_pages(store: Any) {
    let main = Tenant::main();
    let objects: Vec<Object> = (0..57).map(|it| map(&format!("map {it}"))).collect();
    store.put(&main, &objects, &any_room()).await.unwrap();
    let mut all: Vec<Digest> = objects.iter().map(Object::id).collect();
    all.sort();
    for page in [1, 7, 57, 58, 1000] {
        assert_eq!(ids(&*store, &main, Kind::Map, page).await, all, "{page}");
    }
    // Also after an id that is not there.
    let middle = Digest::from_bytes([128; 32]);
    let listed = store.list(&main, Kind::Map, Some(middle), 1000);
    let listed: Vec<_> = listed.await.unwrap().iter().map(|it| it.id).collect();
    let later: Vec<_> = all.into_iter().filter(|id| *id > middle).collect();
    assert_eq!(listed, later);
}

pub(crate) async fn all_are_kept_or_none(store: Any) {
    let main = Tenant::main();
    let room = Room([(Kind::Map, 3)].into());
    let kept = [map("one"), map("two")];
    assert_eq!(store.put(&main, &kept, &room).await, Ok(vec![true, true]));
    let more = [map("two"), map("three"), map("four")];
    let full = StoreError::TooMany {
        kind: Kind::Map,
        most: 3,
    };
    assert_eq!(store.put(&main, &more, &room).await, Err(full));
    assert_eq!(ids(&*store, &main, Kind::Map, 10).await.len(), 2);
    let position = Object::new(Kind::Position, "of no limit");
    let fits = [map("three"), position];
    assert_eq!(store.put(&main, &fits, &room).await, Ok(vec![true, true]));
}

pub(crate) async fn there_is_room_for_what_is_there_already(store: Any) {
    let main = Tenant::main();
    let room = Room([(Kind::Map, 1)].into());
    for new in [true, false, false] {
        assert_eq!(store.put(&main, &[map("one")], &room).await, Ok(vec![new]));
    }
    let none = Room([(Kind::Map, 0)].into());
    assert_eq!(
        store.put(&main, &[map("one")], &none).await,
        Ok(vec![false])
    );
    assert!(store.put(&main, &[map("two")], &none).await.is_err());
}

pub(crate) async fn a_tenant_sees_nothing_of_another(store: Any) {
    let (a, ab) = (tenant("a"), tenant("a-b"));
    let room = Room([(Kind::Map, 1)].into());
    let one = map("one");
    assert_eq!(
        store.put(&a, std::slice::from_ref(&one), &room).await,
        Ok(vec![true])
    );
    assert_eq!(store.get(&ab, Kind::Map, one.id()).await, Ok(None));
    assert_eq!(
        store.get(&Tenant::house(), Kind::Map, one.id()).await,
        Ok(None)
    );
    assert!(ids(&*store, &ab, Kind::Map, 10).await.is_empty());
    // It is as new to the other, whose room is its own, and goes without it.
    assert_eq!(
        store.put(&ab, std::slice::from_ref(&one), &room).await,
        Ok(vec![true])
    );
    let later = SystemTime::now() + Duration::from_secs(3600);
    assert_eq!(
        store.sweep(&a, Kind::Map, &[(one.id(), later)]).await,
        Ok(1)
    );
    assert!(store.get(&ab, Kind::Map, one.id()).await.unwrap().is_some());
}

pub(crate) async fn kinds_are_apart(store: Any) {
    let main = Tenant::main();
    for kind in Kind::ALL {
        assert!(put(&*store, &main, &Object::new(kind, "the same")).await);
    }
    let id = Digest::of(b"the same");
    let later = SystemTime::now() + Duration::from_secs(3600);
    assert_eq!(store.sweep(&main, Kind::Entry, &[(id, later)]).await, Ok(1));
    for kind in Kind::ALL {
        let there = store.get(&main, kind, id).await.unwrap().is_some();
        assert_eq!(there, kind != Kind::Entry, "{kind:?}");
        assert_eq!(
            ids(&*store, &main, kind, 10).await.len(),
            usize::from(there)
        );
    }
}

pub(crate) async fn what_is_swept_is_gone_unless_it_was_kept_again(store: Any) {
    let main = Tenant::main();
    let objects = [map("one"), map("two"), map("three")];
    store.put(&main, &objects, &any_room()).await.unwrap();
    let listed = store.list(&main, Kind::Map, None, 10).await.unwrap();
    let mut old: Vec<_> = listed.iter().map(|it| (it.id, it.kept_at)).collect();
    // One is kept again, right away: no clock can have moved by much.
    assert!(!put(&*store, &main, &objects[1]).await);
    // One is older than is asked for.
    let third = old.iter_mut().find(|(id, _)| *id == objects[2].id());
    third.unwrap().1 -= Duration::from_secs(1);
    old.push((Digest::of(b"never was"), SystemTime::now()));
    assert_eq!(store.sweep(&main, Kind::Map, &old).await, Ok(1));
    let mut left = [objects[1].id(), objects[2].id()];
    left.sort();
    assert_eq!(ids(&*store, &main, Kind::Map, 10).await, left);
    assert_eq!(store.sweep(&main, Kind::Map, &[]).await, Ok(0));
    // What is gone takes up no room, and is new when it comes again.
    let room = Room([(Kind::Map, 3)].into());
    assert_eq!(
        store.put(&main, &objects, &room).await,
        Ok(vec![true, false, false])
    );
}

pub(crate) async fn large_ones_come_back_whole(store: Any) {
    let main = Tenant::main();
    let bytes: Vec<u8> = (0..16_u32 << 20)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let object = Object::new(Kind::Build, bytes);
    assert!(put(&*store, &main, &object).await);
    let found = store.get(&main, Kind::Build, object.id()).await.unwrap();
    assert!(found.is_some_and(|found| found == object.bytes()));
    let listed = store.list(&main, Kind::Build, None, 1).await.unwrap();
    assert_eq!(listed[0].len, 16 << 20);
}

pub(crate) async fn empty_ones_are_ones_too(store: Any) {
    let main = Tenant::main();
    let empty = Object::new(Kind::Map, "");
    assert!(put(&*store, &main, &empty).await);
    assert_eq!(
        store.get(&main, Kind::Map, empty.id()).await,
        Ok(Some(Bytes::new()))
    );
    assert_eq!(store.put(&main, &[], &any_room()).await, Ok(Vec::new()));
}

pub(crate) async fn many_keep_the_same_at_once(store: Any) {
    let keepers = (0..16).map(|at| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            // Each in another order: nobody waits for ever.
            let mut objects: Vec<Object> = (0..20).map(|it| map(&format!("map {it}"))).collect();
            objects.rotate_left(at);
            store
                .put(&Tenant::main(), &objects, &any_room())
                .await
                .unwrap()
        })
    });
    let mut new = 0;
    for keeper in keepers.collect::<Vec<_>>() {
        new += keeper.await.unwrap().iter().filter(|new| **new).count();
    }
    assert_eq!(new, 20);
    assert_eq!(
        ids(&*store, &Tenant::main(), Kind::Map, 100).await.len(),
        20
    );
}

pub(crate) async fn room_holds_while_many_keep(store: Any) {
    let keepers = (0..24).map(|at| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let room = Room([(Kind::Map, 10)].into());
            store
                .put(&Tenant::main(), &[map(&format!("map {at}"))], &room)
                .await
        })
    });
    let mut kept = 0;
    for keeper in keepers.collect::<Vec<_>>() {
        match keeper.await.unwrap() {
            Ok(new) => kept += new.len(),
            Err(error) => assert!(matches!(error, StoreError::TooMany { .. }), "{error:?}"),
        }
    }
    assert_eq!(kept, 10);
    assert_eq!(
        ids(&*store, &Tenant::main(), Kind::Map, 100).await.len(),
        10
    );
}

pub(crate) async fn a_call_that_is_dropped_is_done_wholly_or_not_at_all(store: Any) {
    let main = Tenant::main();
    for round in 0..20_u32 {
        let objects: Vec<Object> = (0..8).map(|it| map(&format!("{round}: {it}"))).collect();
        let room = any_room();
        if round == 0 {
            // Begun, and dropped where it first waits.
            let mut put = std::pin::pin!(store.put(&main, &objects, &room));
            let _ = put.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        } else {
            let time = Duration::from_micros(u64::from(round) * 150);
            let _ = tokio::time::timeout(time, store.put(&main, &objects, &room)).await;
        }
        // What comes after is answered after it, or it is undone by then.
        assert!(put(&*store, &main, &map(&format!("after {round}"))).await);
        // A list is of one moment.
        let listed = store.list(&main, Kind::Map, None, 1000).await.unwrap();
        let ours = |id: Digest| objects.iter().any(|object| object.id() == id);
        let there = listed.iter().filter(|listed| ours(listed.id)).count();
        assert!([0, 8].contains(&there), "{there} of 8 in round {round}");
    }
}

pub(crate) async fn it_can_be_pinged(store: Any) {
    assert_eq!(store.ping().await, Ok(()));
    assert!(!store.name().is_empty());
}
