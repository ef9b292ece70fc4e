//! Paths and allowances in words.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::Hex;
use alamein_terrain::{
    Cited, Digest, FoundEffect, MissingRule, MovementUnit, MovementVerdict, PathQuestion,
    PlaceName, PricedPath, PricedStep, Reach, ReachQuestion, Reached, RuledFinding, Ruling, Step,
    UnknownStep, Unpriced, Verdict,
};

use crate::saying::{Speaker, check, remarks, short, unit};

/// What a reached hex costs, in the letters that fit into it.
pub(super) fn cost(reached: &Reached) -> String {
    match reached.checks {
        0 => reached.cost.to_string(),
        owed => format!("{}+{owed}DR", reached.cost),
    }
}

impl Speaker<'_> {
    /// A path: the sum, a line for each step, and what else there is to know.
    pub(super) fn path(&self, question: &PathQuestion, priced: &PricedPath) -> String {
        let mut text = format!("{}\n", self.sum(question, priced));
        let labels: Vec<String> = question
            .steps
            .iter()
            .map(|step| self.step_name(step))
            .collect();
        let total = |step: &PricedStep| match step.total_after {
            Some(total) => total.to_string(),
            None => "?".to_owned(),
        };
        let totals: Vec<String> = priced.steps.iter().map(total).collect();
        let widest = |words: &[String]| words.iter().map(String::len).max().unwrap_or_default();
        let widths = (widest(&labels), widest(&totals));
        let mut left_out: BTreeMap<&Cited, &str> = BTreeMap::new();
        let mut notes: BTreeSet<String> = BTreeSet::new();
        for (at, (step, priced)) in question.steps.iter().zip(&priced.steps).enumerate() {
            let (name, total) = (&labels[at], &totals[at]);
            let (wide, high) = widths;
            let what = self.what(step, priced);
            let unit = unit(unit_of(question));
            text.push_str(&format!("  {name:<wide$}  {total:>high$} {unit}  {what}\n"));
            let Ok(ruling) = &priced.ruling else { continue };
            if self.explain {
                text.push_str(&self.grounds(ruling));
            } else {
                let not_covered = not_covered(ruling);
                left_out.extend(not_covered.map(|found| (&found.by, &*found.text)));
            }
            notes.extend(remarks(&ruling.contested, &ruling.ignored));
        }
        let left_out = left_out.into_iter().map(|(by, said)| line_of(by, said));
        text.extend(left_out.chain(notes).map(|note| note + "\n"));
        text + &self.ids(&priced.rules, &priced.position)
    }

    /// The path in a line.
    fn sum(&self, question: &PathQuestion, priced: &PricedPath) -> String {
        let name = |at: usize| {
            let step = question.steps.get(at);
            step.map_or_else(String::new, |step| self.step_name(step))
        };
        let label = |hex: Option<Hex>| hex.map_or_else(String::new, |hex| self.label(hex));
        let from = label(question.steps.first().map(Step::begins_in));
        let to = label(question.steps.last().map(Step::ends_in));
        let class = question.moving.mover.class.name().replace('_', " ");
        let unit = unit(priced.unit);
        let cost = match priced.total {
            Some(total) => self.paint.bold(&format!("{total} {unit}")),
            None => self.paint.middling("its cost is not known"),
        };
        let mut text = format!("{class} from {from} to {to}: {cost}");
        if let (Some(at), Some(allowance)) = (priced.exceeds_at, question.allowance) {
            let over = format!(
                "above the allowance of {allowance} {unit} with {}",
                name(at)
            );
            text.push_str(&format!("; {}", self.paint.bad(&over)));
        } else if let (Some(allowance), Some(_)) = (question.allowance, priced.total) {
            text.push_str(&format!(" of {allowance}"));
        }
        for step in &priced.prohibited {
            let by: Vec<&str> = step.by.iter().map(|by| by.number()).collect();
            let no = format!("{} is prohibited by {}", name(step.step), by.join(", "));
            text.push_str(&format!("; {}", self.paint.bad(&no)));
        }
        let owed = priced.checks.iter().map(|owed| u32::from(owed.check.times));
        match owed.sum::<u32>() {
            0 => {}
            owed => text.push_str(&format!("; {owed} DR owed")),
        }
        if priced.steps.iter().any(|step| step.turn_not_judged) {
            text.push_str("; without what changes of VCA cost");
        }
        text
    }

    fn label(&self, hex: Hex) -> String {
        self.position.map().grid.label(hex)
    }

    /// A step as the command line has it.
    fn step_name(&self, step: &Step) -> String {
        let name = self.label(step.ends_in());
        match step {
            Step::Enter { .. } => name,
            Step::Turn { hexsides, .. } => format!("{name}:{hexsides}"),
        }
    }

    /// What a step adds, owes and where.
    fn what(&self, step: &Step, priced: &PricedStep) -> String {
        let ruling = match &priced.ruling {
            Ok(ruling) => ruling,
            Err(rule) => return missing(rule),
        };
        let Verdict::Movement(verdict) = &ruling.verdict else {
            return String::new();
        };
        let mut text = match verdict.total {
            Some(total) => format!("{total:+}"),
            None if priced.turn_not_judged => "what a change of VCA costs is not judged".into(),
            None => "no loaded plugin knows what it costs".into(),
        };
        text.push_str(&elsewhere(priced, &self.label(step.ends_in())));
        for owed in &verdict.checks {
            text.push_str(&format!("; {}", check(owed)));
        }
        text + &self.prohibited(verdict)
    }

    fn prohibited(&self, verdict: &MovementVerdict) -> String {
        if verdict.prohibited_by.is_empty() {
            return String::new();
        }
        let by: Vec<&str> = verdict.prohibited_by.iter().map(|by| by.number()).collect();
        let no = format!("prohibited by {}", by.join(", "));
        format!("; {}", self.paint.bad(&no))
    }

    fn ids(&self, rules: &Digest, position: &Digest) -> String {
        let ids = format!("rules {}  position {}", short(rules), short(position));
        format!("{}\n", self.paint.faint(&ids))
    }

    /// What an allowance reaches: a line for each cost, and what else there is to know.
    pub(super) fn reach(&self, question: &ReachQuestion, reach: &Reach) -> String {
        let class = question.moving.mover.class.name().replace('_', " ");
        let (from, unit_name) = (self.label(question.from), unit(reach.unit));
        let (allowance, count) = (question.allowance, reach.hexes.len());
        let hexes = if count == 1 { "hex" } else { "hexes" };
        let reached = self.paint.bold(&format!("{count} {hexes}"));
        let mut text = format!("{class} from {from} within {allowance} {unit_name}: {reached}\n");
        for of_one_cost in reach.hexes.chunk_by(|one, other| one.cost == other.cost) {
            let cost = of_one_cost.first().map(|reached| reached.cost);
            let names = of_one_cost.iter().map(|reached| self.label(reached.hex));
            let names: Vec<String> = names.collect();
            let cost = cost.unwrap_or_default();
            text.push_str(&format!("  {cost:>2} {unit_name}  {}\n", names.join(" ")));
        }
        if reach.unit == MovementUnit::Mp {
            text.push_str("What changes of VCA cost is not judged.\n");
        }
        if reach.hexes.iter().any(|reached| reached.checks > 0) {
            text.push_str("+1DR: the cheapest way there owes a DR.\n");
        }
        for steps in reach.unknown.chunk_by(same_reason) {
            text.push_str(&format!("{}\n", self.unknown(steps)));
        }
        let not_covered = reach.not_covered.iter();
        let not_covered = not_covered.map(|rule| line_of(&rule.by, &rule.text));
        let said = not_covered.chain(remarks(&reach.contested, &reach.ignored));
        text.extend(said.map(|remark| format!("{remark}\n")));
        text + &self.ids(&reach.rules, &reach.position)
    }

    /// Steps that were not taken for the same reason.
    fn unknown(&self, steps: &[UnknownStep]) -> String {
        let name =
            |step: &UnknownStep| format!("{} to {}", self.label(step.from), self.label(step.to));
        let (first, more) = match steps {
            [] => return String::new(),
            [first] => (first, String::new()),
            [first, rest @ ..] => (first, format!(" and {} more", rest.len())),
        };
        let why = match &first.why {
            Unpriced::NotImplemented(rule) => missing(rule),
            Unpriced::NoCost => "no loaded plugin knows what it costs".into(),
            Unpriced::LessThanNothing => "it would cost less than nothing".into(),
        };
        let steps = format!("{}{more}", name(first));
        self.paint.middling(&format!("not taken: {steps}: {why}"))
    }
}

/// Whether two steps were not taken for the same reason, wherever.
fn same_reason(one: &UnknownStep, other: &UnknownStep) -> bool {
    match (&one.why, &other.why) {
        (Unpriced::NotImplemented(one), Unpriced::NotImplemented(other)) => one.by == other.by,
        (one, other) => one == other,
    }
}

fn unit_of(question: &PathQuestion) -> MovementUnit {
    question.moving.mover.class.movement_unit()
}

/// Where a step spends what, if that is not all in the hex in which it ends.
fn elsewhere(priced: &PricedStep, ends_in: &str) -> String {
    let there = |place: &PlaceName| place.name() == ends_in;
    if priced.spent.iter().all(|spent| there(&spent.place)) {
        return String::new();
    }
    let spent = priced.spent.iter().map(|spent| match spent.amount {
        Some(amount) => format!("{amount} in {}", spent.place.name()),
        None => format!("some in {}", spent.place.name()),
    });
    let spent: Vec<String> = spent.collect();
    format!("; spent: {}", spent.join(", "))
}

fn missing(rule: &MissingRule) -> String {
    let (plugin, number) = (&rule.by.plugin, rule.by.number());
    format!("plugin {plugin} does not implement {number}: {}", rule.text)
}

/// A rule that applies and is left out of account.
fn line_of(by: &Cited, said: &str) -> String {
    format!("left out of account: {}: {said}", by.number())
}

/// The findings that a rule applies to a step and is left out of account.
fn not_covered(ruling: &Ruling) -> impl Iterator<Item = &RuledFinding> {
    let findings = ruling.standing_findings();
    findings.filter(|finding| finding.effect == FoundEffect::NotCovered)
}
