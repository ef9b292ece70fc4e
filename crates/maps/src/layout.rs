//! Boards laid beside each other, so that they make one grid.
//!
//! The grid that a board makes has whole hexes everywhere. In the plane it is a rectangle whose
//! west and east edges run through the centres of its first and last columns, and whose north and
//! south edges run through the centres of its first and last half hexes. Two boards laid edge to
//! edge share the hexes on that edge.

use alamein_hex::{Grid, Hex};

use crate::board::{Board, Half, Lies, Side};
use crate::error::{Path, Wrong};

/// The most boards of a map.
const MOST_BOARDS: usize = 64;

/// The longest name of a board.
const LONGEST_NAME: usize = 24;

/// A board where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) name: String,
    columns: u16,
    rows: u16,
    /// The number of the column that is printed as its first, and the number of rows that are
    /// printed before its first.
    skipped_columns: u16,
    skipped_rows: u16,
    turned: bool,
    /// How many columns and rows of the map lie west and north of it.
    west: i32,
    north: i32,
}

impl Placed {
    fn new(board: &Board, path: &Path) -> Result<Self, Wrong> {
        Grid::new(board.columns, board.rows).map_err(|error| path.wrong(error.to_string()))?;
        let mut placed = Self {
            name: board.name.clone(),
            columns: board.columns,
            rows: board.rows,
            skipped_columns: first_column(board, path)?,
            skipped_rows: board.first_row.checked_sub(1).ok_or_else(|| {
                path.key("first_row")
                    .wrong("rows are numbered from 1; 1 is the usual first row")
            })?,
            turned: board.turned,
            west: 0,
            north: 0,
        };
        placed.cut(board, path)?;
        let last_column = placed.skipped_columns.saturating_add(placed.columns);
        let last_row = placed.skipped_rows.saturating_add(placed.rows);
        Grid::new(last_column, last_row).map_err(|error| path.wrong(error.to_string()))?;
        if placed.turned && placed.columns.is_multiple_of(2) {
            return Err(path.key("turned").wrong(format!(
                "a board of {} columns cannot be turned: its last column would become a first \
                 column of the other kind",
                placed.columns
            )));
        }
        Ok(placed)
    }

    /// Leaves the half that is in play.
    fn cut(&mut self, board: &Board, path: &Path) -> Result<(), Wrong> {
        let wrong = |what: &str| Err(path.key("half").wrong(what));
        match board.half {
            None => {}
            Some(Half::West | Half::East) => {
                if self.columns % 4 != 1 || self.columns < 5 {
                    return wrong("only a board of 33, 17, .. columns has a west and an east half");
                }
                let middle = self.columns / 2;
                if board.half == Some(Half::East) {
                    self.skipped_columns += middle;
                }
                self.columns = middle + 1;
            }
            Some(Half::North | Half::South) => {
                if !self.rows.is_multiple_of(2) {
                    return wrong("only a board of an even number of rows has such halves");
                }
                self.rows /= 2;
                if board.half == Some(Half::South) {
                    self.skipped_rows = self.skipped_rows.saturating_add(self.rows);
                }
            }
        }
        Ok(())
    }

    /// The grid in which the names printed on the board are those of hexes.
    fn printed(&self) -> Option<Grid> {
        let columns = self.skipped_columns + self.columns;
        Grid::new(columns, self.skipped_rows + self.rows).ok()
    }

    /// The hex of the map that has this name on the board, in the words of [`Grid::hex`] if there
    /// is none.
    pub(crate) fn hex(&self, name: &str) -> Result<Hex, String> {
        let Some(printed) = self.printed() else {
            return Err("this board has no hexes".to_owned());
        };
        let hex = printed.hex(name).map_err(|error| error.to_string())?;
        let (column, row) = place(hex);
        let column = column - i32::from(self.skipped_columns);
        let row = row - i32::from(self.skipped_rows);
        if column < 0 || row < first_row(column) {
            return Err(format!(
                "{name} is off the part of the board that is in play"
            ));
        }
        let (column, row) = self.turn(column, row);
        hex_at(self.west + column, self.north + row)
            .ok_or_else(|| "this board has no hexes".to_owned())
    }

    /// The name that is printed on the board for a hex of the map, if the board has it.
    pub(crate) fn name(&self, hex: Hex) -> Option<String> {
        let (column, row) = place(hex);
        let (column, row) = (column - self.west, row - self.north);
        if column < 0 || column >= i32::from(self.columns) {
            return None;
        }
        if row < first_row(column) || row > i32::from(self.rows) {
            return None;
        }
        let (column, row) = self.turn(column, row);
        let column = column + i32::from(self.skipped_columns);
        let row = row + i32::from(self.skipped_rows);
        self.printed()?.name(hex_at(column, row)?)
    }

    /// Between places as printed and as they lie; turning twice is not turning.
    fn turn(&self, column: i32, row: i32) -> (i32, i32) {
        if !self.turned {
            return (column, row);
        }
        let row = i32::from(self.rows) - row + first_row(column);
        (i32::from(self.columns) - 1 - column, row)
    }

    fn east(&self) -> i32 {
        self.west + i32::from(self.columns) - 1
    }

    fn south(&self) -> i32 {
        self.north + i32::from(self.rows)
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.west.max(other.west) < self.east().min(other.east())
            && self.north.max(other.north) < self.south().min(other.south())
    }

    /// How much of the plane it covers.
    fn area(&self) -> i64 {
        i64::from(self.east() - self.west) * i64::from(self.south() - self.north)
    }
}

/// The boards of a map where they lie, and the grid that they make.
pub(crate) fn lay(boards: &[Board], path: &Path) -> Result<(Grid, Vec<Placed>), Wrong> {
    if boards.is_empty() {
        return Err(path.wrong("a map needs a board: [[board]], with a name if it has one"));
    }
    if boards.len() > MOST_BOARDS {
        return Err(path.wrong(format!("a map has at most {MOST_BOARDS} boards")));
    }
    let mut placed: Vec<Placed> = Vec::with_capacity(boards.len());
    for (index, board) in boards.iter().enumerate() {
        let path = path.at(index);
        check_name(board, boards, index, &path)?;
        let mut next = Placed::new(board, &path)?;
        if let Some(lies) = place_of(board, &placed, &next, &path)? {
            (next.west, next.north) = lies;
        }
        placed.push(next);
    }
    let west = placed.iter().map(|board| board.west).min().unwrap_or(0);
    let north = placed.iter().map(|board| board.north).min().unwrap_or(0);
    for board in &mut placed {
        board.west -= west;
        board.north -= north;
    }
    check_columns(&placed, path)?;
    let grid = grid_of(&placed, path)?;
    check_whole(&placed, grid, path)?;
    Ok((grid, placed))
}

fn check_name(board: &Board, boards: &[Board], index: usize, path: &Path) -> Result<(), Wrong> {
    let path = path.key("name");
    if board.name.is_empty() && boards.len() > 1 {
        return Err(path.wrong("each board of a map of several needs a name, as in \"25\""));
    }
    let fit = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !board.name.chars().all(fit) || board.name.len() > LONGEST_NAME {
        return Err(path.wrong(format!(
            "a board's name is made of at most {LONGEST_NAME} letters, digits, - and _"
        )));
    }
    let same = |other: &Board| other.name.eq_ignore_ascii_case(&board.name);
    if boards.iter().take(index).any(same) {
        let name = &board.name;
        return Err(path.wrong(format!(
            "two boards are called {name}; give each its own name"
        )));
    }
    Ok(())
}

/// Where a board says it lies, in columns and rows from the first; nothing for the first board
/// if it does not say.
fn place_of(
    board: &Board,
    before: &[Placed],
    own: &Placed,
    path: &Path,
) -> Result<Option<(i32, i32)>, Wrong> {
    let (side, other) = match (&board.at, before.last()) {
        (None, None) => return Ok(None),
        (None, Some(last)) => (Side::Right, last),
        (Some(Lies::At([column, row])), _) => {
            return Ok(Some((i32::from(*column), i32::from(*row))));
        }
        (Some(Lies::Beside(side, name)), _) => {
            let other = before.iter().find(|b| b.name.eq_ignore_ascii_case(name));
            let other = other.ok_or_else(|| {
                path.key("at")
                    .wrong(format!("there is no board {name} before this one"))
            })?;
            (*side, other)
        }
    };
    let (columns, rows) = (i32::from(own.columns) - 1, i32::from(own.rows));
    Ok(Some(match side {
        Side::Right => (other.east(), other.north),
        Side::Left => (other.west - columns, other.north),
        Side::Above => (other.west, other.north - rows),
        Side::Below => (other.west, other.south()),
    }))
}

/// Half a hex up or down from column to column: boards fit only an even number of columns apart.
fn check_columns(placed: &[Placed], path: &Path) -> Result<(), Wrong> {
    let odd = |board: &&Placed| board.west % 2 != 0;
    match placed.iter().position(|board| odd(&board)) {
        None => Ok(()),
        Some(index) => Err(path.at(index).key("at").wrong(format!(
            "board {} would lie {} columns from the map's first, and its hexes would not meet \
             those of the others: boards lie an even number of columns apart, so only one with \
             an odd number of columns has a board to its right",
            placed[index].name, placed[index].west
        ))),
    }
}

fn grid_of(placed: &[Placed], path: &Path) -> Result<Grid, Wrong> {
    let east = placed.iter().map(Placed::east).max().unwrap_or(0);
    let south = placed.iter().map(Placed::south).max().unwrap_or(0);
    let size = |count: i32| u16::try_from(count).unwrap_or(u16::MAX);
    Grid::new(size(east + 1), size(south))
        .map_err(|error| path.wrong(format!("these boards make too large a map: {error}")))
}

/// Checks that no board lies on another and none is missing: rectangles that do not overlap and
/// cover as much as the rectangle around them fill it.
fn check_whole(placed: &[Placed], grid: Grid, path: &Path) -> Result<(), Wrong> {
    if placed.len() == 1 {
        return Ok(());
    }
    for (index, board) in placed.iter().enumerate() {
        if board.columns < 2 {
            let what = "a board of one column lies beside no other";
            return Err(path.at(index).key("columns").wrong(what));
        }
        if let Some(below) = placed
            .iter()
            .take(index)
            .find(|other| board.overlaps(other))
        {
            return Err(path.at(index).key("at").wrong(format!(
                "board {} would lie on board {}; boards meet at their edges only",
                board.name, below.name
            )));
        }
    }
    let whole = i64::from(grid.columns() - 1) * i64::from(grid.rows());
    if placed.iter().map(Placed::area).sum::<i64>() == whole {
        return Ok(());
    }
    let bare = |hex: &Hex| placed.iter().all(|board| board.name(*hex).is_none());
    let hole = grid.hexes().find(bare).unwrap_or_default();
    let (column, row) = place(hole);
    Err(path.wrong(format!(
        "the boards leave a hole {column} columns east and {row} rows south of the map's first \
         hex; they must make a rectangle"
    )))
}

/// How many columns come before one of those letters.
fn first_column(board: &Board, path: &Path) -> Result<u16, Wrong> {
    let path = path.key("first_column");
    let whole = Grid::new(Grid::MAX_COLUMNS, 1).map_err(|error| path.wrong(error.to_string()))?;
    let named = whole.hex(&format!("{}1", board.first_column));
    let column = named.ok().and_then(|hex| u16::try_from(hex.q).ok());
    let column = column.filter(|column| column.is_multiple_of(2));
    column.ok_or_else(|| {
        path.wrong(format!(
            "{:?} is no first column: write the letters of every other column, A, C, E.., as in Q",
            board.first_column
        ))
    })
}

/// The column and row of a hex, as if the map went on in all directions.
fn place(hex: Hex) -> (i32, i32) {
    let column = i32::from(hex.q);
    (column, i32::from(hex.r) + column.div_euclid(2))
}

fn hex_at(column: i32, row: i32) -> Option<Hex> {
    let r = row - column.div_euclid(2);
    Some(Hex::new(
        i16::try_from(column).ok()?,
        i16::try_from(r).ok()?,
    ))
}

/// The first row of a column of a board, counted from its west edge.
fn first_row(column: i32) -> i32 {
    1 - column.rem_euclid(2)
}
