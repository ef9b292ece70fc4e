//! What writes may be tried without being done, and sent again without being done twice.
#![allow(clippy::unwrap_used)] // A test may.

use alamein_client::v1::{self, create_game_request::Start, create_ruleset_request::Source};
use alamein_client::{Client, Error, ErrorReason as R};
use alamein_tests::serving::served;

macro_rules! call {
    ($client:expr, $service:ident, $method:ident, $request:expr) => {{
        let request = $request;
        let call = $client.call(&request, |request| {
            let mut stub = $client.$service();
            async move { stub.$method(request).await }
        });
        call.await
    }};
}

#[track_caller]
fn refused<T: std::fmt::Debug>(answer: Result<T, Error>, reason: R, field: &str) {
    let error = answer.unwrap_err();
    let remote = error.remote().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(remote.reason, Some(reason), "{error}");
    let fields: Vec<&str> = remote.fields.iter().map(|it| it.field.as_str()).collect();
    let wanted = if field.is_empty() {
        vec![]
    } else {
        vec![field]
    };
    assert_eq!(fields, wanted, "{error}");
}

fn small() -> v1::Map {
    v1::Map {
        board: Some(v1::Board {
            columns: 8,
            rows: 10,
        }),
        ..v1::Map::default()
    }
}

/// A position with a squad in this hex.
fn squad_in(hex: &str) -> v1::Position {
    v1::Position {
        map_source: Some(v1::position::MapSource::Map(small())),
        counters: vec![v1::Counter {
            id: "squad".into(),
            class: v1::CounterClass::Squad.into(),
            hex: hex.into(),
            ..v1::Counter::default()
        }],
        ..v1::Position::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_only_checked_is_not_kept() {
    let (_server, client) = served(&[]).await.unwrap();
    let create = |validate_only| v1::CreateMapRequest {
        map: Some(small()),
        validate_only,
        ..v1::CreateMapRequest::default()
    };
    let tried = call!(client, maps, create_map, create(true)).unwrap();
    assert!(tried.created);
    let map_id = tried.map_id.clone();
    let get = v1::GetMapRequest {
        map_id: map_id.clone(),
    };
    refused(
        call!(client, maps, get_map, get.clone()),
        R::MapNotFound,
        "map_id",
    );
    assert_eq!(
        call!(client, maps, create_map, create(false)).unwrap(),
        tried
    );
    call!(client, maps, get_map, get).unwrap();
    let known = call!(client, maps, create_map, create(true)).unwrap();
    assert!(!known.created);
    assert_eq!(known.map_id, map_id);

    let create = |hex, validate_only| v1::CreatePositionRequest {
        position: Some(squad_in(hex)),
        validate_only,
        ..v1::CreatePositionRequest::default()
    };
    let tried = call!(client, positions, create_position, create("B2", true)).unwrap();
    assert!(tried.created);
    let get = v1::GetPositionRequest {
        position_id: tried.position_id.clone(),
        as_side: String::new(),
    };
    let got = call!(client, positions, get_position, get.clone());
    refused(got, R::PositionNotFound, "position_id");
    let kept = call!(client, positions, create_position, create("B2", false));
    assert_eq!(kept.unwrap(), tried);
    call!(client, positions, get_position, get).unwrap();
    let known = call!(client, positions, create_position, create("B2", true));
    assert!(!known.unwrap().created);
    let bad = call!(client, positions, create_position, create("Z9", true));
    refused(bad, R::HexOffMap, "position.counters[0].hex");
}

fn begin(hex: &str, request_id: &str) -> v1::CreateGameRequest {
    v1::CreateGameRequest {
        owner: "ann".into(),
        start: Some(Start::Position(squad_in(hex))),
        request_id: request_id.into(),
        ..v1::CreateGameRequest::default()
    }
}

async fn how_many(client: &Client) -> usize {
    let list = call!(client, games, list_games, v1::ListGamesRequest::default());
    list.unwrap().games.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_begun_forked_and_forgotten_once() {
    let (_server, client) = served(&[]).await.unwrap();
    let created = call!(client, games, create_game, begin("B2", "one")).unwrap();
    let again = call!(client, games, create_game, begin("B2", "one")).unwrap();
    assert_eq!(again, created);
    let other = call!(client, games, create_game, begin("C3", "one"));
    refused(other, R::GameExists, "request_id");
    let rules = v1::CreateGameRequest {
        ruleset: created.game.clone().unwrap().rules_fingerprint,
        ..begin("B2", "one")
    };
    assert_eq!(call!(client, games, create_game, rules).unwrap(), created);
    let game = created.game.unwrap();

    let fork = v1::ForkGameRequest {
        game_id: game.game_id.clone(),
        request_id: "two".into(),
        ..v1::ForkGameRequest::default()
    };
    let forked = call!(client, games, fork_game, fork.clone()).unwrap();
    let undo = v1::AdvanceGameRequest {
        game_id: game.game_id.clone(),
        etag: game.etag.clone(),
        next: Some(v1::advance_game_request::Next::Position(squad_in("C3"))),
        ..v1::AdvanceGameRequest::default()
    };
    let game = call!(client, games, advance_game, undo)
        .unwrap()
        .game
        .unwrap();
    assert_eq!(call!(client, games, fork_game, fork).unwrap(), forked);
    assert_eq!(how_many(&client).await, 2);

    let change = v1::ChangeGameRulesetRequest {
        game_id: game.game_id.clone(),
        etag: game.etag.clone(),
        validate_only: true,
        ..v1::ChangeGameRulesetRequest::default()
    };
    let tried = call!(client, games, change_game_ruleset, change).unwrap();
    assert_eq!(tried.game.unwrap(), game, "nothing was done");

    let delete = |allow_missing| v1::DeleteGameRequest {
        game_id: game.game_id.clone(),
        etag: game.etag.clone(),
        allow_missing,
    };
    let stale = v1::DeleteGameRequest {
        etag: "1-0000000000000000".into(),
        ..delete(true)
    };
    refused(call!(client, games, delete_game, stale), R::EtagStale, "");
    for _ in 0..2 {
        call!(client, games, delete_game, delete(true)).unwrap();
    }
    let gone = call!(client, games, delete_game, delete(false));
    refused(gone, R::GameNotFound, "");
    assert_eq!(how_many(&client).await, 1);
    let nameless = v1::DeleteGameRequest {
        game_id: String::new(),
        ..delete(true)
    };
    refused(
        call!(client, games, delete_game, nameless),
        R::MissingField,
        "game_id",
    );
}

fn rules(policy: v1::GrazingPolicy, before: &str) -> v1::CreateRulesetRequest {
    let plugin = v1::PluginRequirement {
        plugin_id: "sight".into(),
        ..v1::PluginRequirement::default()
    };
    v1::CreateRulesetRequest {
        source: Some(Source::Spec(v1::RulesetSpec {
            name: "club-night".into(),
            grazing_policy: policy.into(),
            plugins: vec![plugin],
            ..v1::RulesetSpec::default()
        })),
        before_fingerprint: before.into(),
        ..v1::CreateRulesetRequest::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_tags_move_from_what_was_known() {
    use v1::GrazingPolicy::{Both, Either, NeitherIfGrazing};
    let (_server, client) = served(&[]).await.unwrap();
    let make = async |policy, before: &str| {
        let made = call!(client, rulesets, create_ruleset, rules(policy, before))?;
        Ok::<_, Error>(made.ruleset.unwrap().fingerprint)
    };
    refused(
        make(Either, "0").await,
        R::RulesetNotAvailable,
        "before_fingerprint",
    );
    let first = make(Either, "").await.unwrap();
    let second = make(Both, &first).await.unwrap();
    assert_ne!(first, second);
    // The answer was lost: the same again.
    assert_eq!(make(Both, &first).await.unwrap(), second);
    // Somebody else still knows the first.
    for validate_only in [true, false] {
        let late = v1::CreateRulesetRequest {
            validate_only,
            ..rules(NeitherIfGrazing, &first)
        };
        let late = call!(client, rulesets, create_ruleset, late);
        refused(late, R::RulesetNotAvailable, "before_fingerprint");
    }
    let get = v1::GetRulesetRequest {
        ruleset_id: "club-night".into(),
    };
    let now = call!(client, rulesets, get_ruleset, get).unwrap().ruleset;
    assert_eq!(now.unwrap().fingerprint, second);

    let tag = |to: &str, from: &str| v1::TagRulesetRequest {
        ruleset_id: to.into(),
        tag: "spring-cup".into(),
        moved_from: from.into(),
    };
    call!(client, rulesets, tag_ruleset, tag(&first, "")).unwrap();
    for _ in 0..2 {
        call!(client, rulesets, tag_ruleset, tag(&second, &first)).unwrap();
    }
    let third = make(NeitherIfGrazing, &second).await.unwrap();
    let late = call!(client, rulesets, tag_ruleset, tag(&third, &first));
    refused(late, R::TagTaken, "moved_from");
}
