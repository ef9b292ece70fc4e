//! Positions in words.

use alamein_terrain::{Changed, Counter, EnvironmentCondition, FireLane, Position};

/// What stands on a position.
pub(super) fn position(position: &Position) -> String {
    let mut text = String::new();
    for it in position.counters() {
        text.push_str(&format!("{}\n", counter(it, position)));
    }
    for it in position.fire_lanes() {
        text.push_str(&format!("Fire Lane of {}: {}\n", it.mg, lane(it, position)));
    }
    text.push_str(&format!("{}\n", told_ec(position.environment().ec)));
    text.push_str(&format!(
        "position {}\nmap {}\n",
        position.id(),
        position.map_id()
    ));
    text
}

/// What differs between two positions, a line for what was and one for what is.
pub(super) fn changed(changed: &[Changed], on: &Position) -> String {
    let mut text = String::new();
    let mut pair = |before: Option<String>, after: Option<String>| {
        for (sign, told) in [('-', before), ('+', after)] {
            if let Some(told) = told {
                text.push_str(&format!("{sign} {told}\n"));
            }
        }
    };
    for it in changed {
        match it {
            Changed::Counter { before, after } => {
                let told = |it: &Option<Counter>| it.as_ref().map(|it| counter(it, on));
                pair(told(before), told(after));
            }
            Changed::FireLane { before, after } => {
                let told = |it: &Option<FireLane>| {
                    let told = |it: &FireLane| format!("Fire Lane of {}: {}", it.mg, lane(it, on));
                    it.as_ref().map(told)
                };
                pair(told(before), told(after));
            }
            Changed::Ec { before, after } => {
                pair(Some(told_ec(*before)), Some(told_ec(*after)));
            }
        }
    }
    text
}

fn told_ec(ec: EnvironmentCondition) -> String {
    format!("EC: {}", format!("{ec:?}").to_lowercase())
}

fn lane(lane: &FireLane, on: &Position) -> String {
    on.map().grid.label(lane.hex)
}

fn counter(counter: &Counter, on: &Position) -> String {
    let hex = on.map().grid.label(counter.hex);
    let mut text = format!("{}: {} in {hex}", counter.id, counter.class);
    if let Some(side) = &counter.side {
        text.push_str(&format!(", {side}"));
    }
    if let Some(carrier) = &counter.aboard {
        text.push_str(&format!(", aboard {carrier}"));
    }
    if counter.height != 0 {
        text.push_str(&format!(", {:+} half levels", counter.height));
    }
    if let Some(facing) = counter.facing {
        text.push_str(&format!(", facing {facing}"));
    }
    for flag in counter.flags.names() {
        text.push_str(&format!(", {flag}"));
    }
    for (name, value) in &counter.attributes {
        text.push_str(&format!(", {name}={value}"));
    }
    if !counter.known_to.is_empty() {
        let sides: Vec<&str> = counter.known_to.iter().map(String::as_str).collect();
        text.push_str(&format!(", known to {}", sides.join(" and ")));
    }
    text
}
