//! Games and their entries, in words and as JSON.

use std::time::{Duration, SystemTime};

use alamein_cases::changes_json;
use alamein_client::v1::{self, game_entry::Act};
use alamein_hex::Grid;
use alamein_proto::{Limits, decode};
use alamein_terrain::{Change, Counter};
use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::output::{self, said};

/// Who tells of a game on such a map.
pub(super) struct Teller {
    pub(super) grid: Grid,
}

impl Teller {
    /// A game and its newest entry.
    pub(super) fn game(&self, game: &v1::Game) -> Result<String> {
        let mut text = game.game_id.clone();
        if !game.title.is_empty() {
            text.push_str(&format!(": {}", said(&game.title)));
        }
        if !game.owner.is_empty() {
            text.push_str(&format!(" (of {})", said(&game.owner)));
        }
        text.push('\n');
        if let Some(from) = &game.forked_from {
            let (id, number) = (&from.game_id, from.number);
            text.push_str(&format!("forked from {id} at entry {number}\n"));
        }
        let head = game.head.as_ref().context("no entry in the answer")?;
        text.push_str(&self.entry(head)?);
        // A side is given none.
        if !game.etag.is_empty() {
            text.push_str(&format!("etag {}\n", game.etag));
        }
        Ok(text)
    }

    /// The same as JSON.
    pub(super) fn game_json(&self, game: &v1::Game) -> Result<Value> {
        let mut told = summary_json(game);
        let head = game.head.as_ref().context("no entry in the answer")?;
        told["head"] = self.entry_json(head)?;
        Ok(told)
    }

    /// Writes an entry; as JSON on a line of its own.
    pub(super) fn put(&self, entry: &v1::GameEntry, json: bool) -> Result<()> {
        match json {
            true => output::line(&self.entry_json(entry)?.to_string()),
            false => output::put(&self.entry(entry)?),
        }
    }

    fn entry(&self, entry: &v1::GameEntry) -> Result<String> {
        let what = match &entry.act {
            Some(Act::Begun(_)) => "begun".to_owned(),
            Some(Act::Advanced(it)) if it.changes.is_empty() => {
                "advanced, with no change".to_owned()
            }
            Some(Act::Advanced(_)) => "advanced".to_owned(),
            Some(Act::Undone(it)) => format!("taken back to entry {}", it.to_number),
            Some(Act::RulesetChanged(it)) => {
                format!("by other rules, after {}", short(&it.from_fingerprint))
            }
            Some(Act::Forked(it)) => {
                let from = it.from.clone().unwrap_or_default();
                format!("forked from {} at entry {}", from.game_id, from.number)
            }
            None => "something that this program does not know".to_owned(),
        };
        let mut text = format!("{:>4}  {what}", entry.number);
        if !entry.by.is_empty() {
            text.push_str(&format!(", by {}", said(&entry.by)));
        }
        if let Some(time) = time(entry.create_time.map(|it| (it.seconds, it.nanos))) {
            text.push_str(&format!(", {time}"));
        }
        text.push('\n');
        if !entry.note.is_empty() {
            text.push_str(&format!("      \"{}\"\n", said(&entry.note)));
        }
        for change in self.changes(entry)? {
            text.push_str(&format!("      {}\n", self.change(&change)));
        }
        let (position, rules) = (&entry.position_id, short(&entry.rules_fingerprint));
        text.push_str(&format!("      position {position}, rules {rules}\n"));
        Ok(text)
    }

    fn entry_json(&self, entry: &v1::GameEntry) -> Result<Value> {
        let mut told = json!({
            "number": entry.number,
            "entry_id": entry.entry_id,
            "parent_id": entry.parent_id,
            "position_id": entry.position_id,
            "rules_fingerprint": entry.rules_fingerprint,
            "by": entry.by,
            "note": entry.note,
            "request_id": entry.request_id,
            "create_time": time(entry.create_time.map(|it| (it.seconds, it.nanos))),
        });
        let act = match &entry.act {
            Some(Act::Begun(_)) => "begun",
            Some(Act::Advanced(_)) => {
                told["changes"] = changes_json(&self.changes(entry)?, &self.grid);
                "advanced"
            }
            Some(Act::Undone(it)) => {
                told["to_number"] = json!(it.to_number);
                "undone"
            }
            Some(Act::RulesetChanged(it)) => {
                told["from_fingerprint"] = json!(it.from_fingerprint);
                "ruleset_changed"
            }
            Some(Act::Forked(it)) => {
                told["from"] = it.from.as_ref().map(reference).into();
                "forked"
            }
            None => "unknown",
        };
        told["act"] = json!(act);
        Ok(told)
    }

    fn changes(&self, entry: &v1::GameEntry) -> Result<Vec<Change>> {
        let Some(Act::Advanced(advanced)) = &entry.act else {
            return Ok(Vec::new());
        };
        // The service has limits of its own.
        let limits = Limits {
            max_changes: usize::MAX,
            ..Limits::default()
        };
        let read = decode::changes(&advanced.changes, &self.grid, &limits);
        read.map_err(|refused| anyhow::anyhow!("entry {}: {refused}", entry.number))
    }

    fn change(&self, change: &Change) -> String {
        let hex = |hex| self.grid.label(hex);
        match change {
            Change::Place(counter) => {
                let Counter { id, class, .. } = counter;
                format!("{id}: a {class} comes into {}", hex(counter.hex))
            }
            Change::Remove { id } => format!("{id}: removed"),
            Change::Move {
                id,
                hex: to,
                aboard,
                ..
            } => match aboard {
                Some(carrier) => format!("{id}: to {}, aboard {carrier}", hex(*to)),
                None => format!("{id}: to {}", hex(*to)),
            },
            Change::Board { id, carrier } => format!("{id}: aboard {carrier}"),
            Change::Dismount { id } => format!("{id}: dismounts"),
            Change::Turn { id, facing } => match facing {
                Some(facing) => format!("{id}: faces {facing}"),
                None => format!("{id}: has no facing"),
            },
            Change::Flags { id, set, clear } => {
                let set = set.names().map(str::to_owned);
                let clear = clear.names().map(|name| format!("not {name}"));
                let flags: Vec<String> = set.chain(clear).collect();
                format!("{id}: {}", flags.join(", "))
            }
            Change::Wreck { id, burning: true } => format!("{id}: a burning wreck"),
            Change::Wreck { id, .. } => format!("{id}: a wreck"),
            Change::Attribute { id, name, value } => match value {
                Some(value) => format!("{id}: {name}={value}"),
                None => format!("{id}: no {name}"),
            },
            Change::Side { id, side } => match side {
                Some(side) => format!("{id}: belongs to {side}"),
                None => format!("{id}: belongs to nobody"),
            },
            Change::KnownTo { id, sides } if sides.is_empty() => {
                format!("{id}: known to everybody")
            }
            Change::KnownTo { id, sides } => {
                let sides: Vec<&str> = sides.iter().map(String::as_str).collect();
                format!("{id}: known to {}", sides.join(" and "))
            }
            Change::LayFireLane(lane) => {
                format!("{}: lays a Fire Lane to {}", lane.mg, hex(lane.hex))
            }
            Change::LiftFireLane { mg } => format!("{mg}: lifts its Fire Lane"),
            Change::Ec(ec) => format!("EC: {}", format!("{ec:?}").to_lowercase()),
        }
    }
}

/// A game on a line.
pub(super) fn summary(game: &v1::Game) -> String {
    let number = game.head.as_ref().map_or(0, |head| head.number);
    let mut text = format!("{}  at entry {number}", game.game_id);
    if !game.owner.is_empty() {
        text.push_str(&format!(", of {}", said(&game.owner)));
    }
    if !game.title.is_empty() {
        text.push_str(&format!(": {}", said(&game.title)));
    }
    text
}

/// The same as JSON: all but what was done last.
pub(super) fn summary_json(game: &v1::Game) -> Value {
    let head = game.head.as_ref();
    json!({
        "game_id": game.game_id,
        "owner": game.owner,
        "title": game.title,
        "rules_fingerprint": game.rules_fingerprint,
        "number": head.map(|head| head.number),
        "position_id": head.map(|head| &head.position_id),
        "etag": game.etag,
        "create_time": time(game.create_time.map(|it| (it.seconds, it.nanos))),
        "forked_from": game.forked_from.as_ref().map(reference),
    })
}

fn reference(entry: &v1::GameEntryRef) -> Value {
    json!({"game_id": entry.game_id, "number": entry.number})
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// A time of the service's clock, given in seconds and what is beyond them.
fn time(time: Option<(i64, i32)>) -> Option<String> {
    let (seconds, nanos) = time?;
    let since = Duration::new(seconds.try_into().ok()?, nanos.try_into().ok()?);
    let time = SystemTime::UNIX_EPOCH.checked_add(since)?;
    Some(humantime::format_rfc3339_seconds(time).to_string())
}
