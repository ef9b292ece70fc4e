//! A ruling in words.

use std::collections::BTreeSet;

use alamein_terrain::{
    Adjudicated, Ask, Attack, Cited, Concealment, ContestedOption, CostPart, Emplacement, End,
    FoundEffect, FoundFact, IgnoredLayer, LaneMover, LosResult, LosVerdict, MovementCheck,
    MovementUnit, MovementVerdict, Munition, PlaceName, Position, Question, RuledFinding,
    RuledObservation, Ruling, SetUpPiece, SetUpVerdict, Step, TemVerdict, Verdict,
};

use crate::facts::Facts;
use crate::paint::Paint;
use crate::table::{Row, Table};

/// Puts rulings into words.
pub(crate) struct Speaker<'a> {
    pub(crate) position: &'a Position,
    pub(crate) facts: &'a Facts,
    pub(crate) paint: Paint,
    /// Also what was considered.
    pub(crate) explain: bool,
}

impl Speaker<'_> {
    /// A ruling: the verdict, what it rests on, and what else there is to know.
    pub(crate) fn ruling(&self, question: &Question, ruled: &Adjudicated) -> String {
        let ruling = &ruled.ruling;
        let mut text = format!("{}: {}\n", self.question(question), self.verdict(ruling));
        if let Some(los) = ruling.verdict.los() {
            text.push_str(&format!("{}\n", how_it_lies(los, ruling)));
        }
        text.push_str(&self.grounds(ruling));
        text.push_str(&self.notes(ruled));
        let ids = format!(
            "ruling {}  rules {}  position {}",
            short(&ruling.id),
            short(&ruling.rules),
            short(&ruling.position)
        );
        text.push_str(&format!("{}\n", self.paint.faint(&ids)));
        text
    }

    /// What is asked.
    pub(crate) fn question(&self, question: &Question) -> String {
        let label = |hex| self.position.map().grid.label(hex);
        match &question.ask {
            Ask::LineOfSight { from, to } => {
                format!("{} to {}", self.end(from, question), self.end(to, question))
            }
            Ask::LineOfFire {
                from,
                to,
                attack,
                munition,
            } => {
                let what = match munition {
                    Munition::Other => "",
                    Munition::He => " HE",
                    Munition::Bombardment => " a Bombardment",
                };
                let how = match attack {
                    Attack::Direct => "",
                    Attack::Mortar => " with a mortar",
                    Attack::Oba => " with OBA",
                };
                let (from, to) = (self.end(from, question), self.end(to, question));
                format!("{from} fires{what}{how} at {to}")
            }
            Ask::FireLane {
                mg,
                counter_hex,
                mover_hex,
                mover,
            } => {
                let mover = match mover {
                    LaneMover::Infantry => "Infantry",
                    LaneMover::Cavalry => "Cavalry",
                    LaneMover::Vehicle => "a vehicle",
                    LaneMover::VulnerablePrc => "Vulnerable PRC",
                };
                let (mg, end) = (self.end(mg, question), label(*counter_hex));
                let hex = label(*mover_hex);
                format!("Fire Lane of {mg} to {end}, {mover} moving in {hex}")
            }
            Ask::Movement { mover, step, .. } => {
                let class = mover.class.name().replace('_', " ");
                match step {
                    Step::Enter { from, to, .. } => {
                        format!("{class} from {} into {}", label(*from), label(*to))
                    }
                    Step::Turn { hex, hexsides, .. } => {
                        format!("{class} changes VCA by {hexsides} in {}", label(*hex))
                    }
                }
            }
            Ask::SetUp(setup) => format!("{} sets up in {}", piece(&setup.piece), label(setup.hex)),
        }
    }

    fn end(&self, end: &End, question: &Question) -> String {
        let grid = &self.position.map().grid;
        let at = |corner: &Option<u8>| corner.map_or(String::new(), |corner| format!(":{corner}"));
        match end {
            End::Hex(aim) => format!("{}{}", grid.label(aim.hex), at(&aim.corner)),
            End::Counter { id, corner } => {
                let probe = || question.probes.iter().find(|probe| probe.id == *id);
                match self.position.counter(id).or_else(probe) {
                    Some(counter) => {
                        format!("{id} ({}{})", grid.label(counter.hex), at(corner))
                    }
                    None => id.clone(),
                }
            }
        }
    }

    /// The verdict in a few words.
    pub(crate) fn verdict(&self, ruling: &Ruling) -> String {
        match &ruling.verdict {
            Verdict::LineOfSight(los) => self.los(los),
            Verdict::LineOfFire(los, tem) => format!("{}{}", self.los(los), self.tem(tem)),
            Verdict::FireLane(los, lane) => {
                let attacked = match (lane.attacked, lane.on_lane) {
                    (true, _) => self.paint.bad("attacked"),
                    (false, true) => self.paint.good("immune"),
                    (false, false) => self.paint.good("not on the lane"),
                };
                format!("{attacked}; the whole lane: {}", self.los(los))
            }
            Verdict::Movement(step) => self.step(step),
            Verdict::SetUp(setup) => self.setup(setup),
        }
    }

    fn los(&self, los: &LosVerdict) -> String {
        let hindrance = los.hindrance.unwrap_or_default();
        let by = if los.hindering.is_empty() {
            String::new()
        } else {
            format!(" by {}", los.hindering.join(", "))
        };
        match los.result {
            LosResult::Clear => self.paint.good("clear"),
            LosResult::Hindered => self.paint.middling(&format!("hindered {hindrance:+}{by}")),
            LosResult::Blocked => {
                let rules = los.blocked_by.join(", ");
                self.paint.bad(&format!("blocked by {rules}"))
            }
        }
    }

    fn tem(&self, tem: &TemVerdict) -> String {
        let mut text = String::new();
        if let Some(tem) = tem.tem {
            let said = format!("TEM {}", signed(tem));
            text.push_str(&format!("; {}", self.paint.bold(&said)));
        }
        if tem.hull_down == Some(true) {
            text.push_str(&format!("; {}", self.paint.bold("may claim Hull Down")));
        }
        if let Some(total) = tem.total_drm {
            text.push_str(&format!("; total DRM {}", signed(total)));
        }
        if tem.halved == Some(true) {
            text.push_str(&format!("; {}", self.paint.bold("FP halved")));
        }
        if let Some(drm) = tem.morale_drm.filter(|drm| *drm != 0) {
            text.push_str(&format!("; MC DRM {}", signed(drm)));
        }
        match tem.open_ground {
            Some(true) => text.push_str("; Open Ground"),
            Some(false) => text.push_str("; not Open Ground"),
            None => {}
        }
        text
    }

    fn step(&self, step: &MovementVerdict) -> String {
        let unit = unit(step.unit);
        let owed = step.checks.iter().map(check);
        let checks: String = owed.map(|owed| format!("; {owed}")).collect();
        let cost = match step.total {
            Some(total) => self.paint.bold(&format!("{total} {unit}")),
            None => "no loaded plugin knows what it costs".to_owned(),
        };
        if step.prohibited_by.is_empty() {
            return cost + &checks;
        }
        let by: Vec<&str> = step.prohibited_by.iter().map(|by| by.number()).collect();
        let no = self.paint.bad(&format!("prohibited by {}", by.join(", ")));
        format!("{no} (it would cost {cost}{checks})")
    }

    fn setup(&self, setup: &SetUpVerdict) -> String {
        let numbers = |rules: &[Cited]| {
            let numbers: BTreeSet<&str> = rules.iter().map(Cited::number).collect();
            Vec::from_iter(numbers).join(", ")
        };
        let allowed = match setup.allowed {
            Some(true) => self.paint.good("allowed"),
            Some(false) => {
                let by = numbers(&setup.prohibited_by);
                self.paint.bad(&format!("prohibited by {by}"))
            }
            None => "no loaded plugin knows whether it is allowed".to_owned(),
        };
        let emplaced = match setup.emplacement {
            None => return allowed,
            Some(Emplacement::NotEmplaced) => self.paint.middling("not Emplaced"),
            Some(Emplacement::Emplaced) => self.paint.bold("Emplaced"),
            Some(Emplacement::UnlessRecorded) => self
                .paint
                .bold("Emplaced, unless it is recorded as not Emplaced"),
        };
        format!("{allowed}; {emplaced} ({})", numbers(&setup.emplacement_by))
    }

    /// What the verdict rests on, a row for each.
    pub(crate) fn grounds(&self, ruling: &Ruling) -> String {
        let mut table = Table::default();
        let weighs = |finding: &&RuledFinding| self.explain || weighs(finding, ruling);
        for finding in ruling.findings.iter().filter(weighs) {
            table.push(self.finding(finding));
        }
        let mut seen: Vec<&RuledObservation> = ruling.observations.iter().collect();
        // What counts, then what was set aside.
        seen.sort_by_key(|observation| !observation.set_aside_by.is_empty());
        let told = |fact: &FoundFact| {
            self.explain || !matches!(fact, FoundFact::Obstacle { .. } | FoundFact::Mark { .. })
        };
        for observation in seen.into_iter().filter(|one| told(&one.fact)) {
            if !observation.hypothetical || self.explain {
                table.push(self.observation(observation, ruling));
            }
        }
        if self.explain {
            for finding in &ruling.considered {
                table.push(self.finding(finding));
            }
        }
        table.text(self.paint)
    }

    fn finding(&self, finding: &RuledFinding) -> Row {
        let aside = match &finding.replaced_by {
            Some(by) => format!("its rule is replaced by {}", self.facts.cite(by)),
            None => "falls with what it rests on, which was set aside".to_owned(),
        };
        Row {
            rule: finding.by.number().to_owned(),
            what: effect(&finding.effect),
            place: place(&finding.place),
            text: finding.text.to_string(),
            notes: if finding.standing {
                Vec::new()
            } else {
                vec![aside]
            },
            counts: finding.standing && finding.effect != FoundEffect::Considered,
        }
    }

    fn observation(&self, observation: &RuledObservation, ruling: &Ruling) -> Row {
        let mut notes: Vec<String> = observation
            .set_aside_by
            .iter()
            .map(|by| format!("set aside by {}", self.facts.cite(by)))
            .collect();
        if observation.hypothetical {
            notes.push("is not really there: asked about only".into());
        }
        Row {
            rule: observation.by.number().to_owned(),
            what: self.fact(observation, ruling),
            place: place(&observation.place),
            text: observation.text.to_string(),
            counts: notes.is_empty(),
            notes,
        }
    }

    fn fact(&self, observation: &RuledObservation, ruling: &Ruling) -> String {
        match &observation.fact {
            FoundFact::Hindrance { drm, .. } => format!("Hindrance {}", signed(*drm)),
            FoundFact::Obstacle { kind, height, .. } => format!("{kind}, {}", levels(*height)),
            FoundFact::Mark { kind, .. } => kind.to_string(),
            FoundFact::Check {
                kind,
                fails_at,
                times,
                ..
            } => {
                let check = kind.replace('_', " ");
                format!("{times} {check} DR, Final DR {fails_at} or more fails")
            }
            FoundFact::CheckDrm { drm, .. } => format!("DRM {}", signed(*drm)),
            FoundFact::Cost { part, amount } => {
                let unit = match &ruling.verdict {
                    Verdict::Movement(step) => unit(step.unit),
                    _ => "",
                };
                let amount = match part {
                    CostPart::Cot => amount.to_string(),
                    CostPart::Surcharge => signed(*amount),
                    CostPart::Reduction { .. } => format!("-{amount}"),
                };
                let item = self.facts.known.item(&observation.by).replace('_', " ");
                format!("{item} {amount} {unit}")
            }
        }
    }

    fn notes(&self, ruled: &Adjudicated) -> String {
        let ruling = &ruled.ruling;
        let mut notes = Vec::new();
        for (policy, other) in &ruled.other_policies {
            let (verdict, policy) = (self.verdict(other), policy.name());
            if other.verdict == ruling.verdict {
                notes.push(format!("under {policy} the verdict is the same"));
            } else {
                notes.push(format!("under {policy}: {verdict}"));
            }
        }
        notes.extend(remarks(&ruling.contested, &ruling.ignored));
        notes.iter().map(|note| format!("{note}\n")).collect()
    }
}

/// On what it turned that is contested, and what was left out of account.
pub(crate) fn remarks(contested: &[ContestedOption], ignored: &[IgnoredLayer]) -> Vec<String> {
    let contested = contested.iter().map(|option| {
        let (plugin, value) = (&option.by.plugin, &option.value);
        format!(
            "contested: {} This turned on the option {plugin}.{} = {value}.",
            option.text, option.option
        )
    });
    let met = ignored.iter().filter(|layer| layer.met).map(|layer| {
        format!(
            "beware: it meets the layer {}, which no loaded plugin owns and which was left out of \
             account",
            layer.layer
        )
    });
    contested.chain(met).collect()
}

/// What sets up, in words.
fn piece(piece: &SetUpPiece) -> String {
    match piece {
        SetUpPiece::Fortification(fortification) => fortification.name().to_owned(),
        SetUpPiece::Unit {
            class,
            concealment,
            beneath,
        } => {
            let seen = match concealment {
                Concealment::Unconcealed => "",
                Concealment::Concealed => "concealed ",
                Concealment::Hidden => "hidden ",
            };
            let beneath = beneath.map(|beneath| format!(" beneath a {}", beneath.name()));
            let class = class.name().replace('_', " ");
            format!("{seen}{class}{}", beneath.unwrap_or_default())
        }
    }
}

/// Whether a finding is worth a row even where nothing more is asked for: a limit that is not
/// reached is not.
fn weighs(finding: &RuledFinding, ruling: &Ruling) -> bool {
    match finding.effect {
        FoundEffect::Limit { .. } => {
            let number = finding.by.number();
            let los = ruling.verdict.los();
            los.is_some_and(|los| los.blocked_by.iter().any(|by| by == number))
        }
        _ => true,
    }
}

fn how_it_lies(los: &LosVerdict, ruling: &Ruling) -> String {
    let mut text = format!("range {}", los.range);
    if los.grazing {
        let grazing = &ruling.grazing;
        // The vertices at the ends of a hexside that it runs along say nothing new.
        let meets = if grazing.along.is_empty() {
            format!("meets the vertex {}", grazing.through.join(", "))
        } else {
            format!("runs along {}", grazing.along.join(", "))
        };
        let policy = ruling.policy.name();
        text.push_str(&format!("; the line grazes ({policy}): {meets}"));
    }
    text
}

/// A finding's effect in a few letters.
pub(crate) fn effect(effect: &FoundEffect) -> String {
    match effect {
        FoundEffect::Blocks => "blocks".into(),
        FoundEffect::Tem { drm, .. } => format!("TEM {}", signed(*drm)),
        FoundEffect::HullDown => "Hull Down".into(),
        FoundEffect::OnLane => "on the lane".into(),
        FoundEffect::Immune => "immune".into(),
        FoundEffect::OpenGround => "Open Ground".into(),
        FoundEffect::NotOpenGround => "no Open Ground".into(),
        FoundEffect::Halved => "FP halved".into(),
        FoundEffect::MoraleDrm { drm } => format!("MC {}", signed(*drm)),
        FoundEffect::Cap { max } => format!("at most {}", signed(*max)),
        FoundEffect::Limit { at } => format!("limit {}", signed(*at)),
        FoundEffect::Prohibited => "prohibited".into(),
        FoundEffect::Allowed => "allowed".into(),
        FoundEffect::Emplaced => "Emplaced".into(),
        FoundEffect::MayBeUnemplaced => "may record".into(),
        FoundEffect::NotCovered => "not covered".into(),
        FoundEffect::Considered => "-".into(),
    }
}

fn place(place: &PlaceName) -> String {
    match place {
        PlaceName::Whole => String::new(),
        PlaceName::Hex(name) | PlaceName::Hexside(name) => name.to_string(),
    }
}

fn signed(number: i16) -> String {
    if number == 0 {
        "0".into()
    } else {
        format!("{number:+}")
    }
}

/// Half levels, as players say it.
fn levels(halves: i16) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "half level".into(),
        (whole, 0) => format!("level {whole}"),
        (whole, _) => format!("level {whole}½"),
    }
}

pub(crate) fn unit(unit: MovementUnit) -> &'static str {
    match unit {
        MovementUnit::Mf => "MF",
        MovementUnit::Mp => "MP",
    }
}

pub(crate) fn short(id: &alamein_terrain::Digest) -> String {
    id.to_string().chars().take(12).collect()
}

/// A check that a step owes, in a few words.
pub(crate) fn check(check: &MovementCheck) -> String {
    let (times, kind) = (check.times, check.kind.replace('_', " "));
    let fails = match (check.drm, check.fails_at_original) {
        (None, _) => "its DRM is not known".to_owned(),
        (Some(drm), None) => format!("DRM {}, which cannot fail", signed(drm)),
        (Some(drm), Some(original)) => {
            format!(
                "DRM {}, an Original DR of {original} or more fails",
                signed(drm)
            )
        }
    };
    format!("{times} {kind} DR ({fails})")
}
