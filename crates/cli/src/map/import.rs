//! `alamein map import`: maps out of boards of VASL.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use alamein_hex::Hex;
use alamein_maps::vasl::{self, VaslBoard};
use alamein_maps::{BoardNames, MapFile};
use alamein_terrain::Map;
use anyhow::{Context, Result};

use super::write;
use crate::args::MapImport;

/// How many hexes are named of each kind of terrain.
const NAMED: usize = 6;

pub(crate) fn run(import: &MapImport) -> Result<()> {
    let path = &import.vasl;
    let board = vasl::read(path).with_context(|| path.display().to_string())?;
    let mut file = board.to_file()?;
    file.title = format!("Board {}", board.board.name);
    let report = report(&board, &file)?;
    eprint!("{report}");
    let text = if is_json(import.out.as_deref()) {
        file.to_json()?
    } else {
        // Whoever reads the file later should know it as well.
        let notes: Vec<String> = report.lines().map(|line| format!("# {line}")).collect();
        format!("{}\n\n{}", notes.join("\n"), file.to_toml()?)
    };
    write(&text, import.out.as_deref())
}

fn is_json(path: Option<&Path>) -> bool {
    let ending = path.and_then(Path::extension);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// What was found, and what of it no layer holds.
fn report(board: &VaslBoard, file: &MapFile) -> Result<String> {
    let names = file.names()?;
    let grid = board.grid;
    let mut report = format!(
        "board {}: {} columns of {} rows, {} hexes\n",
        board.board.name,
        grid.columns(),
        grid.rows(),
        grid.len()
    );
    report += &modelled(&file.to_map()?);
    let missing = by_kind(board);
    if missing.is_empty() {
        report += "all of its terrain is in these layers\n";
        return Ok(report);
    }
    report += "not modelled: a line that meets these hexes cannot be judged from the map alone\n";
    let widest = missing.iter().map(|(kind, _)| kind.len()).max();
    for (kind, hexes) in missing {
        report += &format!(
            "  {kind:<width$}  {:>4}  {}\n",
            hexes.len(),
            listed(&hexes, &names),
            width = widest.unwrap_or_default()
        );
    }
    Ok(report)
}

/// The levels and layers, and how many hexes or hexsides each has.
fn modelled(map: &Map) -> String {
    let mut report = String::new();
    let levels: BTreeSet<i16> = map.levels.values().copied().collect();
    if !levels.is_empty() {
        let levels: Vec<String> = levels.iter().map(i16::to_string).collect();
        let hexes = map.levels.len();
        report += &format!("levels {}: {hexes} hexes\n", levels.join(", "));
    }
    for (layer, content) in &map.layers {
        for (field, content) in &content.fields {
            let name = match field.as_str() {
                "hexes" | "hexsides" => layer.clone(),
                _ => format!("{layer} {field}"),
            };
            report += &format!("{name}: {}\n", super::check::places(content));
        }
    }
    report
}

/// The hexes that show each kind of terrain which no layer holds, the commonest first.
fn by_kind(board: &VaslBoard) -> Vec<(&'static str, Vec<Hex>)> {
    let mut kinds: BTreeMap<&'static str, Vec<Hex>> = BTreeMap::new();
    for (hex, shown) in board.unmodelled() {
        for kind in shown {
            kinds.entry(kind).or_default().push(hex);
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(kind, hexes)| (std::cmp::Reverse(hexes.len()), *kind));
    kinds
}

fn listed(hexes: &[Hex], names: &BoardNames) -> String {
    let first = hexes.iter().take(NAMED).map(|hex| names.label(*hex));
    let mut list = first.collect::<Vec<_>>().join(", ");
    if hexes.len() > NAMED {
        list += ", ..";
    }
    list
}
