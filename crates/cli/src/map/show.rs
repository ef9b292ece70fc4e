//! `alamein map show`: pictures of maps.

use std::collections::BTreeMap;

use alamein_cases::{Known, parse};
use alamein_hex::Hex;
use alamein_picture::{Scene, draw, png, svg};
use alamein_terrain::Map;
use anyhow::{Context, Result};

use super::files::{self, Kind, Text};
use super::{bench, facts};
use crate::args::MapShow;
use crate::mapping::aim;
use crate::scenario::{self, Stage};
use crate::{example, output, paint};

pub(crate) fn run(show: &MapShow) -> Result<()> {
    let facts = facts(bench(&show.rules)?.as_ref());
    let stage = stage(show, &facts.known)?;
    let mut scene = Scene::of(&stage.position);
    scene.looks = facts.looks;
    scene.title.clone_from(&stage.id);
    scene.names = names(&stage);
    for name in &show.around {
        scene.focus.push(scenario::place(&stage, "--around", name)?);
    }
    if let Some(region) = &show.hexes {
        scene.focus = self::region(&stage, region)?;
    }
    if let [from, to] = show.line.as_slice() {
        let aim = |name| scenario::end(&stage, "--line", name).map(|end| aim(&stage, &[], &end));
        scene.line = Some((aim(from)?, aim(to)?));
    }
    scene.margin = show.margin.unwrap_or(u16::from(show.hexes.is_none()));
    if show.svg.is_some() {
        return super::draw(svg(&scene)?.as_bytes(), show.svg.as_deref());
    }
    if show.png.is_some() {
        return super::draw(&png(&scene, show.width)?, show.png.as_deref());
    }
    scene.colours = paint::wanted();
    output::put(&draw(&scene))
}

/// The map with its counters.
fn stage(show: &MapShow, known: &Known) -> Result<Stage> {
    let Some(path) = &show.file else {
        return Ok(parse(example::NAME, example::TEXT, known)?.into());
    };
    let text = Text::read(path)?;
    if text.kind != Kind::Case {
        return Stage::of_map(&files::map_file_of(path, &text)?, known);
    }
    let case = parse(&path.display().to_string(), &text.text, known)?;
    scenario::warn_of_strangers(&case);
    Ok(case.into())
}

/// What hexes are called on the boards, where that is something else than their place on the grid.
fn names(stage: &Stage) -> BTreeMap<Hex, String> {
    let Some(names) = stage.names() else {
        return BTreeMap::new();
    };
    let grid = stage.position.map().grid;
    let other = |hex: Hex| {
        let name = names.name(hex)?;
        (grid.name(hex)? != name).then_some((hex, name))
    };
    grid.hexes().filter_map(other).collect()
}

/// The hexes, and corners of blocks of hexes, that a region is made of.
fn region(stage: &Stage, region: &str) -> Result<Vec<Hex>> {
    if region.eq_ignore_ascii_case("all") {
        return Ok(corners(stage.position.map()));
    }
    let mut hexes = Vec::new();
    for block in region.split(',').map(str::trim) {
        let ends = block.split_once("..").or_else(|| block.split_once('-'));
        let place = |name: &str| scenario::place(stage, "--hexes", name.trim());
        // The name of a board may have a hyphen in it.
        match (place(block), ends) {
            (Ok(hex), _) => hexes.push(hex),
            (Err(_), Some((from, to))) => hexes.extend([place(from)?, place(to)?]),
            (Err(error), None) => {
                return Err(error).context("write hexes, and blocks such as P5-R8");
            }
        }
    }
    Ok(hexes)
}

/// The hexes at the edges of a map.
fn corners(map: &Map) -> Vec<Hex> {
    let grid = map.grid;
    let at_edge = |hex: &Hex| {
        hex.neighbours()
            .iter()
            .any(|beyond| !grid.contains(*beyond))
    };
    grid.hexes().filter(at_edge).collect()
}
