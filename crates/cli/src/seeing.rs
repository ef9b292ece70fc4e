//! `alamein fov` and `alamein matrix`.

mod json;
mod rows;
mod telling;

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use alamein_hex::Hex;
use alamein_picture::{Label, Scene, draw, png, svg};
use alamein_terrain::{FieldOfView, FieldQuestion, PairsQuestion, Sight};
use anyhow::{Context, Result, bail};

use crate::args::{Form, Fov, Matrix};
use crate::session::Session;
use crate::{map, mapping, output, scenario};

pub(crate) fn fov(fov: &Fov) -> Result<()> {
    let session = Session::open(&fov.scenario, &fov.rules)?;
    let question = FieldQuestion {
        range: fov.range,
        ignore_layers: session.case.unowned_layers.clone(),
        ..FieldQuestion::new(scenario::end(&session.case, "VIEWER", &fov.viewer)?)
    };
    let position = &session.case.position;
    let field = session.judge.field_of_view(position, &question)?;
    session.tell_names();
    if fov.json {
        return output::line(&format!("{:#}", json::field(&field)));
    }
    let mut scene = scene(&session, &field);
    if fov.svg.is_some() || fov.png.is_some() {
        scene.title = telling::title(&fov.viewer, &field);
    }
    if fov.svg.is_some() {
        return map::draw(svg(&scene)?.as_bytes(), fov.svg.as_deref());
    }
    if fov.png.is_some() {
        return map::draw(&png(&scene, None)?, fov.png.as_deref());
    }
    if fov.picture {
        output::line(&draw(&scene))?;
    }
    let speaker = session.speaker(false);
    let told = telling::field(&speaker, &fov.viewer, &field, output::width());
    output::put(&told)
}

/// The part of the map that was asked about, with what comes of each hex in it.
fn scene<'a>(session: &'a Session, field: &FieldOfView) -> Scene<'a> {
    let mut scene = mapping::scene(&session.case.position, session.bench.facts());
    let label = |(hex, sight): &(Hex, Sight)| Label {
        hex: *hex,
        word: telling::word(*sight),
    };
    let sights = field.sights.iter();
    scene.labels = sights
        .clone()
        .filter(|(hex, _)| *hex != field.viewer)
        .map(label)
        .collect();
    let dark = sights.filter(|(_, sight)| sight.is_blocked());
    scene.shaded = dark.map(|(hex, _)| *hex).collect();
    scene.focus = field.sights.iter().map(|(hex, _)| *hex).collect();
    scene.margin = 0;
    scene
}

pub(crate) fn matrix(matrix: &Matrix) -> Result<()> {
    let form = form(matrix)?;
    let session = Session::open(&matrix.scenario, &matrix.rules)?;
    let question = PairsQuestion {
        range: matrix.range,
        policy: None,
        ignore_layers: session.case.unowned_layers.clone(),
    };
    let position = &session.case.position;
    // What breaks off leaves nothing that looks whole. Who asked for a file knows of no other.
    let part = beside(&matrix.out);
    let unwritten = || format!("--out {} cannot be written", matrix.out.display());
    let mut rows = rows::Rows::create(&part, form).with_context(unwritten)?;
    let mut progress = Progress::of(position.map().grid.len());
    let judged = session.judge.all_pairs(position, &question, &mut |field| {
        rows.add(&field).with_context(unwritten)?;
        progress.another();
        Ok(())
    });
    drop(progress);
    let written = judged.and_then(|()| rows.finish().with_context(unwritten));
    let count = match written {
        Ok(count) => count,
        Err(error) => {
            // It may be that it cannot be taken away either.
            let _ = std::fs::remove_file(&part);
            return Err(error);
        }
    };
    if let Err(error) = std::fs::rename(&part, &matrix.out) {
        let _ = std::fs::remove_file(&part);
        return Err(error).with_context(unwritten);
    }
    eprintln!("written: {}, {count} rows", matrix.out.display());
    Ok(())
}

fn form(matrix: &Matrix) -> Result<Form> {
    let ending = matrix.out.extension().and_then(|ending| ending.to_str());
    match (matrix.format, ending) {
        (Some(form), _) => Ok(form),
        (None, Some("parquet")) => Ok(Form::Parquet),
        (None, Some("arrow" | "feather")) => Ok(Form::Arrow),
        (None, _) => bail!(
            "--out {}: it ends neither in .parquet nor in .arrow; say --format",
            matrix.out.display()
        ),
    }
}

/// A file beside another.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    file.with_file_name(name)
}

/// How far it is, on a terminal.
struct Progress {
    all: usize,
    done: usize,
    shown: bool,
}

impl Progress {
    fn of(all: usize) -> Self {
        let shown = std::io::stderr().is_terminal();
        Self {
            all,
            done: 0,
            shown,
        }
    }

    fn another(&mut self) {
        self.done += 1;
        let (done, all) = (self.done, self.all);
        let step = (all / 200).max(1);
        if self.shown && (done.is_multiple_of(step) || done == all) {
            // Nobody is the worse for it where this cannot be told.
            let _ = write!(std::io::stderr(), "\r{done} of {all} hexes");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown && self.done > 0 {
            eprintln!();
        }
    }
}
