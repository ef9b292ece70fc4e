//! Every way of naming something that is kept.

use alamein_client::{Client, Error, v1};
use alamein_proto::encode;
use tonic::Status;

use crate::position;

/// Makes calls one after the other, each of which is to be refused, and says what each was told.
macro_rules! refusals {
    ($client:expr, $($stub:ident.$method:ident($request:expr)),+ $(,)?) => {
        vec![$((stringify!($method), refusal($client.$stub().$method($request).await))),+]
    };
}

pub(crate) type Refusals = Vec<(&'static str, Error)>;

fn refusal<T>(answer: Result<T, Status>) -> Error {
    match answer {
        Ok(_) => panic!("it was answered"),
        Err(status) => status.into(),
    }
}

/// A subject that is kept.
fn kept(id: &str) -> Option<v1::Subject> {
    let subject = v1::subject::Subject::PositionId(id.to_owned());
    Some(v1::Subject {
        subject: Some(subject),
    })
}

/// A subject that the request carries.
fn carried() -> Option<v1::Subject> {
    let subject = v1::subject::Subject::Position(encode::position(&position(1), false));
    Some(v1::Subject {
        subject: Some(subject),
    })
}

/// What somebody is told of a map and of a position, by each way of naming them.
pub(crate) async fn of_map_and_position(client: &Client, map: &str, position: &str) -> Refusals {
    use v1::render_map_request::Subject;
    let render = |subject| v1::RenderMapRequest {
        subject: Some(subject),
        ..Default::default()
    };
    let on_map = v1::Position {
        map_source: Some(v1::position::MapSource::MapId(map.to_owned())),
        ..Default::default()
    };
    refusals!(
        client,
        maps.get_map(v1::GetMapRequest {
            map_id: map.to_owned()
        }),
        maps.render_map(render(Subject::MapId(map.to_owned()))),
        maps.render_map(render(Subject::PositionId(position.to_owned()))),
        positions.create_position(v1::CreatePositionRequest {
            position: Some(on_map),
            ..Default::default()
        }),
        positions.get_position(v1::GetPositionRequest {
            position_id: position.to_owned(),
            ..Default::default()
        }),
        positions.apply_changes(v1::ApplyChangesRequest {
            subject: kept(position),
            ..Default::default()
        }),
        positions.diff_positions(v1::DiffPositionsRequest {
            before: kept(position),
            after: kept(position),
            ..Default::default()
        }),
        adjudication.line_of_sight(v1::LineOfSightRequest {
            subject: kept(position),
            question: Some(v1::LineOfSightQuestion::default()),
            ..Default::default()
        }),
        adjudication.line_of_fire(v1::LineOfFireRequest {
            subject: kept(position),
            question: Some(v1::LineOfFireQuestion::default()),
            ..Default::default()
        }),
        adjudication.fire_lane(v1::FireLaneRequest {
            subject: kept(position),
            question: Some(v1::FireLaneQuestion::default()),
            ..Default::default()
        }),
        adjudication.movement(v1::MovementRequest {
            subject: kept(position),
            question: Some(v1::MovementQuestion::default()),
            ..Default::default()
        }),
        adjudication.set_up(v1::SetUpRequest {
            subject: kept(position),
            question: Some(v1::SetUpQuestion::default()),
            ..Default::default()
        }),
        adjudication.price_path(v1::PricePathRequest {
            subject: kept(position),
            question: Some(v1::PathQuestion::default()),
            ..Default::default()
        }),
        adjudication.reachable(v1::ReachableRequest {
            subject: kept(position),
            question: Some(v1::ReachQuestion::default()),
            ..Default::default()
        }),
        adjudication.batch_adjudicate(v1::BatchAdjudicateRequest {
            subject: kept(position),
            questions: vec![v1::Question::default()],
            ..Default::default()
        }),
        adjudication.export_case(v1::ExportCaseRequest {
            subject: kept(position),
            questions: vec![v1::Question::default()],
            case_id: "case".into(),
            ..Default::default()
        }),
        games.create_game(v1::CreateGameRequest {
            start: Some(v1::create_game_request::Start::PositionId(
                position.to_owned()
            )),
            ..Default::default()
        }),
    )
}

/// What somebody is told of a game, by each way of naming it. The etag may be the right one.
pub(crate) async fn of_game(client: &Client, game: &str, etag: &str) -> Refusals {
    let (game_id, etag) = (game.to_owned(), etag.to_owned());
    refusals!(
        client,
        games.get_game(v1::GetGameRequest {
            game_id: game_id.clone(),
            ..Default::default()
        }),
        games.advance_game(v1::AdvanceGameRequest {
            game_id: game_id.clone(),
            etag: etag.clone(),
            next: Some(v1::advance_game_request::Next::Changes(
                v1::ChangeList::default()
            )),
            ..Default::default()
        }),
        games.undo_game(v1::UndoGameRequest {
            game_id: game_id.clone(),
            etag: etag.clone(),
            to_number: 1,
            ..Default::default()
        }),
        games.fork_game(v1::ForkGameRequest {
            game_id: game_id.clone(),
            new_game_id: "fork".into(),
            ..Default::default()
        }),
        games.change_game_ruleset(v1::ChangeGameRulesetRequest {
            game_id: game_id.clone(),
            etag: etag.clone(),
            ..Default::default()
        }),
        games.delete_game(v1::DeleteGameRequest {
            game_id: game_id.clone(),
            etag,
            allow_missing: false,
        }),
        games.list_entries(v1::ListEntriesRequest {
            game_id: game_id.clone(),
            ..Default::default()
        }),
        games.watch_game(v1::WatchGameRequest {
            game_id,
            ..Default::default()
        }),
    )
}

/// What somebody is told of a ruleset, by each way of naming it.
pub(crate) async fn of_ruleset(client: &Client, ruleset: &str) -> Refusals {
    let ruleset = || ruleset.to_owned();
    let compared = v1::CompareRulesetsRequest {
        before: ruleset(),
        after: "default".into(),
        content: Vec::new(),
    };
    refusals!(
        client,
        rulesets.get_ruleset(v1::GetRulesetRequest {
            ruleset_id: ruleset()
        }),
        rulesets.tag_ruleset(v1::TagRulesetRequest {
            ruleset_id: ruleset(),
            tag: "mine".into(),
            ..Default::default()
        }),
        rulesets.diff_rulesets(v1::DiffRulesetsRequest {
            before: "default".into(),
            after: ruleset(),
        }),
        rulesets.list_conflicts(v1::ListConflictsRequest {
            source: Some(v1::list_conflicts_request::Source::RulesetId(ruleset())),
        }),
        rulesets.compare_rulesets(futures::stream::iter([compared])),
        adjudication.line_of_sight(v1::LineOfSightRequest {
            subject: carried(),
            question: Some(v1::LineOfSightQuestion::default()),
            ruleset: ruleset(),
            ..Default::default()
        }),
        positions.create_position(v1::CreatePositionRequest {
            position: Some(encode::position(&position(1), false)),
            ruleset: ruleset(),
            ..Default::default()
        }),
        games.create_game(v1::CreateGameRequest {
            start: Some(v1::create_game_request::Start::Position(encode::position(
                &position(1),
                false
            ))),
            ruleset: ruleset(),
            ..Default::default()
        }),
    )
}
