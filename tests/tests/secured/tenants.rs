//! Tenants see nothing of each other: what another one keeps is as what never was.

use std::collections::BTreeMap;

use alamein_client::{Client, Error, ErrorReason, FieldFault, RemoteError, v1};
use alamein_proto::encode;

use crate::ways::{Refusals, of_game, of_map_and_position, of_ruleset};
use crate::{Secured, position, read};

/// What never was, as an id and as a fingerprint.
const NEVER: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// All that a refusal tells, with what was asked for taken out.
fn told(error: Error, asked: &[&str]) -> String {
    let RemoteError {
        code,
        reason,
        message,
        mut metadata,
        mut fields,
        retry_after,
        of_service,
    } = error.remote().unwrap().clone();
    // A fingerprint names what may be nowhere, or not here.
    let expected = match reason {
        Some(ErrorReason::RulesetNotAvailable) => tonic::Code::FailedPrecondition,
        _ => tonic::Code::NotFound,
    };
    assert_eq!(code, expected, "{reason:?} {message}");
    assert!(of_service, "{message}");
    let but_for = |text: &str| {
        let mut text = text.to_owned();
        for id in asked {
            text = text.replace(id, "IT");
        }
        text
    };
    for value in metadata.values_mut() {
        *value = but_for(value);
    }
    for FieldFault { what, .. } in &mut fields {
        *what = but_for(what);
    }
    let message = but_for(&message);
    format!("{reason:?} {message} {metadata:?} {fields:?} {retry_after:?}")
}

/// Compares what somebody is told of what others keep with what he is told of what never was.
fn same(others: Refusals, asked: &[&str], nobodys: Refusals, never: &[&str]) {
    assert_eq!(others.len(), nobodys.len());
    for ((way, others), (_, nobodys)) in others.into_iter().zip(nobodys) {
        assert_eq!(told(others, asked), told(nobodys, never), "{way}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn maps_and_positions_of_others_are_as_what_never_was() {
    let secured = Secured::start();
    let (club, league) = (secured.client("club").await, secured.client("league").await);
    club.ruleset().await.unwrap();
    let kept = position(1);
    club.create_position(&kept).await.unwrap();
    let (map, id) = (kept.map_id().to_string(), kept.id().to_string());
    read(&club, &id).await.unwrap();
    let others = of_map_and_position(&league, &map, &id).await;
    let nobodys = of_map_and_position(&league, NEVER, NEVER).await;
    same(others, &[&map, &id], nobodys, &[NEVER]);
    let list = async |client: &Client| {
        let request = v1::ListMapsRequest::default();
        let answer = client.maps().list_maps(request).await;
        answer.unwrap().into_inner().maps.len()
    };
    assert_eq!((list(&club).await, list(&league).await), (1, 0));

    // The same content is kept by each for itself, as if nobody had kept it before.
    let request = v1::CreatePositionRequest {
        position: Some(encode::position(&kept, false)),
        ..Default::default()
    };
    for created in [true, false] {
        let answer = league.positions().create_position(request.clone()).await;
        let answer = answer.unwrap().into_inner();
        assert_eq!((answer.created, &answer.position_id), (created, &id));
    }
    read(&league, &id).await.unwrap();

    let asker = secured.client("asker").await;
    read(&asker, &id).await.unwrap();
    let refused = asker.create_position(&kept).await.unwrap_err();
    assert_eq!(refused.reason(), Some(ErrorReason::ScopeMissing));
    assert_eq!(
        refused.remote().unwrap().metadata["scope"],
        "positions:write"
    );
}

async fn begin(client: &Client, id: &str) -> v1::Game {
    let request = v1::CreateGameRequest {
        game_id: id.to_owned(),
        owner: "the club".into(),
        start: Some(v1::create_game_request::Start::Position(encode::position(
            &position(1),
            false,
        ))),
        ..Default::default()
    };
    let answer = client.games().create_game(request).await;
    answer.unwrap().into_inner().game.unwrap()
}

async fn games(client: &Client) -> BTreeMap<String, u64> {
    let request = v1::ListGamesRequest::default();
    let answer = client.games().list_games(request).await;
    let games = answer.unwrap().into_inner().games;
    let each = games.into_iter();
    each.map(|game| (game.game_id, game.head.unwrap().number))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_others_are_as_what_never_was() {
    let secured = Secured::start();
    let (club, league) = (secured.client("club").await, secured.client("league").await);
    club.ruleset().await.unwrap();
    let game = begin(&club, "el-alamein").await;
    // Whoever knows even the etag is told nothing.
    let others = of_game(&league, "el-alamein", &game.etag).await;
    let nobodys = of_game(&league, "gazala", &game.etag).await;
    same(others, &["el-alamein"], nobodys, &["gazala"]);
    assert_eq!(games(&league).await, BTreeMap::new());
    // A position of another tenant's game is no way to it.
    let head = game.head.clone().unwrap();
    let others = of_map_and_position(&league, NEVER, &head.position_id).await;
    let nobodys = of_map_and_position(&league, NEVER, NEVER).await;
    same(others, &[&head.position_id, NEVER], nobodys, &[NEVER]);

    // A name that somebody else has is free, and two games of one name have nothing to do with each other.
    let theirs = begin(&league, "el-alamein").await;
    let ended = v1::DeleteGameRequest {
        game_id: theirs.game_id,
        etag: theirs.etag,
        allow_missing: false,
    };
    league.games().delete_game(ended).await.unwrap();
    assert_eq!(games(&league).await, BTreeMap::new());
    assert_eq!(
        games(&club).await,
        [("el-alamein".to_owned(), head.number)].into()
    );
}

async fn make(client: &Client, policy: &str) -> v1::CreateRulesetResponse {
    let text =
        format!("name = \"zouaves\"\ngrazing_policy = \"{policy}\"\n[plugins]\nsight = \"*\"\n");
    let request = v1::CreateRulesetRequest {
        source: Some(v1::create_ruleset_request::Source::Toml(text)),
        tags: vec!["zulu-2026".into()],
        ..Default::default()
    };
    let answer = client.rulesets().create_ruleset(request).await;
    answer.unwrap().into_inner()
}

async fn fingerprint(client: &Client, ruleset: &str) -> String {
    let request = v1::GetRulesetRequest {
        ruleset_id: ruleset.to_owned(),
    };
    let answer = client.rulesets().get_ruleset(request).await;
    answer.unwrap().into_inner().ruleset.unwrap().fingerprint
}

#[tokio::test(flavor = "multi_thread")]
async fn rulesets_of_others_are_as_what_never_was() {
    let secured = Secured::start();
    let (club, league) = (secured.client("club").await, secured.client("league").await);
    club.ruleset().await.unwrap();
    let made = make(&club, "BOTH").await.ruleset.unwrap().fingerprint;
    // By its name, its tag and its fingerprint.
    for (there, never) in [
        ("zouaves", "zephyrs"),
        ("zulu-2026", "zero-2026"),
        (&*made, NEVER),
    ] {
        let others = of_ruleset(&league, there).await;
        let nobodys = of_ruleset(&league, never).await;
        same(others, &[there], nobodys, &[never]);
    }
    let list = async |client: &Client| {
        let request = v1::ListRulesetsRequest::default();
        let answer = client.rulesets().list_rulesets(request).await;
        answer.unwrap().into_inner().rulesets.len()
    };
    assert_eq!((list(&club).await, list(&league).await), (2, 1));

    // They may have a name and a tag of the same words, and other rules by it.
    let theirs = make(&league, "NEITHER_IF_GRAZING").await;
    assert!(theirs.created, "{theirs:?}");
    assert_ne!(theirs.ruleset.unwrap().fingerprint, made);
    for name in ["zouaves", "zulu-2026"] {
        assert_eq!(fingerprint(&club, name).await, made);
        assert_ne!(fingerprint(&league, name).await, made);
    }
}
