//! Several processes over one store.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use alamein_proto::v1::game_service_server::GameService as _;
use alamein_proto::v1::{self, RulesetOrigin};
use alamein_rulesets::PluginState;
use alamein_tests::swapped::{ID, Swapped};

use crate::odd::Odd;
use crate::{Starting, by, count, spec, told};

const MAIN: &str = "main";

#[tokio::test(flavor = "multi_thread")]
async fn what_one_made_another_answers_by_to_the_byte() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let build = builds.build("1.0.0", 3).unwrap();
    let house = build.parent().unwrap();
    let one = Starting::with(&[house]).over(&store).await;
    let made = one
        .make(MAIN, &spec("ours", Some("*")), &["cup-2026"])
        .await;
    let expected = one.ask(MAIN, "ours").await.unwrap();
    assert_eq!(
        one.get(MAIN, &made).await.unwrap().origin(),
        RulesetOrigin::Made
    );

    // The other has no such plugin in its folders.
    let other = Starting::with(&[]).over(&store).await;
    let listed = other.list(MAIN, 0).await;
    let ours = listed.iter().find(|it| it.fingerprint == made).unwrap();
    assert_eq!(ours.origin(), RulesetOrigin::Stored);
    assert_eq!(
        (&ours.names[..], &ours.tags[..]),
        (&["ours".to_owned()][..], &["cup-2026".to_owned()][..])
    );
    assert!(ours.plugins.contains(&format!("{ID} 1.0.0")), "{ours:?}");
    for asked in ["cup-2026", &made, "ours"] {
        assert_eq!(other.ask(MAIN, asked).await.unwrap(), expected, "{asked}");
    }
    assert_eq!(
        other.get(MAIN, "cup-2026").await.unwrap().origin(),
        RulesetOrigin::Loaded
    );
    let plugins = other.rules.registry().unwrap().list().plugins;
    let packed: Vec<_> = plugins.iter().filter(|it| it.packed).collect();
    assert_eq!(packed.len(), 1, "what it has itself it does not load");
    assert_eq!(
        (&*packed[0].id, &packed[0].state),
        (ID, &PluginState::Packed)
    );
    // And no spec takes it.
    let refused = other.create(MAIN, &spec("theirs", Some("*")), &[]).await;
    assert_eq!(told(&refused.unwrap_err()).0, "PLUGIN_NOT_AVAILABLE");

    // A process that was started anew without the plugin has it too.
    drop((one, other));
    let again = Starting::with(&[]).over(&store).await;
    assert_eq!(again.ask(MAIN, &made).await.unwrap(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_ask_first_make_one_load() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let build = builds.build("1.0.0", 3).unwrap();
    let one = Starting::with(&[build.parent().unwrap()])
        .over(&store)
        .await;
    let made = one.make(MAIN, &spec("ours", Some("*")), &[]).await;
    let other = Starting::with(&[]).over(&store).await;
    let expected = one.ask(MAIN, &made).await.unwrap();
    let before = count(&store.asked);
    let asked = (0..32).map(|_| {
        let (other, made) = (other.clone(), made.clone());
        tokio::spawn(async move { other.ask(MAIN, &made).await.unwrap() })
    });
    let asked: Vec<_> = asked.collect();
    for asked in asked {
        assert_eq!(asked.await.unwrap(), expected);
    }
    // Each looks up whether it may have it; what makes it, and the build, are read once.
    assert_eq!(count(&store.builds), 1);
    let read = count(&store.asked) - before;
    assert!(read <= 32 + 2, "{read}");

    // What nobody made is looked up, and nothing is loaded.
    let before = count(&store.asked);
    for guess in 0..50 {
        let nothing = alamein_terrain::Digest::of(&[guess]).to_string();
        let refused = other.get(MAIN, &nothing).await.unwrap_err();
        assert_eq!(told(&refused).0, "RULESET_NOT_AVAILABLE");
    }
    assert!(count(&store.asked) - before <= 100);
    assert_eq!(count(&store.builds), 1);
    // What can be no name is not even looked up.
    let before = count(&store.asked);
    assert!(other.get(MAIN, "No Such Club").await.is_err());
    assert_eq!(count(&store.asked), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_falls_out_of_memory_comes_back_and_is_mapped_once() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let build = builds.build("1.0.0", 3).unwrap();
    let one = Starting::with(&[build.parent().unwrap()])
        .over(&store)
        .await;
    let made = one.make(MAIN, &spec("ours", Some("*")), &[]).await;
    let expected = one.ask(MAIN, &made).await.unwrap();
    let mut narrow = Starting::with(&[]);
    narrow.source.settings.most_revisions = 2;
    let other = narrow.over(&store).await;
    assert_eq!(other.ask(MAIN, &made).await.unwrap(), expected);
    let registry = other.rules.registry().unwrap();
    let held = || {
        registry
            .snapshot()
            .revisions()
            .contains_key(&made.parse().unwrap())
    };
    assert!(held());
    for policy in ["BOTH", "NEITHER_IF_GRAZING"] {
        let mut spec = spec("seven", None);
        spec.grazing_policy = alamein_terrain::GrazingPolicy::ALL
            .into_iter()
            .find(|it| it.name() == policy)
            .unwrap();
        other.make(MAIN, &spec, &[]).await;
    }
    assert!(!held(), "others were more in use");
    let generations = registry.list().plugins.len();
    assert_eq!(other.ask(MAIN, &made).await.unwrap(), expected);
    assert_eq!(registry.list().plugins.len(), generations);
    assert_eq!(count(&store.builds), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_tag_at_once_one_wins() {
    let store = Arc::new(Odd::default());
    let sides = [
        Starting::with(&[]).over(&store).await,
        Starting::with(&[]).over(&store).await,
    ];
    let mut other = spec("two", None);
    other.grazing_policy = alamein_terrain::GrazingPolicy::ALL[1];
    // Whoever never wins is known by its name all the same.
    sides[0].make(MAIN, &spec("one", None), &[]).await;
    sides[1].make(MAIN, &other, &[]).await;
    for round in 0..8 {
        let tag = format!("cup-{round}");
        let tags = [&*tag];
        let (one, two) = (spec("one", None), other.clone());
        let both = tokio::join!(
            sides[0].create(MAIN, &one, &tags),
            sides[1].create(MAIN, &two, &tags),
        );
        let (won, lost) = match both {
            (Ok(won), Err(lost)) | (Err(lost), Ok(won)) => (won, lost),
            both => panic!("{both:?}"),
        };
        let (reason, with) = told(&lost);
        assert_eq!((&*reason, &*with["tag"]), ("TAG_TAKEN", &*tag));
        let won = won.ruleset.unwrap().fingerprint;
        for side in &sides {
            assert_eq!(side.get(MAIN, &tag).await.unwrap().fingerprint, won);
        }
    }
    // It moves from where it is, and nobody is behind.
    let here = sides[0].get(MAIN, "cup-0").await.unwrap().fingerprint;
    let there = match sides[0].get(MAIN, "one").await.unwrap().fingerprint == here {
        true => "two",
        false => "one",
    };
    let there = sides[0].get(MAIN, there).await.unwrap().fingerprint;
    sides[0].tag(MAIN, &there, "cup-0", &here).await.unwrap();
    assert_eq!(
        sides[1].get(MAIN, "cup-0").await.unwrap().fingerprint,
        there
    );
    // The same request again changes nothing; one that still knows where it was, and wants it elsewhere, is late.
    sides[1].tag(MAIN, &there, "cup-0", &here).await.unwrap();
    let mut third = spec("three", None);
    third.grazing_policy = alamein_terrain::GrazingPolicy::ALL[2];
    let third = sides[0].make(MAIN, &third, &[]).await;
    let late = sides[1].tag(MAIN, &third, "cup-0", &here).await;
    let refused = late.unwrap_err();
    let (reason, with) = told(&refused);
    assert_eq!(
        (&*reason, &*with["rules_fingerprint"]),
        ("TAG_TAKEN", &*there)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_follows_what_others_do_and_newer_plugins() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let first = builds.build("1.0.0", 3).unwrap();
    let one = Starting::with(&[first.parent().unwrap()])
        .over(&store)
        .await;
    let old = one.make(MAIN, &spec("ours", Some("^1")), &["old"]).await;
    let other = Starting::with(&[]).over(&store).await;
    let tending = tokio::spawn(other.service.clone().tend());
    assert_eq!(other.get(MAIN, "ours").await.unwrap().fingerprint, old);

    // A replica that is started with a newer plugin takes the name forward; the others follow.
    let second = builds.build("1.1.0", 4).unwrap();
    let newer = Starting::with(&[second.parent().unwrap()])
        .over(&store)
        .await;
    let new = newer.get(MAIN, "ours").await.unwrap().fingerprint;
    assert_ne!(new, old);
    let start = Instant::now();
    while other.get(MAIN, "ours").await.unwrap().fingerprint != new {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "it does not follow"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let expected = newer.ask(MAIN, &new).await.unwrap();
    assert_eq!(other.ask(MAIN, "ours").await.unwrap(), expected);
    assert_eq!(other.get(MAIN, "old").await.unwrap().fingerprint, old);
    tending.abort();

    // One that has the older plugin does not take it back.
    let behind = Starting::with(&[first.parent().unwrap()])
        .over(&store)
        .await;
    assert_eq!(behind.get(MAIN, "ours").await.unwrap().fingerprint, new);
    assert_eq!(newer.get(MAIN, "ours").await.unwrap().fingerprint, new);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_service_was_started_with_is_kept_too() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let build = builds.build("1.0.0", 3).unwrap();
    let mut starting = Starting::with(&[build.parent().unwrap()]);
    starting.source.rulesets = vec![spec("club", Some("*"))];
    let one = starting.over(&store).await;
    let club = one.get(MAIN, "club").await.unwrap().fingerprint;
    let expected = one.ask(MAIN, "club").await.unwrap();
    // As long as the store is down, nothing can be kept, and everything is answered.
    store.down.store(true, Ordering::Relaxed);
    let tending = tokio::spawn(one.service.clone().tend());
    assert_eq!(one.ask(MAIN, &club).await.unwrap(), expected);
    store.down.store(false, Ordering::Relaxed);

    let other = Starting::with(&[]).over(&store).await;
    let start = Instant::now();
    while other.get(MAIN, &club).await.is_err() {
        assert!(start.elapsed() < Duration::from_secs(60), "it is not kept");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tending.abort();
    assert_eq!(other.ask("anybody", &club).await.unwrap(), expected);
    // But names are what each process was started with.
    let refused = other.get(MAIN, "club").await.unwrap_err();
    assert_eq!(told(&refused).0, "RULESET_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_game_is_begun_by_is_kept_before_it_is() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let build = builds.build("1.0.0", 3).unwrap();
    let mut starting = Starting::with(&[build.parent().unwrap()]);
    starting.source.rulesets = vec![spec("club", Some("*"))];
    let one = starting.over(&store).await;
    let club = one.get(MAIN, "club").await.unwrap().fingerprint;
    let expected = one.ask(MAIN, "club").await.unwrap();
    let other = Starting::with(&[]).over(&store).await;
    assert!(other.get(MAIN, &club).await.is_err(), "nobody kept it");
    let position = alamein_proto::encode::position(&one.shots.position, false);
    let begin = v1::CreateGameRequest {
        start: Some(v1::create_game_request::Start::Position(position)),
        ruleset: "club".into(),
        ..Default::default()
    };
    one.service.create_game(by(MAIN, begin)).await.unwrap();
    assert_eq!(other.ask(MAIN, &club).await.unwrap(), expected);
    assert!(
        other.get("others", &club).await.is_err(),
        "it is no game of theirs"
    );
}
