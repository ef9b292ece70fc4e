//! Games and their entries.

use alamein_games::{Act, Entry, Standing};
use alamein_hex::Grid;
use alamein_terrain::Change;
use prost_types::Timestamp;

use super::change::change;
use crate::v1::{self, game_entry};

/// The message of a game as it stands.
#[must_use]
pub fn game(standing: &Standing) -> v1::Game {
    let game = &standing.game;
    let forked_from = game.forked_from.as_ref();
    v1::Game {
        game_id: standing.id.clone(),
        owner: game.owner.clone(),
        title: game.title.clone(),
        rules_fingerprint: game.head.rules.to_string(),
        head: Some(game_entry(&game.head, &game.grid)),
        etag: standing.etag(),
        create_time: Some(timestamp(game.begun)),
        forked_from: forked_from.map(|(game, number)| entry_ref(game, *number)),
    }
}

/// The message of an entry of a game on such a map.
#[must_use]
pub fn game_entry(entry: &Entry, grid: &Grid) -> v1::GameEntry {
    v1::GameEntry {
        number: entry.number,
        entry_id: entry.id().to_string(),
        parent_id: entry.parent.map(|id| id.to_string()).unwrap_or_default(),
        position_id: entry.position.to_string(),
        rules_fingerprint: entry.rules.to_string(),
        by: entry.by.clone(),
        note: entry.note.clone(),
        request_id: entry.request.clone(),
        create_time: Some(timestamp(entry.at)),
        act: Some(act(&entry.act, grid)),
    }
}

fn act(act: &Act, grid: &Grid) -> game_entry::Act {
    match act {
        Act::Begun => game_entry::Act::Begun(v1::GameBegun {}),
        Act::Advanced { changes } => game_entry::Act::Advanced(advanced(changes, grid)),
        Act::Undone { to } => game_entry::Act::Undone(v1::GameUndone { to_number: *to }),
        Act::Ruled { from } => game_entry::Act::RulesetChanged(v1::GameRulesetChanged {
            from_fingerprint: from.to_string(),
        }),
        Act::Forked { game, number } => {
            let from = Some(entry_ref(game, *number));
            game_entry::Act::Forked(v1::GameForked { from })
        }
    }
}

/// The message of an advance by these changes.
#[must_use]
pub fn advanced(changes: &[Change], grid: &Grid) -> v1::GameAdvanced {
    v1::GameAdvanced {
        changes: changes.iter().map(|it| change(it, grid)).collect(),
    }
}

fn entry_ref(game: &str, number: u64) -> v1::GameEntryRef {
    v1::GameEntryRef {
        game_id: game.to_owned(),
        number,
    }
}

/// Milliseconds since 1970, as the API tells times.
fn timestamp(millis: i64) -> Timestamp {
    let nanos = millis.rem_euclid(1000) * 1_000_000;
    Timestamp {
        seconds: millis.div_euclid(1000),
        // Less than a second, whatever the time.
        nanos: i32::try_from(nanos).unwrap_or_default(),
    }
}
