//! The line across the map.

use alamein_hex::{Contact, Event};

use super::page::Picture;
use super::point::{Layout, Point, Tenths, outline};
use super::xml::Xml;
use crate::course::Course;

/// The colour of the line and of all that belongs to it.
pub(super) const INK: &str = "#a3123f";

/// What lies around it.
pub(super) const PALE: &str = "#fffaf0";

/// Draws the line, the hexes that it touches and where it meets hexsides.
pub(super) fn draw(picture: &Picture<'_>, xml: &mut Xml) {
    let Some(course) = &picture.drawn.course else {
        return;
    };
    let layout = &picture.layout;
    touched(course, layout, xml);
    for event in course.events() {
        if let Event::Along(side) = event {
            along(layout.ends(side), xml);
        }
    }
    let ends = (layout.aim(course.from), layout.aim(course.to));
    stroke(ends, xml);
    for event in course.events() {
        match event {
            Event::Cross(side) => crossing(layout.crossing(ends, side), xml),
            Event::Through(vertex) => through(layout.corner(vertex), xml),
            Event::Enter(_) | Event::Along(_) => {}
        }
    }
}

/// An edge within each hex that the line touches: whole where it runs through the hex, of dashes
/// where it only runs along a hexside or meets a vertex.
fn touched(course: &Course, layout: &Layout<'_>, xml: &mut Xml) {
    let mut paths = [String::new(), String::new()];
    for (hex, contact) in course.touched() {
        let within = matches!(contact, Contact::End | Contact::Through);
        paths[usize::from(!within)] += &outline(layout.centre(hex), 92);
    }
    for (path, grazed) in paths.iter().zip([false, true]) {
        if !path.is_empty() {
            touch(path, grazed, xml);
        }
    }
}

/// The edge within a hex that the line touches.
pub(super) fn touch(path: &str, grazed: bool, xml: &mut Xml) {
    let dashes: &str = if grazed { "3 3" } else { "none" };
    xml.put(
        "path",
        &[
            ("d", &path),
            ("stroke", &INK),
            ("stroke-width", &"1.6"),
            ("stroke-dasharray", &dashes),
        ],
    );
}

/// The line itself.
pub(super) fn stroke((from, to): (Point, Point), xml: &mut Xml) {
    let path = format!("M{from}L{to}");
    for (colour, width) in [(PALE, "5"), (INK, "2.2")] {
        xml.stroke(&path, colour, width);
    }
    for at in [from, to] {
        disc(at, 30, INK, xml);
    }
}

/// A hexside along which the line runs.
pub(super) fn along([start, end]: [Point; 2], xml: &mut Xml) {
    let path = format!("M{start}L{end}");
    xml.put(
        "path",
        &[
            ("d", &path),
            ("stroke", &INK),
            ("stroke-width", &"8"),
            ("stroke-opacity", &".35"),
        ],
    );
}

/// Where the line crosses a hexside.
pub(super) fn crossing(at: Point, xml: &mut Xml) {
    disc(at, 30, PALE, xml);
}

/// A vertex through which the line runs.
pub(super) fn through(at: Point, xml: &mut Xml) {
    let path = format!("M{}l4.2 4.2-4.2 4.2-4.2-4.2z", at.by(0, -42));
    xml.put(
        "path",
        &[
            ("d", &path),
            ("fill", &PALE),
            ("stroke", &INK),
            ("stroke-width", &"1.6"),
        ],
    );
}

fn disc(at: Point, radius: i32, fill: &str, xml: &mut Xml) {
    xml.put(
        "circle",
        &[
            ("cx", &Tenths(at.x)),
            ("cy", &Tenths(at.y)),
            ("r", &Tenths(radius)),
            ("fill", &fill),
            ("stroke", &INK),
            ("stroke-width", &"1.6"),
        ],
    );
}
