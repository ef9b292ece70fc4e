//! `alamein map overlays`: the overlays of the catalogue.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Direction, Grid, Hex};
use alamein_maps::{Art, Board, Catalogue, Family, MapFile, Overlay};
use alamein_picture::{Scene, draw, svg};
use alamein_terrain::{Environment, Position};
use anyhow::{Context, Result, ensure};

use crate::args::MapOverlays;
use crate::output;
use crate::paint::{self, Paint};

/// How many columns and rows the sheet has on which an overlay is shown; hex 1 is in its middle.
const SHEET: u16 = 41;

pub(crate) fn run(overlays: &MapOverlays) -> Result<()> {
    let catalogue = Catalogue::bundled();
    if overlays.only.is_empty() {
        let lines: String = catalogue.iter().map(line).collect();
        output::put(&lines)?;
        return output::line(
            "\nalamein map overlays D2 shows one. In a map file: id = \"D2\", on = [\"P6\", \"Q6\"] \
             for hex 1 on P6 and hex 2 on Q6.",
        );
    }
    ensure!(
        overlays.svg.is_none() || overlays.only.len() == 1,
        "--svg: one picture shows one overlay"
    );
    for id in &overlays.only {
        let art = catalogue.get(id).with_context(|| {
            let known: Vec<&str> = catalogue.iter().map(|art| art.id.as_str()).collect();
            format!(
                "OVERLAY: there is no overlay {id:?}; there are {}",
                known.join(", ")
            )
        })?;
        let sheet = Sheet::of(art)?;
        let mut scene = sheet.scene();
        if overlays.svg.is_some() {
            super::draw(svg(&scene)?.as_bytes(), overlays.svg.as_deref())?;
        } else {
            scene.colours = paint::wanted();
            output::line(&Paint::of_terminal().bold(line(art).trim_end()))?;
            output::put(&draw(&scene))?;
            for doubt in &art.doubts {
                output::line(&format!("In doubt: {doubt}"))?;
            }
            output::line("")?;
        }
    }
    Ok(())
}

/// An overlay in short.
fn line(art: &Art) -> String {
    let family = match art.family {
        Family::Deir => "deir",
        Family::Hillock => "hillock",
        Family::Sand => "sand",
        Family::Dune => "sand dunes",
    };
    let shows = &art.shows;
    let mut told = format!("{:<4} {family:<11} {:>2} hexes", art.id, shows.hexes.len());
    let crest: usize = shows.crest.len();
    for (what, count) in [
        ("summit", shows.summit.len()),
        ("scrub", shows.scrub.len()),
        ("hammada", shows.hammada.len()),
        ("bare", shows.hexes.len() - shows.terrain.len()),
        ("hexsides of Dune Crest", crest),
    ] {
        if count > 0 {
            told += &format!(", {count} {what}");
        }
    }
    told + "\n"
}

/// An overlay laid on an empty sheet.
struct Sheet {
    position: Position,
    names: BTreeMap<Hex, String>,
    hexes: BTreeSet<Hex>,
    title: String,
}

impl Sheet {
    fn of(art: &Art) -> Result<Self> {
        let grid = Grid::new(SHEET, SHEET)?;
        let middle = grid
            .hex_at(grid.len() / 2)
            .context("the sheet has no hex")?;
        let two = middle.neighbour(Direction::N);
        let file = MapFile {
            boards: vec![Board {
                columns: SHEET,
                rows: SHEET,
                ..Board::default()
            }],
            overlays: vec![Overlay {
                id: art.id.clone(),
                on: [grid.label(middle), grid.label(two)],
                over: alamein_maps::Over::Nothing,
                high: false,
            }],
            ..MapFile::default()
        };
        let hexes = art.laid(middle, Direction::N).hexes;
        // Doubts name hexes by their column and row from hex 1.
        let mut names: BTreeMap<Hex, String> = grid
            .hexes()
            .map(|hex| (hex, format!("{},{}", hex.q - middle.q, hex.r - middle.r)))
            .collect();
        names.insert(middle, "1".to_owned());
        names.insert(two, "2".to_owned());
        Ok(Self {
            position: Position::new(file.to_map()?.into(), Vec::new(), Environment::default())?,
            names,
            hexes,
            title: format!("Overlay {}", art.id),
        })
    }

    fn scene(&self) -> Scene<'_> {
        let mut scene = Scene::of(&self.position);
        scene.title.clone_from(&self.title);
        scene.names.clone_from(&self.names);
        scene.focus = self.hexes.iter().copied().collect();
        scene
    }
}
