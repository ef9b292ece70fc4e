//! Whatever a plugin says, the host either takes it or refuses it, and what it takes makes sense.

use std::sync::{Arc, OnceLock};

use alamein_hex::Grid;
use alamein_plugin_abi::{self as abi, Array, HexCoord, NONE, PlaceView};
use alamein_plugin_host::{NativePlugin, Vocabulary};
use alamein_terrain::{
    Budget, CounterClass, Effect, Fact, FeatureError, Finding, Map, Observation, Place,
    PreparedFeature, Seen, SeenBatch, Spoken, TerrainFeature,
};
use futures::executor::block_on;
use proptest::prelude::*;
use serde_json::json;

use crate::spy::{self, SPY};
use crate::support::{line, lines, seen, setup, setups, step, steps};

/// How many observations there are of each line when findings are asked for.
const SEEN: usize = 3;

fn grid() -> Grid {
    Grid::new(1, 10).expect("a grid")
}

fn prepared() -> &'static Arc<dyn PreparedFeature> {
    static PREPARED: OnceLock<Arc<dyn PreparedFeature>> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let spy = NativePlugin::linked(&SPY).expect("a plugin");
        let feature = spy.instantiate(json!({}), &Vocabulary::of([&spy]), 0);
        block_on(feature.expect("an instance").prepare(&Map::flat(grid()))).expect("a map")
    })
}

/// A number that is often, but not always, the index of something or a known tag.
fn index() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 0..3_u32, 2 => 0..16_u32, 1 => Just(NONE), 1 => any::<u32>()]
}

/// That number, but now and then another.
fn mostly(number: u32) -> impl Strategy<Value = u32> {
    prop_oneof![9 => Just(number), 1 => index()]
}

/// A known tag, but now and then another.
fn tag(last: u32) -> impl Strategy<Value = u32> {
    prop_oneof![9 => 0..=last, 1 => index()]
}

fn value() -> impl Strategy<Value = i32> {
    prop_oneof![8 => Just(0), 3 => -3..4_i32, 1 => -300..300_i32, 1 => any::<i32>()]
}

fn place() -> impl Strategy<Value = PlaceView> {
    let axis = |usual| prop_oneof![8 => Just(usual), 4 => 0..3_i16, 1 => any::<i16>()];
    let hex = |row| (axis(0), axis(row)).prop_map(|(q, r)| HexCoord { q, r });
    (tag(2), hex(1), hex(2)).prop_map(|(tag, a, b)| PlaceView { tag, a, b })
}

fn observation() -> impl Strategy<Value = abi::Observation> {
    let kind = prop_oneof![index(), Just(NONE)];
    let numbers = (tag(1), mostly(0), tag(8), kind, mostly(0), mostly(NONE));
    let check = (mostly(0), mostly(0));
    (numbers, value(), value(), place(), check).prop_map(|(numbers, value, floor, place, check)| {
        let (times, order) = check;
        let (of, rule, fact, kind, flags, subject) = numbers;
        abi::Observation {
            of,
            rule,
            fact,
            kind,
            value,
            flags,
            subject,
            place,
            floor,
            times,
            order,
        }
    })
}

/// What a finding says: of, rule, effect, kind, subject; value; place; what it cites.
type Found = ((u32, u32, u32, u32, u32), i32, PlaceView, Vec<u32>);

fn finding() -> impl Strategy<Value = Found> {
    let kind = prop_oneof![index(), Just(NONE)];
    let numbers = (tag(1), mostly(0), tag(19), kind, mostly(NONE));
    (
        numbers,
        value(),
        place(),
        prop::collection::vec(tag(2), 0..4),
    )
}

/// The same as it crosses, for as long as what it was made of lives.
fn crossing((numbers, value, place, cites): &Found) -> abi::Finding {
    let (of, rule, effect, kind, subject) = *numbers;
    let (ptr, len) = (cites.as_ptr().cast(), cites.len());
    let cites = Array {
        ptr,
        len,
        stride: size_of::<u32>(),
    };
    abi::Finding {
        of,
        rule,
        effect,
        kind,
        value: *value,
        subject,
        place: *place,
        cites,
    }
}

/// What is said, or nothing if it is refused as rubbish. Nothing else may come of it.
fn taken<T: std::fmt::Debug>(said: Result<Vec<Spoken<T>>, FeatureError>) -> Vec<Spoken<T>> {
    match said {
        Ok(said) => said,
        Err(FeatureError::Rubbish { plugin, .. }) if plugin == "spy" => Vec::new(),
        Err(other) => panic!("{other}"),
    }
}

/// What is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Lines,
    Steps,
    SetUps,
}

fn place_is_near(place: Place) -> bool {
    let on_map = |hex| grid().contains(hex);
    match place {
        Place::Whole => true,
        Place::Hex(hex) => on_map(hex) || hex.neighbours().into_iter().any(on_map),
        Place::Hexside(side) => side.hexes().into_iter().any(on_map),
    }
}

fn check_observation(said: &Spoken<Observation>, of: Of) {
    let Observation {
        rule,
        place,
        subject,
        fact,
        ..
    } = said.said;
    assert!(
        said.of < 2 && rule == 0 && subject.is_none() && place_is_near(place),
        "{said:?}"
    );
    let sense = match fact {
        Fact::Obstacle { kind, height, .. } => of == Of::Lines && kind < 2 && height.abs() <= 256,
        Fact::Hindrance { kind, drm } => of == Of::Lines && kind < 2 && drm.abs() <= 100,
        Fact::Mark { kind, .. } => kind < 2,
        Fact::Cost { amount, .. } => of == Of::Steps && (0..=1000).contains(&amount),
        Fact::Check {
            kind,
            fails_at,
            times,
            ..
        } => of == Of::Steps && kind < 2 && fails_at.abs() <= 100 && (1..=100).contains(&times),
        Fact::CheckDrm { kind, drm } => of == Of::Steps && kind < 2 && drm.abs() <= 100,
    };
    assert!(sense, "{said:?}");
}

fn check_finding(said: &Spoken<Finding>, of: Of) {
    let Finding {
        rule,
        place,
        subject,
        effect,
        ref cites,
    } = said.said;
    assert!(
        said.of < 2 && rule == 0 && subject.is_none() && place_is_near(place),
        "{said:?}"
    );
    assert!(
        cites.len() <= SEEN && cites.iter().all(|cited| *cited < SEEN as u32),
        "{said:?}"
    );
    let sense = match effect {
        Effect::Contested => false,
        Effect::Prohibited => of != Of::Lines,
        Effect::Allowed | Effect::Emplaced | Effect::MayBeUnemplaced => of == Of::SetUps,
        Effect::Tem { group, drm } => of == Of::Lines && group < 2 && drm.abs() <= 100,
        Effect::NotCovered | Effect::Considered | Effect::NotImplemented => true,
        _ => of == Of::Lines,
    };
    assert!(sense, "{said:?}");
}

/// Each of two lines or steps with [`SEEN`] observations.
fn much_seen() -> SeenBatch {
    let fact = Fact::Mark { kind: 0, value: 0 };
    let place = Place::Whole;
    let observation = Observation {
        rule: 0,
        place,
        subject: None,
        fact,
        needs_los: false,
    };
    let seen_of_one = Seen {
        feature: 9,
        observation,
        hypothetical: false,
        again: alamein_terrain::Again::No,
        standing: true,
    };
    seen(&[vec![seen_of_one; SEEN], vec![seen_of_one; SEEN]])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_observed_makes_sense(said in prop::collection::vec(observation(), 1..3)) {
        let questions = [line("A1", "A2"), line("A2", "A1")];
        spy::observe(said.clone());
        let observed = prepared().observe_lines(lines(&questions, &[0, 1]), Budget::default());
        taken(block_on(observed)).iter().for_each(|said| check_observation(said, Of::Lines));

        let questions = [step("A1", "A2", CounterClass::Squad), step("A2", "A1", CounterClass::Tank)];
        spy::observe(said.clone());
        let observed = prepared().observe_steps(steps(&questions, &[0, 1]), Budget::default());
        taken(block_on(observed)).iter().for_each(|said| check_observation(said, Of::Steps));

        let questions = [setup("A1", CounterClass::Squad), setup("A2", CounterClass::Gun)];
        spy::observe(said);
        let observed = prepared().observe_setups(setups(&questions, &[0, 1]), Budget::default());
        taken(block_on(observed)).iter().for_each(|said| check_observation(said, Of::SetUps));
        spy::notes();
    }

    #[test]
    fn what_is_found_makes_sense(said in prop::collection::vec(finding(), 1..3)) {
        let questions = [line("A1", "A2"), line("A2", "A1")];
        let seen = much_seen();
        spy::find(said.iter().map(crossing).collect());
        let found = prepared().judge_lines(lines(&questions, &[0, 1]), &seen, Budget::default());
        taken(block_on(found)).iter().for_each(|said| check_finding(said, Of::Lines));

        let questions = [step("A1", "A2", CounterClass::Squad), step("A2", "A1", CounterClass::Tank)];
        spy::find(said.iter().map(crossing).collect());
        let found = prepared().judge_steps(steps(&questions, &[0, 1]), &seen, Budget::default());
        taken(block_on(found)).iter().for_each(|said| check_finding(said, Of::Steps));

        let questions = [setup("A1", CounterClass::Squad), setup("A2", CounterClass::Gun)];
        spy::find(said.iter().map(crossing).collect());
        let found = prepared().judge_setups(setups(&questions, &[0, 1]), &seen, Budget::default());
        taken(block_on(found)).iter().for_each(|said| check_finding(said, Of::SetUps));
        spy::notes();
    }
}
