//! A canvas of letters, each with its colours.

use super::place::Cell;

/// How a letter looks in a terminal with 256 colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    ink: Option<u8>,
    paper: Option<u8>,
    bold: bool,
}

/// Grey, for the grid itself.
const GREY: u8 = 244;

/// Black, for writing on coloured ground.
const BLACK: u8 = 16;

/// The line's colour.
pub(super) const RED: u8 = 196;

/// The same for writing on coloured ground.
const DARK_RED: u8 = 88;

impl Style {
    /// Letters of a colour.
    pub(super) fn of(ink: u8) -> Self {
        Self {
            ink: Some(ink),
            ..Self::default()
        }
    }

    /// The lines of the grid.
    pub(super) fn faint() -> Self {
        Self::of(GREY)
    }

    /// What is written on the ground of a hex.
    pub(super) fn ground(paper: Option<u8>) -> Self {
        Self {
            ink: paper.map(|_| BLACK),
            paper,
            bold: false,
        }
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// What is written in a hex that the line touches.
    pub(super) fn touched(self) -> Self {
        let ink = if self.paper.is_some() { DARK_RED } else { RED };
        Self {
            ink: Some(ink),
            bold: true,
            ..self
        }
    }

    /// The same letters on this one's ground.
    pub(super) fn on(self, below: Style) -> Self {
        Self {
            paper: below.paper,
            ..self
        }
    }

    fn code(self) -> String {
        let mut code = String::from("\u{1b}[0");
        if self.bold {
            code.push_str(";1");
        }
        if let Some(ink) = self.ink {
            code.push_str(&format!(";38;5;{ink}"));
        }
        if let Some(paper) = self.paper {
            code.push_str(&format!(";48;5;{paper}"));
        }
        code.push('m');
        code
    }
}

/// Letters in rows.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    width: i32,
    cells: Vec<(char, Style)>,
}

impl Canvas {
    pub(super) fn new(width: i32, height: i32) -> Self {
        let size = usize::try_from(width.max(0) * height.max(0)).unwrap_or_default();
        Self {
            width,
            cells: vec![(' ', Style::default()); size],
        }
    }

    fn index(&self, (column, row): Cell) -> Option<usize> {
        if !(0..self.width).contains(&column) || row < 0 {
            return None;
        }
        usize::try_from(row * self.width + column).ok()
    }

    /// What is there; nothing off the canvas.
    pub(super) fn at(&self, cell: Cell) -> Option<(char, Style)> {
        self.cells.get(self.index(cell)?).copied()
    }

    /// Puts a letter; off the canvas it is lost.
    pub(super) fn put(&mut self, cell: Cell, letter: char, style: Style) {
        let index = self.index(cell);
        if let Some(slot) = index.and_then(|index| self.cells.get_mut(index)) {
            *slot = (letter, style);
        }
    }

    /// Writes a word around a cell.
    pub(super) fn write_centred(&mut self, (column, row): Cell, word: &str, style: Style) {
        let letters: Vec<char> = word.chars().collect();
        let half = i32::try_from(letters.len() / 2).unwrap_or_default();
        for (at, letter) in (column - half..).zip(letters) {
            self.put((at, row), letter, style);
        }
    }

    /// The rows as text, nothing at their ends.
    pub(super) fn text(&self, colours: bool) -> String {
        let width = usize::try_from(self.width.max(1)).unwrap_or(1);
        let mut text = String::new();
        for row in self.cells.chunks(width) {
            let blank =
                |cell: &(char, Style)| cell.0 == ' ' && (!colours || cell.1.paper.is_none());
            let used = row.iter().rposition(|cell| !blank(cell));
            let row = &row[..used.map_or(0, |last| last + 1)];
            if colours {
                coloured(row, &mut text);
            } else {
                text.extend(row.iter().map(|cell| cell.0));
            }
            text.push('\n');
        }
        text
    }
}

fn coloured(row: &[(char, Style)], text: &mut String) {
    let mut now = Style::default();
    for (letter, style) in row {
        if *style != now {
            text.push_str(&style.code());
            now = *style;
        }
        text.push(*letter);
    }
    if now != Style::default() {
        text.push_str("\u{1b}[0m");
    }
}
