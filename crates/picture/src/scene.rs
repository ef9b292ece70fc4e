//! What is to be drawn, and drawing it.

use std::collections::BTreeMap;

use alamein_hex::{Aim, Hex, trace_between};
use alamein_terrain::Position;

use crate::canvas::{Canvas, Style};
use crate::frame::Frame;
use crate::line::Course;
use crate::marks::Marks;
use crate::place::{Place, cells_of};
use crate::{legend, line};

/// What is to be drawn.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The map and what stands on it.
    pub position: &'a Position,
    /// The word by which each layer's manifest says how it looks.
    pub looks: BTreeMap<String, String>,
    /// A line across it.
    pub line: Option<(Aim, Aim)>,
    /// Words to write into hexes.
    pub labels: Vec<Label>,
    /// What must be seen. If there is nothing: the line, or else whatever lies or stands there.
    pub focus: Vec<Hex>,
    /// How many hexes to show around that.
    pub margin: u16,
    /// Whether to use colours.
    pub colours: bool,
}

/// A word to write into a hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The hex.
    pub hex: Hex,
    /// The word; more than seven letters are cut.
    pub word: String,
}

impl<'a> Scene<'a> {
    /// The plain picture of a position.
    #[must_use]
    pub fn of(position: &'a Position) -> Self {
        Self {
            position,
            looks: BTreeMap::new(),
            line: None,
            labels: Vec::new(),
            focus: Vec::new(),
            margin: 1,
            colours: false,
        }
    }

    /// The hexes that must be seen.
    fn seen(&self) -> Vec<Hex> {
        let mut seen = self.focus.clone();
        if let Some((from, to)) = self.line {
            seen.extend(trace_between(from, to).touched().map(|touch| touch.hex));
        }
        if seen.is_empty() {
            let layers = self.position.map().layers.values();
            let fields = layers.flat_map(|layer| layer.fields.values());
            seen.extend(fields.flat_map(|field| field.hexes()));
            seen.extend(self.position.counters().iter().map(|counter| counter.hex));
        }
        seen.extend(self.labels.iter().map(|label| label.hex));
        seen
    }
}

/// Draws a scene. Of more hexes than anybody could look at it only says so.
#[must_use]
pub fn draw(scene: &Scene<'_>) -> String {
    let map = scene.position.map();
    let frame = Frame::around(&map.grid, &scene.seen(), scene.margin);
    if frame.is_too_large() {
        let (across, down) = frame.size();
        return format!(
            "A picture of {across} by {down} hexes would be too large; choose a part of the map.\n"
        );
    }
    let marks = Marks::of(map, &scene.looks, &frame);
    let course = scene.line.map(|(from, to)| Course::between(from, to));
    let mut painter = Painter {
        scene,
        frame: &frame,
        marks: &marks,
        canvas: Canvas::new(frame.width(), frame.height()),
        words: words(scene),
    };
    for hex in frame.hexes() {
        painter.outline(hex);
        painter.ground(hex);
    }
    painter.hexsides();
    if let Some(course) = &course {
        line::draw(course, &frame, &mut painter.canvas);
    }
    for hex in frame.hexes() {
        let touched = course.as_ref().is_some_and(|course| course.touches(hex));
        painter.name(hex, touched);
        painter.counters(hex);
    }
    let mut text = painter.canvas.text(scene.colours);
    text.push_str(&legend::text(scene, &frame, &marks));
    text
}

struct Painter<'a> {
    scene: &'a Scene<'a>,
    frame: &'a Frame,
    marks: &'a Marks<'a>,
    canvas: Canvas,
    words: BTreeMap<Hex, Vec<&'a str>>,
}

/// The words that stand in each hex: counters' ids, then labels.
fn words<'a>(scene: &'a Scene<'_>) -> BTreeMap<Hex, Vec<&'a str>> {
    let mut words: BTreeMap<Hex, Vec<&str>> = BTreeMap::new();
    for counter in scene.position.counters() {
        words.entry(counter.hex).or_default().push(&counter.id);
    }
    for label in &scene.labels {
        words.entry(label.hex).or_default().push(&label.word);
    }
    words
}

impl Painter<'_> {
    fn outline(&mut self, hex: Hex) {
        let edge = Style::faint();
        for side in hex.hexsides() {
            for (cell, plain) in cells_of(side, self.frame) {
                self.canvas.put(cell, plain, edge);
            }
        }
    }

    /// The ground within a hex: its colour, and the marks of the layers in two of its rows.
    fn ground(&mut self, hex: Hex) {
        let place = Place::of(hex, self.frame);
        let marks = self.marks.of_hex(hex);
        let style = Style::ground(self.marks.colour_of(hex));
        for (row, cells) in place.inside() {
            for column in cells {
                self.canvas.put((column, row), ' ', style);
            }
        }
        let (left, row) = place.marks_row();
        for (spot, mark) in spots(&marks) {
            self.canvas.put((left + spot, row), mark, style);
        }
        for (spot, mark) in spots(&marks) {
            self.canvas.put((left + spot, row + 1), mark, style);
        }
    }

    fn hexsides(&mut self) {
        for (side, mark, colour) in self.marks.hexsides() {
            let near = side.hexes().into_iter().any(|hex| self.frame.shows(hex));
            if !near {
                continue;
            }
            for (cell, _) in cells_of(side, self.frame) {
                self.canvas.put(cell, mark, Style::of(colour).bold());
            }
        }
    }

    /// Its name, and its level where that is not 0.
    fn name(&mut self, hex: Hex, touched: bool) {
        let mut name = self.scene.position.map().grid.label(hex);
        let place = Place::of(hex, self.frame);
        let mut style = Style::ground(self.marks.colour_of(hex));
        if touched {
            name.push('*');
            style = style.touched();
        }
        self.canvas.write_centred(place.name_at(), &name, style);
        let level = self.scene.position.map().level(hex);
        if level != 0 {
            let (left, row) = place.marks_row();
            let at = (left + 3, row);
            self.canvas
                .write_centred(at, &format!("{level:+}"), style.bold());
        }
    }

    fn counters(&mut self, hex: Hex) {
        let Some(words) = self.words.get(&hex) else {
            return;
        };
        let style = Style::ground(self.marks.colour_of(hex)).bold();
        let place = Place::of(hex, self.frame);
        let (left, row) = place.marks_row();
        for column in left..left + Place::WIDE {
            self.canvas.put((column, row + 1), ' ', style);
        }
        self.canvas
            .write_centred((left + 3, row + 1), &fit(words), style);
    }
}

/// Where in a row of seven the marks of a hex stand: every second place, in turn.
fn spots(marks: &[char]) -> Vec<(i32, char)> {
    let places: &[i32] = match marks.len() {
        0 => &[],
        1..=3 => &[1, 3, 5],
        _ => &[0, 2, 4, 6],
    };
    let marks = marks.iter().cycle();
    places.iter().copied().zip(marks.copied()).collect()
}

/// The words that fit into seven letters, and how many more there are.
fn fit(words: &[&str]) -> String {
    let wide = Place::WIDE as usize;
    let short = |text: &str| text.chars().count() <= wide;
    let all = words.join(",");
    if short(&all) {
        return all;
    }
    let (first, more) = match words {
        [first] => (first, String::new()),
        [first, rest @ ..] => (first, format!("+{}", rest.len())),
        [] => return String::new(),
    };
    let room = wide - more.len().min(wide);
    let first: String = if short(&format!("{first}{more}")) {
        (*first).to_owned()
    } else {
        first
            .chars()
            .take(room.saturating_sub(1))
            .chain(['~'])
            .collect()
    };
    first + &more
}
