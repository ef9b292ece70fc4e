//! The command itself, over the stores that outlast it.

use std::fs;
use std::path::Path;

use alamein_client::{Client, View, v1};
use alamein_proto::encode;
use alamein_tests::postgres::Postgres;
use alamein_tests::serving::{Server, served};
use alamein_tests::stage::{bytes, shots};
use alamein_tests::swapped::{Swapped, temporary};

use crate::spec;

/// A service that is started so, and a client that tries until its rules are loaded.
async fn serve(store: &str, more: &[&str]) -> (Server, Client) {
    let flags = [&["--store", store, "--lame-duck", "0s"], more].concat();
    served(&flags).await.unwrap()
}

/// What is ruled of the shots by a ruleset, to the byte.
async fn ask(client: &Client, ruleset: &str) -> Vec<Vec<u8>> {
    let (shots, client) = (shots().unwrap(), client.clone().with_ruleset(ruleset));
    let asked = client.adjudicate(&*shots.position, &shots.questions, View::Explain);
    let answers: Result<Vec<_>, _> = asked.await.unwrap().into_iter().collect();
    bytes(&answers.unwrap())
}

/// Makes a ruleset with the eighth plugin, and gives its fingerprint.
async fn make(client: &Client) -> String {
    let spec = encode::ruleset_spec(&spec("ours", Some("*")));
    let request = v1::CreateRulesetRequest {
        source: Some(v1::create_ruleset_request::Source::Spec(spec)),
        tags: vec!["cup-2026".into()],
        ..Default::default()
    };
    let made = client.rulesets().create_ruleset(request).await.unwrap();
    made.into_inner().ruleset.unwrap().fingerprint
}

/// One that has the plugin in a folder and one that has not, of which the second answers what the first
/// did. `both` says whether they run at once.
async fn one_after_the_other(store: &str, both: bool) {
    let builds = Swapped::new().unwrap();
    let build = builds.build("1.0.0", 3).unwrap();
    let folder = temporary().unwrap();
    let club = folder.path().join("club.toml");
    fs::write(&club, spec("club", Some("*")).to_toml().unwrap()).unwrap();
    let text = |path: &Path| path.display().to_string();
    let (house, file) = (text(build.parent().unwrap()), text(&club));
    let with = ["--plugin-dir", &house, "--rulesets", &file];
    let (mut first, client) = serve(store, &with).await;
    let expected = ask(&client, "club").await;
    let made = make(&client).await;
    assert_eq!(ask(&client, &made).await, expected);
    if !both {
        assert!(first.stop().unwrap().success());
    }
    let (second, client) = serve(store, &[]).await;
    for asked in [&*made, "cup-2026", "ours"] {
        assert_eq!(ask(&client, asked).await, expected, "{asked}");
    }
    let ruleset = client.with_ruleset("cup-2026").ruleset().await.unwrap();
    assert_eq!(ruleset.origin(), v1::RulesetOrigin::Loaded);
    let log = second.log();
    assert!(log.contains("a ruleset came from the store"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_started_anew_without_a_plugin_answers_by_what_it_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("kept").display().to_string();
    one_after_the_other(&store, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_answers_by_what_another_made() {
    let Some(postgres) = Postgres::start().unwrap() else {
        return;
    };
    one_after_the_other(&postgres.url("postgres"), true).await;
}
