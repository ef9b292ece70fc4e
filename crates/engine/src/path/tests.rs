//! Sums of rulings such as no plugin gives yet.

use alamein_hex::Hex;
use alamein_terrain::{
    CostPart, Digest, Grazing, GrazingPolicy, MissingRule, MovementItem, MovementUnit, Way,
};

use super::*;

fn cited(rule: &str) -> Cited {
    Cited {
        plugin: "marsh".into(),
        rule: rule.into(),
    }
}

/// A ruling on a step: what it costs in all, its items and where each is spent, what forbids it.
fn ruling(total: Option<i16>, items: &[(i16, &str)], prohibited_by: &[&str]) -> Ruling {
    let item = |(amount, place): &(i16, &str)| MovementItem {
        by: cited("X1/item"),
        part: CostPart::Surcharge,
        amount: *amount,
        spent_in: PlaceName::Hex((*place).into()),
    };
    let verdict = MovementVerdict {
        unit: MovementUnit::Mp,
        total,
        items: items.iter().map(item).collect(),
        checks: vec![],
        prohibited_by: prohibited_by.iter().map(|rule| cited(rule)).collect(),
    };
    Ruling {
        id: Digest::of(b"ruling"),
        rules: Digest::of(b"rules"),
        position: Digest::of(b"position"),
        policy: GrazingPolicy::Either,
        verdict: Verdict::Movement(verdict),
        observations: vec![].into(),
        findings: vec![].into(),
        considered: vec![].into(),
        contested: vec![],
        grazing: Grazing::default(),
        ignored: vec![],
    }
}

fn enter() -> Step {
    Step::enter(Hex::new(0, 0), Hex::new(0, 1))
}

fn turn() -> Step {
    Step::Turn {
        hex: Hex::new(0, 1),
        entered_from: None,
        hexsides: 1,
        way: Way::Open,
    }
}

fn sum(allowance: Option<i32>, steps: Vec<(Step, StepRuling)>) -> PricedPath {
    let mut sum = Sum::new(
        Digest::of(b"rules"),
        Digest::of(b"position"),
        MovementUnit::Mp,
    );
    sum.allowance = allowance;
    for (step, ruling) in steps {
        sum.add(&step, "A2", ruling);
    }
    sum.path
}

#[test]
fn what_is_forbidden_is_named_and_counted_all_the_same() {
    let forbidden = ruling(Some(2), &[(2, "A2")], &["X2/mire", "X3"]);
    let free = ruling(Some(1), &[(1, "A2")], &[]);
    let steps = vec![
        (enter(), Ok(free.clone())),
        (enter(), Ok(forbidden)),
        (enter(), Ok(free)),
    ];
    let path = sum(Some(3), steps);
    let expected = ProhibitedStep {
        step: 1,
        by: vec![cited("X2/mire"), cited("X3")],
    };
    assert_eq!(path.prohibited, [expected]);
    assert_eq!((path.total, path.exceeds_at), (Some(4), Some(2)));
}

#[test]
fn a_change_of_vca_that_a_plugin_prices_counts() {
    let steps = vec![(turn(), Ok(ruling(Some(2), &[(2, "A2")], &[])))];
    let path = sum(None, steps);
    assert_eq!(path.total, Some(2));
    assert!(!path.steps[0].turn_not_judged);
}

#[test]
fn what_is_spent_is_told_place_by_place() {
    let spread = ruling(Some(4), &[(3, "A2"), (2, "A1"), (-1, "A2")], &[]);
    let part = ruling(None, &[(1, "A1"), (2, "A1")], &[]);
    let path = sum(None, vec![(enter(), Ok(spread)), (enter(), Ok(part))]);
    let spent = |place: &str, amount| Spent {
        place: PlaceName::Hex(place.into()),
        amount,
    };
    assert_eq!(
        path.steps[0].spent,
        [spent("A2", Some(2)), spent("A1", Some(2))]
    );
    assert_eq!(
        path.steps[1].spent,
        [spent("A1", None)],
        "as much as is known"
    );
}

#[test]
fn an_unknown_cost_is_not_nothing() {
    let rule = MissingRule {
        by: cited("X4"),
        place: PlaceName::Whole,
        text: String::new(),
    };
    let free = || Ok(ruling(Some(0), &[(0, "A2")], &[]));
    for unknown in [Ok(ruling(None, &[], &[])), Err(rule)] {
        let path = sum(
            Some(9),
            vec![(enter(), free()), (enter(), unknown), (enter(), free())],
        );
        let after: Vec<Option<i32>> = path.steps.iter().map(|step| step.total_after).collect();
        assert_eq!(after, [Some(0), None, None]);
        assert_eq!((path.total, path.exceeds_at), (None, None));
    }
    // Nor is a change of VCA that turns on a rule which is not implemented.
    let refused = Err(MissingRule {
        by: cited("X4"),
        place: PlaceName::Whole,
        text: String::new(),
    });
    let path = sum(None, vec![(turn(), refused)]);
    assert_eq!(path.total, None);
    assert!(!path.steps[0].turn_not_judged);
}
