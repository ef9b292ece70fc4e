//! What is said of a picture in words.

use alamein_hex::Hex;
use alamein_terrain::Counter;

use crate::scene::Scene;

/// A name as people say it.
pub(crate) fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

/// What to call the hexes or hexsides of a field: the layer's name, and the field's where it says
/// more.
pub(crate) fn field(layer: &str, field: &str) -> String {
    if matches!(field, "hexes" | "hexsides" | "sides") {
        spoken(layer)
    } else {
        format!("{} {}", spoken(layer), spoken(field))
    }
}

/// A counter: its id, class, hex and whatever else there is to it.
pub(crate) fn counter(counter: &Counter, scene: &Scene<'_>) -> String {
    let hex = scene.name(counter.hex);
    let mut told = format!("{} {} {hex}", counter.id, spoken(counter.class.name()));
    if let Some(side) = &counter.side {
        told.push_str(&format!(" {side}"));
    }
    for flag in counter.flags.names() {
        told.push_str(&format!(" {}", spoken(flag)));
    }
    if let Some(carrier) = &counter.aboard {
        told.push_str(&format!(" aboard {carrier}"));
    }
    told
}

/// So many hexes.
pub(crate) fn hexes<'a>(hexes: impl IntoIterator<Item = &'a Hex>) -> String {
    match hexes.into_iter().count() {
        1 => "1 hex".to_owned(),
        count => format!("{count} hexes"),
    }
}
