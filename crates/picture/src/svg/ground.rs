//! The hexes: their levels, the layers that hold them, their names.

use std::collections::BTreeMap;

use alamein_hex::{Hex, Hexside};

use super::look::Look;
use super::page::Picture;
use super::point::{Layout, Point, Tenths, outline};
use super::symbols::{GLYPHS, glyph};
use super::xml::Xml;
use crate::content::Area;

/// How large a layer is drawn in a hex that so many other layers hold already, in hundredths.
pub(super) const WITHIN: [i32; 3] = [100, 64, 36];

/// The colours of ground above the lowest.
const HIGH: [&str; 5] = ["#faf6ea", "#e9d9b4", "#d9c193", "#c8a877", "#b8925e"];

/// The colours of ground below that.
const LOW: [&str; 2] = ["#dfe3dc", "#c6cdc8"];

/// What is written on any ground.
pub(super) const WRITING: &str = "#2a2218";

/// The lines between hexes.
const GRID: &str = "#8d7b5c";

/// The lines between levels.
pub(super) const CONTOUR: &str = "#8a5a2b";

/// The colour of what is dark.
const SHADE: &str = "#1b2433";

/// The colour of bare ground of a level.
pub(super) fn of_level(level: i16) -> &'static str {
    let steps = usize::from(level.unsigned_abs());
    match level {
        0.. => HIGH[steps.min(HIGH.len() - 1)],
        _ => LOW[(steps - 1).min(LOW.len() - 1)],
    }
}

/// What hexes are like.
pub(super) fn draw(picture: &Picture<'_>, xml: &mut Xml) {
    bare(picture, xml);
    let mut depth: BTreeMap<Hex, usize> = BTreeMap::new();
    for (area, look) in picture.areas() {
        let mut paths = [const { String::new() }; WITHIN.len()];
        for hex in &area.hexes {
            let depth = depth.entry(*hex).or_default();
            let within = (*depth).min(WITHIN.len() - 1);
            paths[within] += &outline(picture.layout.centre(*hex), WITHIN[within]);
            *depth += 1;
        }
        xml.open("g", &[("data-layer", &area.layer)]);
        let paths = paths.iter().enumerate();
        for (within, path) in paths.filter(|(_, path)| !path.is_empty()) {
            fill(path, look, within > 0, xml);
        }
        if !look.cover {
            rim(area, look, &picture.layout, xml);
        }
        xml.close();
    }
    contours(picture, xml);
    marks(picture, xml);
    shade(picture, xml);
}

/// Darkens hexes, whatever they are like.
fn shade(picture: &Picture<'_>, xml: &mut Xml) {
    let drawn = picture.drawn;
    let shaded = drawn.scene.shaded.iter();
    let shaded = shaded.filter(|hex| drawn.frame.shows(**hex));
    let path: String = shaded
        .map(|hex| outline(picture.layout.centre(*hex), 100))
        .collect();
    if !path.is_empty() {
        xml.put(
            "path",
            &[("fill", &SHADE), ("fill-opacity", &".5"), ("d", &path)],
        );
    }
}

/// The ground below all layers, hex by hex. A page may find each by its name.
fn bare(picture: &Picture<'_>, xml: &mut Xml) {
    let map = picture.drawn.scene.position.map();
    xml.open("g", &[("stroke", &GRID), ("stroke-width", &".8")]);
    for hex in picture.drawn.frame.hexes() {
        let name = picture.drawn.scene.name(hex);
        let path = outline(picture.layout.centre(hex), 100);
        let ground = of_level(map.level(hex));
        xml.put(
            "path",
            &[("data-hex", &name), ("fill", &ground), ("d", &path)],
        );
    }
    xml.close();
}

/// Fills hexes as a layer looks; within other layers with an edge around.
pub(super) fn fill(path: &str, look: &Look, within: bool, xml: &mut Xml) {
    let (edge, width) = if within {
        (look.ink, ".9")
    } else {
        (GRID, ".8")
    };
    xml.put(
        "path",
        &[
            ("d", &path),
            ("fill", &look.ground),
            ("stroke", &edge),
            ("stroke-width", &width),
        ],
    );
    let texture = format!("url(#{})", look.texture.id(look.ink));
    let opacity = ".55";
    xml.put(
        "path",
        &[("d", &path), ("fill", &texture), ("fill-opacity", &opacity)],
    );
}

/// The line around the hexes of a layer.
fn rim(area: &Area<'_>, look: &Look, layout: &Layout<'_>, xml: &mut Xml) {
    let mut path = String::new();
    for hex in &area.hexes {
        for side in hex.hexsides() {
            let beyond = side.beyond(*hex);
            let ends = |hex: Hex| layout.shows(hex) && !area.hexes.contains(&hex);
            if beyond.is_some_and(ends) {
                path += &line(layout, side);
            }
        }
    }
    if !path.is_empty() {
        xml.stroke(&path, look.ink, "1.6");
    }
}

fn line(layout: &Layout<'_>, side: Hexside) -> String {
    let [start, end] = layout.ends(side);
    format!("M{start}L{end}")
}

/// The lines between hexes of different levels.
fn contours(picture: &Picture<'_>, xml: &mut Xml) {
    let map = picture.drawn.scene.position.map();
    if map.levels.is_empty() {
        return;
    }
    let mut path = String::new();
    for hex in picture.drawn.frame.hexes() {
        for side in hex.hexsides() {
            let [one, other] = side.hexes();
            let both = one == hex && picture.layout.shows(other);
            if both && map.level(one) != map.level(other) {
                path += &line(&picture.layout, side);
            }
        }
    }
    if !path.is_empty() {
        xml.stroke(&path, CONTOUR, "2.4");
    }
}

/// The marks of the fields of layers that single out some of their hexes.
fn marks(picture: &Picture<'_>, xml: &mut Xml) {
    for (at, (area, field, look)) in picture.parts().enumerate() {
        let hexes = area.parts.iter().find(|(name, _)| *name == field);
        let path: String = hexes
            .iter()
            .flat_map(|(_, hexes)| hexes)
            .map(|hex| {
                let across = [-100, 100, -50, 50][at % 4];
                glyph(at % GLYPHS, picture.layout.centre(*hex).by(across, 205))
            })
            .collect();
        mark(&path, look, xml);
    }
}

/// Draws a mark.
pub(super) fn mark(path: &str, look: &Look, xml: &mut Xml) {
    xml.put(
        "path",
        &[
            ("d", &path),
            ("fill", &look.ink),
            ("stroke", &"#fffaf0"),
            ("stroke-width", &"1"),
            ("paint-order", &"stroke"),
        ],
    );
}

/// What is written into hexes: their names, levels and numbers.
pub(super) fn write(picture: &Picture<'_>, xml: &mut Xml) {
    let scene = picture.drawn.scene;
    let map = scene.position.map();
    xml.open(
        "g",
        &[
            ("fill", &WRITING),
            ("text-anchor", &"middle"),
            ("stroke", &"#fffaf0"),
            ("stroke-width", &"2.2"),
            ("paint-order", &"stroke"),
        ],
    );
    xml.open("g", &[("font-size", &"8.5")]);
    for hex in picture.drawn.frame.hexes() {
        let at = picture.layout.centre(hex).by(0, -155);
        say(&scene.name(hex), at, xml);
    }
    xml.close();
    xml.open("g", &[("font-size", &"9"), ("font-weight", &"700")]);
    for hex in picture.drawn.frame.hexes() {
        let level = map.level(hex);
        let at = picture.layout.centre(hex).by(95, 205);
        if level != 0 {
            say(&signed(level), at, xml);
        }
    }
    for (area, _) in picture.areas() {
        for (hex, number) in &area.numbers {
            let at = picture.layout.centre(*hex).by(0, 40);
            say(&number.to_string(), at, xml);
        }
    }
    xml.close();
    xml.close();
}

/// A level with its sign.
pub(super) fn signed(level: i16) -> String {
    match level {
        0 => "0".to_owned(),
        level => format!("{level:+}").replace('-', "\u{2212}"),
    }
}

/// Writes words, their middle and their line at a point.
pub(super) fn say(words: &str, at: Point, xml: &mut Xml) {
    let (x, y) = (Tenths(at.x), Tenths(at.y));
    xml.say("text", &[("x", &x), ("y", &y)], words);
}
