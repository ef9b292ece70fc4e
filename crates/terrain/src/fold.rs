//! The merge algebra: a union of what was said, then one pure fold.
//!
//! The union is keyed by (feature, rule, place, subject). It is commutative, associative and
//! idempotent; the same key with another value is an error. The fold looks at the union alone, so
//! the order in which features were asked means nothing.

use smallvec::SmallVec;

use crate::feature::Seen;
use crate::ruling::{Emplacement, LosResult};
use crate::saying::{CostPart, Effect, Fact, Finding, Objection, Place};

/// The key of the union: feature, rule, place, subject.
type Key = (u16, u16, Place, Option<u32>);

/// Two sayings of one key that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The feature that said both.
    pub feature: u16,
    /// The rule by which it said them.
    pub rule: u16,
}

/// Sorts what was observed of one line into its canonical order and drops repetitions.
///
/// # Errors
/// A feature that says two different things by one rule, of one place and one subject.
pub fn unite_observations(mut seen: Vec<Seen>) -> Result<Vec<Seen>, Clash> {
    unite_last_observations(&mut seen, 0)?;
    Ok(seen)
}

/// The same in a list of what was observed of many lines: of the last of them, which begins there.
///
/// # Errors
/// As [`unite_observations`].
pub fn unite_last_observations(seen: &mut Vec<Seen>, from: usize) -> Result<(), Clash> {
    let key = |seen: &Seen| -> Key {
        (
            seen.feature,
            seen.observation.rule,
            seen.observation.place,
            seen.observation.subject,
        )
    };
    match sort_last(seen, from, |one, other| key(one) == key(other)) {
        None => Ok(()),
        Some(at) => Err(Clash {
            feature: seen[at].feature,
            rule: seen[at].observation.rule,
        }),
    }
}

/// Sorts the end of a list, from there on, and drops repetitions in it. The first of two neighbours, by
/// its place, that clash.
fn sort_last<T: Ord>(
    list: &mut Vec<T>,
    from: usize,
    clash: impl Fn(&T, &T) -> bool,
) -> Option<usize> {
    let last = list.get_mut(from..)?;
    last.sort_unstable();
    let mut kept = from;
    for at in from..list.len() {
        if at == from || list[at] != list[kept - 1] {
            list.swap(kept, at);
            kept += 1;
        }
    }
    list.truncate(kept);
    let mut pairs = list.get(from..)?.windows(2);
    let at = pairs.position(|pair| clash(&pair[0], &pair[1]))?;
    Some(from + at)
}

/// The same for objections. They carry no value, so they cannot clash.
#[must_use]
pub fn unite_objections(mut objections: Vec<(u16, Objection)>) -> Vec<(u16, Objection)> {
    objections.sort_unstable();
    objections.dedup();
    objections
}

/// The same for findings.
///
/// # Errors
/// A feature that says two different things by one rule, of one place and one subject.
pub fn unite_findings(mut findings: Vec<(u16, Finding)>) -> Result<Vec<(u16, Finding)>, Clash> {
    unite_last_findings(&mut findings, 0)?;
    Ok(findings)
}

/// The same in a list of what was found of many lines: of the last of them, which begins there.
///
/// # Errors
/// As [`unite_findings`].
pub fn unite_last_findings(findings: &mut Vec<(u16, Finding)>, from: usize) -> Result<(), Clash> {
    for (_, finding) in findings.iter_mut().skip(from) {
        finding.cites.sort_unstable();
        finding.cites.dedup();
    }
    let key = |(feature, finding): &(u16, Finding)| -> Key {
        (*feature, finding.rule, finding.place, finding.subject)
    };
    match sort_last(findings, from, |one, other| key(one) == key(other)) {
        None => Ok(()),
        Some(at) => Err(Clash {
            feature: findings[at].0,
            rule: findings[at].1.rule,
        }),
    }
}

/// Whether a finding stands: everything that it rests on does. Observations of a probe may be
/// rested on: what rests on them is said of the probe.
#[must_use]
pub fn stands(finding: &Finding, seen: &[Seen]) -> bool {
    finding
        .cites
        .iter()
        .all(|cited| seen.get(*cited as usize).is_some_and(|seen| seen.standing))
}

/// What all features together say of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedLine {
    /// Whether there is a LOS.
    pub result: LosResult,
    /// The total Hindrance DRM, after caps.
    pub hindrance: i16,
    /// Whether terrain blocks, as against too many Hindrances.
    pub blocked_by_terrain: bool,
    /// The counters that Hinder.
    pub hindering: SmallVec<[u32; 8]>,
    /// The findings that block, by their place in the union.
    pub blocking: SmallVec<[usize; 4]>,
    /// The TEM.
    pub tem: i16,
    /// HD may be claimed.
    pub hull_down: bool,
    /// The target's hex is Open Ground for this attack, if any feature knows.
    pub open_ground: Option<bool>,
    /// The attack's FP is halved.
    pub halved: bool,
    /// The DRM to the MC that the attack causes: all that stand, added.
    pub morale_drm: i16,
    /// The mover's hex is on the Fire Lane.
    pub on_lane: bool,
    /// The mover is immune to it.
    pub immune: bool,
}

/// Folds what was said of a line. Both slices are unions.
#[must_use]
pub fn fold_line(seen: &[Seen], findings: &[(u16, Finding)]) -> FoldedLine {
    let standing: SmallVec<[(usize, &Finding); 16]> = findings
        .iter()
        .enumerate()
        .map(|(at, (_, finding))| (at, finding))
        .filter(|(_, finding)| stands(finding, seen))
        .collect();
    let any = |effect: Effect| standing.iter().any(|(_, found)| found.effect == effect);

    let mut drms = hindrances(seen);
    cap(&mut drms, standing.iter().map(|(_, found)| *found), seen);
    let hindrance = drms
        .iter()
        .fold(0_i16, |total, (_, drm)| total.saturating_add(*drm));

    let mut blocking: SmallVec<[usize; 4]> = standing
        .iter()
        .filter(|(_, found)| found.effect == Effect::Blocks)
        .map(|(at, _)| *at)
        .collect();
    let blocked_by_terrain = !blocking.is_empty();
    blocking.extend(
        standing
            .iter()
            .filter_map(|(at, found)| match found.effect {
                Effect::Limit { at: limit } if hindrance >= limit => Some(*at),
                _ => None,
            }),
    );
    let result = match (blocking.is_empty(), hindrance) {
        (false, _) => LosResult::Blocked,
        (true, 0) => LosResult::Clear,
        (true, _) => LosResult::Hindered,
    };
    let mut hindering: SmallVec<[u32; 8]> =
        drms.iter().filter_map(|(source, _)| source.1).collect();
    hindering.sort_unstable();
    hindering.dedup();

    FoldedLine {
        result,
        hindrance,
        blocked_by_terrain,
        hindering,
        blocking,
        tem: tem(standing.iter().map(|(_, found)| *found)),
        hull_down: any(Effect::HullDown),
        open_ground: any(Effect::OpenGround).then(|| !any(Effect::NotOpenGround)),
        halved: any(Effect::Halved),
        morale_drm: standing
            .iter()
            .fold(0, |sum, (_, found)| match found.effect {
                Effect::MoraleDrm { drm } => drm.saturating_add(sum),
                _ => sum,
            }),
        on_lane: any(Effect::OnLane),
        immune: any(Effect::Immune),
    }
}

/// What Hinders: the same source once, however many features observe it. A source is a counter
/// where there is one, else a kind in a place.
type Source = (Option<(Place, u32)>, Option<u32>);

fn source(seen: &Seen, kind: u32) -> Source {
    match seen.observation.subject {
        Some(subject) => (None, Some(subject)),
        None => (Some((seen.observation.place, kind)), None),
    }
}

/// The DRM of each source. On a line there are few.
type Drms = SmallVec<[(Source, i16); 4]>;

/// The DRM of each source that stands.
fn hindrances(seen: &[Seen]) -> Drms {
    let mut drms = Drms::new();
    for seen in seen
        .iter()
        .filter(|seen| seen.standing && !seen.hypothetical)
    {
        let Fact::Hindrance { kind, drm } = seen.observation.fact else {
            continue;
        };
        let source = source(seen, kind);
        match drms.iter_mut().find(|(known, _)| *known == source) {
            Some((_, worst)) => *worst = drm.max(*worst),
            None => drms.push((source, drm.max(0))),
        }
    }
    drms
}

/// Applies caps: each takes off its cited sources, the last of them first, what is over its most.
fn cap<'a>(drms: &mut Drms, findings: impl Iterator<Item = &'a Finding>, seen: &[Seen]) {
    for finding in findings {
        let Effect::Cap { max } = finding.effect else {
            continue;
        };
        let mut sources: Vec<Source> = finding
            .cites
            .iter()
            .filter_map(|cited| seen.get(*cited as usize))
            .filter_map(|seen| match seen.observation.fact {
                Fact::Hindrance { kind, .. } => Some(source(seen, kind)),
                _ => None,
            })
            .collect();
        sources.sort_unstable();
        sources.dedup();
        let capped = |(source, _): &&(Source, i16)| sources.binary_search(source).is_ok();
        let total: i16 = drms.iter().filter(capped).map(|(_, drm)| *drm).sum();
        let mut over = total.saturating_sub(max).max(0);
        for source in sources.iter().rev() {
            let Some((_, drm)) = drms.iter_mut().find(|(known, _)| known == source) else {
                continue;
            };
            let off = over.min(*drm);
            (*drm, over) = (*drm - off, over - off);
        }
    }
}

/// The best of each exclusive group, the groups added.
fn tem<'a>(findings: impl Iterator<Item = &'a Finding>) -> i16 {
    let mut best: SmallVec<[(u32, i16); 4]> = SmallVec::new();
    for finding in findings {
        let Effect::Tem { group, drm } = finding.effect else {
            continue;
        };
        match best.iter_mut().find(|(known, _)| *known == group) {
            Some((_, best)) => *best = drm.max(*best),
            None => best.push((group, drm)),
        }
    }
    // In the order of the groups: where a sum saturates, the order counts.
    best.sort_unstable();
    best.iter()
        .fold(0, |total: i16, (_, drm)| total.saturating_add(*drm))
}

/// What all features together say of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedStep {
    /// What it costs; `None` if no feature knows its COT.
    pub total: Option<i16>,
    /// The observations that count, by their place in the union, and what each amounts to.
    pub items: Vec<(usize, i16)>,
    /// The checks that it owes, in the order in which they are made.
    pub checks: Vec<FoldedCheck>,
    /// The findings that forbid it, by their place in the union.
    pub prohibiting: Vec<usize>,
}

/// A check that a step owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedCheck {
    /// The observation, by its place in the union.
    pub at: usize,
    /// The sum of the DRM; `None` if a finding says that the rules do not cover it.
    pub drm: Option<i16>,
    /// The observations that it is made of, by their place in the union, and their DRM.
    pub modifiers: Vec<(usize, i16)>,
}

/// The checks that stand, in their order, each with the DRM to checks of its kind.
fn checks(seen: &[Seen], findings: &[(u16, Finding)]) -> Vec<FoldedCheck> {
    let standing = || {
        let stands = |(_, seen): &(usize, &Seen)| seen.standing && !seen.hypothetical;
        seen.iter()
            .enumerate()
            .filter(stands)
            .map(|(at, seen)| (at, seen.observation.fact))
    };
    let not_covered = |at: usize| {
        findings.iter().any(|(_, finding)| {
            let cites = finding.cites.iter().any(|cited| *cited as usize == at);
            finding.effect == Effect::NotCovered && cites && stands(finding, seen)
        })
    };
    let mut checks = Vec::new();
    for (at, fact) in standing() {
        let Fact::Check { kind, order, .. } = fact else {
            continue;
        };
        let modifiers: Vec<(usize, i16)> = standing()
            .filter_map(|(at, fact)| match fact {
                Fact::CheckDrm { kind: of, drm } if of == kind => Some((at, drm)),
                _ => None,
            })
            .collect();
        let sum = modifiers
            .iter()
            .fold(0_i16, |sum, (_, drm)| sum.saturating_add(*drm));
        let drm = (!not_covered(at)).then_some(sum);
        checks.push((order, FoldedCheck { at, drm, modifiers }));
    }
    checks.sort_by_key(|(order, check)| (*order, check.at));
    checks.into_iter().map(|(_, check)| check).collect()
}

/// Folds what was said of a step. Both slices are unions.
#[must_use]
pub fn fold_step(seen: &[Seen], findings: &[(u16, Finding)]) -> FoldedStep {
    let costs: Vec<(usize, CostPart, i16)> = seen
        .iter()
        .enumerate()
        .filter(|(_, seen)| seen.standing && !seen.hypothetical)
        .filter_map(|(at, seen)| match seen.observation.fact {
            Fact::Cost { part, amount } => Some((at, part, amount)),
            _ => None,
        })
        .collect();
    let cots = costs.iter().filter(|cost| cost.1 == CostPart::Cot);
    // Of two that cost the same the first in canonical order counts.
    let cot = cots.max_by_key(|(at, _, amount)| (*amount, std::cmp::Reverse(*at)));
    let mut items: Vec<(usize, i16)> = cot.iter().map(|(at, _, amount)| (*at, *amount)).collect();
    for (at, _, amount) in costs.iter().filter(|cost| cost.1 == CostPart::Surcharge) {
        items.push((*at, *amount));
    }
    let mut total = items
        .iter()
        .fold(0_i16, |total, item| total.saturating_add(item.1));
    for (at, part, amount) in &costs {
        let CostPart::Reduction { floor } = part else {
            continue;
        };
        let reduced = total.saturating_sub(*amount).max(*floor).min(total);
        items.push((*at, reduced - total));
        total = reduced;
    }
    items.sort_unstable();
    let forbids = |(_, (_, finding)): &(usize, &(u16, Finding))| {
        finding.effect == Effect::Prohibited && stands(finding, seen)
    };
    FoldedStep {
        total: cot.map(|_| total),
        items,
        checks: checks(seen, findings),
        prohibiting: findings
            .iter()
            .enumerate()
            .filter(forbids)
            .map(|(at, _)| at)
            .collect(),
    }
}

/// What all features together say of a set-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedSetUp {
    /// Whether it may set up there; `None` if no feature says.
    pub allowed: Option<bool>,
    /// The findings that forbid it, by their place in the union.
    pub prohibiting: Vec<usize>,
    /// Whether it is Emplaced; `None` if no feature says.
    pub emplacement: Option<Emplacement>,
    /// The findings by which it would be, by their place in the union: those that stand if it is,
    /// those that fell if it is not.
    pub emplacing: Vec<usize>,
}

/// Folds what was said of a set-up. Both slices are unions.
#[must_use]
pub fn fold_setup(seen: &[Seen], findings: &[(u16, Finding)]) -> FoldedSetUp {
    let with = |effect: Effect, standing: bool| -> Vec<usize> {
        let wanted = |(_, (_, finding)): &(usize, &(u16, Finding))| {
            finding.effect == effect && stands(finding, seen) == standing
        };
        let found = findings.iter().enumerate().filter(wanted);
        found.map(|(at, _)| at).collect()
    };
    let any = |effect| !with(effect, true).is_empty();
    let prohibiting = with(Effect::Prohibited, true);
    let allowed = match (prohibiting.is_empty(), any(Effect::Allowed)) {
        (false, _) => Some(false),
        (true, allowed) => allowed.then_some(true),
    };
    let (stand, fell) = (with(Effect::Emplaced, true), with(Effect::Emplaced, false));
    let (emplacement, emplacing) = match (stand.is_empty(), fell.is_empty()) {
        (true, true) => (None, fell),
        (true, false) => (Some(Emplacement::NotEmplaced), fell),
        _ if any(Effect::MayBeUnemplaced) => (Some(Emplacement::UnlessRecorded), stand),
        _ => (Some(Emplacement::Emplaced), stand),
    };
    FoldedSetUp {
        allowed,
        prohibiting,
        emplacement,
        emplacing,
    }
}
