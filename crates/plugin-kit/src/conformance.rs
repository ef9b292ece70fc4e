//! The conformance kit: what is checked from outside, and what a child process is asked to try.

use std::path::{Path, PathBuf};
use std::time::Duration;

use alamein_plugin_host::PluginError;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::check::{Check, Report};
use crate::child::{Left, Start};
use crate::inspect::inspect;
use crate::notes::{Note, Notes};
use crate::part::Part;
use crate::{options, schema, trials};

/// The name of a manifest.
const MANIFEST: &str = "plugin.json";

/// What to check, and by which program.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The folder of a built plugin.
    pub folder: PathBuf,
    /// Options that differ from their defaults.
    pub options: Map<String, Value>,
    /// A program that calls [`try_part`] with what follows `arguments`.
    pub program: PathBuf,
    /// What comes before that.
    pub arguments: Vec<String>,
    /// How long each part of the trials may take before it is ended.
    pub limit: Duration,
}

/// Checks a plugin.
///
/// # Errors
/// Where the trials cannot be made: not for anything that the plugin does.
pub fn check(plan: &Plan) -> Result<Report> {
    let mut report = Report::new();
    if !from_outside(plan, &mut report) {
        let first_fault = Check::ALL.into_iter().find(|it| report.has_failed(*it));
        let name = first_fault.map_or("another", Check::name);
        let why = format!("not tried, since the check `{name}` fails");
        report.not_made_from(Check::Files, &why);
        return Ok(report);
    }
    let start = Start {
        program: &plan.program,
        arguments: &plan.arguments,
        folder: &plan.folder,
        options: &plan.options,
        limit: plan.limit,
    };
    let mut same = Vec::new();
    for part in Part::ALL {
        let compares = matches!(part, Part::Guarded | Part::Sight | Part::Threads);
        if compares && report.has_failed(Check::Determinism) {
            continue;
        }
        // Who sees what is asked in one batch or another.
        if part == Part::Sight && report.has_failed(Check::Batches) {
            let why = "not tried, since its answers depend on what else is asked";
            report.not_applicable(Check::Sight, why);
            continue;
        }
        let left = start.run(part)?;
        let is_well = take(left, &mut report, &mut same);
        if part == Part::Load && !is_well {
            report.not_made_from(Check::Alive, "not tried, since it does not load");
            return Ok(report);
        }
        // Whatever makes ordinary calls fail makes all others fail too.
        if part == Part::Calls && !is_well {
            let why = "not tried, since calls under ordinary conditions go wrong already";
            report.not_made_from(Check::Determinism, why);
            return Ok(report);
        }
    }
    if report.has_failed(Check::Determinism) {
        let why = "not tried, since its answers change whatever is done";
        for check in ANSWERS_COMPARED {
            report.not_applicable(check, why);
        }
    } else if same.windows(2).any(|pair| pair[0] != pair[1]) {
        let what = "in another process it answers otherwise, though all that it is shown is the same. \
                    Does it look at a clock, a file, the environment, an address, a random number?";
        report.fault(Check::Determinism, what.into());
    }
    Ok(report)
}

/// The checks that compare answers, or need what is tried where answers are compared.
const ANSWERS_COMPARED: [Check; 7] = [
    Check::Batches,
    Check::Mask,
    Check::Sight,
    Check::StalePointers,
    Check::Threads,
    Check::LeftBehind,
    Check::ThreadEnd,
];

/// What can be told without running anything of it. Whether all is well so far.
fn from_outside(plan: &Plan, report: &mut Report) -> bool {
    let file = plan.folder.join(MANIFEST);
    if let Ok(text) = std::fs::read_to_string(&file) {
        report.plugin = id_in(&text);
        match schema::faults(&text) {
            Ok(faults) => {
                for fault in faults {
                    report.fault(Check::Manifest, format!("{}: {fault}", file.display()));
                }
            }
            Err(why) => report.fault(Check::Manifest, format!("{}: {why}", file.display())),
        }
        if report.has_failed(Check::Manifest) {
            return false;
        }
    }
    let inspection = match inspect(&plan.folder) {
        Ok(inspection) => inspection,
        Err(error) => {
            refuse(report, &error);
            return false;
        }
    };
    for fault in options::faults(&inspection.manifest) {
        report.fault(Check::Options, fault);
    }
    if let Some(error) = &inspection.refusal {
        refuse(report, error);
    }
    let failed = Check::ALL.into_iter().any(|check| report.has_failed(check));
    !failed
}

fn id_in(manifest: &str) -> Option<String> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    manifest["id"].as_str().map(str::to_owned)
}

fn refuse(report: &mut Report, error: &PluginError) {
    report.fault(trials::check_of(error), error.to_string());
}

/// Takes what a part left. Whether all is well.
fn take(left: Left, report: &mut Report, same: &mut Vec<String>) -> bool {
    let mut is_well = true;
    for note in left.notes {
        match note {
            Note::Fault(check, what) => {
                is_well = false;
                report.fault(check, what);
            }
            Note::Remark(check, what) => report.remark(check, what),
            Note::NotApplicable(check, why) => report.not_applicable(check, &why),
            Note::Same(text) => same.push(text),
            Note::Doing(_) | Note::Done => {}
        }
    }
    if let Some((check, what)) = left.death {
        is_well = false;
        report.fault(check, what);
    }
    is_well
}

/// Does one part of the trials in this process, which the plugin may end. `arguments` are those that
/// [`check`] gives to its program.
///
/// # Errors
/// Arguments that are not of this kind, or notes that cannot be written.
pub fn try_part(arguments: &[String]) -> Result<()> {
    let [part, folder, options, noted] = arguments else {
        bail!("a part of the trials takes four arguments");
    };
    let part = Part::named(part).with_context(|| format!("there is no part {part:?}"))?;
    let options: Map<String, Value> = serde_json::from_str(options)?;
    let notes = Notes::open(Path::new(noted))?;
    trials::run(part, Path::new(folder), &options, &notes);
    Ok(())
}
