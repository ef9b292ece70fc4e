//! The plugin that stands for others.

use alamein_plugin_sdk::{export_plugin, prelude::*};

alamein_plugin_sdk::rules! {
    WALL_ON = "X1.1/wall";
    HEDGE_ON = "X1.2/hedge";
    RUBBLE_IN = "X1.3/rubble";
    GRAIN_IN = "X2.1/grain";
    BRUSH_IN = "X2.2/brush";
    MARSH_IN = "X2.3/marsh";
    VEHICLE = "X2.4/vehicle";
    BLOCKS = "X3.1/blocks";
    FLAT = "X4.1/flat";
    COVER = "X5.1/cover";
}

alamein_plugin_sdk::kinds! {
    WALL = "wall";
    HEDGE = "hedge";
    RUBBLE = "rubble";
    GRAIN = "grain";
    BRUSH = "brush";
    MARSH = "marsh";
    AFV = "afv";
    WRECK = "wreck";
    HILLOCK = "hillock";
    LOCATION = "location";
}

const ON_HEXSIDES: [(&str, Rule, Kind); 2] = [("wall", WALL_ON, WALL), ("hedge", HEDGE_ON, HEDGE)];
const HINDRANCES: [(&str, Rule, Kind); 3] = [
    ("grain", GRAIN_IN, GRAIN),
    ("brush", BRUSH_IN, BRUSH),
    ("marsh", MARSH_IN, MARSH),
];

pub(crate) struct Furniture;

/// What stands where.
#[derive(Default)]
pub(crate) struct Room {
    hexsides: Vec<(Hexside, Rule, Kind)>,
    hindrances: Vec<(Hex, Rule, Kind)>,
    rubble: Vec<Hex>,
    flattened: Vec<Hex>,
}

impl TerrainPlugin for Furniture {
    type Options = NoOptions;
    type Map = Room;

    fn create(_: NoOptions, _: Log) -> Result<Self, String> {
        Ok(Self)
    }

    fn prepare(&self, map: &MapView<'_>, _: &mut Problems) -> Room {
        let hexes = |name: &str| -> Vec<Hex> {
            let layer = map.layer(name).into_iter();
            layer.flat_map(|layer| layer.hexes("hexes")).collect()
        };
        let mut room = Room {
            rubble: hexes("rubble"),
            flattened: hexes("flattened"),
            ..Room::default()
        };
        for (name, rule, kind) in ON_HEXSIDES {
            let layer = map.layer(name).into_iter();
            let hexsides = layer.flat_map(|layer| layer.hexsides("hexsides"));
            room.hexsides.extend(hexsides.map(|at| (at, rule, kind)));
        }
        for (name, rule, kind) in HINDRANCES {
            room.hindrances
                .extend(hexes(name).into_iter().map(|at| (at, rule, kind)));
        }
        room
    }

    fn survey(&self, _: &Room, survey: &mut Survey<'_>) {
        survey.everything();
    }

    fn observe(&self, room: &Room, line: &Line<'_>, say: &mut Observations) {
        let between = |hex: Hex| {
            line.touches(hex)
                .is_some_and(|touched| touched.contact != Contact::End)
        };
        let crosses = |hexside: Hexside| {
            let over = |crossing: Crossing| crossing.hexside() == hexside;
            line.readings().any(|reading| reading.crossings().any(over))
                || line.along().any(|along| along == hexside)
        };
        for (hexside, rule, kind) in room.hexsides.iter().filter(|(at, ..)| crosses(*at)) {
            say.obstacle(*rule, *kind, 1).on(*hexside);
        }
        for hex in room.rubble.iter().filter(|hex| between(**hex)) {
            say.obstacle(RUBBLE_IN, RUBBLE, 1).at(*hex);
        }
        for (hex, rule, kind) in room.hindrances.iter().filter(|(hex, ..)| between(*hex)) {
            say.hindrance(*rule, *kind, 1).at(*hex);
        }
        for counter in line.counters().filter(|counter| between(counter.hex())) {
            if counter.is_wreck() || counter.is_afv() {
                let kind = if counter.is_wreck() { WRECK } else { AFV };
                say.hindrance(VEHICLE, kind, 1).of(&counter);
            }
        }
    }

    fn object(&self, room: &Room, _: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
        for fact in seen.facts().filter(|fact| fact.kind() == Some(HILLOCK)) {
            if fact.hex().is_some_and(|hex| room.flattened.contains(&hex)) {
                say.set_aside(&fact, FLAT);
            }
        }
    }

    fn judge(&self, _: &Room, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        for fact in seen.facts().filter(|fact| fact.stands() && line.is_level()) {
            let half_level = matches!(fact.fact(), Fact::Obstacle { height: 1, .. });
            match (fact.hexside(), fact.hex()) {
                (Some(hexside), _) if half_level => {
                    say.blocks(BLOCKS).on(hexside).citing(&fact);
                }
                (_, Some(hex)) if half_level && line.level_of(hex) == line.from().level() => {
                    say.blocks(BLOCKS).at(hex).citing(&fact);
                }
                _ => {}
            }
        }
        if line.attack().is_some() && line.to().is_entrenched() {
            say.tem(COVER, LOCATION, 2).of_end(&line.to());
        }
    }
}

export_plugin! {
    id: "furniture",
    symbol: alamein_plugin_furniture,
    plugin: Furniture,
    manifest: concat!(r#"{"version": ""#, env!("CARGO_PKG_VERSION"), r#"",
        "manifest_version": 1, "id": "furniture", "rules_revision": 1, "title": "",
        "layers": [
            {"name": "wall", "fields": [{"name": "hexsides", "kind": "hexsides"}]},
            {"name": "hedge", "fields": [{"name": "hexsides", "kind": "hexsides"}]},
            {"name": "rubble", "fields": [{"name": "hexes", "kind": "hexes"}]},
            {"name": "grain", "fields": [{"name": "hexes", "kind": "hexes"}]},
            {"name": "brush", "fields": [{"name": "hexes", "kind": "hexes"}]},
            {"name": "marsh", "fields": [{"name": "hexes", "kind": "hexes"}]},
            {"name": "deir", "fields": [{"name": "hexes", "kind": "hexes"}]},
            {"name": "flattened", "fields": [{"name": "hexes", "kind": "hexes"}]}],
        "rules": [
            {"id": "X1.1/wall", "title": "", "message": ""},
            {"id": "X1.2/hedge", "title": "", "message": ""},
            {"id": "X1.3/rubble", "title": "", "message": ""},
            {"id": "X2.1/grain", "title": "", "message": ""},
            {"id": "X2.2/brush", "title": "", "message": ""},
            {"id": "X2.3/marsh", "title": "", "message": ""},
            {"id": "X2.4/vehicle", "title": "", "message": ""},
            {"id": "X3.1/blocks", "title": "", "message": ""},
            {"id": "X4.1/flat", "title": "", "message": ""},
            {"id": "X5.1/cover", "title": "", "message": ""}]
    }"#),
    rules: RULES,
    kinds: KINDS,
}
