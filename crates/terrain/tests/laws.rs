//! The laws of the merge algebra.
//!
//! 1. The union is commutative, associative and idempotent.
//! 2. Hence the fold is the same for every order in which features spoke.
//! 3. The fold agrees with a naive one, written another way.
//! 4. The same key with another value is an error that names who said both.
//! 5. What is set aside, or is not there, never adds; a finding falls with what it cites.

#![allow(clippy::unwrap_used)] // A test may.

use alamein_hex::Hex;
use alamein_terrain::fold::{fold_line, fold_setup, fold_step, unite_findings, unite_observations};
use alamein_terrain::{
    CostPart, Effect, Emplacement, Fact, Finding, LosResult, Observation, Place, Seen,
};
use proptest::prelude::*;

const KINDS: u32 = 3;

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        Just(Place::Whole),
        (0_i16..4, 0_i16..4).prop_map(|(q, r)| Place::Hex(Hex::new(q, r))),
    ]
}

fn fact() -> impl Strategy<Value = Fact> {
    let part = prop_oneof![
        Just(CostPart::Cot),
        Just(CostPart::Surcharge),
        (0_i16..3).prop_map(|floor| CostPart::Reduction { floor }),
    ];
    prop_oneof![
        4 => (0..KINDS, 0_i16..4).prop_map(|(kind, drm)| Fact::Hindrance { kind, drm }),
        1 => (0..KINDS, 0_i16..4, any::<bool>())
            .prop_map(|(kind, height, inherent)| Fact::Obstacle { kind, height, inherent }),
        2 => (part, 0_i16..5).prop_map(|(part, amount)| Fact::Cost { part, amount }),
    ]
}

prop_compose! {
    fn seen()(
        feature in 0_u16..4, rule in 0_u16..4, place in place(),
        subject in prop::option::of(0_u32..3), fact in fact(),
        hypothetical in prop::bool::weighted(0.2), standing in prop::bool::weighted(0.8),
    ) -> Seen {
        let observation = Observation { rule, place, subject, fact, needs_los: false };
        Seen { feature, observation, hypothetical, standing, again: alamein_terrain::Again::No }
    }
}

/// A consistent set: one value for each key, as features that make sense say.
fn observations() -> impl Strategy<Value = Vec<Seen>> {
    prop::collection::vec(seen(), 0..12).prop_map(|mut all| {
        let key = |s: &Seen| {
            (
                s.feature,
                s.observation.rule,
                s.observation.place,
                s.observation.subject,
            )
        };
        all.sort();
        all.dedup_by_key(|seen| key(seen));
        all
    })
}

fn effect() -> impl Strategy<Value = Effect> {
    prop_oneof![
        Just(Effect::Blocks),
        (0..KINDS, -2_i16..4).prop_map(|(group, drm)| Effect::Tem { group, drm }),
        Just(Effect::HullDown),
        Just(Effect::Immune),
        Just(Effect::OpenGround),
        Just(Effect::NotOpenGround),
        (0_i16..3).prop_map(|max| Effect::Cap { max }),
        (1_i16..8).prop_map(|at| Effect::Limit { at }),
        Just(Effect::Prohibited),
        Just(Effect::Allowed),
        Just(Effect::Emplaced),
        Just(Effect::MayBeUnemplaced),
        Just(Effect::Considered),
    ]
}

prop_compose! {
    fn finding()(
        feature in 0_u16..4, rule in 0_u16..6, place in place(),
        subject in prop::option::of(0_u32..3), effect in effect(),
        cites in prop::collection::vec(0_u32..12, 0..3),
    ) -> (u16, Finding) {
        (feature, Finding { rule, place, subject, effect, cites: cites.into() })
    }
}

fn findings() -> impl Strategy<Value = Vec<(u16, Finding)>> {
    prop::collection::vec(finding(), 0..10).prop_map(|mut all| {
        all.sort();
        all.dedup_by_key(|(f, s)| (*f, s.rule, s.place, s.subject));
        all
    })
}

fn both() -> impl Strategy<Value = (Vec<Seen>, Vec<(u16, Finding)>)> {
    (observations(), findings())
}

/// A counter, or a kind in a place.
type Source = (Option<u32>, Option<(Place, u32)>);

/// A LOS fold in plain loops over everything, for comparison.
fn naive(seen: &[Seen], findings: &[(u16, Finding)]) -> (LosResult, i16) {
    let stands = |finding: &Finding| {
        finding
            .cites
            .iter()
            .all(|at| seen.get(*at as usize).is_some_and(|s| s.standing))
    };
    // Sources with what each adds: a counter, or a kind in a place.
    let mut sources: Vec<(Source, i16)> = Vec::new();
    let name = |s: &Seen, kind: u32| match s.observation.subject {
        Some(subject) => (Some(subject), None),
        None => (None, Some((s.observation.place, kind))),
    };
    for s in seen {
        let Fact::Hindrance { kind, drm } = s.observation.fact else {
            continue;
        };
        if !s.standing || s.hypothetical {
            continue;
        }
        let name = name(s, kind);
        match sources.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = (*known).max(drm),
            None => sources.push((name, drm)),
        }
    }
    for (_, finding) in findings.iter().filter(|(_, f)| stands(f)) {
        let Effect::Cap { max } = finding.effect else {
            continue;
        };
        let cited: Vec<_> = finding
            .cites
            .iter()
            .filter_map(|at| match seen.get(*at as usize)?.observation.fact {
                Fact::Hindrance { kind, .. } => Some(name(&seen[*at as usize], kind)),
                _ => None,
            })
            .collect();
        let mut here: Vec<usize> = (0..sources.len())
            .filter(|at| cited.contains(&sources[*at].0))
            .collect();
        here.sort_by_key(|at| (sources[*at].0.1, sources[*at].0.0));
        while here.iter().map(|at| sources[*at].1).sum::<i16>() > max {
            let last = here.iter().rev().find(|at| sources[**at].1 > 0).unwrap();
            sources[*last].1 -= 1;
        }
    }
    let total = sources.iter().map(|(_, drm)| drm).sum::<i16>();
    let blocked = findings
        .iter()
        .filter(|(_, f)| stands(f))
        .any(|(_, f)| match f.effect {
            Effect::Blocks => true,
            Effect::Limit { at } => total >= at,
            _ => false,
        });
    let result = match (blocked, total) {
        (true, _) => LosResult::Blocked,
        (false, 0) => LosResult::Clear,
        (false, _) => LosResult::Hindered,
    };
    (result, total)
}

proptest! {
    #[test]
    fn union_is_commutative_and_idempotent(all in observations(), seed in any::<u64>()) {
        let united = unite_observations(all.clone()).unwrap();
        let mut twice = all.clone();
        twice.extend(all);
        // Any order will do: turn the list by the seed.
        let turn = if twice.is_empty() { 0 } else { seed as usize % twice.len() };
        twice.rotate_left(turn);
        prop_assert_eq!(unite_observations(twice).unwrap(), united);
    }

    #[test]
    fn union_is_associative(all in observations(), at in any::<prop::sample::Index>()) {
        let (one, other) = all.split_at(at.index(all.len() + 1));
        let unite = |some: &[Seen]| unite_observations(some.to_vec()).unwrap();
        let mut parts = unite(one);
        parts.extend(unite(other));
        prop_assert_eq!(unite_observations(parts).unwrap(), unite(&all));
    }

    #[test]
    fn fold_of_any_order_is_the_same((seen, findings) in both(), seed in any::<u64>()) {
        let in_order = unite_findings(findings.clone()).unwrap();
        let mut turned = findings;
        if !turned.is_empty() {
            let by = seed as usize % turned.len();
            turned.rotate_left(by);
            turned.reverse();
        }
        let turned = unite_findings(turned).unwrap();
        prop_assert_eq!(fold_line(&seen, &turned), fold_line(&seen, &in_order));
        prop_assert_eq!(fold_step(&seen, &turned), fold_step(&seen, &in_order));
        prop_assert_eq!(fold_setup(&seen, &turned), fold_setup(&seen, &in_order));
    }

    #[test]
    fn fold_agrees_with_a_naive_one((seen, findings) in both()) {
        let findings = unite_findings(findings).unwrap();
        let folded = fold_line(&seen, &findings);
        prop_assert_eq!((folded.result, folded.hindrance), naive(&seen, &findings));
    }

    #[test]
    fn what_does_not_stand_never_adds((seen, findings) in both()) {
        let stands: Vec<bool> = seen.iter().map(|s| s.standing && !s.hypothetical).collect();
        let folded = fold_line(&seen, &findings);
        let none = stands.iter().all(|stands| !stands);
        prop_assert!(!none || folded.hindrance == 0);
        let step = fold_step(&seen, &findings);
        for (at, _) in step.items {
            prop_assert!(stands[at]);
        }
    }
}

#[test]
fn two_values_of_one_key_name_who_said_both() {
    let of = |drm| Seen {
        feature: 2,
        hypothetical: false,
        again: alamein_terrain::Again::No,
        standing: true,
        observation: Observation {
            rule: 5,
            place: Place::Whole,
            subject: None,
            fact: Fact::Hindrance { kind: 0, drm },
            needs_los: false,
        },
    };
    let clash = unite_observations(vec![of(1), of(2)]).unwrap_err();
    assert_eq!((clash.feature, clash.rule), (2, 5));
}

fn tem(rule: u16, group: u32, drm: i16, cites: Vec<u32>) -> (u16, Finding) {
    let effect = Effect::Tem { group, drm };
    (
        0,
        Finding {
            rule,
            place: Place::Whole,
            subject: None,
            effect,
            cites: cites.into(),
        },
    )
}

#[test]
fn of_one_group_the_best_counts_and_groups_add() {
    let findings = [
        tem(0, 7, 1, vec![]),
        tem(1, 7, 2, vec![]),
        tem(2, 8, -1, vec![]),
    ];
    assert_eq!(fold_line(&[], &findings).tem, 2 - 1);
}

#[test]
fn a_finding_falls_with_what_it_cites() {
    let aside = Seen {
        feature: 0,
        hypothetical: false,
        again: alamein_terrain::Again::No,
        standing: false,
        observation: Observation {
            rule: 0,
            place: Place::Whole,
            subject: None,
            fact: Fact::Mark { kind: 0, value: 0 },
            needs_los: false,
        },
    };
    assert_eq!(fold_line(&[aside], &[tem(0, 7, 1, vec![0])]).tem, 0);
}

/// A finding of that effect on a set-up, which rests on the first observation or on nothing.
fn of_setup(rule: u16, effect: Effect, rests: bool) -> (u16, Finding) {
    let cites = if rests { vec![0] } else { Vec::new() };
    let place = Place::Whole;
    (
        0,
        Finding {
            rule,
            place,
            subject: None,
            effect,
            cites: cites.into(),
        },
    )
}

#[test]
fn a_set_up_is_allowed_if_something_allows_it_and_nothing_prohibits_it() {
    let allowed = of_setup(0, Effect::Allowed, false);
    let prohibited = of_setup(1, Effect::Prohibited, false);
    let fold = |findings: &[(u16, Finding)]| fold_setup(&[], findings).allowed;
    assert_eq!(fold(&[]), None);
    assert_eq!(fold(std::slice::from_ref(&allowed)), Some(true));
    assert_eq!(fold(std::slice::from_ref(&prohibited)), Some(false));
    assert_eq!(fold(&[allowed, prohibited]), Some(false));
}

#[test]
fn a_gun_is_emplaced_if_that_stands_and_not_if_it_fell() {
    let emplaced = of_setup(0, Effect::Emplaced, true);
    let may_record = of_setup(1, Effect::MayBeUnemplaced, true);
    let fold = |standing: bool, findings: &[(u16, Finding)]| {
        let mut mark = cost(0, CostPart::Cot, 1);
        mark.observation.fact = Fact::Mark { kind: 0, value: 0 };
        mark.standing = standing;
        fold_setup(&[mark], findings).emplacement
    };
    assert_eq!(fold(true, &[]), None);
    assert_eq!(fold(true, std::slice::from_ref(&may_record)), None);
    let only = std::slice::from_ref(&emplaced);
    assert_eq!(fold(true, only), Some(Emplacement::Emplaced));
    assert_eq!(fold(false, only), Some(Emplacement::NotEmplaced));
    let both = [emplaced, may_record];
    assert_eq!(fold(true, &both), Some(Emplacement::UnlessRecorded));
    assert_eq!(fold(false, &both), Some(Emplacement::NotEmplaced));
}

fn cost(rule: u16, part: CostPart, amount: i16) -> Seen {
    Seen {
        feature: 0,
        hypothetical: false,
        again: alamein_terrain::Again::No,
        standing: true,
        observation: Observation {
            rule,
            place: Place::Whole,
            subject: None,
            fact: Fact::Cost { part, amount },
            needs_los: false,
        },
    }
}

#[test]
fn a_step_costs_its_highest_cot_and_all_surcharges() {
    let seen = [
        cost(0, CostPart::Cot, 1),
        cost(1, CostPart::Cot, 6),
        cost(2, CostPart::Surcharge, 1),
        cost(3, CostPart::Surcharge, 6),
    ];
    assert_eq!(fold_step(&seen, &[]).total, Some(13));
}

#[test]
fn a_reduction_stops_at_its_floor() {
    let seen = [
        cost(0, CostPart::Cot, 1),
        cost(1, CostPart::Reduction { floor: 1 }, 1),
    ];
    let folded = fold_step(&seen, &[]);
    assert_eq!(
        (folded.total, folded.items),
        (Some(1), vec![(0, 1), (1, 0)])
    );
}

#[test]
fn without_a_cot_nobody_knows_what_a_step_costs() {
    assert_eq!(
        fold_step(&[cost(0, CostPart::Surcharge, 1)], &[]).total,
        None
    );
}
