//! Tables of VASL's answers: `golden/BOARD.tsv.gz` from centre to centre, `golden/BOARD.aim.tsv.gz`
//! with vertices and levels of buildings too. `golden/BOARD.hillock-rows.tsv.gz` and
//! `golden/BOARD.aim.hillock-rows.tsv.gz` name the lines of these on which VASL's engine answers
//! otherwise if its fault with hillocks is taken out.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use alamein_hex::Aim;
use alamein_maps::BoardNames;
use anyhow::{Context, Result, bail};

/// An end of a line, as VASL has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The aiming point.
    pub aim: Aim,
    /// The hexside by which VASL names it, if it is a vertex: what terrain such an end is in, it
    /// takes from there.
    pub hexside: Option<u8>,
}

/// What VASL says of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a LOS, with so many Hindrances.
    Sees(i16),
    /// It is blocked at this pixel.
    Blocked(i32, i32),
    /// It failed.
    Threw,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The ends, as the table names them.
    pub named: [String; 2],
    /// The ends; nothing where one is a level of a building or the ground under a bridge.
    pub ends: Option<[Spot; 2]>,
    /// What VASL says.
    pub answer: Answer,
    /// Why, in its words.
    pub reason: String,
}

/// Reads a table.
///
/// # Errors
/// A file that is not there or not such a table.
pub fn read(file: &Path, names: &BoardNames) -> Result<Vec<Row>> {
    let text = text(file)?;
    let rows = text.lines().skip(1);
    rows.map(|line| row(line, names).with_context(|| line.to_owned()))
        .collect()
}

/// Reads a table that only names lines.
///
/// # Errors
/// A file that is not there or not such a table.
pub fn pairs(file: &Path) -> Result<BTreeSet<[String; 2]>> {
    let pair = |line: &str| -> Result<[String; 2]> {
        let (from, to) = line.split_once('\t').context("two columns are wanted")?;
        Ok([from.to_owned(), to.to_owned()])
    };
    text(file)?.lines().skip(1).map(pair).collect()
}

fn text(file: &Path) -> Result<String> {
    let bytes = std::fs::read(file).with_context(|| format!("{}", file.display()))?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    Ok(text)
}

fn row(line: &str, names: &BoardNames) -> Result<Row> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [from, to, blocked, _, x, y, _, hindrance, reason] = columns[..] else {
        bail!("nine columns are wanted");
    };
    let answer = match blocked {
        "0" => Answer::Sees(hindrance.parse()?),
        "1" => Answer::Blocked(x.parse()?, y.parse()?),
        "E" => Answer::Threw,
        other => bail!("blocked is 0, 1 or E, not {other}"),
    };
    let ends = spot(from, names)?.zip(spot(to, names)?);
    Ok(Row {
        named: [from.to_owned(), to.to_owned()],
        ends: ends.map(|(from, to)| [from, to]),
        answer,
        reason: reason.to_owned(),
    })
}

/// `G5` is a centre, `G5@3` the left end of hexside 3 of G5 seen from its middle, `G5@3+` the right
/// one, `G5/2` a level of a building.
fn spot(text: &str, names: &BoardNames) -> Result<Option<Spot>> {
    if text.contains('/') {
        return Ok(None);
    }
    let Some((hex, vertex)) = text.split_once('@') else {
        let aim = Aim::centre(names.hex(text)?);
        let hexside = None;
        return Ok(Some(Spot { aim, hexside }));
    };
    let hexside: u8 = vertex.trim_end_matches('+').parse()?;
    // Corners are counted here from the right end of hexside 0.
    let corner = (hexside + 5 + u8::from(vertex.ends_with('+'))) % 6;
    let aim = Aim::corner(names.hex(hex)?, corner).context("corners are 0 to 5")?;
    let hexside = Some(hexside);
    Ok(Some(Spot { aim, hexside }))
}
