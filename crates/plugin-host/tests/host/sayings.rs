//! Sayings that make no sense: each is refused with a message that names the plugin and says what.

use alamein_hex::{Grid, Hex, Hexside};
use alamein_plugin_host::limits::SAYINGS_A_LINE;
use alamein_terrain::{
    Budget, CostPart, CounterClass, CounterFacts, CounterFlags, Effect, Fact, FeatureError,
    Finding, LineBatch, Observation, Place, Seen, Spoken,
};
use futures::executor::block_on;

use crate::support::{Fixture, hex, instantiate, line, lines, map, prepared, seen, step, steps};

type Said<T> = Result<Vec<Spoken<T>>, FeatureError>;

/// What is observed of a line from A1 to A4, which is foggy, and one from A1 to A2, which is not.
fn observe(defines: &[&str]) -> Said<Observation> {
    let questions = [line("A1", "A4"), line("A1", "A2")];
    let counter = CounterFacts {
        class: CounterClass::Tank,
        flags: CounterFlags::none(),
        hex: hex("A4"),
        level: 0,
        side: 0,
        aboard: None,
        probe: false,
    };
    let batch = LineBatch {
        counters: &[counter],
        ..lines(&questions, &[0, 1])
    };
    block_on(prepared(defines).observe_lines(batch, Budget::default()))
}

/// What is observed of a step from A3 to A4.
fn observe_step(defines: &[&str]) -> Said<Observation> {
    let questions = [step("A3", "A4", CounterClass::Wreck)];
    block_on(prepared(defines).observe_steps(steps(&questions, &[0]), Budget::default()))
}

fn fog(name: &str) -> Seen {
    let fact = Fact::Hindrance { kind: 0, drm: 1 };
    let place = Place::Hex(hex(name));
    let observation = Observation {
        rule: 0,
        place,
        subject: None,
        fact,
        needs_los: false,
    };
    Seen {
        feature: 7,
        observation,
        hypothetical: false,
        again: alamein_terrain::Again::No,
        standing: true,
    }
}

/// What is found of a line from A1 to A4, of which one thing was seen.
fn judge(defines: &[&str]) -> Said<Finding> {
    let (questions, seen) = ([line("A1", "A4")], seen(&[vec![fog("A4")]]));
    let batch = lines(&questions, &[0]);
    block_on(prepared(defines).judge_lines(batch, &seen, Budget::default()))
}

/// Checks that an answer is refused as rubbish, and why.
fn rubbish<T: std::fmt::Debug>(said: Said<T>, why: &str) {
    match said.expect_err("it must be refused") {
        FeatureError::Rubbish { plugin, message } => {
            assert_eq!(plugin, "fog-bank");
            assert!(message.contains(why), "{why:?} is not in: {message}");
        }
        other => panic!("{other}, and not rubbish: {why}"),
    }
}

/// The one thing said, if it makes sense.
fn only<T>(said: Said<T>) -> T {
    let mut said = said.expect("it makes sense");
    assert_eq!(said.len(), 1);
    said.remove(0).said
}

#[test]
fn indices_are_within_their_tables() {
    rubbish(
        observe(&["OF=2"]),
        "observation number 0: it is of line number 2, of 2",
    );
    rubbish(
        observe(&["OF=UINT32_MAX"]),
        "it is of line number 4294967295, of 2",
    );
    rubbish(observe(&["RULE=3"]), "its rule is number 3, of 3");
    rubbish(observe(&["RULE=0x10000"]), "its rule is number 65536, of 3");
    rubbish(observe(&["KIND=2"]), "its kind is number 2, of 2");
    rubbish(
        observe(&["KIND=ALAMEIN_NONE"]),
        "its kind is number 4294967295, of 2",
    );
    rubbish(
        observe(&["SUBJECT=1"]),
        "its subject is counter number 1, of 1",
    );
    assert_eq!(only(observe(&["SUBJECT=0"])).subject, Some(0));
    rubbish(observe_step(&["OF=1"]), "it is of step number 1, of 1");
}

#[test]
fn facts_are_known() {
    rubbish(observe(&["FACT=0"]), "it is the unknown fact 0");
    rubbish(observe(&["FACT=9"]), "it is the unknown fact 9");
    rubbish(
        observe(&["FACT=7", "TIMES_OWED=1"]),
        "it is the fact 7, which no line has",
    );
    rubbish(
        observe(&["FACT=7"]),
        "the number of its DRs is 0, not 1 to 100",
    );
    rubbish(
        observe(&["TIMES_OWED=1"]),
        "which takes no times and no order",
    );
    rubbish(
        observe(&["FACT=4", "KIND=ALAMEIN_NONE"]),
        "it is the fact 4, which no line has",
    );
    rubbish(
        observe(&["FACT=4"]),
        "it is the fact 4, which takes no kind",
    );
    rubbish(
        observe_step(&["STEP_FACT=1"]),
        "it is the fact 1, which no step has",
    );
    rubbish(
        observe_step(&["STEP_FACT=2"]),
        "it is the fact 2, which no step has",
    );
    let obstacle = only(observe(&["FACT=1", "FLAGS=3", "VALUE=-2"]));
    assert_eq!(
        obstacle.fact,
        Fact::Obstacle {
            kind: 0,
            height: -2,
            inherent: true
        }
    );
    assert!(obstacle.needs_los);
    let mark = only(observe(&["FACT=3", "KIND=0", "VALUE=-2000000"]));
    assert_eq!(
        mark.fact,
        Fact::Mark {
            kind: 1,
            value: -2_000_000
        }
    );
    assert_eq!(
        only(observe_step(&["STEP_FACT=3"])).fact,
        Fact::Mark { kind: 0, value: 2 }
    );
    let surcharge = only(observe_step(&["STEP_FACT=5", "KIND=ALAMEIN_NONE"]));
    let fact = Fact::Cost {
        part: CostPart::Surcharge,
        amount: 2,
    };
    assert_eq!(surcharge.fact, fact);
    let reduction = only(observe_step(&["STEP_FACT=6", "KIND=ALAMEIN_NONE"]));
    let fact = Fact::Cost {
        part: CostPart::Reduction { floor: 0 },
        amount: 2,
    };
    assert_eq!(reduction.fact, fact);
}

#[test]
fn numbers_are_not_absurd() {
    rubbish(observe(&["VALUE=101"]), "its DRM is 101, not -100 to 100");
    rubbish(observe(&["VALUE=65537"]), "its DRM is 65537");
    rubbish(
        observe(&["FACT=1", "VALUE=-257"]),
        "its height is -257, not -256 to 256",
    );
    rubbish(
        observe(&["FLAGS=1"]),
        "its flags are 0x1, of which it may have 0x2",
    );
    rubbish(observe(&["FLAGS=16"]), "its flags are 0x10");
    rubbish(
        observe(&["FLOOR=1"]),
        "it is the fact 2, which takes no floor",
    );
    rubbish(judge(&["TEM=-101"]), "its value is -101");
}

#[test]
fn places_are_on_the_map() {
    let observe_at = |place: &str| observe(&[&format!("PLACE={{{place}}}")]);
    rubbish(
        observe_at("4, at, {0, 0}"),
        "its place has the unknown tag 4",
    );
    rubbish(
        observe_at("1, {2, 3}, {0, 0}"),
        "its place is C4, which is off the map",
    );
    rubbish(
        observe_at("1, {0, -1}, {0, 0}"),
        "its place is hex (0, -1), which is off the map",
    );
    rubbish(
        observe_at("1, {-32768, 32767}, {0, 0}"),
        "which is off the map",
    );
    rubbish(
        observe_at("2, {0, 1}, {0, 3}"),
        "its place is A1|A3, which are not adjacent",
    );
    rubbish(
        observe_at("2, {0, 1}, {0, 1}"),
        "its place is A1|A1, which are not adjacent",
    );
    rubbish(
        observe_at("2, {1, 3}, {1, 4}"),
        "its place is B3|B4, which is off the map",
    );

    let next_to_the_map = only(observe_at("1, {0, 0}, {9, 9}"));
    assert_eq!(next_to_the_map.place, Place::Hex(Hex::new(0, 0)));
    let at_the_edge = only(observe_at("2, {0, 1}, {1, 1}"));
    let grid = Grid::new(1, 10).expect("a grid");
    let Place::Hexside(side) = at_the_edge.place else {
        panic!()
    };
    assert_eq!(
        side,
        Hexside::between(Hex::new(1, 1), Hex::new(0, 1)).expect("a hexside")
    );
    assert_eq!(grid.hexside_name(side).as_deref(), Some("A1|SE"));
    assert_eq!(
        only(observe_at("0, {99, 99}, {99, 99}")).place,
        Place::Whole
    );
}

#[test]
fn a_need_of_los_has_a_hex() {
    rubbish(
        observe(&["FLAGS=2", "PLACE={0, at, at}"]),
        "it needs LOS, and is not in a hex",
    );
    rubbish(
        observe_step(&["FLAGS=2"]),
        "it needs LOS, and is not in a hex on a line",
    );
    assert!(only(observe(&["FLAGS=2"])).needs_los);
}

#[test]
fn arrays_are_arrays() {
    let push = |array: &str| observe(&[&format!("PUSH={{{array}}}")]);
    rubbish(
        push("NULL, 1, sizeof said"),
        "observations that are a null pointer to 1",
    );
    rubbish(
        push("&said, 1, 51"),
        "observations that are 51 bytes apart, and at least 52 long",
    );
    rubbish(push("&said, 1, 0"), "are 0 bytes apart");
    rubbish(
        push("&said, SIZE_MAX, 52"),
        "more than 1048576 sayings in one call",
    );
    rubbish(push("&said, 4, SIZE_MAX / 4"), "which no memory holds");
    assert_eq!(push("NULL, 0, 0"), Ok(vec![]));
    let longer = "(observation[2]){said}, 1, 2 * sizeof said";
    assert_eq!(push(longer).expect("elements may be longer").len(), 1);
    let misaligned = "memcpy((char[68]){0} + 1, &said, sizeof said), 1, sizeof said";
    assert_eq!(
        push(misaligned).expect("elements may lie anywhere").len(),
        1
    );
    rubbish(
        judge(&["CITES={NULL, 1, 4}"]),
        "finding number 0: its cites are a null pointer to 1",
    );
    rubbish(
        judge(&["CITES={cites, 1, 3}"]),
        "its cites are 3 bytes apart",
    );
}

#[test]
fn a_flood_is_stopped() {
    // The fixture stops when it is told that the sink is full, and says that all is well.
    let flood = observe(&["TIMES=100000000"]);
    rubbish(
        flood,
        &format!("more than {SAYINGS_A_LINE} sayings of one line"),
    );
    let full = format!("TIMES={SAYINGS_A_LINE}");
    assert_eq!(
        observe(&[&full]).expect("as many as may be").len(),
        SAYINGS_A_LINE
    );
}

#[test]
fn objections_are_to_what_was_seen() {
    let object = |define: &str| {
        let (questions, seen) = ([line("A1", "A4")], seen(&[vec![fog("A4")]]));
        let batch = lines(&questions, &[0]);
        block_on(prepared(&[define]).object_to_lines(batch, &seen, Budget::default()))
    };
    assert_eq!(only(object("OBSERVATION=0")).observation, 0);
    rubbish(
        object("OBSERVATION=1"),
        "objection number 0: it is about observation number 1, of 1",
    );
    rubbish(object("OF=1"), "it is of line number 1, of 1");
}

#[test]
fn findings_cite_what_was_seen() {
    assert_eq!(only(judge(&[])).cites[..], [0]);
    rubbish(
        judge(&["CITES={cites, 2, 4}"]),
        "it cites 2 observations, of 1",
    );
    rubbish(
        judge(&["CITES={(uint32_t[]){1}, 1, 4}"]),
        "observation number 1, of 1",
    );
}

#[test]
fn effects_are_known() {
    let effect = |effect: u32, group: &str, value: i32| {
        let (effect, group) = (format!("EFFECT={effect}"), format!("GROUP={group}"));
        judge(&[&effect, &group, &format!("TEM={value}")])
    };
    rubbish(effect(0, "0", 0), "it is the unknown effect 0");
    rubbish(effect(20, "0", 0), "it is the unknown effect 20");
    for of_setups in 17..=19 {
        let why = format!("it is the effect {of_setups}, which no line has");
        rubbish(effect(of_setups, "ALAMEIN_NONE", 0), &why);
    }
    rubbish(
        effect(1, "ALAMEIN_NONE", 1),
        "it is the effect 1, which takes no value",
    );
    rubbish(effect(1, "0", 0), "it is the effect 1, which takes no kind");
    rubbish(effect(2, "2", 0), "its kind is number 2, of 2");
    rubbish(
        effect(10, "ALAMEIN_NONE", 0),
        "it is the effect 10, which no line has",
    );
    assert_eq!(
        only(effect(8, "ALAMEIN_NONE", 3)).effect,
        Effect::Cap { max: 3 }
    );
    assert_eq!(
        only(effect(9, "ALAMEIN_NONE", 6)).effect,
        Effect::Limit { at: 6 }
    );
    for (number, known) in [
        (1, Effect::Blocks),
        (3, Effect::HullDown),
        (4, Effect::OnLane),
        (5, Effect::Immune),
        (6, Effect::OpenGround),
        (7, Effect::NotOpenGround),
        (11, Effect::NotCovered),
        (12, Effect::Considered),
        (14, Effect::NotImplemented),
    ] {
        assert_eq!(only(effect(number, "ALAMEIN_NONE", 0)).effect, known);
    }

    let of_step = |define: &str| {
        let (questions, seen) = ([step("A3", "A4", CounterClass::Wreck)], seen(&[vec![]]));
        let batch = steps(&questions, &[0]);
        block_on(prepared(&[define]).judge_steps(batch, &seen, Budget::default()))
    };
    assert_eq!(only(of_step("STEP_EFFECT=11")).effect, Effect::NotCovered);
    rubbish(
        of_step("STEP_EFFECT=1"),
        "it is the effect 1, which no step has",
    );
}

#[test]
fn only_a_rule_with_an_option_is_contested() {
    let contested = ["EFFECT=13", "GROUP=ALAMEIN_NONE", "TEM=0"];
    rubbish(judge(&contested), "the manifest names none for its rule");

    let mut fixture = Fixture::with(&contested);
    for manifest in [&mut fixture.manifest, &mut fixture.sidecar] {
        let option = serde_json::json!({"properties": {"dense": {"default": true}}});
        manifest["options"] = option;
        manifest["rules"][2]["option"] = "dense".into();
    }
    let plugin = fixture.build().load().expect("a plugin");
    let feature = instantiate(&plugin, true);
    let prepared = block_on(alamein_terrain::TerrainFeature::prepare(&feature, &map()));
    let (questions, seen) = ([line("A1", "A4")], seen(&[vec![fog("A4")]]));
    let prepared = prepared.expect("a map");
    let judged = prepared.judge_lines(lines(&questions, &[0]), &seen, Budget::default());
    assert_eq!(only(block_on(judged)).effect, Effect::Contested);
}
