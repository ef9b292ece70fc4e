//! Rulings such as an engine could give.

use alamein_terrain::{
    Adjudicated, Cited, ContestedOption, CostPart, Crossed, Digest, Emplacement, FoundEffect,
    FoundFact, Grazing, GrazingPolicy, IgnoredLayer, LaneVerdict, LosResult, LosVerdict,
    MovementCheck, MovementItem, MovementUnit, MovementVerdict, Name, PlaceName, RuledFinding,
    RuledObservation, Ruling, SetUpVerdict, TemVerdict, Verdict,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

pub(crate) fn word() -> impl Strategy<Value = Name> {
    name("[a-z]{1,5}")
}

/// A name that fits a pattern.
pub(crate) fn name(pattern: &'static str) -> impl Strategy<Value = Name> {
    pattern.prop_map(Name::from)
}

pub(crate) fn cited() -> impl Strategy<Value = Cited> {
    (word(), "[A-Z][0-9]\\.[0-9](/[a-z]{1,4})?").prop_map(|(plugin, rule)| Cited {
        plugin,
        rule: rule.into(),
    })
}

pub(crate) fn place() -> impl Strategy<Value = PlaceName> {
    prop_oneof![
        Just(PlaceName::Whole),
        name("[A-Z][1-9]").prop_map(PlaceName::Hex),
        name("[A-Z][1-9]\\|[A-Z][1-9]").prop_map(PlaceName::Hexside),
    ]
}

fn part() -> impl Strategy<Value = CostPart> {
    prop_oneof![
        Just(CostPart::Cot),
        Just(CostPart::Surcharge),
        any::<i16>().prop_map(|floor| CostPart::Reduction { floor }),
    ]
}

fn fact() -> impl Strategy<Value = FoundFact> {
    prop_oneof![
        (word(), any::<i16>(), any::<bool>()).prop_map(|(kind, height, inherent)| {
            FoundFact::Obstacle {
                kind,
                height,
                inherent,
            }
        }),
        (word(), any::<i16>()).prop_map(|(kind, drm)| FoundFact::Hindrance { kind, drm }),
        (word(), any::<i32>()).prop_map(|(kind, value)| FoundFact::Mark { kind, value }),
        (part(), any::<i16>()).prop_map(|(part, amount)| FoundFact::Cost { part, amount }),
        (word(), any::<i16>(), any::<u8>(), any::<u8>()).prop_map(
            |(kind, fails_at, times, order)| FoundFact::Check {
                kind,
                fails_at,
                times,
                order
            }
        ),
        (word(), any::<i16>()).prop_map(|(kind, drm)| FoundFact::CheckDrm { kind, drm }),
    ]
}

fn effect() -> impl Strategy<Value = FoundEffect> {
    prop_oneof![
        (word(), any::<i16>()).prop_map(|(group, drm)| FoundEffect::Tem { group, drm }),
        any::<i16>().prop_map(|max| FoundEffect::Cap { max }),
        any::<i16>().prop_map(|drm| FoundEffect::MoraleDrm { drm }),
        any::<i16>().prop_map(|at| FoundEffect::Limit { at }),
        select(vec![
            FoundEffect::Blocks,
            FoundEffect::Halved,
            FoundEffect::HullDown,
            FoundEffect::OnLane,
            FoundEffect::Immune,
            FoundEffect::OpenGround,
            FoundEffect::NotOpenGround,
            FoundEffect::Prohibited,
            FoundEffect::Allowed,
            FoundEffect::Emplaced,
            FoundEffect::MayBeUnemplaced,
            FoundEffect::NotCovered,
        ]),
    ]
}

prop_compose! {
    fn observation()(
        by in cited(), fact in fact(), place in place(), subject in option::of(name("[a-z]{1,4}")),
        hypothetical in any::<bool>(), set_aside_by in vec(cited(), 0..3), text in "[ -~]{0,12}",
    ) -> RuledObservation {
        let (set_aside_by, text) = (set_aside_by.into(), text.into());
        RuledObservation { by, fact, place, subject, hypothetical, set_aside_by, text }
    }
}

prop_compose! {
    fn finding(effect: BoxedStrategy<FoundEffect>)(
        by in cited(), effect in effect, place in place(), subject in option::of(name("[a-z]{1,4}")),
        standing in any::<bool>(), replaced_by in option::of(cited()), cites in vec(0_u32..9, 0..4), text in "[ -~]{0,12}",
    ) -> RuledFinding {
        let (cites, text) = (cites.into(), text.into());
        RuledFinding { by, effect, place, subject, standing, replaced_by, cites, text }
    }
}

prop_compose! {
    fn los()(
        result in select(vec![LosResult::Clear, LosResult::Hindered, LosResult::Blocked]),
        hindrance in any::<Option<i16>>(), hindering in vec(name("[a-z]{1,4}"), 0..3),
        blocked_by in vec(name("[A-Z][0-9]\\.[0-9]"), 0..3), grazing in any::<bool>(),
        range in any::<u16>(),
    ) -> LosVerdict {
        let (hindering, blocked_by) = (hindering.into(), blocked_by.into());
        LosVerdict { result, hindrance, hindering, blocked_by, grazing, range }
    }
}

prop_compose! {
    pub(crate) fn check()(
        by in cited(), kind in word(), place in place(), times in any::<u8>(),
        fails_at in any::<i16>(), drm in any::<Option<i16>>(),
        modifiers in vec((cited(), any::<i16>()), 0..3),
        fails_at_original in any::<Option<i16>>(),
    ) -> MovementCheck {
        MovementCheck { by, kind, place, times, fails_at, drm, modifiers, fails_at_original }
    }
}

prop_compose! {
    fn movement()(
        unit in select(vec![MovementUnit::Mf, MovementUnit::Mp]), total in any::<Option<i16>>(),
        items in vec((cited(), part(), any::<i16>(), place()), 0..4),
        checks in vec(check(), 0..3), prohibited_by in vec(cited(), 0..3),
    ) -> MovementVerdict {
        let item = |(by, part, amount, spent_in)| MovementItem { by, part, amount, spent_in };
        let items = items.into_iter().map(item).collect();
        MovementVerdict { unit, total, items, checks, prohibited_by }
    }
}

prop_compose! {
    fn setup()(
        allowed in any::<Option<bool>>(), prohibited_by in vec(cited(), 0..3),
        emplacement in option::of(select(vec![
            Emplacement::NotEmplaced, Emplacement::Emplaced, Emplacement::UnlessRecorded,
        ])),
        emplacement_by in vec(cited(), 0..3),
    ) -> SetUpVerdict {
        SetUpVerdict { allowed, prohibited_by, emplacement, emplacement_by }
    }
}

fn verdict() -> impl Strategy<Value = Verdict> {
    type Options = (
        Option<i16>,
        Option<bool>,
        Option<bool>,
        Option<i16>,
        Option<bool>,
        Option<i16>,
    );
    let tem = any::<Options>().prop_map(|options| {
        let (tem, hull_down, open_ground, total_drm, halved, morale_drm) = options;
        TemVerdict {
            tem,
            hull_down,
            open_ground,
            total_drm,
            halved,
            morale_drm,
        }
    });
    let lane = any::<(bool, bool, bool)>().prop_map(|(on_lane, immune, attacked)| LaneVerdict {
        on_lane,
        immune,
        attacked,
    });
    prop_oneof![
        los().prop_map(Verdict::LineOfSight),
        (los(), tem).prop_map(|(los, tem)| Verdict::LineOfFire(los, tem)),
        (los(), lane).prop_map(|(los, lane)| Verdict::FireLane(los, lane)),
        movement().prop_map(Verdict::Movement),
        setup().prop_map(Verdict::SetUp),
    ]
}

prop_compose! {
    fn grazing()(
        grazes in any::<bool>(), touched in vec(name("[A-Z][1-9]"), 0..4),
        along in vec(name("[A-Z][1-9]\\|N"), 0..2), through in vec(name("[A-Z]1/[A-Z]2/[A-Z]3"), 0..2),
        readings in vec(vec((name("[A-Z][1-9]"), name("[A-Z][1-9]")), 0..3), 0..3),
    ) -> Grazing {
        let crossed = |(from, to)| Crossed { from, to };
        let reading = |reading: Vec<_>| reading.into_iter().map(crossed).collect();
        let readings = readings.into_iter().map(reading).collect();
        let (touched, along, through) = (touched.into(), along.into(), through.into());
        Grazing { grazes, touched, along, through, readings }
    }
}

pub(crate) fn contested() -> impl Strategy<Value = ContestedOption> {
    (cited(), "[a-z]{1,4}", "\"[a-z]{1,4}\"", "[ -~]{0,12}").prop_map(
        |(by, option, value, text)| ContestedOption {
            by,
            option,
            value,
            text,
        },
    )
}

prop_compose! {
    pub(crate) fn ruling()(
        id in any::<[u8; 3]>(), policy in select(&GrazingPolicy::ALL[..]), verdict in verdict(),
        observations in vec(observation(), 0..4), findings in vec(finding(effect().boxed()), 0..4),
        considered in vec(finding(Just(FoundEffect::Considered).boxed()), 0..3),
        contested in vec(contested(), 0..3), grazing in grazing(),
        ignored in vec((name("[a-z]{1,4}"), any::<bool>()), 0..3),
    ) -> Ruling {
        let layer = |(layer, met)| IgnoredLayer { layer, met };
        Ruling {
            id: Digest::of(&id), rules: Digest::of(&id[1..]), position: Digest::of(&id[2..]),
            policy, verdict, contested, grazing, observations: observations.into(),
            findings: findings.into(), considered: considered.into(),
            ignored: ignored.into_iter().map(layer).collect(),
        }
    }
}

pub(crate) fn adjudicated() -> impl Strategy<Value = Adjudicated> {
    let other = (select(&GrazingPolicy::ALL[..]), ruling());
    (ruling(), vec(other, 0..3)).prop_map(|(ruling, other_policies)| Adjudicated {
        ruling,
        other_policies,
    })
}
