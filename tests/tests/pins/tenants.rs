//! What is whose.

use std::sync::Arc;

use alamein_proto::v1;
use alamein_proto::v1::ruleset_service_server::RulesetService as _;
use alamein_terrain::{Digest, GrazingPolicy};
use alamein_tests::swapped::Swapped;
use tonic::Status;

use crate::odd::Odd;
use crate::{Side, Starting, by, spec, told};

const OURS: &str = "ours";
const OTHERS: &str = "others";

/// An error, but for what was asked for.
fn but_for(status: &Status, asked: &str) -> String {
    let (reason, mut with) = told(status);
    with.retain(|_, value| value != asked);
    let text = status.message().replace(asked, "IT");
    format!("{:?} {reason} {with:?} {text}", status.code())
}

/// What somebody gets for a ruleset, by every way of asking for it.
async fn every_way(side: &Side, tenant: &str, asked: &str) -> Vec<String> {
    let mut told = Vec::new();
    told.push(side.get(tenant, asked).await.map(drop));
    told.push(side.ask(tenant, asked).await.map(drop));
    told.push(side.tag(tenant, asked, "mine", "").await);
    let request = v1::DiffRulesetsRequest {
        before: "default".into(),
        after: asked.into(),
    };
    let differ = side.service.diff_rulesets(by(tenant, request)).await;
    told.push(differ.map(drop));
    let request = v1::ListConflictsRequest {
        source: Some(v1::list_conflicts_request::Source::RulesetId(asked.into())),
    };
    let conflicts = side.service.list_conflicts(by(tenant, request)).await;
    told.push(conflicts.map(drop));
    let told = told.into_iter();
    told.map(|it| but_for(&it.unwrap_err(), asked)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn another_tenant_sees_nothing_of_it() {
    let (builds, store) = (Swapped::new().unwrap(), Arc::new(Odd::default()));
    let build = builds.build("1.0.0", 3).unwrap();
    let side = Starting::with(&[build.parent().unwrap()])
        .over(&store)
        .await;
    let mut first = spec("zouaves", Some("*"));
    first.grazing_policy = GrazingPolicy::ALL[1];
    let made = side.make(OURS, &first, &["zulu-2026"]).await;
    let expected = side.ask(OURS, "zouaves").await.unwrap();

    // The revision is held in memory, and nobody else gets it.
    let nothing = Digest::of(b"nothing").to_string();
    for (there, nowhere) in [
        (&*made, &*nothing),
        ("zouaves", "zephyrs"),
        ("zulu-2026", "zero-2026"),
    ] {
        let given = every_way(&side, OTHERS, there).await;
        assert_eq!(given, every_way(&side, OTHERS, nowhere).await, "{there}");
    }
    let listed = side.list(OTHERS, 0).await;
    assert!(listed.iter().all(|it| it.fingerprint != made), "{listed:?}");
    assert_eq!(listed.len(), 1, "the usual one");
    let mine = side.list(OURS, 1).await;
    assert_eq!(mine.len(), 2);
    assert_eq!(mine[1].names, ["zouaves"]);

    // They may make the very same, with the same names, and it is theirs as well.
    let again = side.create(OTHERS, &first, &["zulu-2026"]).await.unwrap();
    assert!(again.created, "it is new to them");
    let again = again.ruleset.unwrap();
    assert_eq!(
        (&*again.fingerprint, &again.names[..]),
        (&*made, &["zouaves".to_owned()][..])
    );
    assert_eq!(side.ask(OTHERS, &made).await.unwrap(), expected);
    let mut second = first.clone();
    second.grazing_policy = GrazingPolicy::ALL[2];
    let moved = side.create(OTHERS, &second, &[]).await.unwrap();
    assert_eq!(moved.before_fingerprint, made);
    assert_eq!(side.get(OURS, "zouaves").await.unwrap().fingerprint, made);
    assert_eq!(
        side.get(OTHERS, "zulu-2026").await.unwrap().fingerprint,
        made
    );
    assert!(!side.create(OURS, &first, &[]).await.unwrap().created);
}

/// The numbers of revisions that somebody is told: of what is listed, and of what judges.
async fn numbers(side: &Side, tenant: &str, ruleset: &str) -> (Vec<u64>, u64, String) {
    let listed = side.list(tenant, 1).await;
    let listed = listed.iter().map(|it| it.revision).collect();
    let got = side.get(tenant, ruleset).await.unwrap().revision;
    let answer = side.answer(tenant, ruleset).await.unwrap();
    let header = answer.metadata().get("alamein-generation").unwrap();
    (listed, got, header.to_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_tell_nothing_of_what_others_make() {
    let store = Arc::new(Odd::default());
    let mut starting = Starting::with(&[]);
    let mut club = spec("club", None);
    club.grazing_policy = GrazingPolicy::ALL[1];
    starting.source.rulesets = vec![club.clone()];
    let side = starting.over(&store).await;
    let make = async |tenant, option: bool| {
        let mut made = spec("made", None);
        made.grazing_policy = GrazingPolicy::ALL[2];
        if option {
            made.plugins.pop_last();
        }
        side.create(tenant, &made, &[]).await.unwrap()
    };
    let before = numbers(&side, OTHERS, "club").await;
    assert_eq!(
        (&before.0[..], &*before.2),
        (&[1, 2][..], &*before.1.to_string())
    );
    for option in [false, true] {
        make(OURS, option).await;
    }
    assert_eq!(numbers(&side, OTHERS, "club").await, before);
    // What they make has no number, to them too.
    let made = make(OTHERS, true).await.ruleset.unwrap();
    assert_eq!(made.revision, 0);
    let theirs = numbers(&side, OTHERS, &made.fingerprint).await;
    assert_eq!(theirs, (vec![1, 2, 0], 0, "0".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_the_services_own_is_everybodys_and_nobodys_to_change() {
    let store = Arc::new(Odd::default());
    let mut starting = Starting::with(&[]);
    starting.source.rulesets = vec![spec("club", None)];
    let side = starting.over(&store).await;
    let club = side.get(OURS, "club").await.unwrap().fingerprint;
    assert_eq!(side.get(OTHERS, &club).await.unwrap().fingerprint, club);
    for name in ["club", "default"] {
        let mut other = spec(name, None);
        other.grazing_policy = GrazingPolicy::ALL[1];
        let refused = side.create(OURS, &other, &[]).await.unwrap_err();
        assert_eq!(told(&refused).0, "TAG_TAKEN", "{refused}");
        let refused = side.tag(OURS, &club, name, "").await.unwrap_err();
        assert_eq!(told(&refused).0, "TAG_TAKEN", "{refused}");
    }
    // The very same changes nothing, and may be tagged.
    let same = side
        .create(OURS, &spec("club", None), &["cup"])
        .await
        .unwrap();
    assert!(!same.created);
    assert_eq!(side.get(OURS, "cup").await.unwrap().fingerprint, club);
    assert!(side.get(OTHERS, "cup").await.is_err());
    // A tag is no name, and a name no tag.
    let refused = side
        .create(OURS, &spec("cup", None), &[])
        .await
        .unwrap_err();
    assert_eq!(told(&refused).0, "TAG_TAKEN");
    side.make(OURS, &spec("league", None), &[]).await;
    let refused = side.tag(OURS, "league", "league", "").await.unwrap_err();
    assert_eq!(told(&refused).0, "TAG_TAKEN");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_tenant_has_room_of_its_own() {
    let store = Arc::new(Odd::default());
    let mut starting = Starting::with(&[]);
    starting.limits.max_rulesets = 2;
    starting.limits.max_tags = 1;
    starting.limits.max_revisions = 5;
    let side = starting.over(&store).await;
    let kind = |status: Status| {
        let (reason, with) = told(&status);
        assert_eq!(reason, "STORE_FULL", "{status}");
        with["kind"].clone()
    };
    side.make(OURS, &spec("one", None), &["first"]).await;
    side.make(OURS, &spec("two", None), &[]).await;
    let full = side
        .create(OURS, &spec("three", None), &[])
        .await
        .unwrap_err();
    assert_eq!(kind(full), "ruleset");
    let full = side.tag(OURS, "one", "second", "").await.unwrap_err();
    assert_eq!(kind(full), "tag");
    // What fails takes back what it had done.
    let full = side.create(OTHERS, &spec("one", None), &["a", "b"]).await;
    assert_eq!(kind(full.unwrap_err()), "tag");
    assert!(side.get(OTHERS, "a").await.is_err());
    assert!(side.get(OTHERS, "one").await.is_err());
    side.make(OTHERS, &spec("one", None), &["a"]).await;
    // A name may have ever more revisions, but not for ever: two files and a revision are kept so far.
    let mut more = spec("one", None);
    more.grazing_policy = GrazingPolicy::ALL[1];
    side.make(OURS, &more, &[]).await;
    more.grazing_policy = GrazingPolicy::ALL[2];
    let full = side.create(OURS, &more, &[]).await.unwrap_err();
    assert_eq!(kind(full), "ruleset");
}
