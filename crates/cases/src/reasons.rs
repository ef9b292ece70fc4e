//! What a ruling rests on, a line for each.

use alamein_terrain::{Cited, PlaceName, RuledFinding, RuledObservation, Ruling};

/// What a ruling rests on: findings, then observations, each with its rule, its place and what set
/// it aside.
#[must_use]
pub fn reasons(ruling: &Ruling) -> Vec<String> {
    let findings = ruling.findings.iter().map(of_finding);
    let observations = ruling.observations.iter().map(of_observation);
    findings.chain(observations).collect()
}

fn of_finding(finding: &RuledFinding) -> String {
    let falls = match &finding.replaced_by {
        _ if finding.standing => String::new(),
        Some(by) => format!(" (does not stand: replaced by {})", cited(by)),
        None => " (does not stand: what it rests on was set aside)".to_owned(),
    };
    let said = said(&finding.by, &finding.place, finding.subject.as_deref());
    format!("{said}: {}{falls}", finding.text)
}

fn of_observation(observation: &RuledObservation) -> String {
    let said = said(
        &observation.by,
        &observation.place,
        observation.subject.as_deref(),
    );
    let mut reason = format!("{said}: {}", observation.text);
    if observation.hypothetical {
        reason.push_str(" (not really there)");
    }
    if !observation.set_aside_by.is_empty() {
        let by: Vec<String> = observation.set_aside_by.iter().map(cited).collect();
        reason.push_str(&format!(" (set aside by {})", by.join(", ")));
    }
    reason
}

fn said(by: &Cited, place: &PlaceName, subject: Option<&str>) -> String {
    let place = match place {
        PlaceName::Whole => String::new(),
        PlaceName::Hex(name) | PlaceName::Hexside(name) => format!(" at {name}"),
    };
    let subject = subject.map_or_else(String::new, |subject| format!(" of {subject}"));
    format!("{}{place}{subject}", cited(by))
}

fn cited(by: &Cited) -> String {
    format!("{} ({})", by.rule, by.plugin)
}
