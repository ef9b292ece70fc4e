//! Changes of positions in JSON: a list, of which each item is an object of one field that says what
//! changes.

use std::collections::BTreeSet;

use alamein_hex::Grid;
use alamein_terrain::{Change, Changed, CounterFlags, EnvironmentCondition, FireLane, Position};
use serde_json::{Map, Value, json};

use crate::error::CaseError;
use crate::node::{Node, Wrong};
use crate::position::{CONDITIONS, counter, hex};
use crate::write::{counter as counter_json, word};

/// Reads a list of changes of a position on a map; `file` is how to call it in messages.
///
/// # Errors
/// What is wrong with it, with the field's path.
pub fn parse_changes(file: &str, text: &str, grid: &Grid) -> Result<Vec<Change>, CaseError> {
    let value: Value = serde_json::from_str(text).map_err(|error| CaseError::NotJson {
        file: file.to_owned(),
        why: error.to_string(),
    })?;
    let top = Node::top(&value);
    let items = top.items();
    let read = items.and_then(|mut items| {
        items.try_fold(Vec::new(), |mut read, node| {
            read.push(change(&node, grid)?);
            Ok(read)
        })
    });
    read.map_err(|wrong| CaseError::of(file, None, wrong))
}

/// The changes as JSON, which [`parse_changes`] reads.
#[must_use]
pub fn changes_json(changes: &[Change], grid: &Grid) -> Value {
    changes.iter().map(|it| change_json(it, grid)).collect()
}

/// What differs between two positions as JSON: of each thing what it was and what it is, null where it is
/// not there.
#[must_use]
pub fn changed_json(changed: &[Changed], on: &Position) -> Value {
    let grid = &on.map().grid;
    let lane = |lane: &FireLane| json!({"mg": lane.mg, "hex": grid.label(lane.hex)});
    let ec = |ec: &EnvironmentCondition| json!(word(&CONDITIONS, *ec));
    let pair = |what: &str, before: Value, after: Value| json!({"what": what, "before": before, "after": after});
    let one = |changed: &Changed| match changed {
        Changed::Counter { before, after } => {
            let it = |it: &Option<_>| it.as_ref().map(|it| counter_json(it, grid)).into();
            pair("counter", it(before), it(after))
        }
        Changed::FireLane { before, after } => {
            let it = |it: &Option<_>| it.as_ref().map(lane).into();
            pair("fire_lane", it(before), it(after))
        }
        Changed::Ec { before, after } => pair("ec", ec(before), ec(after)),
    };
    changed.iter().map(one).collect()
}

fn change(node: &Node<'_>, grid: &Grid) -> Result<Change, Wrong> {
    let mut fields = node.fields()?;
    let (Some((kind, it)), None) = (fields.next(), fields.next()) else {
        return Err(node.wrong("must have one field, which says what changes"));
    };
    let reader = Reader { it: &it };
    match kind {
        "place" => {
            let mut strangers = Vec::new();
            let placed = counter(&it, grid, &mut strangers)?;
            reader.none(&strangers)?;
            Ok(Change::Place(placed))
        }
        "remove" => reader.of(&[], |id| Ok(Change::Remove { id })),
        "move" => reader.of(&["hex", "height", "aboard"], |id| {
            Ok(Change::Move {
                id,
                hex: hex(&it.need("hex")?, grid)?,
                height: it.get("height").map(|it| it.number()).transpose()?,
                aboard: reader.text("aboard")?,
            })
        }),
        "board" => reader.of(&["carrier"], |id| {
            let carrier = it.need("carrier")?.text()?.to_owned();
            Ok(Change::Board { id, carrier })
        }),
        "dismount" => reader.of(&[], |id| Ok(Change::Dismount { id })),
        "turn" => reader.of(&["facing"], |id| {
            let facing = it.get("facing").map(|it| it.number()).transpose()?;
            Ok(Change::Turn { id, facing })
        }),
        "flags" => reader.of(&["set", "clear"], |id| {
            let (set, clear) = (reader.flags("set")?, reader.flags("clear")?);
            Ok(Change::Flags { id, set, clear })
        }),
        "wreck" => reader.of(&["burning"], |id| {
            let burning = it.get("burning").map(|it| it.flag()).transpose()?;
            let burning = burning.unwrap_or_default();
            Ok(Change::Wreck { id, burning })
        }),
        "attribute" => reader.of(&["name", "value"], |id| {
            let name = it.need("name")?.text()?.to_owned();
            let value = it.get("value").map(|it| it.number()).transpose()?;
            Ok(Change::Attribute { id, name, value })
        }),
        "side" => reader.of(&["side"], |id| {
            let side = reader.text("side")?;
            Ok(Change::Side { id, side })
        }),
        "known_to" => reader.of(&["sides"], |id| {
            let sides = it.need("sides")?.items()?;
            let sides: Result<BTreeSet<String>, Wrong> =
                sides.map(|side| Ok(side.text()?.to_owned())).collect();
            let sides = sides?;
            Ok(Change::KnownTo { id, sides })
        }),
        "lay_fire_lane" => reader.of(&["hex"], |mg| {
            let hex = hex(&it.need("hex")?, grid)?;
            Ok(Change::LayFireLane(FireLane { mg, hex }))
        }),
        "lift_fire_lane" => reader.of(&[], |mg| Ok(Change::LiftFireLane { mg })),
        "ec" => Ok(Change::Ec(it.word(&CONDITIONS)?)),
        _ => Err(it.wrong("is no change that there is")),
    }
}

struct Reader<'a> {
    it: &'a Node<'a>,
}

impl Reader<'_> {
    /// A change of a counter that has these fields beside.
    fn of(
        &self,
        fields: &[&str],
        read: impl FnOnce(String) -> Result<Change, Wrong>,
    ) -> Result<Change, Wrong> {
        let id = self.it.need("counter")?.text()?.to_owned();
        let names: Vec<&str> = fields.iter().copied().chain(["counter"]).collect();
        self.none(&self.it.strangers(&names))?;
        read(id)
    }

    /// A change that says something which is not understood must not be made.
    fn none(&self, strangers: &[String]) -> Result<(), Wrong> {
        match strangers.first() {
            None => Ok(()),
            Some(stranger) => Err(self.it.wrong(format!("has no field {stranger}"))),
        }
    }

    fn text(&self, name: &str) -> Result<Option<String>, Wrong> {
        let text = self.it.get(name).map(|it| it.text().map(str::to_owned));
        text.transpose()
    }

    fn flags(&self, name: &str) -> Result<CounterFlags, Wrong> {
        let mut flags = CounterFlags::none();
        if let Some(list) = self.it.get(name) {
            for item in list.items()? {
                flags = flags.and(item.word(&CounterFlags::NAMED)?);
            }
        }
        Ok(flags)
    }
}

fn change_json(change: &Change, grid: &Grid) -> Value {
    let mut fields = Map::new();
    let id = change.counter().unwrap_or_default();
    fields.insert("counter".into(), json!(id));
    let mut set = |key: &str, value: Value| {
        if !value.is_null() {
            fields.insert(key.into(), value);
        }
    };
    match change {
        Change::Place(placed) => return json!({"place": counter_json(placed, grid)}),
        Change::Ec(ec) => return json!({"ec": word(&CONDITIONS, *ec)}),
        Change::Remove { .. } | Change::Dismount { .. } | Change::LiftFireLane { .. } => {}
        Change::Move {
            hex,
            height,
            aboard,
            ..
        } => {
            set("hex", json!(grid.label(*hex)));
            set("height", json!(height));
            set("aboard", json!(aboard));
        }
        Change::Board { carrier, .. } => set("carrier", json!(carrier)),
        Change::Turn { facing, .. } => set("facing", json!(facing)),
        Change::Flags { set: on, clear, .. } => {
            let names = |flags: &CounterFlags| json!(flags.names().collect::<Vec<_>>());
            set("set", names(on));
            set("clear", names(clear));
        }
        Change::Wreck { burning, .. } => set("burning", json!(burning)),
        Change::Attribute { name, value, .. } => {
            set("name", json!(name));
            set("value", json!(value));
        }
        Change::Side { side, .. } => set("side", json!(side)),
        Change::KnownTo { sides, .. } => set("sides", json!(sides)),
        Change::LayFireLane(lane) => set("hex", json!(grid.label(lane.hex))),
    }
    json!({change.name(): fields})
}
