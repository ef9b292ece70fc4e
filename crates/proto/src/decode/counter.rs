//! Counters: those of a position, and the probes of a question.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::Grid;
use alamein_terrain::{Counter, CounterFlags};

use super::basics::{chosen, hex, name, text, unknown_word};
use crate::refused::{Limits, Refused};
use crate::v1::{self, ErrorReason, attribute::Value};
use crate::within::{Within, each};
use crate::words::FLAGS;

/// How far a counter may stand above or below its hex, in half levels.
const HEIGHTS: std::ops::RangeInclusive<i16> = -64..=64;

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

fn counter(given: &v1::Counter, grid: &Grid, limits: &Limits) -> Result<Counter, Refused> {
    let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    let height = i16::try_from(given.height_half_levels).ok();
    let height = height
        .filter(|height| HEIGHTS.contains(height))
        .ok_or_else(|| {
            let (least, most) = (HEIGHTS.start(), HEIGHTS.end());
            Refused::out_of_range("height_half_levels", given.height_half_levels, least, most)
        });
    Ok(Counter {
        id: name(&given.id, "id", limits)?.to_owned(),
        class: chosen(given.class, "class")?,
        hex: hex(grid, &given.hex, "hex")?,
        side: named(text(&given.side, "side", limits)?),
        aboard: named(text(&given.aboard, "aboard", limits)?),
        height: height?,
        flags: flags(&given.flags)?,
        attributes: attributes(&given.attributes, limits)?,
    })
}

fn flags(given: &[i32]) -> Result<CounterFlags, Refused> {
    let mut flags = CounterFlags::none();
    each(given, "flags", "", |number| {
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
