//! `alamein map check`: all that is wrong with a map.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use alamein_cases::{Known, parse};
use alamein_maps::MapFile;
use alamein_terrain::{Environment, Field, Map, Position, Severity};
use anyhow::Result;
use serde_json::{Value, json};

use super::files::{Kind, Text};
use super::{bench, facts};
use crate::args::{MapCheck, RuleArgs};
use crate::bench::Bench;
use crate::output;
use crate::paint::Paint;

/// Something that is wrong with a map, or odd about it.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) severity: Severity,
    /// The field; empty if it is none in particular.
    pub(crate) path: String,
    pub(crate) line: Option<usize>,
    pub(crate) what: String,
}

impl Problem {
    fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// What became of a file.
struct Checked {
    file: String,
    problems: Vec<Problem>,
    map: Option<Arc<Map>>,
}

pub(crate) fn run(check: &MapCheck) -> Result<ExitCode> {
    let bench = bench(&check.rules)?;
    if bench.is_none() {
        eprintln!("alamein: note: there are no plugins here, so nobody checks the layers");
    }
    let checker = Checker {
        known: facts(bench.as_ref()).known,
        bench,
        rules: &check.rules,
    };
    let files = check.files.iter().map(|file| checker.check(file));
    let checked = files.collect::<Result<Vec<Checked>>>()?;
    if check.json {
        let files: Value = checked.iter().map(as_json).collect();
        output::line(&format!("{:#}", json!({ "files": files })))?;
    } else {
        let paint = Paint::of_terminal();
        for checked in &checked {
            output::put(&told(checked, paint))?;
        }
    }
    let mut problems = checked.iter().flat_map(|checked| &checked.problems);
    Ok(match problems.any(Problem::is_error) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

struct Checker<'a> {
    known: Known,
    bench: Option<Bench>,
    rules: &'a RuleArgs,
}

impl Checker<'_> {
    fn check(&self, path: &Path) -> Result<Checked> {
        let text = Text::read(path)?;
        let file = path.display().to_string();
        let (problems, map) = match self.read(&file, &text) {
            Err(problems) => (problems, None),
            Ok(map) => (self.of_layers(&map, &text)?, Some(map)),
        };
        Ok(Checked {
            file,
            problems,
            map,
        })
    }

    /// The map of a file, or what is wrong with the file.
    fn read(&self, file: &str, text: &Text) -> Result<Arc<Map>, Vec<Problem>> {
        let wrong = |path: String, line: Option<usize>, what: String| Problem {
            severity: Severity::Error,
            path,
            line,
            what,
        };
        if text.kind == Kind::Case {
            return match parse(file, &text.text, &self.known) {
                Ok(case) => Ok(Arc::clone(case.position.map())),
                Err(error) => {
                    let told = error.to_string();
                    let what = told.strip_prefix(&format!("{file}: ")).unwrap_or(&told);
                    Err(vec![wrong(String::new(), None, what.to_owned())])
                }
            };
        }
        let read = text.map_file().map(|(_, map)| Arc::new(map));
        read.map_err(|wrongs| {
            let problems = wrongs.into_iter();
            problems
                .map(|it| wrong(it.path, it.line, it.what))
                .collect()
        })
    }

    /// What the plugins say of the layers.
    fn of_layers(&self, map: &Arc<Map>, text: &Text) -> Result<Vec<Problem>> {
        let Some(bench) = &self.bench else {
            return Ok(Vec::new());
        };
        let mut problems = misfits(map, &self.known);
        // Plugins see what they know, so that one layer amiss hides nothing of the others.
        let mut rest = Map::clone(map);
        let amiss = |layer: &str| {
            let path = format!("layers.{layer}");
            let within = |at: &str| {
                at.strip_prefix(&path)
                    .is_some_and(|at| !at.starts_with(char::is_alphanumeric))
            };
            problems.iter().any(|problem| within(&problem.path))
        };
        rest.layers.retain(|layer, _| !amiss(layer));
        let position = Position::new(rest.into(), Vec::new(), Environment::default())?;
        problems.extend(bench.check(self.rules, Arc::new(position))?);
        for problem in &mut problems {
            problem.line = line_of(&problem.path, text);
        }
        Ok(problems)
    }
}

/// Layers that no plugin owns, and fields that their plugins do not know so.
fn misfits(map: &Map, known: &Known) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut note = |severity: Severity, path: String, what: String| {
        problems.push(Problem {
            severity,
            path,
            line: None,
            what,
        });
    };
    for (name, layer) in &map.layers {
        let path = format!("layers.{name}");
        let Some(spec) = known.layer(name) else {
            let what = "no plugin owns this layer: lines are judged without it";
            note(Severity::Warning, path, what.to_owned());
            continue;
        };
        for (field, content) in &layer.fields {
            let path = format!("{path}.{field}");
            let described = spec
                .fields
                .iter()
                .find(|described| described.name == *field);
            match described {
                None => {
                    let names: Vec<&str> = spec.fields.iter().map(|f| f.name.as_str()).collect();
                    let what = format!("the layer has no such field; it has {}", names.join(", "));
                    note(Severity::Error, path, what);
                }
                Some(described) if described.kind != content.kind() => {
                    let what = format!("it holds {}, not {}", described.kind, content.kind());
                    note(Severity::Error, path, what);
                }
                Some(_) => {}
            }
        }
    }
    problems
}

/// The line on which a map file in TOML gives a layer.
fn line_of(path: &str, text: &Text) -> Option<usize> {
    if text.kind != Kind::Toml {
        return None;
    }
    let mut steps = path.splitn(3, '.');
    match (steps.next(), steps.next(), steps.next()) {
        (Some("layers"), Some(layer), field) => {
            let steps = ["layers", layer].into_iter().chain(field);
            MapFile::line_of(&text.text, &steps.collect::<Vec<_>>())
        }
        _ => None,
    }
}

/// What became of a file, in words.
fn told(checked: &Checked, paint: Paint) -> String {
    let mut text = String::new();
    for problem in &checked.problems {
        let line = problem
            .line
            .map_or(String::new(), |line| format!(":{line}"));
        let severity = match problem.severity {
            Severity::Error => paint.bad("error"),
            Severity::Warning => paint.middling("warning"),
        };
        let path = match problem.path.as_str() {
            "" => String::new(),
            path => format!("{path}: "),
        };
        text += &format!(
            "{}{line}: {severity}: {path}{}\n",
            checked.file, problem.what
        );
    }
    let errors = checked.problems.iter().filter(|problem| problem.is_error());
    match (errors.count(), &checked.map) {
        (0, Some(map)) => {
            let (columns, rows) = (map.grid.columns(), map.grid.rows());
            let fine = paint.good("fine");
            text += &format!("{}: {fine}: {columns} columns of {rows} rows", checked.file);
            for (name, layer) in &map.layers {
                let fields = layer.fields.values();
                let most = fields
                    .clone()
                    .max_by_key(|field| (is_of_hexes(field), counted(field).0));
                let holds = most.map_or_else(|| "nothing".to_owned(), places);
                text += &format!("; {name} {holds}");
            }
            text + "\n"
        }
        (1, _) => text + &format!("{}: 1 error\n", checked.file),
        (errors, _) => text + &format!("{}: {errors} errors\n", checked.file),
    }
}

fn is_of_hexes(field: &Field) -> bool {
    matches!(field, Field::Hexes(_) | Field::HexValues(_))
}

/// How many hexes or hexsides a field speaks of.
fn counted(field: &Field) -> (usize, &'static str) {
    match field {
        Field::Hexes(hexes) => (hexes.len(), "hex"),
        Field::HexValues(values) => (values.len(), "hex"),
        Field::Hexsides(sides) => (sides.len(), "hexside"),
        Field::HexsideValues(values) => (values.len(), "hexside"),
    }
}

/// The same in words.
pub(super) fn places(field: &Field) -> String {
    match counted(field) {
        (1, place) => format!("1 {place}"),
        (count, "hex") => format!("{count} hexes"),
        (count, place) => format!("{count} {place}s"),
    }
}

fn as_json(checked: &Checked) -> Value {
    let problem = |problem: &Problem| {
        json!({
            "severity": if problem.is_error() { "error" } else { "warning" },
            "path": problem.path,
            "line": problem.line,
            "what": problem.what,
        })
    };
    json!({
        "file": checked.file,
        "map_id": checked.map.as_ref().map(|map| map.id().to_string()),
        "problems": checked.problems.iter().map(problem).collect::<Value>(),
    })
}
