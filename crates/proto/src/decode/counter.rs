//! Counters: those of a position, and the probes of a question.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::Grid;
use alamein_terrain::{Counter, CounterClass, CounterFlags};

use super::basics::{chosen, hex, name, text, unknown_word};
use crate::refused::{Limits, Refused};
use crate::v1::{self, ErrorReason, attribute::Value};
use crate::within::{Within, each};
use crate::words::FLAGS;

/// How many sides may be told of a counter.
const MOST_SIDES: usize = 16;

/// Reads counters of which `known` tells those that are there already.
pub(crate) fn counters<'a>(
    given: &[v1::Counter],
    list: &str,
    grid: &Grid,
    known: impl Fn(&str) -> Option<&'a Counter>,
    limits: &Limits,
) -> Result<Vec<Counter>, Refused> {
    let mut ids = BTreeSet::new();
    let counters = each(given, list, ".", |given| {
        let counter = counter(given, grid, limits)?;
        if known(&counter.id).is_none() && ids.insert(given.id.as_str()) {
            return Ok(counter);
        }
        let message = "another counter has this id; give each its own";
        Err(Refused::new(ErrorReason::DuplicateCounter, "id", message).with("counter", counter.id))
    })?;
    let by_id: BTreeMap<&str, &Counter> = counters
        .iter()
        .map(|counter| (counter.id.as_str(), counter))
        .collect();
    each(&counters, list, ".", |counter| {
        carrier(counter, |id| by_id.get(id).copied().or_else(|| known(id)))
    })?;
    if let Some(at) = alamein_terrain::aboard_in_a_ring(&counters) {
        let (id, carrier) = (&counters[at].id, counters[at].aboard.as_deref());
        let field = format!("{list}[{at}].aboard");
        return Err(bad_carrier(&field, id, carrier.unwrap_or_default()));
    }
    Ok(counters)
}

/// Reads a counter. Whether what carries it is there and can, is another question.
pub(crate) fn counter(
    given: &v1::Counter,
    grid: &Grid,
    limits: &Limits,
) -> Result<Counter, Refused> {
    let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    Ok(Counter {
        id: name(&given.id, "id", limits)?.to_owned(),
        class: chosen(given.class, "class")?,
        hex: hex(grid, &given.hex, "hex")?,
        side: named(text(&given.side, "side", limits)?),
        aboard: named(text(&given.aboard, "aboard", limits)?),
        height: height(given.height_half_levels)?,
        facing: facing(given)?,
        flags: flags(&given.flags, "flags")?,
        attributes: attributes(&given.attributes, limits)?,
        known_to: sides(&given.known_to, "known_to", limits)?,
    })
}

/// How far a counter stands above its hex.
pub(crate) fn height(given: i32) -> Result<i16, Refused> {
    let height = i16::try_from(given).ok();
    let height = height.filter(|height| Counter::HEIGHTS.contains(height));
    height.ok_or_else(|| {
        let (least, most) = (Counter::HEIGHTS.start(), Counter::HEIGHTS.end());
        Refused::out_of_range("height_half_levels", given, least, most)
    })
}

/// The vertex that a counter faces.
fn facing(given: &v1::Counter) -> Result<Option<u8>, Refused> {
    let Some(facing) = given.facing else {
        return Ok(None);
    };
    let class: CounterClass = chosen(given.class, "class")?;
    if !class.has_facing() {
        return Err(no_facing("facing", &given.id, class));
    }
    vertex(facing, "facing").map(Some)
}

/// The refusal of a facing that a class has not.
pub(crate) fn no_facing(field: &str, id: &str, class: CounterClass) -> Refused {
    let message = format!("a counter of class {class} has none: a vehicle, a wreck and a Gun have");
    Refused::new(ErrorReason::FacingInvalid, field, message)
        .with("counter", id)
        .with("class", class)
}

/// A vertex of a hex by its number.
pub(crate) fn vertex(given: u32, field: &str) -> Result<u8, Refused> {
    let vertex = u8::try_from(given).ok().filter(|vertex| *vertex < 6);
    vertex.ok_or_else(|| Refused::out_of_range(field, given, 0, 5))
}

/// The sides that know of a counter.
pub(crate) fn sides(
    given: &[String],
    list: &str,
    limits: &Limits,
) -> Result<BTreeSet<String>, Refused> {
    if given.len() > MOST_SIDES {
        return Err(Refused::too_long(list, given.len(), "sides", MOST_SIDES));
    }
    let sides = each(given, list, "", |side| name(side, "", limits))?;
    Ok(sides.into_iter().map(str::to_owned).collect())
}

pub(crate) fn flags(given: &[i32], list: &str) -> Result<CounterFlags, Refused> {
    let mut flags = CounterFlags::none();
    each(given, list, "", |number| {
        let known = FLAGS.iter().find(|(wire, _)| *wire as i32 == *number);
        let (_, flag) = known.ok_or_else(|| unknown_word(*number, ""))?;
        flags = flags.and(*flag);
        Ok::<(), Refused>(())
    })?;
    Ok(flags)
}

fn attributes(given: &[v1::Attribute], limits: &Limits) -> Result<BTreeMap<String, i64>, Refused> {
    let mut attributes = BTreeMap::new();
    each(given, "attributes", ".", |given| {
        let called = name(&given.name, "name", limits)?;
        let value = match given.value {
            None => return Err(Refused::missing("value")),
            Some(Value::BoolValue(value)) => i64::from(value),
            Some(Value::IntValue(value)) => value,
        };
        match attributes.insert(called.to_owned(), value) {
            None => Ok(()),
            Some(_) => {
                let plugin = called.split_once('.').map_or("", |(plugin, _)| plugin);
                let message = "the counter gives this attribute twice";
                Err(Refused::new(ErrorReason::AttributeInvalid, "name", message)
                    .with("attribute", called)
                    .with("plugin", plugin))
            }
        }
    })?;
    Ok(attributes)
}

/// Checks that what carries a counter is there and can.
fn carrier<'a>(
    counter: &Counter,
    find: impl Fn(&str) -> Option<&'a Counter>,
) -> Result<(), Refused> {
    let Some(carrier) = &counter.aboard else {
        return Ok(());
    };
    match find(carrier) {
        None => Err(unknown_counter(carrier)).within(|| "aboard".into()),
        Some(found) if found.class.is_vehicle() && found.hex == counter.hex => Ok(()),
        Some(_) => Err(bad_carrier("aboard", &counter.id, carrier)),
    }
}

/// The refusal of a counter that is not there; its field has no path yet.
pub(crate) fn unknown_counter(id: &str) -> Refused {
    let message = format!("there is no counter {id:?} in the position");
    Refused::new(ErrorReason::UnknownCounter, "", message).with("counter", id)
}

/// The refusal of a counter that is aboard what cannot carry it.
pub(crate) fn bad_carrier(field: &str, id: &str, carrier: &str) -> Refused {
    let message = format!("{id:?} cannot be aboard {carrier:?}, which is no vehicle in its hex");
    Refused::new(ErrorReason::CounterInvalid, field, message)
        .with("counter", id)
        .with("carrier", carrier)
}
