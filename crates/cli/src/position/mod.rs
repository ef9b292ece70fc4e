//! `alamein position`: showing, changing and comparing positions.

mod telling;

use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use alamein_cases::{Known, changed_json, changes_json, load, parse_changes, write_position};
use alamein_terrain::{Change, Changed, Position, changed, diff};
use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::args::{
    PositionApply, PositionCommand, PositionCreate, PositionDiff, PositionShow, RuleArgs,
};
use crate::bench::Bench;
use crate::{output, scenario};

pub(crate) fn run(command: &PositionCommand) -> Result<ExitCode> {
    match command {
        PositionCommand::Show(show) => self::show(show)?,
        PositionCommand::Apply(apply) => self::apply(apply)?,
        PositionCommand::Diff(diff) => return self::differ(diff),
        PositionCommand::Create(create) => self::create(create)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Where positions come from: case files, and a service that keeps some.
struct Source {
    bench: Bench,
}

impl Source {
    fn open(rules: &RuleArgs) -> Result<Self> {
        let bench = Bench::open(rules)?;
        Ok(Self { bench })
    }

    fn known(&self) -> &Known {
        &self.bench.facts().known
    }

    /// The position that a text means: the id of one that a service keeps, or a case file.
    fn read(&self, text: &str, as_side: Option<&str>) -> Result<Arc<Position>> {
        if let (Bench::There(remote), Ok(id)) = (&self.bench, text.parse()) {
            return Ok(Arc::new(remote.position(id, as_side)?));
        }
        let case = load(Path::new(text), self.known())?;
        scenario::warn_of_strangers(&case);
        Ok(match as_side {
            None => case.position,
            Some(side) => Arc::new(case.position.seen_by(side)),
        })
    }
}

fn show(show: &PositionShow) -> Result<()> {
    let source = Source::open(&show.rules)?;
    let position = source.read(&show.position, show.as_side.as_deref())?;
    if let Some(side) = &show.as_side {
        scenario::warn_of_side(&[&position], side);
    }
    match show.json {
        true => output::put(&write_position("position", &position)),
        false => output::put(&telling::position(&position)),
    }
}

fn apply(apply: &PositionApply) -> Result<()> {
    let source = Source::open(&apply.rules)?;
    let before = source.read(&apply.position, None)?;
    if let Some(side) = &apply.as_side {
        scenario::warn_of_side(&[&before.seen_by(side)], side);
    }
    let changes = read_changes(&apply.changes, &before)?;
    let (told, after) = made(apply, &before, &changes)?;
    let created = match &source.bench {
        Bench::Here(_) => None,
        Bench::There(remote) => {
            let side = apply.as_side.as_deref();
            let applied = remote.apply(&before, &changes, apply.validate_only, side)?;
            if applied.id != after.id() {
                bail!(
                    "the service makes the position {} of it, and this program {}",
                    applied.id,
                    after.id()
                );
            }
            Some(applied.created)
        }
    };
    if apply.json {
        let told = json!({
            "previous_position_id": told.before.id().to_string(),
            "position_id": told.after.id().to_string(),
            "kept_position_id": after.id().to_string(),
            "changed": changed_json(&told.changed, &told.after),
            "created": created,
        });
        output::line(&format!("{told:#}"))?;
    } else {
        output::put(&telling::changed(&told.changed, &told.after))?;
        output::line(&format!("position {}", after.id()))?;
    }
    if let Some(file) = &apply.save {
        let name = file.file_stem().map(|stem| stem.to_string_lossy());
        let text = write_position(name.as_deref().unwrap_or("position"), &after);
        let written = std::fs::File::create_new(file)
            .and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
        written.with_context(|| format!("--save {}", file.display()))?;
        eprintln!("saved: {}", file.display());
    }
    Ok(())
}

/// What is told of changes.
struct Told {
    before: Arc<Position>,
    after: Position,
    changed: Vec<Changed>,
}

/// What is told of changes, and what comes of them.
fn made(
    apply: &PositionApply,
    before: &Arc<Position>,
    changes: &[Change],
) -> Result<(Told, Position)> {
    let file = || apply.changes.display().to_string();
    let Some(side) = &apply.as_side else {
        let (after, changed) = before.apply(changes).with_context(file)?;
        let told = Told {
            before: Arc::clone(before),
            after: after.clone(),
            changed,
        };
        return Ok((told, after));
    };
    let seen = before.seen_by(side);
    let (seen_after, _) = seen.apply(changes).with_context(file)?;
    let seen_after = seen_after.seen_by(side);
    let Ok((after, _)) = before.apply(changes) else {
        bail!(
            "{}: something that is hidden from {side} is in the way",
            file()
        );
    };
    let told = Told {
        changed: changed(&seen, &seen_after),
        before: Arc::new(seen),
        after: seen_after,
    };
    Ok((told, after))
}

/// A list of changes of a position, from a file or from standard input.
pub(crate) fn read_changes(file: &Path, on: &Position) -> Result<Vec<Change>> {
    let name = file.display().to_string();
    let text = if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.with_context(|| format!("{name} cannot be read"))?;
    Ok(parse_changes(&name, &text, &on.map().grid)?)
}

/// As `diff` does: the status tells whether anything differs.
fn differ(differ: &PositionDiff) -> Result<ExitCode> {
    let source = Source::open(&differ.rules)?;
    let before = source.read(&differ.before, differ.as_side.as_deref())?;
    let after = source.read(&differ.after, differ.as_side.as_deref())?;
    if let Some(side) = &differ.as_side {
        scenario::warn_of_side(&[&before, &after], side);
    }
    let changes = diff(&before, &after)?;
    if differ.json {
        let changes = changes_json(&changes, &before.map().grid);
        output::line(&format!("{changes:#}"))?;
    } else {
        output::put(&telling::changed(&changed(&before, &after), &after))?;
    }
    Ok(ExitCode::from(u8::from(!changes.is_empty())))
}

fn create(create: &PositionCreate) -> Result<()> {
    let source = Source::open(&create.rules)?;
    let Bench::There(remote) = &source.bench else {
        bail!("--server is missing: the service that is to keep the position");
    };
    let position = source.read(&create.position, None)?;
    let id = remote.create_position(&position)?.to_string();
    match create.json {
        true => output::line(&format!("{:#}", json!({ "position_id": id }))),
        false => output::line(&id),
    }
}
