//! A line across the picture.

use alamein_hex::{Event, Hexside};

use super::canvas::{Canvas, RED, Style};
use super::place::{Cell, PARTS, cells_of, point};
use crate::course::Course;
use crate::frame::Frame;

/// The letter of the line.
pub(super) const LINE: char = '*';

/// The letter where it crosses a hexside or runs along one.
pub(super) const CROSSING: char = 'x';

/// Draws a line: stars on its way, and a cross where it meets a hexside.
pub(super) fn draw(course: &Course, frame: &Frame, canvas: &mut Canvas) {
    let ends = (point(course.from, frame), point(course.to, frame));
    for cell in cells_between(ends.0, ends.1) {
        put(canvas, cell, LINE);
    }
    for event in course.events() {
        match event {
            Event::Cross(side) => {
                if let Some(cell) = nearest(side, ends, frame) {
                    put(canvas, cell, CROSSING);
                }
            }
            Event::Along(side) => {
                // Every second cell, so that the hexside's own mark can still be seen.
                for (cell, _) in cells_of(side, frame).into_iter().step_by(2) {
                    put(canvas, cell, CROSSING);
                }
            }
            Event::Enter(_) | Event::Through(_) => {}
        }
    }
}

fn put(canvas: &mut Canvas, cell: Cell, letter: char) {
    if let Some((_, below)) = canvas.at(cell) {
        canvas.put(cell, letter, Style::of(RED).bold().on(below));
    }
}

/// The cells on the way from one point to another: in each row, or in every second column.
fn cells_between(from: (i32, i32), to: (i32, i32)) -> Vec<Cell> {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    // Letters are twice as high as wide.
    let step = if across.abs() > 2 * down.abs() {
        2 * PARTS
    } else {
        PARTS
    };
    let along = across.abs().max(down.abs());
    let steps = (along / step).max(1);
    let cell = |at: i32| {
        let x = from.0 + across * at / steps;
        let y = from.1 + down * at / steps;
        // A point between two rows belongs to the upper one.
        (x.div_euclid(PARTS), (y - 1).div_euclid(PARTS))
    };
    (0..=steps).map(cell).collect()
}

/// The cell of a hexside that is nearest to a line.
fn nearest(side: Hexside, (from, to): ((i32, i32), (i32, i32)), frame: &Frame) -> Option<Cell> {
    let (across, down) = (i64::from(to.0 - from.0), i64::from(to.1 - from.1));
    let off = |(column, row): Cell| {
        let half = PARTS / 2;
        let x = i64::from(column * PARTS + half - from.0);
        let y = i64::from(row * PARTS + half - from.1);
        (across * y - down * x).abs()
    };
    let cells = cells_of(side, frame).into_iter().map(|(cell, _)| cell);
    cells.min_by_key(|cell| off(*cell))
}
