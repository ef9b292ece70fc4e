//! What a picture says to those who do not see it.

use std::collections::BTreeSet;

use alamein_hex::{Contact, Event, Hex, Hexside};

use super::page::Picture;
use crate::course::Course;
use crate::scene::Scene;
use crate::told;

/// What the picture is called.
pub(super) fn title(scene: &Scene<'_>) -> String {
    if !scene.title.is_empty() {
        return scene.title.clone();
    }
    let grid = &scene.position.map().grid;
    format!("A map of {} by {} hexes", grid.columns(), grid.rows())
}

/// All that it shows, in sentences.
pub(super) fn description(picture: &Picture<'_>) -> String {
    let scene = picture.drawn.scene;
    let mut sentences = vec![extent(picture)];
    for (area, _) in picture.areas() {
        let (name, names) = (told::spoken(area.layer), hexes(&area.hexes, scene));
        sentences.push(format!("{name}, {}: {names}.", told::hexes(&area.hexes)));
    }
    for field in &picture.drawn.content.sides {
        let names = field.sides.iter().map(|side| hexside(*side, scene));
        let names: Vec<String> = names.collect();
        let name = told::field(field.layer, field.field);
        sentences.push(format!("{name}: {}.", names.join(", ")));
    }
    if let Some(course) = &picture.drawn.course {
        sentences.push(line(course, scene));
    }
    let counters: Vec<String> = picture
        .counters()
        .map(|counter| told::counter(counter, scene))
        .collect();
    if !counters.is_empty() {
        sentences.push(format!("Counters: {}.", counters.join("; ")));
    }
    sentences.join(" ")
}

/// From which hex to which it goes.
fn extent(picture: &Picture<'_>) -> String {
    let name = |hex: Option<Hex>| hex.map(|hex| picture.drawn.scene.name(hex));
    let (first, last) = (
        name(picture.drawn.frame.hexes().next()),
        name(picture.drawn.frame.hexes().last()),
    );
    match (first, last) {
        (Some(first), Some(last)) => format!("The hexes from {first} to {last}; north is up."),
        _ => "No hexes.".to_owned(),
    }
}

fn hexes(hexes: &BTreeSet<Hex>, scene: &Scene<'_>) -> String {
    let names: Vec<String> = hexes.iter().map(|hex| scene.name(*hex)).collect();
    names.join(", ")
}

/// A hexside: its two hexes in the order of their letters and digits.
fn hexside(side: Hexside, scene: &Scene<'_>) -> String {
    let mut names = side.hexes().map(|hex| scene.name(hex));
    names.sort();
    names.join("|")
}

/// What the line does.
fn line(course: &Course, scene: &Scene<'_>) -> String {
    let end = |hex: Hex| scene.name(hex);
    let touched = course.touched().map(|(hex, contact)| {
        let how = match contact {
            Contact::End | Contact::Through => "",
            Contact::Along => " (along a hexside)",
            Contact::Vertex => " (at a vertex)",
        };
        format!("{}{how}", scene.name(hex))
    });
    let touched: Vec<String> = touched.collect();
    let crossed = course.events().filter_map(|event| match event {
        Event::Cross(side) => Some(hexside(side, scene)),
        _ => None,
    });
    let crossed: Vec<String> = crossed.collect();
    let mut told = format!(
        "A line from {} to {} touches {}",
        end(course.from.hex),
        end(course.to.hex),
        touched.join(", ")
    );
    if !crossed.is_empty() {
        told += &format!(" and crosses {}", crossed.join(", "));
    }
    told + "."
}
