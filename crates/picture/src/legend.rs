//! The legend under a picture.

use alamein_terrain::Counter;

use crate::frame::Frame;
use crate::line::{CROSSING, LINE};
use crate::marks::Marks;
use crate::scene::Scene;

/// How many letters a line of the legend has at most, if its words allow.
const WIDTH: usize = 96;

/// What the marks mean, and which counters there are.
pub(crate) fn text(scene: &Scene<'_>, frame: &Frame, marks: &Marks<'_>) -> String {
    let mut terms: Vec<String> = marks
        .layers
        .iter()
        .map(|layer| format!("{} {}", layer.mark, spoken(layer.name)))
        .collect();
    for side in &marks.sides {
        terms.push(format!(
            "{} {}",
            side.mark,
            side_name(side.layer, side.field)
        ));
    }
    if scene.line.is_some() {
        terms.push(format!("{LINE} the line and the hexes it touches"));
        terms.push(format!("{CROSSING} a hexside it crosses or runs along"));
    }
    let counters = scene.position.counters().iter();
    let counters: Vec<String> = counters
        .filter(|counter| frame.shows(counter.hex))
        .map(|counter| told(counter, scene))
        .collect();
    let mut text = String::new();
    for line in wrapped(&terms, "   ")
        .into_iter()
        .chain(wrapped(&counters, "; "))
    {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

/// What to call the hexsides of a field: the layer's name, and the field's where it says more.
fn side_name(layer: &str, field: &str) -> String {
    if matches!(field, "hexsides" | "sides") {
        spoken(layer)
    } else {
        format!("{} {}", spoken(layer), spoken(field))
    }
}

fn told(counter: &Counter, scene: &Scene<'_>) -> String {
    let hex = scene.position.map().grid.label(counter.hex);
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

fn wrapped(terms: &[String], between: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for term in terms {
        match lines.last_mut() {
            Some(line) if line.len() + between.len() + term.len() <= WIDTH => {
                line.push_str(between);
                line.push_str(term);
            }
            _ => lines.push(term.clone()),
        }
    }
    lines
}
