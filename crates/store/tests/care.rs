//! Looking after a store: checks, exports and imports, and what nobody needs any more.
#![allow(clippy::unwrap_used, clippy::expect_used)] // A test may.

use std::sync::Arc;
use std::time::Duration;

use alamein_hex::Grid;
use alamein_store::care::{self, ExchangeError, GcError, GcOptions, KnownLinks};
use alamein_store::pinned::{
    BuildName, BuildRecord, NameValue, PluginRecord, RevisionRecord, revision_ref, spec_object,
};
use alamein_store::{
    Embedded, EmbeddedConfig, Kind, Memory, Move, Object, RefKind, RefName, Room, Store, Tenant,
};
use alamein_terrain::{Digest, Environment, Map, Position};

fn map(level: i16) -> Map {
    Map {
        base_level: level,
        ..Map::flat(Grid::new(4, 4).unwrap())
    }
}

fn position(level: i16) -> [Object; 2] {
    let position = Position::new(Arc::new(map(level)), Vec::new(), Environment::default()).unwrap();
    [
        Object::new(Kind::Map, position.map().canonical()),
        Object::new(Kind::Position, position.canonical()),
    ]
}

fn build(version: &str) -> Object {
    let build = BuildRecord {
        target: "x86_64-unknown-linux-gnu".into(),
        manifest: format!("{{\"version\": \"{version}\"}}"),
        signature: None,
        cases: Vec::new(),
        library: vec![7; 5000].into(),
    };
    build.object()
}

async fn keep(store: &dyn Store, tenant: &Tenant, objects: &[Object]) {
    store.put(tenant, objects, &Room::default()).await.unwrap();
}

async fn set(store: &dyn Store, tenant: &Tenant, at: RefName, from: u64, value: &[u8]) {
    let change = Move {
        at,
        from,
        value: value.to_vec().into(),
        log: None,
        objects: Vec::new(),
    };
    store.advance(tenant, change).await.unwrap();
}

/// Two tenants, a ruleset with a name, a tag and a build, positions, and a ref with a log.
async fn fill(store: &dyn Store) -> Tenant {
    let (main, club) = (Tenant::main(), "club".parse().unwrap());
    keep(store, &Tenant::house(), &[build("1.0.0")]).await;
    let build = BuildName {
        target: "x86_64-unknown-linux-gnu".into(),
        build: "ab".repeat(32),
        object: Some(build("1.0.0").id()),
    };
    let fingerprint = Digest::of(b"rules");
    let record = RevisionRecord {
        fingerprint,
        developer: false,
        policy: "EITHER".into(),
        plugins: vec![PluginRecord {
            id: "dunes".into(),
            version: "1.0.0".into(),
            options: "{}".into(),
            builds: vec![build],
        }],
    };
    let spec = spec_object("{}");
    keep(store, &club, &[record.object(), spec.clone()]).await;
    set(
        store,
        &club,
        revision_ref(fingerprint),
        0,
        record.object().id().as_bytes(),
    )
    .await;
    let name = NameValue {
        fingerprint,
        spec: spec.id(),
    };
    set(
        store,
        &club,
        RefName::new(RefKind::Ruleset, "ours"),
        0,
        &name.bytes(),
    )
    .await;
    let tag = RefName::new(RefKind::Tag, "tournament");
    for from in 0..3 {
        let change = Move {
            at: tag.clone(),
            from,
            value: fingerprint.as_bytes().to_vec().into(),
            log: (from != 1).then(|| Digest::of(&[from as u8])),
            objects: Vec::new(),
        };
        store.advance(&club, change).await.unwrap();
    }
    for level in 0..3 {
        keep(store, &main, &position(level)).await;
    }
    club
}

async fn exported(store: &dyn Store, whose: &care::Whose) -> String {
    let mut file = Vec::new();
    care::export(store, whose, &mut file, &mut |_| ())
        .await
        .unwrap();
    String::from_utf8(file).unwrap()
}

async fn imported(store: &dyn Store, file: &str) -> Result<care::Imported, ExchangeError> {
    care::import(store, &None, &mut file.as_bytes(), &mut |_| ()).await
}

#[tokio::test]
async fn what_is_exported_is_the_same_wherever_it_is_imported() {
    let (memory, folder) = (Memory::new(), tempfile::tempdir().unwrap());
    let club = fill(&memory).await;
    let file = exported(&memory, &None).await;
    let store = Embedded::open(&EmbeddedConfig::new(folder.path())).unwrap();
    let done = imported(&store, &file).await.unwrap();
    assert_eq!(
        (done.objects, done.new_objects, done.refs, done.new_refs),
        (9, 9, 3, 3)
    );
    assert_eq!(exported(&store, &None).await, file);
    let again = imported(&store, &file).await.unwrap();
    assert_eq!((again.new_objects, again.new_refs), (0, 0));
    // One tenant's alone, on both ways.
    let of_club = exported(&memory, &Some(club.clone())).await;
    assert!(!of_club.contains("\"main\"") && of_club.contains("\"club\""));
    let other = Memory::new();
    let only = Some(club.clone());
    care::import(&other, &only, &mut file.as_bytes(), &mut |_| ())
        .await
        .unwrap();
    assert_eq!(other.tenants().await.unwrap(), [club]);
    assert_eq!(exported(&other, &None).await, of_club);
}

#[tokio::test]
async fn an_import_that_was_broken_off_goes_on() {
    let memory = Memory::new();
    let club = fill(&memory).await;
    let file = exported(&memory, &None).await;
    let other = Memory::new();
    // As if it had ended in the midst of the tag.
    let tag = RefName::new(RefKind::Tag, "tournament");
    let first = Move {
        at: tag.clone(),
        from: 0,
        value: Digest::of(b"rules").as_bytes().to_vec().into(),
        log: Some(Digest::of(&[0])),
        objects: Vec::new(),
    };
    other.advance(&club, first).await.unwrap();
    imported(&other, &file).await.unwrap();
    assert_eq!(exported(&other, &None).await, file);
    // One that has gone elsewhere since is left.
    set(&other, &club, tag.clone(), 3, b"elsewhere").await;
    let error = imported(&other, &file).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("tag tournament of tenant club stands elsewhere here, at version 4"),
        "{error}"
    );
    assert_eq!(other.read(&club, &tag).await.unwrap().unwrap().version, 4);
}

#[tokio::test]
async fn a_file_that_is_not_whole_is_refused_with_its_line() {
    let memory = Memory::new();
    fill(&memory).await;
    let file = exported(&memory, &None).await;
    let lines: Vec<&str> = file.lines().collect();
    let last = lines.len();
    let cut = lines[..last - 1].join("\n");
    let fewer = [&lines[..last - 2], &lines[last - 1..]].concat().join("\n");
    let swapped = file.replace(&map_id().to_string(), &Digest::of(b"other").to_string());
    let newer = file.replacen("\"alamein_export\":1", "\"alamein_export\":2", 1);
    for (broken, told) in [
        (&cut[..], "it was cut off"),
        (&cut[..cut.len() - 20], "is none that an export has"),
        (&fewer, "more or less than there is"),
        (&swapped, "its bytes have the id"),
        (&newer, "line 1: has the form 2, and this version reads 1"),
        ("", "line 1: the file ends before its end"),
        ("{}\n", "line 1: is none that an export has"),
        (lines[last - 1], "line 1: is not the beginning of an export"),
        (
            &file.replace("\"club\"", "\"Club\""),
            "cannot be a tenant's name",
        ),
    ] {
        let error = imported(&Memory::new(), broken).await.unwrap_err();
        assert!(error.to_string().contains(told), "{told}: {error}");
    }
}

fn map_id() -> Digest {
    position(1)[0].id()
}

async fn wrong(store: &dyn Store) -> Vec<String> {
    let checked = care::check(store, &None, &KnownLinks, &mut |_| ())
        .await
        .unwrap();
    checked.wrong.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn a_check_finds_all_that_is_wrong() {
    let memory = Memory::new();
    let club = fill(&memory).await;
    let mut seen = 0;
    let checked = care::check(&memory, &None, &KnownLinks, &mut |many| seen = many)
        .await
        .unwrap();
    assert_eq!(checked.wrong, []);
    assert_eq!(
        (seen, checked.objects[&(Tenant::main(), Kind::Map)].0),
        (12, 3)
    );
    // A position that has lost its map, bytes that are no position, a build that is gone, and a tag that
    // leads nowhere.
    let later = std::time::SystemTime::now() + Duration::from_secs(3600);
    memory
        .sweep(&Tenant::main(), Kind::Map, &[(map_id(), later)])
        .await
        .unwrap();
    let house = Tenant::house();
    memory
        .sweep(&house, Kind::Build, &[(build("1.0.0").id(), later)])
        .await
        .unwrap();
    keep(&memory, &club, &[Object::new(Kind::Position, "nonsense")]).await;
    set(
        &memory,
        &club,
        RefName::new(RefKind::Tag, "lost"),
        0,
        &[9; 32],
    )
    .await;
    let found = wrong(&memory).await;
    let told = |text: &str| found.iter().any(|wrong| wrong.contains(text));
    assert!(
        told(&format!(
            "of tenant main: its map {} is not there; create it again",
            map_id()
        )),
        "{found:#?}"
    );
    assert!(
        told(&format!(
            "its build {} is not there; load the plugin again",
            build("1.0.0").id()
        )),
        "{found:#?}"
    );
    assert!(
        told("tag lost of tenant club: its revision 0909"),
        "{found:#?}"
    );
    let nonsense = Digest::of(b"nonsense");
    assert!(
        told(&format!("position {nonsense} of tenant club: ")),
        "{found:#?}"
    );
    // A position that cannot be read is told twice: of what it names, and of what it says.
    assert!((4..=5).contains(&found.len()), "{found:#?}");
    // What has a form of its own, which this version does not know, is counted.
    keep(
        &memory,
        &club,
        &[Object::new(Kind::Position, position(0)[1].bytes().clone())],
    )
    .await;
    assert!(wrong(&memory).await.len() > found.len());
}

#[tokio::test]
async fn what_nothing_leads_to_is_collected_when_it_is_old() {
    let memory = Memory::new();
    let club = fill(&memory).await;
    keep(&memory, &Tenant::house(), &[build("2.0.0")]).await;
    keep(&memory, &club, &position(5)).await;
    let options = |older_than, apply| GcOptions {
        whose: None,
        older_than,
        apply,
    };
    let hour = Duration::from_secs(3600);
    let young = care::collect(&memory, &options(hour, true), &KnownLinks)
        .await
        .unwrap();
    assert!(young.dropped.is_empty(), "{young:?}");
    // What is told is what is dropped: positions that no game has, and a build that no ruleset has.
    let before = exported(&memory, &None).await;
    let told = care::collect(&memory, &options(Duration::ZERO, false), &KnownLinks)
        .await
        .unwrap();
    assert_eq!(exported(&memory, &None).await, before);
    assert_eq!(told.dropped[&(Tenant::house(), Kind::Build)].0, 1);
    assert_eq!(told.dropped[&(Tenant::main(), Kind::Position)].0, 3);
    assert_eq!(told.dropped[&(club.clone(), Kind::Map)].0, 1);
    assert_eq!(told.kept.0, 3);
    let one = GcOptions {
        whose: Some(club.clone()),
        ..options(Duration::ZERO, true)
    };
    let dropped = care::collect(&memory, &one, &KnownLinks).await.unwrap();
    assert_eq!(dropped.dropped.len(), 2);
    assert!(dropped.dropped.keys().all(|(tenant, _)| *tenant == club));
    let rest = care::collect(&memory, &options(Duration::ZERO, true), &KnownLinks)
        .await
        .unwrap();
    assert_eq!(
        rest.dropped.values().map(|(count, _)| count).sum::<u64>(),
        7
    );
    // What a name, a tag or a revision leads to is all there.
    assert_eq!(wrong(&memory).await, Vec::<String>::new());
    let left = care::collect(&memory, &options(Duration::ZERO, true), &KnownLinks)
        .await
        .unwrap();
    assert_eq!((left.dropped.len(), left.kept.0), (0, 3));
}

#[tokio::test]
async fn nothing_is_collected_where_it_cannot_be_told_what_is_needed() {
    let memory = Memory::new();
    let club = fill(&memory).await;
    set(
        &memory,
        &club,
        RefName::new(RefKind::Tag, "broken"),
        0,
        b"no id",
    )
    .await;
    let options = GcOptions {
        whose: None,
        older_than: Duration::ZERO,
        apply: true,
    };
    let before = exported(&memory, &None).await;
    let error = care::collect(&memory, &options, &KnownLinks)
        .await
        .unwrap_err();
    assert!(matches!(error, GcError::Unread { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("tag broken of tenant club cannot be read"),
        "{error}"
    );
    assert_eq!(exported(&memory, &None).await, before);
}
