//! `alamein ruleset`: rulesets, of files or of a service.

mod changes;
mod compare;
pub(crate) mod files;
pub(crate) mod help;
mod place;
mod telling;

use std::process::ExitCode;

use alamein_client::v1::{self, list_conflicts_request::Source};
use alamein_proto::{Limits, decode, encode};
use anyhow::{Context, Result};
use serde_json::json;

use crate::args::{
    RulesetCheck, RulesetCommand, RulesetConflicts, RulesetCreate, RulesetDiff, RulesetList,
    RulesetShow, RulesetTag,
};
use crate::output;
use crate::paint::Paint;
pub(crate) use place::{MISSING, Place};

pub(crate) fn run(command: &RulesetCommand) -> Result<ExitCode> {
    match command {
        RulesetCommand::List(list) => of_list(list)?,
        RulesetCommand::Show(show) => of_show(show)?,
        RulesetCommand::Check(check) => return of_check(check),
        RulesetCommand::Create(create) => of_create(create)?,
        RulesetCommand::Tag(tag) => of_tag(tag)?,
        RulesetCommand::Diff(diff) => return of_diff(diff),
        RulesetCommand::Compare(compare) => return compare::run(compare),
        RulesetCommand::Conflicts(conflicts) => return of_conflicts(conflicts),
    }
    Ok(ExitCode::SUCCESS)
}

/// 0 if all is well, 1 if not.
fn code(well: bool) -> ExitCode {
    ExitCode::from(u8::from(!well))
}

fn of_list(list: &RulesetList) -> Result<()> {
    let place = Place::open(&list.place)?;
    let rulesets = place.list()?;
    if list.json {
        let listed = rulesets.iter().map(telling::summary_json);
        let listed: serde_json::Value = listed.collect();
        return output::line(&format!("{:#}", json!({ "rulesets": listed })));
    }
    output::put(&telling::summaries(&rulesets, Paint::of_terminal()))
}

fn of_show(show: &RulesetShow) -> Result<()> {
    let place = Place::open(&show.place)?;
    let ruleset = place.get(&place.meant(&show.ruleset)?)?;
    let spec = ruleset.spec.clone().unwrap_or_default();
    if show.toml || show.json {
        // What has no name any more gets one to be kept by.
        let mut spec = spec;
        if spec.name.is_empty() {
            spec.name = "unnamed".into();
        }
        let spec = decode::ruleset_spec(&spec, &Limits::default())?;
        let text = match show.toml {
            true => spec.to_toml(),
            false => spec.to_json(),
        };
        return output::line(text.map_err(|error| anyhow::anyhow!("{error}"))?.trim_end());
    }
    output::put(&telling::ruleset(&ruleset, Paint::of_terminal()))
}

fn of_check(check: &RulesetCheck) -> Result<ExitCode> {
    let place = Place::open(&check.place)?;
    let mut well = true;
    for file in files::all(&check.files)? {
        let wrong = match files::survey(&file)? {
            Err(wrong) => wrong,
            Ok(spec) => {
                let source = Source::Spec(encode::ruleset_spec(&spec));
                let conflicts = conflicts(&place, source)?;
                let told = conflicts.iter();
                told.map(|it| format!("{}: {}", file.display(), telling::conflict(it, &place)))
                    .collect()
            }
        };
        match wrong.is_empty() {
            true => output::line(&format!("{}: ok", file.display()))?,
            false => output::line(&wrong.join("\n"))?,
        }
        well &= wrong.is_empty();
    }
    Ok(code(well))
}

fn of_create(create: &RulesetCreate) -> Result<()> {
    let place = Place::of(&create.server, &create.access.read()?)?;
    let made = place.create(&create.file, &create.tags, create.validate_only)?;
    let ruleset = made.ruleset.context("no ruleset in the answer")?;
    let what = match (create.validate_only, made.created) {
        (true, true) => "could be made",
        (true, false) => "is there already, as a revision",
        (false, true) => "made",
        (false, false) => "was there already",
    };
    output::line(&format!("{}: {what}", ruleset.ruleset_id))?;
    output::line(&format!("  fingerprint {}", ruleset.fingerprint))?;
    if !made.before_fingerprint.is_empty() && made.before_fingerprint != ruleset.fingerprint {
        output::line(&format!("  before it   {}", made.before_fingerprint))?;
    }
    Ok(())
}

fn of_tag(tag: &RulesetTag) -> Result<()> {
    let place = Place::of(&tag.server, &tag.access.read()?)?;
    let request = v1::TagRulesetRequest {
        ruleset_id: place.whole(&tag.ruleset)?,
        tag: tag.tag.clone(),
        moved_from: tag.moved_from.clone().unwrap_or_default(),
    };
    let client = &place.client;
    let tagged = place.runtime.block_on(client.call(&request, |request| {
        let mut stub = client.rulesets();
        async move { stub.tag_ruleset(request).await }
    }))?;
    let ruleset = tagged.ruleset.context("no ruleset in the answer")?;
    output::line(&format!("{} stands for {}", tag.tag, ruleset.fingerprint))
}

fn of_diff(diff: &RulesetDiff) -> Result<ExitCode> {
    let place = Place::open(&diff.place)?;
    let request = v1::DiffRulesetsRequest {
        before: place.meant(&diff.before)?,
        after: place.meant(&diff.after)?,
    };
    let client = &place.client;
    let answer = place.runtime.block_on(client.call(&request, |request| {
        let mut stub = client.rulesets();
        async move { stub.diff_rulesets(request).await }
    }))?;
    let told = answer.diff.context("no difference in the answer")?;
    match diff.json {
        true => output::line(&format!("{:#}", telling::diff_json(&told)))?,
        false => output::put(&telling::diff(&told, Paint::of_terminal()))?,
    }
    Ok(code(telling::is_same(&told)))
}

fn of_conflicts(asked: &RulesetConflicts) -> Result<ExitCode> {
    let place = Place::open(&asked.place)?;
    let source = match files::is_file(&asked.ruleset) {
        true => Source::Spec(encode::ruleset_spec(&files::read(asked.ruleset.as_ref())?)),
        false => Source::RulesetId(place.whole(&asked.ruleset)?),
    };
    let conflicts = conflicts(&place, source)?;
    for conflict in &conflicts {
        output::line(&telling::conflict(conflict, &place))?;
    }
    if conflicts.is_empty() {
        output::line("Nothing clashes.")?;
    }
    Ok(code(conflicts.is_empty()))
}

fn conflicts(place: &Place, source: Source) -> Result<Vec<v1::RulesetConflict>> {
    let request = v1::ListConflictsRequest {
        source: Some(source),
    };
    let client = &place.client;
    let answer = place.runtime.block_on(client.call(&request, |request| {
        let mut stub = client.rulesets();
        async move { stub.list_conflicts(request).await }
    }))?;
    Ok(answer.conflicts)
}
