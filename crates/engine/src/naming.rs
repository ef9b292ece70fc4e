//! What was said in numbers becomes a ruling in names.

use alamein_hex::{Event, Hex, Hexside, Side};
use alamein_terrain::fold::{fold_line, fold_setup, fold_step};
use alamein_terrain::{
    Ask, Cited, ContestedOption, Crossed, Effect, Finding, Grazing, GrazingPolicy, IgnoredLayer,
    LaneVerdict, Line, MissingRule, MoveStep, Name, Objection, Part, Place, PlaceName, Question,
    Ruling, Seen, SetUp, Verdict,
};
use serde_json::Value;
use smol_str::format_smolstr;

use crate::error::QuestionError;
use crate::ledger::{Entry, GrazingEntry, Ledger};
use crate::message::Message;
use crate::prepared::Prepared;
use crate::resolve::Probes;
use crate::ruleset::Ruleset;
use crate::verdicts;

/// What was said of one line, step or set-up.
pub(crate) struct SaidOfOne<'a> {
    pub(crate) seen: &'a [Seen],
    pub(crate) objections: &'a [(u32, u16, Objection)],
    pub(crate) findings: &'a [(u16, Finding)],
    /// Findings by rules that are replaced. They do not count.
    pub(crate) replaced: &'a [(u16, Finding)],
}

/// Gives names to numbers.
pub(crate) struct Names<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) prepared: &'a Prepared,
    pub(crate) probes: &'a Probes,
    /// No grounds are named, and not how lines ran.
    pub(crate) verdicts_only: bool,
}

impl Names<'_> {
    /// The ruling on a line.
    pub(crate) fn line(
        &self,
        question: &Question,
        line: &Line,
        said: &SaidOfOne<'_>,
        ledger: &mut Ledger,
    ) -> Result<(Ruling, Entry), QuestionError> {
        self.refuse_what_is_not_implemented(said)?;
        let folded = fold_line(said.seen, said.findings);
        let mut entry = Entry::default();
        let los;
        (los, entry.los) = self.los(line, said, &folded, &mut ledger.names);
        let verdict = match &question.ask {
            Ask::LineOfFire { .. } => Verdict::LineOfFire(los, verdicts::tem(&folded)),
            Ask::FireLane { .. } => {
                let on_lane = folded.on_lane;
                // What is not on the lane has nothing to be immune to.
                let immune = on_lane && folded.immune;
                let attacked = on_lane && !immune;
                Verdict::FireLane(
                    los,
                    LaneVerdict {
                        on_lane,
                        immune,
                        attacked,
                    },
                )
            }
            _ => Verdict::LineOfSight(los),
        };
        let mut met = |hexes: &[bool]| {
            let mut touched = line.trace.touched();
            touched.any(|touch| self.is_in(hexes, touch.hex))
        };
        let ignored = self.ignored(&mut met);
        entry.grazing = self.grazing(line, ledger);
        let mut ruling = self.ruling(question, line.policy, verdict, said, &mut entry, ledger);
        ruling.grazing.grazes = line.trace.grazing() && !self.verdicts_only;
        ruling.ignored = ignored;
        Ok((ruling, entry))
    }

    /// The ruling on a step.
    pub(crate) fn step(
        &self,
        question: &Question,
        step: &MoveStep,
        said: &SaidOfOne<'_>,
        ledger: &mut Ledger,
    ) -> Result<(Ruling, Entry), QuestionError> {
        self.refuse_what_is_not_implemented(said)?;
        let folded = fold_step(said.seen, said.findings);
        let verdict = Verdict::Movement(self.movement(step, said, &folded));
        let ignored = self.ignored_by_steps(&[(step.from, step.to)]);
        let policy = question.policy.unwrap_or(self.ruleset.policy());
        let mut entry = Entry::default();
        let mut ruling = self.ruling(question, policy, verdict, said, &mut entry, ledger);
        ruling.ignored = ignored;
        Ok((ruling, entry))
    }

    /// The ruling on a set-up.
    pub(crate) fn setup(
        &self,
        question: &Question,
        setup: &SetUp,
        said: &SaidOfOne<'_>,
        ledger: &mut Ledger,
    ) -> Result<(Ruling, Entry), QuestionError> {
        self.refuse_what_is_not_implemented(said)?;
        let folded = fold_setup(said.seen, said.findings);
        let verdict = Verdict::SetUp(self.setup_verdict(said, &folded));
        let ignored = self.ignored(&mut |hexes| self.is_in(hexes, setup.hex));
        let policy = question.policy.unwrap_or(self.ruleset.policy());
        let mut entry = Entry::default();
        let mut ruling = self.ruling(question, policy, verdict, said, &mut entry, ledger);
        ruling.ignored = ignored;
        Ok((ruling, entry))
    }

    fn ruling(
        &self,
        question: &Question,
        policy: GrazingPolicy,
        verdict: Verdict,
        said: &SaidOfOne<'_>,
        entry: &mut Entry,
        ledger: &mut Ledger,
    ) -> Ruling {
        if !self.verdicts_only {
            entry.observations = self.observations(said, ledger);
            let considers = |effect| matches!(effect, Effect::Considered);
            entry.findings = self.findings(said, |effect| !considers(effect), ledger);
            entry.considered = self.findings(said, considers, ledger);
        }
        let mut contested: Vec<ContestedOption> = said
            .findings
            .iter()
            .filter_map(|(f, finding)| self.contested(*f, finding))
            .collect();
        contested.sort();
        contested.dedup();
        Ruling {
            id: ledger.ids.of(question),
            rules: self.ruleset.fingerprint(),
            position: self.prepared.position.id(),
            policy,
            verdict,
            contested,
            observations: Part::default(),
            findings: Part::default(),
            considered: Part::default(),
            grazing: Grazing::default(),
            ignored: Vec::new(),
        }
    }

    fn refuse_what_is_not_implemented(&self, said: &SaidOfOne<'_>) -> Result<(), QuestionError> {
        match self.not_implemented(said) {
            Some(refusal) => Err(refusal.into()),
            None => Ok(()),
        }
    }

    /// The rule that would decide and is not implemented, if there is one.
    pub(crate) fn not_implemented(&self, said: &SaidOfOne<'_>) -> Option<MissingRule> {
        let refusal = said
            .findings
            .iter()
            .find(|(_, f)| f.effect == Effect::NotImplemented);
        refusal.map(|(feature, finding)| self.missing_rule(*feature, finding))
    }

    /// The rule that a finding says is not known here.
    pub(crate) fn missing_rule(&self, feature: u16, finding: &Finding) -> MissingRule {
        let place = self.place(finding.place);
        MissingRule {
            by: self.cite(feature, finding.rule),
            text: self.text(feature, finding.rule, &place, finding.subject),
            place,
        }
    }

    pub(crate) fn contested(&self, feature: u16, finding: &Finding) -> Option<ContestedOption> {
        if finding.effect != Effect::Contested {
            return None;
        }
        let member = self.ruleset.members().get(usize::from(feature))?;
        let (by, spec) = member.rule(finding.rule)?;
        let option = spec?.option.clone()?;
        let value = member
            .options
            .get(&option)
            .map_or_else(String::new, Value::to_string);
        let place = self.place(finding.place);
        let text = self.text(feature, finding.rule, &place, finding.subject);
        Some(ContestedOption {
            by: by.clone(),
            option,
            value,
            text,
        })
    }

    /// The layers ignored, and whether any of these steps meets them.
    pub(crate) fn ignored_by_steps(&self, steps: &[(Hex, Hex)]) -> Vec<IgnoredLayer> {
        // What lies next to a step may matter to it: ground that is Accessible to other ground.
        let near = |hex: Hex| std::iter::once(hex).chain(hex.neighbours());
        let mut met = |hexes: &[bool]| {
            let mut close = steps
                .iter()
                .flat_map(|step| near(step.0).chain(near(step.1)));
            close.any(|hex| self.is_in(hexes, hex))
        };
        self.ignored(&mut met)
    }

    pub(crate) fn ignored(&self, met: &mut dyn FnMut(&[bool]) -> bool) -> Vec<IgnoredLayer> {
        let unowned = self.prepared.map.unowned.iter();
        unowned
            .map(|(layer, hexes)| IgnoredLayer {
                layer: Name::new(layer),
                met: met(hexes),
            })
            .collect()
    }

    pub(crate) fn is_in(&self, hexes: &[bool], hex: Hex) -> bool {
        let index = self.prepared.map.map.grid.index(hex);
        index
            .and_then(|index| hexes.get(index))
            .copied()
            .unwrap_or_default()
    }

    /// How a line lies on the grid.
    fn grazing(&self, line: &Line, ledger: &mut Ledger) -> GrazingEntry {
        if self.verdicts_only {
            return GrazingEntry::default();
        }
        let Ledger {
            names, crossings, ..
        } = ledger;
        let touched = line.trace.touched().map(|touch| self.label(touch.hex));
        let mut entry = GrazingEntry {
            touched: names.add(touched),
            ..GrazingEntry::default()
        };
        let mut reading = |side| {
            let crossed = |crossing: alamein_hex::Crossing| Crossed {
                from: self.label(crossing.from),
                to: self.label(crossing.to),
            };
            Some(crossings.add(line.trace.crossings(side).map(crossed)))
        };
        if line.readings_on_map[0] {
            entry.readings[0] = reading(Side::Left);
        }
        if !line.trace.grazing() {
            return entry;
        }
        if line.readings_on_map[1] {
            entry.readings[1] = reading(Side::Right);
        }
        let events = || line.trace.events();
        entry.along = names.add(events().filter_map(|event| match event {
            Event::Along(hexside) => Some(self.hexside(hexside)),
            _ => None,
        }));
        entry.through = names.add(events().filter_map(|event| match event {
            Event::Through(vertex) => {
                let [one, two, three] = vertex.hexes().map(|hex| self.label(hex));
                Some(format_smolstr!("{one}/{two}/{three}"))
            }
            _ => None,
        }));
        entry
    }

    pub(crate) fn cite(&self, feature: u16, rule: u16) -> Cited {
        let member = self.ruleset.members().get(usize::from(feature));
        match member.and_then(|member| member.rule(rule)) {
            Some((cited, _)) => cited.clone(),
            None => Cited {
                plugin: Name::new_static("?"),
                rule: Name::new_static("?"),
            },
        }
    }

    /// What a counter is called.
    pub(crate) fn counter(&self, index: u32) -> &Name {
        const NOBODY: &Name = &Name::new_static("");
        let index = index as usize;
        let counters = &self.prepared.counter_names;
        if let Some(counter) = counters.get(index) {
            return counter;
        }
        let probe = index
            .checked_sub(counters.len())
            .and_then(|at| self.probes.names.get(at));
        probe.unwrap_or(NOBODY)
    }

    /// What a hex is called.
    fn label(&self, hex: Hex) -> Name {
        self.prepared.map.label(hex)
    }

    fn hexside(&self, hexside: Hexside) -> Name {
        self.prepared.map.hexside_label(hexside)
    }

    pub(crate) fn place(&self, place: Place) -> PlaceName {
        match place {
            Place::Whole => PlaceName::Whole,
            Place::Hex(hex) => PlaceName::Hex(self.label(hex)),
            Place::Hexside(hexside) => PlaceName::Hexside(self.hexside(hexside)),
        }
    }

    /// The message of a rule with its place, counter and number filled in.
    fn text(&self, feature: u16, rule: u16, place: &PlaceName, subject: Option<u32>) -> String {
        let subject = subject.map(|index| self.counter(index).as_str());
        let message = self.message(feature, rule);
        message.map_or_else(String::new, |it| it.filled(place.name(), subject, None))
    }

    /// The message of a rule.
    pub(crate) fn message(&self, feature: u16, rule: u16) -> Option<&Message> {
        let member = self.ruleset.members().get(usize::from(feature));
        member.and_then(|member| member.message(rule))
    }
}
