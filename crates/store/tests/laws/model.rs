//! A store does what the one in memory does, whatever is asked of it.

use std::sync::Arc;

use alamein_store::{Kind, Memory, Move, Object, RefKind, RefName, Room, Store, Tenant};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};

use crate::things::{tenant, to};

/// How many steps are taken.
const STEPS: usize = 300;

#[derive(Clone, Debug)]
enum Step {
    Put(Vec<u8>, u64),
    Sweep(u8),
    Advance {
        name: u8,
        from: u64,
        carried: Vec<u8>,
        logged: bool,
    },
    Forget {
        name: u8,
        version: u64,
    },
}

fn step() -> impl Strategy<Value = (bool, Step)> {
    let some = || prop::collection::vec(0..24_u8, 0..4);
    let step = prop_oneof![
        4 => (some(), 6..30_u64).prop_map(|(which, most)| Step::Put(which, most)),
        1 => (0..24_u8).prop_map(Step::Sweep),
        4 => (0..3_u8, 0..6_u64, some(), any::<bool>()).prop_map(|(name, from, carried, logged)| {
            Step::Advance { name, from, carried, logged }
        }),
        1 => (0..3_u8, 0..4_u64).prop_map(|(name, version)| Step::Forget { name, version }),
    ];
    (any::<bool>(), step)
}

fn objects(which: &[u8]) -> Vec<Object> {
    let object = |it: &u8| {
        let kind = Kind::ALL[usize::from(*it) % 2];
        Object::new(kind, vec![*it; usize::from(*it) * 50])
    };
    which.iter().map(object).collect()
}

pub(crate) async fn it_does_as_the_one_in_memory_does(store: Arc<dyn Store>) {
    let memory = Memory::new();
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..STEPS {
        let (club, step) = step().new_tree(&mut runner).unwrap().current();
        let of = if club { tenant("club") } else { Tenant::main() };
        let (one, other) = (
            take(&*store, &of, &step).await,
            take(&memory, &of, &step).await,
        );
        assert_eq!(one, other, "{step:?} of {of}");
    }
    for of in [tenant("club"), Tenant::main()] {
        assert_eq!(all(&*store, &of).await, all(&memory, &of).await);
    }
    assert_eq!(store.tenants().await, memory.tenants().await);
}

/// Takes a step, and tells what came of it.
async fn take(store: &dyn Store, of: &Tenant, step: &Step) -> String {
    let name = |name: &u8| RefName::new(RefKind::ALL[usize::from(*name)], format!("r{name}"));
    match step {
        Step::Put(which, most) => {
            let room = Room([(Kind::Map, *most), (Kind::Position, most / 2)].into());
            format!("{:?}", store.put(of, &objects(which), &room).await)
        }
        Step::Sweep(which) => {
            let object = &objects(&[*which])[0];
            let listed = store.list(of, object.kind(), None, 1000).await.unwrap();
            let old: Vec<_> = listed.iter().map(|it| (it.id, it.kept_at)).collect();
            let old: Vec<_> = old
                .into_iter()
                .filter(|(id, _)| *id <= object.id())
                .collect();
            format!("{:?}", store.sweep(of, object.kind(), &old).await)
        }
        Step::Advance {
            name: at,
            from,
            carried,
            logged,
        } => {
            let plain = to(&name(at), *from, &format!("{step:?}"));
            let change = Move {
                objects: objects(carried),
                log: plain.log.filter(|_| *logged),
                ..plain
            };
            format!("{:?}", store.advance(of, change).await)
        }
        Step::Forget { name: at, version } => {
            format!("{:?}", store.forget(of, &name(at), *version).await)
        }
    }
}

/// All that a store has of a tenant, without times.
async fn all(store: &dyn Store, of: &Tenant) -> Vec<String> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        let listed = store.list(of, kind, None, 1000).await.unwrap();
        let ids: Vec<_> = listed.iter().map(|it| it.id).collect();
        let many = store.get_many(of, kind, &ids).await.unwrap();
        for (listed, many) in listed.iter().zip(many) {
            let bytes = store.get(of, kind, listed.id).await.unwrap();
            assert_eq!(bytes, many);
            all.push(format!("{kind:?} {} {} {bytes:?}", listed.id, listed.len));
        }
    }
    for kind in RefKind::ALL {
        for (name, state) in store.refs(of, kind, None, 1000).await.unwrap() {
            let log = store
                .log(of, &RefName::new(kind, name.clone()), 0, 1000)
                .await;
            all.push(format!("{kind:?} {name} {state:?} {log:?}"));
        }
    }
    all
}
