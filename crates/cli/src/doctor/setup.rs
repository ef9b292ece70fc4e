//! The set-up: the configuration, the plugins, the files that are named.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::ExitCode;

use alamein_cases::{Asked, Outcome, judge, parse};
use alamein_plugin_host::load_folder_with;
use anyhow::{Context as _, Result};

use super::{Findings, certificate, machine};
use crate::args::{Doctor, RuleArgs, Serve};
use crate::bench::Bench;
use crate::config::{self, Configured};
use crate::{example, plugins};

/// The configuration. It gives what a service would be started with, if that can be said.
///
/// # Errors
/// The status to end with, where the flags make no sense.
pub(super) fn configuration(
    doctor: &Doctor,
    found: &mut Findings,
) -> Result<Option<Box<Serve>>, ExitCode> {
    let (configured, faults) = config::survey(doctor.config.as_deref(), &doctor.flags)?;
    for fault in &faults {
        found.fail("configuration", fault.to_string());
    }
    let odd = configured
        .iter()
        .flat_map(|it| config::odd(&it.serve, &it.sources));
    for warning in config::warnings().into_iter().chain(odd) {
        found.warn("configuration", warning);
    }
    let Some(Configured { serve, sources }) = configured else {
        return Ok(None);
    };
    if faults.is_empty() {
        let file = sources.file.as_ref().map(|file| file.display().to_string());
        found.ok(
            "configuration",
            file.unwrap_or("no file; flags, environment and defaults".into()),
        );
    }
    Ok(Some(serve))
}

/// Every folder of plugins, and whether what is in them rules as it should.
pub(super) fn plugins(serve: &Serve, found: &mut Findings) {
    let Ok(first) = plugins::folder(&serve.rules) else {
        // The configuration says so.
        return;
    };
    let Ok(mut trust) = plugins::trust(&serve.rules.trust) else {
        return;
    };
    trust.own_files = true;
    let mut all_fit = true;
    for folder in std::iter::once(&first).chain(&serve.rules.plugin_dir) {
        let report = load_folder_with(folder, &trust);
        for (path, error) in report.refused() {
            all_fit = false;
            found.fail("plugins", format!("{}: {error}", path.display()));
        }
        let ids: Vec<_> = report
            .loaded()
            .map(|plugin| plugin.id().to_owned())
            .collect();
        let shown = folder.display();
        match ids.is_empty() {
            true => found.fail(
                "plugins",
                format!("{shown}: there is no plugin in it that can be used"),
            ),
            false => found.ok("plugins", format!("{shown}: {}", ids.join(", "))),
        }
    }
    if all_fit {
        self_test(&first, serve, found);
    }
}

/// Questions whose answers are known, put to the plugins in this process.
fn self_test(folder: &Path, serve: &Serve, found: &mut Findings) {
    let mut rules = RuleArgs::of_folder(Some(folder.to_owned()));
    rules.trust = serve.rules.trust.clone();
    match passed(&rules) {
        Ok((0, _)) => found.warn(
            "self-test",
            "these plugins rule on nothing in the built-in example; `alamein check` tries case files of your own",
        ),
        Ok((passed, wrong)) if wrong.is_empty() => {
            found.ok("self-test", format!("{passed} rulings are what they should be"));
        }
        Ok((_, wrong)) => found.fail(
            "self-test",
            format!("{} differs from what is known: {}", example::NAME, wrong.join("; ")),
        ),
        Err(error) => found.fail("self-test", format!("{error:#}")),
    }
}

/// How many rulings on the built-in example are right, and which are not.
fn passed(rules: &RuleArgs) -> Result<(usize, Vec<String>)> {
    let bench = Bench::open(rules)?;
    let known = bench.facts().known.clone();
    let case = parse(example::NAME, example::TEXT, &known)?;
    let by = bench.judge(rules, &case.settings)?;
    let (mut passed, mut wrong) = (0, Vec::new());
    for asked in &case.questions {
        let Asked::Question(question) = &asked.asked else {
            continue;
        };
        if asked.decided(false).is_some() {
            continue;
        }
        let said = by.ask(&case.position, std::slice::from_ref(question), true)?;
        let said = said.into_iter().next().context("there is no answer")?;
        match judge(asked, &said, &known, false) {
            Outcome::Passed => passed += 1,
            Outcome::Failed { why, .. } => wrong.push(format!("{}: {why:?}", asked.id)),
            Outcome::Skipped(_) => {}
        }
    }
    Ok((passed, wrong))
}

/// Files that hold secrets, certificates, and folders that are written to.
pub(super) fn files(serve: &Serve, found: &mut Findings) {
    let (securing, swapping) = (&serve.securing, &serve.swapping);
    let certificates = [
        &securing.tls_cert,
        &securing.tls_client_ca,
        &swapping.admin_tls_cert,
        &swapping.admin_tls_client_ca,
    ];
    for file in certificates.into_iter().flatten() {
        certificate::look(file, found);
    }
    let secrets = [
        &securing.tls_key,
        &securing.tokens,
        &swapping.admin_tls_key,
        &swapping.admin_token_file,
    ];
    for secret in secrets.into_iter().flatten() {
        private(secret, found);
    }
    let audit = securing.audit.as_ref().filter(|it| *it != Path::new("-"));
    for (file, what) in [(serve.record.as_ref(), "record"), (audit, "audit")] {
        if let Some(file) = file {
            let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
            machine::room(folder.unwrap_or(Path::new(".")), what, found);
        }
    }
}

/// Whether only its owner may read a file.
fn private(file: &Path, found: &mut Findings) {
    let shown = file.display();
    match file.metadata() {
        Err(error) => found.fail("secrets", format!("{shown}: {error}")),
        Ok(it) if it.mode() & 0o077 != 0 => found.fail(
            "secrets",
            format!(
                "{shown}: others than its owner may use it (mode {:o}); run `chmod 600` on it",
                it.mode() & 0o777
            ),
        ),
        Ok(_) => found.ok("secrets", format!("{shown}: its owner's alone")),
    }
}
