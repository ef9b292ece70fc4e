//! Positions and questions made worse in every way that is refused.

use alamein_proto::Limits;
use alamein_proto::v1::set_up_question::Piece;
use alamein_proto::v1::{self, ErrorReason as R, layer_field::Kind, movement_question::Step};
use alamein_proto::v1::{attribute, end, position::MapSource, question::Question as Asked};

pub(crate) const LIMITS: Limits = Limits {
    max_hexes: 400,
    max_counters: 3,
    max_changes: 4,
    max_steps: 4,
    max_probes: 2,
    max_text: 16,
};

pub(crate) fn counter(id: &str, class: v1::CounterClass, hex: &str) -> v1::Counter {
    v1::Counter {
        id: id.into(),
        class: class.into(),
        hex: hex.into(),
        ..v1::Counter::default()
    }
}

pub(crate) fn layer(name: &str, kind: Option<Kind>) -> v1::Layer {
    let name = name.to_owned();
    let field = v1::LayerField {
        name: "field".into(),
        kind,
    };
    v1::Layer {
        name,
        fields: vec![field],
    }
}

pub(crate) fn hexes(hexes: &[&str]) -> Kind {
    let hexes = hexes.iter().map(|hex| (*hex).to_owned()).collect();
    Kind::Hexes(v1::HexSet { hexes })
}

pub(crate) fn hexsides(sides: &[&str]) -> Kind {
    let hexsides = sides.iter().map(|side| (*side).to_owned()).collect();
    Kind::Hexsides(v1::HexsideSet { hexsides })
}

pub(crate) fn good_position() -> v1::Position {
    let map = v1::Map {
        layers: vec![
            layer("fog", Some(hexes(&["P6"]))),
            layer("mist", Some(hexsides(&["P6|P7", "A1|N"]))),
        ],
        ..v1::Map::default()
    };
    v1::Position {
        map_source: Some(MapSource::Map(map)),
        counters: vec![
            counter("squad", v1::CounterClass::Squad, "P6"),
            counter("truck", v1::CounterClass::Truck, "P6"),
        ],
        environment: None,
        fire_lanes: Vec::new(),
    }
}

/// What a table's row changes to the worse, and what comes of it.
pub(crate) struct Row<M> {
    pub(crate) worsen: fn(&mut M),
    pub(crate) reason: R,
    pub(crate) field: &'static str,
}

pub(crate) fn map_of(position: &mut v1::Position) -> &mut v1::Map {
    match &mut position.map_source {
        Some(MapSource::Map(map)) => map,
        _ => unreachable!(),
    }
}

pub(crate) fn put(position: &mut v1::Position, kind: Kind) {
    map_of(position).layers[1].fields[0].kind = Some(kind);
}

pub(crate) fn hex_values(values: &[&str]) -> Kind {
    let value = |hex: &&str| v1::HexValue {
        hex: (*hex).into(),
        value: 1,
    };
    let values = values.iter().map(value).collect();
    Kind::HexValues(v1::HexValues { values })
}

pub(crate) fn hexside_values(values: &[&str]) -> Kind {
    let value = |hexside: &&str| v1::HexsideValue {
        hexside: (*hexside).into(),
        value: 1,
    };
    let values = values.iter().map(value).collect();
    Kind::HexsideValues(v1::HexsideValues { values })
}

pub(crate) fn board(position: &mut v1::Position, columns: u32, rows: u32) {
    map_of(position).board = Some(v1::Board { columns, rows });
}

pub(crate) fn level(position: &mut v1::Position, hex: &str, level: i32) {
    let hex = hex.to_owned();
    map_of(position).levels.push(v1::HexLevel { hex, level });
}

pub(crate) fn attribute(position: &mut v1::Position, name: &str, value: Option<attribute::Value>) {
    let name = name.to_owned();
    position.counters[0]
        .attributes
        .push(v1::Attribute { name, value });
}

macro_rules! rows {
    ($($reason:ident at $field:literal: |$it:ident| $worsen:expr;)*) => {
        vec![$(Row { worsen: |$it| { $worsen; }, reason: R::$reason, field: $field }),*]
    };
}

const LONG: &str = "a name of more than sixteen bytes";
pub(crate) const ID: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// What is wrong with a map, wherever it is.
pub(crate) fn maps() -> Vec<Row<v1::Position>> {
    rows! {
        MapTooLarge at "map.board": |it| board(it, 40, 10);
        MapTooLarge at "map.board": |it| board(it, u32::MAX, u32::MAX);
        OutOfRange at "map.board.columns": |it| board(it, 0, 10);
        OutOfRange at "map.board.rows": |it| board(it, 10, 0);
        OutOfRange at "map.base_level": |it| map_of(it).base_level = 65;
        OutOfRange at "map.base_level": |it| map_of(it).base_level = i32::MIN;
        OutOfRange at "map.levels[0].level": |it| level(it, "P6", -17);
        UnknownHex at "map.levels[0].hex": |it| level(it, "7P", 1);
        MissingField at "map.levels[0].hex": |it| level(it, "", 1);
        DuplicateHex at "map.levels[1].hex": |it| { level(it, "P6", 1); level(it, "p6", 2) };
        MissingField at "map.layers[0].name": |it| map_of(it).layers[0].name.clear();
        TooLong at "map.layers[0].name": |it| map_of(it).layers[0].name = LONG.into();
        DuplicateLayer at "map.layers[1].name": |it| map_of(it).layers[1].name = "fog".into();
        MissingField at "map.layers[0].fields[0].name":
            |it| map_of(it).layers[0].fields[0].name.clear();
        MissingField at "map.layers[0].fields[0].kind":
            |it| map_of(it).layers[0].fields[0].kind = None;
        DuplicateLayer at "map.layers[0].fields[1].name":
            |it| { let layer = &mut map_of(it).layers[0]; layer.fields.push(layer.fields[0].clone()) };
    }
}

/// What is wrong with the hexes and hexsides of a layer.
pub(crate) fn layers() -> Vec<Row<v1::Position>> {
    rows! {
        HexOffMap at "map.layers[1].fields[0].hexes.hexes[1]": |it| put(it, hexes(&["A1", "A11"]));
        HexOffMap at "map.layers[1].fields[0].hexes.hexes[0]": |it| put(it, hexes(&["HH1"]));
        UnknownHex at "map.layers[1].fields[0].hexes.hexes[0]": |it| put(it, hexes(&["P06"]));
        DuplicateHex at "map.layers[1].fields[0].hexes.hexes[1]":
            |it| put(it, hexes(&["P6", "P6"]));
        UnknownHexside at "map.layers[1].fields[0].hexsides.hexsides[0]":
            |it| put(it, hexsides(&["P6|P8"]));
        UnknownHexside at "map.layers[1].fields[0].hexsides.hexsides[0]":
            |it| put(it, hexsides(&["P6"]));
        UnknownHexside at "map.layers[1].fields[0].hexsides.hexsides[0]":
            |it| put(it, hexsides(&["7P|P6"]));
        UnknownHexside at "map.layers[1].fields[0].hexsides.hexsides[0]":
            |it| put(it, hexsides(&["|P6"]));
        MissingField at "map.layers[1].fields[0].hexsides.hexsides[0]":
            |it| put(it, hexsides(&[""]));
        HexOffMap at "map.layers[1].fields[0].hexsides.hexsides[0]":
            |it| put(it, hexsides(&["A10|A11"]));
        DuplicateHexside at "map.layers[1].fields[0].hexsides.hexsides[2]":
            |it| put(it, hexsides(&["P6|P7", "P5|P6", "P7|N"]));
        DuplicateHex at "map.layers[1].fields[0].hex_values.values[1].hex":
            |it| put(it, hex_values(&["P6", "P6"]));
        UnknownHex at "map.layers[1].fields[0].hex_values.values[0].hex":
            |it| put(it, hex_values(&["?"]));
        DuplicateHexside at "map.layers[1].fields[0].hexside_values.values[1].hexside":
            |it| put(it, hexside_values(&["A1|N", "A1|N"]));
    }
}

/// What is wrong with counters, and where the map is.
pub(crate) fn counters() -> Vec<Row<v1::Position>> {
    rows! {
        MissingField at "map": |it| it.map_source = None;
        MissingField at "map_id": |it| it.map_source = Some(MapSource::MapId(String::new()));
        MapNotFound at "map_id": |it| it.map_source = Some(MapSource::MapId("7P".into()));
        MapNotFound at "map_id": |it| it.map_source = Some(MapSource::MapId(ID.into()));
        UnknownEnumValue at "environment.ec": |it| it.environment = Some(v1::Environment { ec: 99 });
        TooLong at "counters": |it| it.counters = vec![v1::Counter::default(); 4];
        MissingField at "counters[1].id": |it| it.counters[1].id.clear();
        TooLong at "counters[1].id": |it| it.counters[1].id = LONG.into();
        DuplicateCounter at "counters[1].id": |it| it.counters[1].id = "squad".into();
        MissingField at "counters[0].class": |it| it.counters[0].class = 0;
        UnknownEnumValue at "counters[0].class": |it| it.counters[0].class = 14;
        MissingField at "counters[0].hex": |it| it.counters[0].hex.clear();
        UnknownHex at "counters[0].hex": |it| it.counters[0].hex = "six".into();
        HexOffMap at "counters[0].hex": |it| it.counters[0].hex = "P11".into();
        TooLong at "counters[0].side": |it| it.counters[0].side = LONG.into();
        UnknownCounter at "counters[0].aboard": |it| it.counters[0].aboard = "ghost".into();
        CounterInvalid at "counters[1].aboard": |it| it.counters[1].aboard = "squad".into();
        CounterInvalid at "counters[0].aboard":
            |it| { it.counters[0].aboard = "truck".into(); it.counters[1].hex = "P7".into() };
        OutOfRange at "counters[0].height_half_levels":
            |it| it.counters[0].height_half_levels = 65;
        OutOfRange at "counters[0].height_half_levels":
            |it| it.counters[0].height_half_levels = 65_536;
        FacingInvalid at "counters[0].facing": |it| it.counters[0].facing = Some(1);
        OutOfRange at "counters[1].facing": |it| it.counters[1].facing = Some(6);
        OutOfRange at "counters[1].facing": |it| it.counters[1].facing = Some(256);
        MissingField at "counters[0].known_to[1]":
            |it| it.counters[0].known_to = vec!["german".into(), String::new()];
        TooLong at "counters[0].known_to[0]": |it| it.counters[0].known_to = vec![LONG.into()];
        TooLong at "counters[0].known_to":
            |it| it.counters[0].known_to = (0..17).map(|at| format!("side {at}")).collect();
        MissingField at "fire_lanes[0].counter_id": |it| laid(it, "", "P9");
        UnknownCounter at "fire_lanes[0].counter_id": |it| laid(it, "ghost", "P9");
        MissingField at "fire_lanes[0].hex": |it| laid(it, "squad", "");
        HexOffMap at "fire_lanes[0].hex": |it| laid(it, "squad", "P11");
        DuplicateCounter at "fire_lanes[1].counter_id":
            |it| { laid(it, "squad", "P9"); laid(it, "squad", "P8"); };
        TooLong at "fire_lanes": |it| it.fire_lanes = vec![v1::PlacedFireLane::default(); 4];
        UnknownEnumValue at "counters[0].flags[1]": |it| it.counters[0].flags = vec![1, 0];
        UnknownEnumValue at "counters[0].flags[0]": |it| it.counters[0].flags = vec![99];
        MissingField at "counters[0].attributes[0].name":
            |it| attribute(it, "", Some(attribute::Value::IntValue(1)));
        MissingField at "counters[0].attributes[0].value": |it| attribute(it, "fog.wet", None);
        AttributeInvalid at "counters[0].attributes[1].name": |it| {
            attribute(it, "fog.wet", Some(attribute::Value::BoolValue(true)));
            attribute(it, "fog.wet", Some(attribute::Value::IntValue(1)));
        };
    }
}

fn laid(it: &mut v1::Position, mg: &str, hex: &str) {
    it.fire_lanes.push(v1::PlacedFireLane {
        counter_id: mg.into(),
        hex: hex.into(),
    });
}

pub(crate) fn at_hex(hex: &str) -> Option<v1::End> {
    let end = Some(end::End::Hex(hex.into()));
    Some(v1::End { end, corner: None })
}

pub(crate) fn at_counter(id: &str) -> Option<v1::End> {
    let end = Some(end::End::CounterId(id.into()));
    Some(v1::End { end, corner: None })
}

pub(crate) fn sight(it: &mut v1::Question, from: Option<v1::End>) {
    let to = at_hex("S10");
    it.question = Some(Asked::LineOfSight(v1::LineOfSightQuestion { from, to }));
}

pub(crate) fn fire(it: &mut v1::Question, attack: i32) {
    let (from, to) = (at_counter("squad"), at_hex("S10"));
    it.question = Some(Asked::LineOfFire(v1::LineOfFireQuestion {
        from,
        to,
        attack,
        munition: 0,
    }));
}

pub(crate) fn lane(it: &mut v1::Question, worsen: fn(&mut v1::FireLaneQuestion)) {
    let mut lane = v1::FireLaneQuestion {
        mg: at_hex("P6"),
        counter_hex: "P9".into(),
        mover_hex: "P8".into(),
        mover: v1::LaneMover::Infantry.into(),
    };
    worsen(&mut lane);
    it.question = Some(Asked::FireLane(lane));
}

pub(crate) fn entry(from: &str, to: &str) -> v1::Entry {
    v1::Entry {
        from_hex: from.into(),
        to_hex: to.into(),
        ..v1::Entry::default()
    }
}

pub(crate) fn step(it: &mut v1::Question, step: Option<Step>) {
    let mover = v1::Mover {
        class: v1::CounterClass::Truck.into(),
        ..v1::Mover::default()
    };
    let (mover, ec) = (Some(mover), 0);
    it.question = Some(Asked::Movement(v1::MovementQuestion { mover, step, ec }));
}

pub(crate) fn mover(it: &mut v1::Question, worsen: fn(&mut v1::Mover)) {
    step(it, Some(Step::Entry(entry("P6", "P7"))));
    if let Some(Asked::Movement(asked)) = &mut it.question {
        worsen(asked.mover.as_mut().unwrap());
    }
}

pub(crate) fn options(it: &mut v1::Question) -> &mut v1::QuestionOptions {
    it.options.get_or_insert_default()
}

/// What is wrong with lines.
pub(crate) fn lines() -> Vec<Row<v1::Question>> {
    rows! {
        TooLong at "tag": |it| it.tag = LONG.into();
        MissingField at "question": |it| it.question = None;
        MissingField at "line_of_sight.from": |it| sight(it, None);
        MissingField at "line_of_sight.from.end": |it| sight(it, Some(v1::End::default()));
        MissingField at "line_of_sight.from.hex": |it| sight(it, at_hex(""));
        MissingField at "line_of_sight.from.counter_id": |it| sight(it, at_counter(""));
        UnknownHex at "line_of_sight.from.hex": |it| sight(it, at_hex("7P"));
        HexOffMap at "line_of_sight.from.hex": |it| sight(it, at_hex("A0"));
        UnknownCounter at "line_of_sight.from.counter_id": |it| sight(it, at_counter("ghost"));
        UnknownCorner at "line_of_sight.from.corner":
            |it| sight(it, at_hex("P6").map(|end| v1::End { corner: Some(6), ..end }));
        UnknownCorner at "line_of_sight.from.corner":
            |it| sight(it, at_hex("P6").map(|end| v1::End { corner: Some(256), ..end }));
        MissingField at "line_of_fire.attack": |it| fire(it, 0);
        UnknownEnumValue at "line_of_fire.attack": |it| fire(it, 4);
        MissingField at "fire_lane.mg": |it| lane(it, |lane| lane.mg = None);
        MissingField at "fire_lane.counter_hex": |it| lane(it, |lane| lane.counter_hex.clear());
        HexOffMap at "fire_lane.mover_hex": |it| lane(it, |lane| lane.mover_hex = "P99".into());
        MissingField at "fire_lane.mover": |it| lane(it, |lane| lane.mover = 0);
        UnknownEnumValue at "fire_lane.mover": |it| lane(it, |lane| lane.mover = -1);
    }
}

fn turn() -> v1::VcaChange {
    v1::VcaChange {
        hex: "P6".into(),
        hexsides: 1,
        ..v1::VcaChange::default()
    }
}

/// What is wrong with steps.
pub(crate) fn steps() -> Vec<Row<v1::Question>> {
    rows! {
        MissingField at "movement.step": |it| step(it, None);
        UnknownHex at "movement.vca_change.hex":
            |it| step(it, Some(Step::VcaChange(v1::VcaChange { hex: "7P".into(), ..turn() })));
        NotAdjacent at "movement.vca_change.entered_from": |it| step(it, Some(
            Step::VcaChange(v1::VcaChange { entered_from: "A1".into(), ..turn() }),
        ));
        OutOfRange at "movement.vca_change.hexsides":
            |it| step(it, Some(Step::VcaChange(v1::VcaChange { hexsides: 6, ..turn() })));
        UnknownEnumValue at "movement.vca_change.way":
            |it| step(it, Some(Step::VcaChange(v1::VcaChange { way: 9, ..turn() })));
        UnknownEnumValue at "movement.entry.way":
            |it| step(it, Some(Step::Entry(v1::Entry { way: -3, ..entry("P6", "P7") })));
        NotAdjacent at "movement.entry.to_hex": |it| step(it, Some(Step::Entry(entry("P6", "P8"))));
        NotAdjacent at "movement.entry.to_hex": |it| step(it, Some(Step::Entry(entry("P6", "P6"))));
        MissingField at "movement.mover": |it| {
            let step = Some(Step::Entry(entry("P6", "P7")));
            it.question = Some(Asked::Movement(v1::MovementQuestion { mover: None, step, ec: 0 }));
        };
        MissingField at "movement.mover.class": |it| mover(it, |mover| mover.class = 0);
        UnknownEnumValue at "movement.mover.class": |it| mover(it, |mover| mover.class = 77);
        CannotMove at "movement.mover.class": |it| mover(it, |mover| mover.class = 13);
        UnknownCounter at "movement.mover.counter_id":
            |it| mover(it, |mover| mover.counter_id = "ghost".into());
        MoverMismatch at "movement.mover.class":
            |it| mover(it, |mover| mover.counter_id = "squad".into());
        UnknownEnumValue at "movement.mover.ground_pressure":
            |it| mover(it, |mover| mover.ground_pressure = 4);
        NotANumber at "movement.mover.weight_tons":
            |it| mover(it, |mover| mover.weight_tons = Some(f64::NAN));
        NotANumber at "movement.mover.weight_tons":
            |it| mover(it, |mover| mover.weight_tons = Some(f64::INFINITY));
        NotANumber at "movement.mover.weight_tons":
            |it| mover(it, |mover| mover.weight_tons = Some(-0.5));
        OutOfRange at "movement.mover.weight_tons":
            |it| mover(it, |mover| mover.weight_tons = Some(1000.5));
        UnknownEnumValue at "movement.ec": |it| {
            mover(it, |_| ());
            if let Some(Asked::Movement(asked)) = &mut it.question { asked.ec = 6 }
        };
    }
}

/// A Gun that sets up, but for one thing.
fn gun(question: &mut v1::Question, worsen: impl FnOnce(&mut v1::SetUpUnit)) {
    let mut unit = v1::SetUpUnit {
        class: v1::CounterClass::Gun.into(),
        ..v1::SetUpUnit::default()
    };
    worsen(&mut unit);
    set_up(question, "P6", Some(Piece::Unit(unit)));
}

fn set_up(question: &mut v1::Question, hex: &str, piece: Option<Piece>) {
    let hex = hex.into();
    question.question = Some(Asked::SetUp(v1::SetUpQuestion { hex, piece }));
}

/// What is wrong with a set-up.
pub(crate) fn setups() -> Vec<Row<v1::Question>> {
    rows! {
        MissingField at "set_up.piece": |it| set_up(it, "P6", None);
        UnknownHex at "set_up.hex": |it| set_up(it, "7P", Some(Piece::Fortification(1)));
        HexOffMap at "set_up.hex": |it| set_up(it, "P99", Some(Piece::Fortification(1)));
        MissingField at "set_up.fortification":
            |it| set_up(it, "P6", Some(Piece::Fortification(0)));
        UnknownEnumValue at "set_up.fortification":
            |it| set_up(it, "P6", Some(Piece::Fortification(7)));
        MissingField at "set_up.unit.class": |it| gun(it, |gun| gun.class = 0);
        CannotSetUp at "set_up.unit.class": |it| gun(it, |gun| gun.class = 13);
        UnknownEnumValue at "set_up.unit.concealment": |it| gun(it, |gun| gun.concealment = 3);
        UnknownEnumValue at "set_up.unit.beneath": |it| gun(it, |gun| gun.beneath = 7);
        CannotSetUp at "set_up.unit.beneath": |it| gun(it, |gun| gun.beneath = 5);
        CannotSetUp at "set_up.unit.beneath": |it| gun(it, |gun| gun.beneath = 6);
    }
}

/// What is wrong with a question's options.
pub(crate) fn of_options() -> Vec<Row<v1::Question>> {
    rows! {
        UnknownEnumValue at "options.grazing_policy": |it| options(it).grazing_policy = 4;
        TooLong at "options.probes": |it| options(it).probes = vec![v1::Counter::default(); 3];
        MissingField at "options.probes[0].class":
            |it| options(it).probes = vec![counter("x", v1::CounterClass::Unspecified, "P6")];
        DuplicateCounter at "options.probes[0].id":
            |it| options(it).probes = vec![counter("squad", v1::CounterClass::Wreck, "P6")];
        DuplicateCounter at "options.probes[1].id":
            |it| options(it).probes = vec![counter("x", v1::CounterClass::Wreck, "P6"); 2];
        TooLong at "options.probes[0].known_to": |it| {
            let probe = counter("x", v1::CounterClass::Wreck, "P6");
            let known_to = vec!["german".into()];
            options(it).probes = vec![v1::Counter { known_to, ..probe }];
        };
        CounterInvalid at "options.probes[0].aboard": |it| {
            let probe = counter("x", v1::CounterClass::Leader, "P6");
            options(it).probes = vec![v1::Counter { aboard: "squad".into(), ..probe }];
        };
        MissingField at "options.ignore_layers[0]":
            |it| options(it).ignore_layers = vec![String::new()];
    }
}
