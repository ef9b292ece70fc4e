//! The legend under a picture.

use super::line::{CROSSING, LINE};
use super::marks::Marks;
use crate::scene::Drawn;
use crate::told;

/// How many letters a line of the legend has at most, if its words allow.
const WIDTH: usize = 96;

/// What the marks mean, and which counters there are.
pub(super) fn text(drawn: &Drawn<'_>, marks: &Marks<'_>) -> String {
    let areas = marks.areas.iter();
    let mut terms: Vec<String> = areas
        .map(|area| format!("{} {}", area.mark, told::spoken(area.what.layer)))
        .collect();
    for side in &marks.sides {
        let name = told::field(side.what.layer, side.what.field);
        terms.push(format!("{} {name}", side.mark));
    }
    if drawn.course.is_some() {
        terms.push(format!("{LINE} the line and the hexes it touches"));
        terms.push(format!("{CROSSING} a hexside it crosses or runs along"));
    }
    let counters = drawn.scene.position.counters().iter();
    let counters: Vec<String> = counters
        .filter(|counter| drawn.frame.shows(counter.hex))
        .map(|counter| told::counter(counter, drawn.scene))
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
