//! A store in a file, and what happens to processes, disks and files.
#![allow(clippy::unwrap_used, clippy::expect_used)] // A test may.

mod child;
mod damaged;
mod killed;
mod unwritable;

use alamein_store::{Embedded, EmbeddedConfig, Kind, Object, Room, Store, StoreError, Tenant};

fn map(number: usize, bytes: usize) -> Object {
    let mut content = format!("map {number} ").into_bytes();
    let noise = |at: usize| (at.wrapping_mul(2_654_435_761) >> 13) as u8;
    content.extend((content.len()..bytes).map(|at| noise(at + number * 7919)));
    Object::new(Kind::Map, content)
}

async fn put(store: &dyn Store, object: &Object) -> Result<bool, StoreError> {
    let (objects, room) = (std::slice::from_ref(object), Room::default());
    Ok(store.put(&Tenant::main(), objects, &room).await?[0])
}

async fn is_there(store: &dyn Store, object: &Object) -> bool {
    let found = store.get(&Tenant::main(), Kind::Map, object.id()).await;
    found.unwrap().is_some_and(|found| found == object.bytes())
}

#[tokio::test]
async fn one_process_has_a_folder_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let config = EmbeddedConfig::new(folder.path().join("a/b"));
    let store = Embedded::open(&config).unwrap();
    let second = Embedded::open(&config).unwrap_err();
    let told = format!("is in use by process {}", std::process::id());
    assert!(
        matches!(second, StoreError::Settings { .. }) && second.to_string().contains(&told),
        "{second}"
    );
    assert!(put(&store, &map(1, 10)).await.unwrap());
    drop(store);
    let store = Embedded::open(&config).unwrap();
    assert!(is_there(&store, &map(1, 10)).await);
    store.close().await;
    // Closed, it says so, and another may have the folder once it is dropped.
    assert!(matches!(
        put(&store, &map(2, 10)).await,
        Err(StoreError::Unavailable { .. })
    ));
    drop(store);
    Embedded::open(&config).unwrap();
}

#[tokio::test]
async fn a_folder_that_cannot_be_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Embedded::open(&EmbeddedConfig::new(file.join("under"))).unwrap_err();
    assert!(matches!(error, StoreError::Settings { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("name another folder with --store"),
        "{error}"
    );
}
