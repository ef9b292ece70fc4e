//! The legend below the map.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Contact, Event};
use alamein_terrain::{Counter, CounterClass};

use super::counters::{self, Livery};
use super::edges::{self, Edge, Run};
use super::look::Look;
use super::page::Picture;
use super::point::{HALF_HEIGHT, Point, Tenths, outline};
use super::symbols::{GLYPHS, glyph};
use super::xml::Xml;
use super::{ground, line};
use crate::told;

/// How high a row is.
const ROW: i32 = 250;
/// How wide a swatch is, with what parts it from its words.
const SWATCH: i32 = 330;
/// How wide a letter is, about.
const LETTER: i32 = 58;
/// What parts two keys of a row.
const GAP: i32 = 180;

/// What a key shows.
#[derive(Clone, Debug)]
enum Swatch {
    Ground(Look),
    Within,
    Level(i16),
    Contour,
    Edge(Edge, &'static str, bool),
    Part(usize, Look),
    Line,
    Touch(bool),
    Crossing,
    Through,
    Along,
    Class(CounterClass),
    Side(Livery),
    Badge(String),
}

/// What something on the map means.
#[derive(Clone, Debug)]
struct Key {
    swatch: Swatch,
    words: String,
}

impl Key {
    fn width(&self) -> i32 {
        let letters = i32::try_from(self.words.chars().count()).unwrap_or(i32::MAX / 1000);
        SWATCH + LETTER * letters.min(1000)
    }
}

/// The keys, each with its place from the legend's upper left corner.
#[derive(Debug)]
pub(super) struct Legend {
    keys: Vec<(Point, Key)>,
    pub(super) width: i32,
    pub(super) height: i32,
}

impl Legend {
    /// The legend of a picture, as wide as that if its words allow.
    pub(super) fn of(picture: &Picture<'_>, width: i32) -> Self {
        let mut legend = Self {
            keys: Vec::new(),
            width: 0,
            height: 0,
        };
        for group in [
            grounds(picture),
            levels(picture),
            of_line(picture),
            of_counters(picture),
        ] {
            legend.add(group, width);
        }
        legend
    }

    /// Adds keys, from a new row on.
    fn add(&mut self, keys: Vec<Key>, width: i32) {
        let mut left = 0;
        for key in keys {
            if left == 0 || left + key.width() > width {
                left = 0;
                self.height += ROW;
            }
            let at = Point::new(left, self.height - ROW / 2);
            left += key.width() + GAP;
            self.width = self.width.max(left - GAP);
            self.keys.push((at, key));
        }
    }

    /// Draws it.
    pub(super) fn draw(&self, corner: Point, xml: &mut Xml) {
        for (at, key) in &self.keys {
            draw(&key.swatch, corner.by(at.x + 140, at.y), xml);
        }
        xml.open("g", &[("font-size", &"11"), ("fill", &ground::WRITING)]);
        for (at, key) in &self.keys {
            if let Swatch::Badge(badge) = &key.swatch {
                ground::say(badge, corner.by(at.x, at.y + 38), xml);
            }
            let words = corner.by(at.x + SWATCH, at.y + 38);
            ground::say(&key.words, words, xml);
        }
        xml.close();
    }
}

fn key(swatch: Swatch, words: impl Into<String>) -> Key {
    Key {
        swatch,
        words: words.into(),
    }
}

/// What lies on the ground.
fn grounds(picture: &Picture<'_>) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut held = BTreeSet::new();
    let mut twice = false;
    for (area, look) in picture.areas() {
        keys.push(key(Swatch::Ground(*look), told::spoken(area.layer)));
        for hex in &area.hexes {
            twice |= !held.insert(*hex);
        }
    }
    for (at, (area, field, look)) in picture.parts().enumerate() {
        let words = told::field(area.layer, field);
        keys.push(key(Swatch::Part(at % GLYPHS, *look), words));
    }
    for drawing in &picture.drawings {
        let words = told::field(drawing.field.layer, drawing.field.field);
        let swatch = Swatch::Edge(drawing.edge, drawing.ink, drawing.has_inside());
        keys.push(key(swatch, words));
    }
    if twice {
        keys.push(key(Swatch::Within, "one in another: both"));
    }
    keys
}

/// The levels that there are, if there is more than bare ground at level 0.
fn levels(picture: &Picture<'_>) -> Vec<Key> {
    let map = picture.drawn.scene.position.map();
    let hexes = picture.drawn.frame.hexes();
    let levels: BTreeSet<i16> = hexes.map(|hex| map.level(hex)).collect();
    if levels.iter().all(|level| *level == 0) {
        return Vec::new();
    }
    let level = |level: &i16| {
        key(
            Swatch::Level(*level),
            format!("level {}", ground::signed(*level)),
        )
    };
    let mut keys: Vec<Key> = levels.iter().map(level).collect();
    if levels.len() > 1 {
        keys.push(key(Swatch::Contour, "the level changes"));
    }
    keys
}

/// What belongs to the line.
fn of_line(picture: &Picture<'_>) -> Vec<Key> {
    let Some(course) = &picture.drawn.course else {
        return Vec::new();
    };
    let mut keys = vec![
        key(Swatch::Line, "the line"),
        key(Swatch::Touch(false), "a hex it runs through"),
    ];
    let grazes = |contact| matches!(contact, Contact::Along | Contact::Vertex);
    if course.touched().any(|(_, contact)| grazes(contact)) {
        keys.push(key(Swatch::Touch(true), "a hex it only grazes"));
    }
    let does = |what: fn(&Event) -> bool| course.events().any(|event| what(&event));
    if does(|event| matches!(event, Event::Cross(_))) {
        keys.push(key(Swatch::Crossing, "it crosses a hexside"));
    }
    if does(|event| matches!(event, Event::Along(_))) {
        keys.push(key(Swatch::Along, "it runs along a hexside"));
    }
    if does(|event| matches!(event, Event::Through(_))) {
        keys.push(key(Swatch::Through, "it runs through a vertex"));
    }
    keys
}

/// What counters show.
fn of_counters(picture: &Picture<'_>) -> Vec<Key> {
    let counters: Vec<&Counter> = picture.counters().collect();
    let mut sides = BTreeMap::new();
    let mut classes = BTreeSet::new();
    let mut badges = BTreeMap::new();
    for counter in &counters {
        let side = picture.side_of(counter);
        let name = counter.side.as_deref().unwrap_or("of no side");
        sides.insert(side, name);
        classes.insert(counter.class as u32);
        for flag in counter.flags.names() {
            badges.insert(counters::abbreviation(flag), told::spoken(flag));
        }
        if counter.height != 0 {
            let what = "half levels above its hex";
            badges.insert("+1h".to_owned(), what.to_owned());
        }
        if counter.aboard.is_some() {
            badges.insert("@A".to_owned(), "aboard A".to_owned());
        }
    }
    let mut keys = Vec::new();
    for (side, name) in sides {
        keys.push(key(Swatch::Side(counters::livery(side)), name));
    }
    for class in CounterClass::ALL {
        if classes.contains(&(class as u32)) {
            keys.push(key(Swatch::Class(class), told::spoken(class.name())));
        }
    }
    let badge = |(badge, words): (String, String)| key(Swatch::Badge(badge), words);
    keys.extend(badges.into_iter().map(badge));
    keys
}

/// Draws a swatch around a point.
fn draw(swatch: &Swatch, at: Point, xml: &mut Xml) {
    let ends = [at.by(-120, 0), at.by(120, 0)];
    match swatch {
        Swatch::Ground(look) => ground::fill(&outline(at, 40), look, false, xml),
        Swatch::Within => {
            bare(at, 40, ground::of_level(0), xml);
            bare(at, 22, ground::of_level(1), xml);
        }
        Swatch::Level(level) => bare(at, 40, ground::of_level(*level), xml),
        Swatch::Contour => stroke(ends, ground::CONTOUR, "2.4", xml),
        Swatch::Edge(edge, ink, inside) => edges::draw(*edge, ink, &[run(*edge, at, *inside)], xml),
        Swatch::Part(glyph_at, look) => ground::mark(&glyph(*glyph_at, at), look, xml),
        Swatch::Line => line::stroke((ends[0], ends[1]), xml),
        Swatch::Touch(grazed) => line::touch(&outline(at, 40), *grazed, xml),
        Swatch::Crossing => line::crossing(at, xml),
        Swatch::Through => line::through(at, xml),
        Swatch::Along => line::along(ends, xml),
        Swatch::Class(class) => small(at, xml, |xml| {
            counters::body(*class, counters::livery(None), xml);
        }),
        Swatch::Side(livery) => small(at, xml, |xml| counters::frame(*livery, xml)),
        // It is written with the words.
        Swatch::Badge(_) => {}
    }
}

/// A hexside that a key shows.
fn run(edge: Edge, at: Point, inside: bool) -> Run {
    let ends = [at.by(-120, 0), at.by(120, 0)];
    let centres = match edge {
        Edge::Road | Edge::Track => ends,
        _ => [at.by(0, -HALF_HEIGHT), at.by(0, HALF_HEIGHT)],
    };
    Run {
        ends,
        centres,
        teeth: [!inside, true],
    }
}

fn bare(at: Point, hundredths: i32, fill: &str, xml: &mut Xml) {
    let path = outline(at, hundredths);
    xml.put(
        "path",
        &[
            ("d", &path),
            ("fill", &fill),
            ("stroke", &ground::WRITING),
            ("stroke-width", &".8"),
        ],
    );
}

fn stroke([start, end]: [Point; 2], ink: &str, width: &str, xml: &mut Xml) {
    let path = format!("M{start}L{end}");
    xml.stroke(&path, ink, width);
}

/// Draws something a little smaller than it is on the map.
fn small(at: Point, xml: &mut Xml, draw: impl FnOnce(&mut Xml)) {
    let (x, y) = (Tenths(at.x), Tenths(at.y));
    let transform = format!("translate({x} {y}) scale(.8)");
    xml.open("g", &[("transform", &transform)]);
    draw(xml);
    xml.close();
}
