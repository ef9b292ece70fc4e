//! What answers a request about a game that cannot be had.

use alamein_games::GameError;
use alamein_proto::decode;
use alamein_proto::v1::ErrorReason;
use alamein_terrain::OtherMap;

use crate::fault::Fault;
use crate::kept::of_store;
use crate::refusal;
use crate::service::missing;

/// The fault of a game that cannot be had or cannot go on.
pub(super) fn of_game(error: GameError) -> Fault {
    let text = error.to_string();
    match error {
        GameError::NotFound(id) if id.is_empty() => missing("game_id", "the id of the game"),
        GameError::NotFound(id) => Fault::new(ErrorReason::GameNotFound, text)
            .with("game_id", &id)
            .missing("game", id),
        GameError::NoEntry { game, number, head } => Fault::new(ErrorReason::EntryNotFound, text)
            .with("game_id", &game)
            .with("number", number)
            .with("head", head)
            .missing("entry", format!("{game}/{number}")),
        GameError::Stale(now) => Fault::new(ErrorReason::EtagStale, text)
            .with("game_id", &now.id)
            .with("etag", now.etag())
            .with("number", now.number())
            .with("entry_id", now.head().id())
            .with("position_id", now.position()),
        GameError::RequestUsed(id) => Fault::new(ErrorReason::GameExists, &text)
            .with("game_id", id)
            .field("request_id", text),
        GameError::Exists(id) => Fault::new(ErrorReason::GameExists, text).with("game_id", id),
        GameError::BadId(id) => Fault::new(ErrorReason::InvalidName, &text)
            .with("field", "game_id")
            .with("value", id)
            .field("game_id", text),
        GameError::NoId(_) => Fault::new(ErrorReason::Internal, text),
        GameError::Store(error) => of_store(&error),
    }
}

/// The fault of a position on another map than the game's.
pub(super) fn maps_differ(error: &OtherMap, field: &str) -> Fault {
    refusal::refused(decode::other_map(error, field), "")
}
