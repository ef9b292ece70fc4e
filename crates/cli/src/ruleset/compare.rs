//! `alamein ruleset compare`.

use std::path::Path;
use std::process::ExitCode;

use alamein_cases::read_text;
use alamein_client::v1::compare_rulesets_response::Result as Told;
use alamein_client::v1::{self};
use anyhow::{Context, Result, bail};
use serde_json::json;

use super::changes::Teller;
use super::{code, place::Place};
use crate::args::RulesetCompare;
use crate::case_files;
use crate::facts::Facts;
use crate::output;
use crate::remote::manifest;

/// How much goes in one message.
const PIECE: usize = 1 << 20;

pub(crate) fn run(compare: &RulesetCompare) -> Result<ExitCode> {
    let place = Place::open(&compare.place)?;
    let before = place.meant(&compare.before)?;
    let after = place.meant(&compare.after)?;
    let teller = Teller::new(facts(&place, [&before, &after])?, compare.explain)?;
    let mut total = v1::ComparisonSummary::default();
    let files = case_files::found(&compare.files, case_files::CASES_AND_RECORDS)?;
    for file in &files {
        let comparison = Comparison {
            place: &place,
            teller: &teller,
            json: compare.json,
        };
        let summary = comparison.file(&before, &after, file);
        let summary = summary.with_context(|| file.display().to_string())?;
        total.cases += summary.cases;
        total.questions += summary.questions;
        total.changed += summary.changed;
        total.skipped += summary.skipped;
        total.unreadable += summary.unreadable;
    }
    if compare.json {
        output::line(&summary_json(&total).to_string())?;
    } else {
        output::line(&summary_text(&total))?;
    }
    Ok(code(total.changed == 0))
}

/// What the plugins of both say.
fn facts(place: &Place, rulesets: [&String; 2]) -> Result<Facts> {
    let mut manifests = Vec::new();
    for ruleset in rulesets {
        for plugin in &place.get(ruleset)?.plugins {
            manifests.push(manifest::of(plugin)?.0);
        }
    }
    Ok(Facts::of(manifests.iter()))
}

struct Comparison<'a> {
    place: &'a Place,
    teller: &'a Teller,
    json: bool,
}

impl Comparison<'_> {
    /// Sends a file, and tells what changes as it is known.
    fn file(&self, before: &str, after: &str, file: &Path) -> Result<v1::ComparisonSummary> {
        // A record may be longer than one message may be, and than what is kept in memory on the
        // other side.
        let content = read_text(file)?.into_bytes();
        let first = v1::CompareRulesetsRequest {
            before: before.to_owned(),
            after: after.to_owned(),
            content: Vec::new(),
        };
        let pieces: Vec<_> = content.chunks(PIECE).map(<[u8]>::to_vec).collect();
        let rest = pieces
            .into_iter()
            .map(|content| v1::CompareRulesetsRequest {
                content,
                ..v1::CompareRulesetsRequest::default()
            });
        let requests = futures::stream::iter(std::iter::once(first).chain(rest));
        self.place.runtime.block_on(async {
            let mut stub = self.place.client.rulesets();
            let answers = stub.compare_rulesets(requests).await;
            let mut answers = answers.map_err(alamein_client::Error::from)?.into_inner();
            while let Some(answer) = answers
                .message()
                .await
                .map_err(alamein_client::Error::from)?
            {
                match answer.result {
                    Some(Told::Change(change)) => self.tell(&change)?,
                    Some(Told::Summary(summary)) => return Ok(summary),
                    None => {}
                }
            }
            bail!("the service broke off before its summary")
        })
    }

    fn tell(&self, change: &v1::RulingChange) -> Result<()> {
        match self.json {
            true => output::line(&self.teller.json(change)?.to_string()),
            false => output::put(&self.teller.text(change)?),
        }
    }
}

fn summary_json(total: &v1::ComparisonSummary) -> serde_json::Value {
    json!({
        "cases": total.cases,
        "questions": total.questions,
        "changed": total.changed,
        "skipped": total.skipped,
        "unreadable": total.unreadable,
    })
}

fn summary_text(total: &v1::ComparisonSummary) -> String {
    let mut text = format!(
        "{} of {} rulings change, in {} cases",
        total.changed, total.questions, total.cases
    );
    if total.skipped > 0 {
        text.push_str(&format!("; {} questions cannot be asked", total.skipped));
    }
    if total.unreadable > 0 {
        text.push_str(&format!("; {} lines cannot be read", total.unreadable));
    }
    text
}
