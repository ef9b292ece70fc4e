//! The names of hexes on the boards of a map.

use alamein_hex::{Direction, Grid, Hex, Hexside};

use crate::board::Board;
use crate::error::{MapError, Path, Wrong};
use crate::layout::{self, Placed};

/// The names of hexes on the boards of a map, and which hex of the one grid each is.
///
/// On a map of one board a hex is called as printed: `P7`. On a map of several the board's name
/// comes first: `25P7`, or `25:P7`. A hex on an edge where boards meet has a name on each of them;
/// all are understood, and the canonical one is that of the board that comes first in the file.
///
/// ```
/// use alamein_maps::{Board, BoardNames};
///
/// let board = |name: &str| Board { name: name.to_owned(), ..Board::default() };
/// let names = BoardNames::new(&[board("25"), board("26")])?;
/// let seam = names.hex("26A3")?;
/// assert_eq!(seam, names.hex("25GG3")?);
/// assert_eq!(names.name(seam).as_deref(), Some("25GG3"));
/// assert_eq!(names.grid().columns(), 65);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardNames {
    grid: Grid,
    boards: Vec<Placed>,
}

/// Why a text names no hex or hexside of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BoardNameError(String);

impl BoardNames {
    /// The names on these boards, laid as they say.
    ///
    /// # Errors
    /// Boards that do not fit together, or of one name.
    pub fn new(boards: &[Board]) -> Result<Self, MapError> {
        Ok(Self::lay(boards, &Path::of("board"))?)
    }

    pub(crate) fn lay(boards: &[Board], path: &Path) -> Result<Self, Wrong> {
        let (grid, boards) = layout::lay(boards, path)?;
        Ok(Self { grid, boards })
    }

    /// The one grid that the boards make.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The names of the boards, in the order of the file.
    pub fn boards(&self) -> impl Iterator<Item = &str> {
        self.boards.iter().map(|board| board.name.as_str())
    }

    /// The hex of that name.
    ///
    /// # Errors
    /// A text that names no hex of these boards, or more than one.
    pub fn hex(&self, name: &str) -> Result<Hex, BoardNameError> {
        if let [only] = self.boards.as_slice() {
            return match only.hex(name) {
                Ok(hex) => Ok(hex),
                Err(why) => self.on_some_board(name).unwrap_or(Err(BoardNameError(why))),
            };
        }
        self.on_some_board(name)
            .unwrap_or_else(|| Err(BoardNameError(self.no_board(name))))
    }

    /// The hex that a text names if it begins with the name of a board.
    fn on_some_board(&self, text: &str) -> Option<Result<Hex, BoardNameError>> {
        if let Some((board, name)) = text.split_once(':') {
            let board = self.board(board)?;
            return Some(
                self.boards
                    .get(board)?
                    .hex(name)
                    .map_err(|why| on(&self.boards, board, why)),
            );
        }
        let starts = |board: &Placed| {
            let (head, tail) = text.split_at_checked(board.name.len())?;
            (!head.is_empty() && head.eq_ignore_ascii_case(&board.name)).then_some(tail)
        };
        let mut found: Vec<(usize, &str)> = Vec::new();
        for (index, board) in self.boards.iter().enumerate() {
            if let Some(tail) = starts(board).filter(|tail| looks_like_a_hex(tail)) {
                found.push((index, tail));
            }
        }
        // `25PP7` is PP7 of board 25 rather than P7 of a board 25P, which is written `25P:P7`.
        if found.len() > 1 {
            let ends_in_digit = |(index, _): &(usize, &str)| !self.needs_colon(*index);
            if let Some(sure) = found.iter().copied().find(ends_in_digit) {
                found = vec![sure];
            }
        }
        match found.as_slice() {
            [] => None,
            [(index, name)] => {
                let hex = self.boards.get(*index)?.hex(name);
                Some(hex.map_err(|why| on(&self.boards, *index, why)))
            }
            [(one, first), (other, second), ..] => Some(Err(BoardNameError(format!(
                "{text} may be {}:{first} or {}:{second}; write it with the colon",
                self.boards.get(*one)?.name,
                self.boards.get(*other)?.name
            )))),
        }
    }

    fn board(&self, name: &str) -> Option<usize> {
        self.boards
            .iter()
            .position(|board| !name.is_empty() && board.name.eq_ignore_ascii_case(name))
    }

    fn no_board(&self, text: &str) -> String {
        let names: Vec<&str> = self.boards().collect();
        let first = names.first().copied().unwrap_or_default();
        format!(
            "{:?} is no hex of this map: on a map of several boards the board comes first, as in \
             {first}:A1; the boards are {}",
            text.chars().take(24).collect::<String>(),
            names.join(", ")
        )
    }

    /// Whether hexes of a board are written with a colon: after a letter its name would run into
    /// that of the hex.
    fn needs_colon(&self, board: usize) -> bool {
        self.boards
            .get(board)
            .is_some_and(|board| !board.name.ends_with(|c: char| c.is_ascii_digit()))
    }

    /// The canonical name of a hex, or nothing if it is not on the map.
    #[must_use]
    pub fn name(&self, hex: Hex) -> Option<String> {
        self.names(hex).next()
    }

    /// Every name of a hex, the canonical one first.
    pub fn names(&self, hex: Hex) -> impl Iterator<Item = String> + '_ {
        self.boards
            .iter()
            .enumerate()
            .filter_map(move |(index, board)| {
                let name = board.name(hex)?;
                Some(match self.boards.len() {
                    1 => name,
                    _ if self.needs_colon(index) => format!("{}:{name}", board.name),
                    _ => format!("{}{name}", board.name),
                })
            })
    }

    /// What to call a hex in a message, even if it is not on the map.
    #[must_use]
    pub fn label(&self, hex: Hex) -> String {
        self.name(hex).unwrap_or_else(|| match self.boards.len() {
            1 => self.grid.label(hex),
            _ => format!("hex ({}, {})", hex.q, hex.r),
        })
    }

    /// The hexside of that name: two neighbouring hexes in either order, or a hex and a direction
    /// as on the map as it lies (so that `N` is up, on a board that is turned too).
    ///
    /// # Errors
    /// A text that names no hexside of these boards.
    pub fn hexside(&self, name: &str) -> Result<Hexside, BoardNameError> {
        let Some((one, other)) = name.split_once('|') else {
            // The grid says how a hexside is written.
            let why = self.grid.hexside(name).err();
            return Err(BoardNameError(
                why.map_or_else(String::new, |why| why.to_string()),
            ));
        };
        let hex = self.hex(one)?;
        if let Some(direction) = Direction::from_name(other) {
            return Ok(Hexside::of(hex, direction));
        }
        let beyond = self.hex(other)?;
        Hexside::between(hex, beyond).ok_or_else(|| {
            let range = hex.range(beyond);
            BoardNameError(format!(
                "{one} and {other} share no hexside: they are {range} hexes apart"
            ))
        })
    }

    /// The canonical name of a hexside: the canonical names of its hexes in the order of their
    /// letters and digits, or at the map's edge its hex and a direction. Nothing if neither hex is
    /// on the map.
    #[must_use]
    pub fn hexside_name(&self, hexside: Hexside) -> Option<String> {
        let [one, other] = hexside.hexes();
        let direction = hexside.direction();
        match (self.name(one), self.name(other)) {
            (Some(one), Some(other)) if one <= other => Some(format!("{one}|{other}")),
            (Some(one), Some(other)) => Some(format!("{other}|{one}")),
            (Some(one), None) => Some(format!("{one}|{direction}")),
            (None, Some(other)) => Some(format!("{other}|{}", direction.opposite())),
            (None, None) => None,
        }
    }

    /// The hex that has this name on one board, which is given by its place in the file.
    pub(crate) fn hex_on(&self, board: usize, name: &str) -> Result<Hex, String> {
        match self.boards.get(board) {
            Some(board) => board.hex(name),
            None => Err("there is no such board".to_owned()),
        }
    }

    /// The place in the file of the board that gives a hex its canonical name, and the name that
    /// is printed there.
    pub(crate) fn printed(&self, hex: Hex) -> Option<(usize, String)> {
        let name = |(index, board): (usize, &Placed)| Some((index, board.name(hex)?));
        self.boards.iter().enumerate().find_map(name)
    }
}

fn on(boards: &[Placed], board: usize, why: String) -> BoardNameError {
    let name = boards.get(board).map_or("", |board| board.name.as_str());
    BoardNameError(format!("board {name}: {why}"))
}

/// One letter, perhaps repeated, then digits.
fn looks_like_a_hex(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = text.as_bytes().iter().take(text.len() - digits.len());
    let mut letters = letters.map(u8::to_ascii_uppercase);
    let first = letters.next();
    first.is_some()
        && letters.all(|letter| Some(letter) == first)
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
}
