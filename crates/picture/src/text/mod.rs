//! Pictures made of letters.

mod canvas;
mod legend;
mod line;
mod marks;
mod place;

use std::collections::BTreeMap;

use alamein_hex::Hex;

use crate::frame::{Frame, TooLarge};
use crate::scene::{Drawn, Scene};
use canvas::{Canvas, Style};
use marks::Marks;
use place::{Place, cells_of};

/// Draws a scene in letters. Of more hexes than anybody could look at it only says so.
#[must_use]
pub fn draw(scene: &Scene<'_>) -> String {
    let drawn = match Drawn::of(scene) {
        Ok(drawn) => drawn,
        Err(TooLarge { across, down }) => {
            return format!(
                "A picture of {across} by {down} hexes would be too large; choose a part of the \
                 map.\n"
            );
        }
    };
    let (frame, marks) = (&drawn.frame, Marks::of(&drawn.content));
    let (width, height) = place::size(frame);
    let mut painter = Painter {
        scene,
        frame,
        marks: &marks,
        canvas: Canvas::new(width, height),
        words: scene.words(),
    };
    for hex in frame.hexes() {
        painter.outline(hex);
        painter.ground(hex);
    }
    painter.hexsides();
    if let Some(course) = &drawn.course {
        line::draw(course, frame, &mut painter.canvas);
    }
    for hex in frame.hexes() {
        let course = drawn.course.as_ref();
        painter.name(hex, course.is_some_and(|course| course.touches(hex)));
        painter.counters(hex);
    }
    let mut text = painter.canvas.text(scene.colours);
    text.push_str(&legend::text(&drawn, &marks));
    text
}

struct Painter<'a> {
    scene: &'a Scene<'a>,
    frame: &'a Frame,
    marks: &'a Marks<'a>,
    canvas: Canvas,
    words: BTreeMap<Hex, Vec<&'a str>>,
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
            for (cell, _) in cells_of(side, self.frame) {
                self.canvas.put(cell, mark, Style::of(colour).bold());
            }
        }
    }

    /// Its name, and its level where that is not 0.
    fn name(&mut self, hex: Hex, touched: bool) {
        let mut name = self.scene.name(hex);
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
