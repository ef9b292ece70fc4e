//! The hexes of a map, and their names.

use std::fmt;

use crate::name::{column_letters, parts, quoted, written};
use crate::{Direction, Hex, Hexside, NameError};

/// The hexes of a map: how many columns and rows, and so which hexes it holds and what each is
/// called.
///
/// Columns are lettered A to Z, then AA, BB, CC and so on. Columns A, C, E.. hold rows 1 to
/// `rows`. Row n of B, D, F.. lies half a hex below row n of A, C, E.., so those columns hold
/// rows 0 to `rows`; their first and last hexes are half hexes on the printed board, and whole
/// hexes for every rule.
///
/// ```
/// use alamein_hex::{Grid, Hex};
///
/// let board = Grid::geomorphic();
/// let p6 = board.hex("P6")?;
/// assert_eq!(p6, Hex::new(15, -1));
/// let around: Vec<_> = p6.neighbours().into_iter().filter_map(|h| board.name(h)).collect();
/// assert_eq!(around, ["P5", "Q6", "Q7", "P7", "O7", "O6"]);
/// # Ok::<(), alamein_hex::NameError>(())
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Grid {
    columns: u16,
    rows: u16,
}

/// Why there is no such grid.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
#[non_exhaustive]
pub enum GridError {
    /// The number of columns is 0 or above [`Grid::MAX_COLUMNS`].
    Columns(u16),
    /// The number of rows is 0 or above [`Grid::MAX_ROWS`].
    Rows(u16),
}

impl fmt::Display for GridError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GridError::Columns(columns) => write!(
                f,
                "a map has 1 to {} columns, not {columns}",
                Grid::MAX_COLUMNS
            ),
            GridError::Rows(rows) => {
                write!(f, "a map has 1 to {} rows, not {rows}", Grid::MAX_ROWS)
            }
        }
    }
}

impl std::error::Error for GridError {}

impl Grid {
    /// The most columns a grid may have: over thirty boards side by side.
    ///
    /// With [`Grid::MAX_ROWS`] it keeps every coordinate, every offset between two hexes and
    /// every turn of one below 3000, far inside `i16`.
    pub const MAX_COLUMNS: u16 = 1024;

    /// The most rows a grid may have. See [`Grid::MAX_COLUMNS`].
    pub const MAX_ROWS: u16 = 1024;

    /// The standard geomorphic board: 33 columns of 10 rows, A1 to GG10.
    #[must_use]
    #[inline]
    pub const fn geomorphic() -> Grid {
        Grid {
            columns: 33,
            rows: 10,
        }
    }

    /// A grid of that many columns and rows.
    ///
    /// # Errors
    ///
    /// If either number is 0 or above its maximum.
    ///
    /// ```
    /// use alamein_hex::Grid;
    ///
    /// assert_eq!(Grid::new(33, 10), Ok(Grid::geomorphic()));
    /// let error = Grid::new(0, 10).unwrap_err();
    /// assert_eq!(error.to_string(), "a map has 1 to 1024 columns, not 0");
    /// ```
    #[inline]
    pub const fn new(columns: u16, rows: u16) -> Result<Grid, GridError> {
        if columns == 0 || columns > Grid::MAX_COLUMNS {
            return Err(GridError::Columns(columns));
        }
        if rows == 0 || rows > Grid::MAX_ROWS {
            return Err(GridError::Rows(rows));
        }
        Ok(Grid { columns, rows })
    }

    /// How many columns there are.
    #[must_use]
    #[inline]
    pub const fn columns(&self) -> u16 {
        self.columns
    }

    /// How many rows columns A, C, E.. hold, which is also the last row of every column.
    #[must_use]
    #[inline]
    pub const fn rows(&self) -> u16 {
        self.rows
    }

    /// How many hexes the map holds.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "no grid is empty")]
    #[inline]
    pub const fn len(&self) -> usize {
        self.columns as usize * self.rows as usize + self.columns as usize / 2
    }

    /// The hex of that name, in upper or lower case.
    ///
    /// # Errors
    ///
    /// If the text is no hex name, or names a hex that is not on the map.
    pub fn hex(&self, name: &str) -> Result<Hex, NameError> {
        if name.is_empty() {
            return Err(NameError::Empty);
        }
        let Some(parts) = parts(name) else {
            return Err(NameError::NotAHex { text: quoted(name) });
        };
        let column = match u16::try_from(parts.column) {
            Ok(column) if column < self.columns => column,
            _ => {
                return Err(NameError::NoSuchColumn {
                    text: quoted(&name.to_ascii_uppercase()),
                    column: quoted(&parts.letters.to_ascii_uppercase()),
                    last: column_letters(self.columns - 1),
                });
            }
        };
        let first = first_row(column);
        match parts.row {
            Some(row) if first <= row && row <= self.rows => {
                Ok(hex_of(i32::from(column), i32::from(row)))
            }
            _ => Err(NameError::NoSuchRow {
                text: quoted(&name.to_ascii_uppercase()),
                column: parts.letters.to_ascii_uppercase(),
                first,
                last: self.rows,
            }),
        }
    }

    /// The name of a hex, or nothing if it is not on the map.
    #[must_use]
    #[inline]
    pub fn name(&self, hex: Hex) -> Option<String> {
        let (column, row) = self.place(hex)?;
        Some(written(column, row))
    }

    /// What to call a hex in a message, even if it is not on the map: its name as if the map
    /// went on, or its axial coordinates where names do not reach.
    ///
    /// ```
    /// use alamein_hex::{Grid, Hex};
    ///
    /// let board = Grid::geomorphic();
    /// assert_eq!(board.label(board.hex("P6")?), "P6");
    /// assert_eq!(board.label(Hex::new(0, 11)), "A11");
    /// assert_eq!(board.label(Hex::new(-1, 3)), "hex (-1, 3)");
    /// # Ok::<(), alamein_hex::NameError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn label(&self, hex: Hex) -> String {
        match (u16::try_from(hex.q), u16::try_from(row_of(hex))) {
            (Ok(column), Ok(row)) if column < Grid::MAX_COLUMNS => written(column, row),
            _ => format!("hex ({}, {})", hex.q, hex.r),
        }
    }

    /// Whether the hex is on the map.
    #[must_use]
    #[inline]
    pub fn contains(&self, hex: Hex) -> bool {
        self.place(hex).is_some()
    }

    /// Whether the hex is on the map and not at its edge: so are all around it. A line between two such
    /// hexes crosses only hexes on the map.
    ///
    /// ```
    /// use alamein_hex::Grid;
    ///
    /// let board = Grid::geomorphic();
    /// assert!(board.is_inside(board.hex("B2")?));
    /// assert!(!board.is_inside(board.hex("A2")?));
    /// # Ok::<(), alamein_hex::NameError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn is_inside(&self, hex: Hex) -> bool {
        self.contains(hex) && hex.neighbours().iter().all(|next| self.contains(*next))
    }

    /// The number of a hex on the map, 0 to `len() - 1`; nothing for a hex off it. Numbers go
    /// column by column, from north to south, which is also how hexes sort.
    #[must_use]
    #[inline]
    pub fn index(&self, hex: Hex) -> Option<usize> {
        let (column, row) = self.place(hex)?;
        let before = usize::from(column) * usize::from(self.rows) + usize::from(column / 2);
        Some(before + usize::from(row - first_row(column)))
    }

    /// The hex of that number, or nothing if it is not below `len()`.
    ///
    /// ```
    /// use alamein_hex::Grid;
    ///
    /// let board = Grid::geomorphic();
    /// let hex = board.hex("GG10")?;
    /// assert_eq!(board.index(hex), Some(board.len() - 1));
    /// assert_eq!(board.hex_at(board.len() - 1), Some(hex));
    /// assert_eq!(board.hex_at(board.len()), None);
    /// # Ok::<(), alamein_hex::NameError>(())
    /// ```
    #[must_use]
    pub fn hex_at(&self, index: usize) -> Option<Hex> {
        if index >= self.len() {
            return None;
        }
        // A column and its right-hand neighbour hold `rows` and `rows + 1` hexes.
        let rows = usize::from(self.rows);
        let pair = index / (2 * rows + 1);
        let rest = index % (2 * rows + 1);
        let (column, row) = if rest < rows {
            (2 * pair, rest + 1)
        } else {
            (2 * pair + 1, rest - rows)
        };
        // Both fit: the index is below len(), so they are below the grid's u16 dimensions.
        Some(hex_of(column as i32, row as i32))
    }

    /// Every hex of the map, in the order of [`Grid::index`].
    #[inline]
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        let grid = *self;
        (0..grid.columns).flat_map(move |column| {
            (first_row(column)..=grid.rows)
                .map(move |row| hex_of(i32::from(column), i32::from(row)))
        })
    }

    /// The hexside of that name: two neighbouring hexes in either order, or a hex and a
    /// direction, which is how a hexside at the map's edge is named.
    ///
    /// # Errors
    ///
    /// If the text is not made so, if a hex is not on the map, or if the two hexes are not
    /// neighbours.
    ///
    /// ```
    /// use alamein_hex::Grid;
    ///
    /// let board = Grid::geomorphic();
    /// let side = board.hexside("P7|P6")?;
    /// assert_eq!(board.hexside("P6|S"), Ok(side));
    /// assert_eq!(board.hexside_name(side).as_deref(), Some("P6|P7"));
    /// let error = board.hexside("P6|P8").unwrap_err();
    /// assert_eq!(error.to_string(), "P6|P8 is not a hexside: P6 and P8 are not adjacent");
    /// # Ok::<(), alamein_hex::NameError>(())
    /// ```
    pub fn hexside(&self, name: &str) -> Result<Hexside, NameError> {
        let Some((one, other)) = name.split_once('|') else {
            return Err(if name.is_empty() {
                NameError::Empty
            } else {
                NameError::NotAHexside { text: quoted(name) }
            });
        };
        if other.contains('|') {
            return Err(NameError::NotAHexside { text: quoted(name) });
        }
        let hex = self.hex(one)?;
        if let Some(direction) = Direction::from_name(other) {
            return Ok(Hexside::of(hex, direction));
        }
        let beyond = self.hex(other)?;
        Hexside::between(hex, beyond).ok_or_else(|| NameError::NotAdjacent {
            one: self.label(hex),
            other: self.label(beyond),
        })
    }

    /// The name of a hexside: its two hexes in the order of their letters and digits as text
    /// (`Q10|Q9`), or at the map's edge its hex and a direction (`A1|N`). Nothing if neither
    /// of its hexes is on the map.
    #[must_use]
    #[inline]
    pub fn hexside_name(&self, hexside: Hexside) -> Option<String> {
        let [one, other] = hexside.hexes();
        match (self.name(one), self.name(other)) {
            (Some(one), Some(other)) if one <= other => Some(format!("{one}|{other}")),
            (Some(one), Some(other)) => Some(format!("{other}|{one}")),
            (Some(one), None) => Some(format!("{one}|{}", hexside.direction())),
            (None, Some(other)) => Some(format!("{other}|{}", hexside.direction().opposite())),
            (None, None) => None,
        }
    }

    /// The column and row of a hex, if it is on the map.
    #[inline]
    fn place(&self, hex: Hex) -> Option<(u16, u16)> {
        let column = u16::try_from(hex.q).ok()?;
        if column >= self.columns {
            return None;
        }
        let row = u16::try_from(row_of(hex)).ok()?;
        (first_row(column) <= row && row <= self.rows).then_some((column, row))
    }
}

/// The first row of a column: 1 for A, C, E.. and 0 for B, D, F..
#[inline]
const fn first_row(column: u16) -> u16 {
    if column.is_multiple_of(2) { 1 } else { 0 }
}

/// The row of a hex, on the map or off it.
#[inline]
fn row_of(hex: Hex) -> i32 {
    i32::from(hex.r) + i32::from(hex.q).div_euclid(2)
}

/// The hex at a column and row within the limits of a grid.
#[inline]
fn hex_of(column: i32, row: i32) -> Hex {
    Hex::new(column as i16, (row - column / 2) as i16)
}
