//! Counters on a map, and lines and steps to ask about.

use alamein_hex::{Aim, Grid, Hex, Side, trace_between};
use alamein_terrain::{
    Attack, AttributeFact, CounterClass, CounterFacts, CounterFlags, EndFacts,
    EnvironmentCondition, GrazingPolicy, GroundPressure, LaneFacts, LaneMover, Line, LineBatch,
    Manifest, Map, MoveStep, Mover, Munition, Purpose, StepBatch, TurnFacts, Way,
};

use crate::chance::Chance;
use crate::maps::Shown;

/// All that is asked on one map.
#[derive(Clone, Debug)]
pub(crate) struct Questions {
    pub(crate) counters: Vec<CounterFacts>,
    pub(crate) attributes: Vec<AttributeFact>,
    pub(crate) attribute_names: Vec<String>,
    pub(crate) ec: EnvironmentCondition,
    pub(crate) lines: Vec<Line>,
    pub(crate) steps: Vec<MoveStep>,
}

/// An attribute that no plugin owns.
const STRANGER: &str = "conformance-kit.of-nobody";

impl Questions {
    /// Counters on a map and so many lines and steps, by chance.
    pub(crate) fn new(manifest: &Manifest, shown: &Shown, count: usize) -> Self {
        let map = &shown.map;
        let mut chance = Chance::new(map.grid.len() as u64);
        let hexes: Vec<Hex> = map.grid.hexes().collect();
        let mut questions = Self {
            counters: Vec::new(),
            attributes: Vec::new(),
            attribute_names: names(manifest),
            ec: shown.ec,
            lines: Vec::new(),
            steps: Vec::new(),
        };
        questions.place_counters(manifest, map, &hexes, &mut chance);
        for _ in 0..count {
            let line = questions.line(map, &hexes, &mut chance);
            questions.lines.extend(line);
            let step = step(map, &hexes, &mut chance);
            questions.steps.extend(step);
        }
        questions
    }

    /// The lines, asked about these.
    pub(crate) fn lines<'a>(&'a self, levels: &'a [i16], ask: &'a [u32]) -> LineBatch<'a> {
        LineBatch {
            levels,
            counters: &self.counters,
            attributes: &self.attributes,
            attribute_names: &self.attribute_names,
            ec: self.ec,
            lines: &self.lines,
            ask,
            kept: None,
        }
    }

    /// The steps, asked about these.
    pub(crate) fn steps<'a>(&'a self, levels: &'a [i16], ask: &'a [u32]) -> StepBatch<'a> {
        StepBatch {
            levels,
            counters: &self.counters,
            attributes: &self.attributes,
            attribute_names: &self.attribute_names,
            ec: self.ec,
            steps: &self.steps,
            ask,
        }
    }

    /// Counters of every class, with every flag and attribute somewhere, some of them probes.
    fn place_counters(
        &mut self,
        manifest: &Manifest,
        map: &Map,
        hexes: &[Hex],
        chance: &mut Chance,
    ) {
        let count = hexes.len().min(40);
        for at in 0..count {
            let Some(hex) = chance.pick(hexes).copied() else {
                return;
            };
            let class = CounterClass::ALL[at % CounterClass::ALL.len()];
            let carrier = self.counters.iter().rposition(|c| c.class.is_vehicle());
            let aboard = carrier.filter(|_| class.is_infantry() && chance.once_in(4));
            let hex = aboard.map_or(hex, |carrier| self.counters[carrier].hex);
            let bits = chance.next() & chance.next();
            self.counters.push(CounterFacts {
                class,
                flags: CounterFlags::from_bits((bits & 0xff) as u32),
                hex,
                level: map.level(hex) * 2 + chance.one([0, 0, 0, 1, 2]),
                side: chance.one([0, 1, 2]),
                aboard: aboard.and_then(|carrier| u32::try_from(carrier).ok()),
                // Those of the position come first.
                probe: count > 8 && at + 4 > count,
            });
            self.give_attributes(manifest, at, chance);
        }
    }

    fn give_attributes(&mut self, manifest: &Manifest, counter: usize, chance: &mut Chance) {
        for (name, text) in (0..).zip(&self.attribute_names) {
            if !chance.once_in(3) {
                continue;
            }
            let own = manifest
                .attributes
                .iter()
                .find(|spec| *text == format!("{}.{}", manifest.id, spec.name));
            let value = own.map_or(7, |spec| {
                let middle = spec.minimum / 2 + spec.maximum / 2;
                let middle = middle.clamp(spec.minimum, spec.maximum);
                chance.one([spec.minimum, spec.maximum, middle])
            });
            self.attributes.push(AttributeFact {
                counter: number(counter),
                name,
                value,
            });
        }
    }

    fn line(&self, map: &Map, hexes: &[Hex], chance: &mut Chance) -> Option<Line> {
        let ends = [self.end(map, hexes, chance)?, self.end(map, hexes, chance)?];
        let [from, to] = ends;
        let aim = |end: &EndFacts| Aim {
            hex: end.hex,
            corner: end.corner,
        };
        let trace = trace_between(aim(&from), aim(&to));
        let on_map = |side: Side| {
            let mut crossings = trace.crossings(side);
            crossings.all(|c| map.grid.contains(c.from) && map.grid.contains(c.to))
        };
        let readings_on_map = [on_map(Side::Left), on_map(Side::Right)];
        let mut counters: Vec<u32> = trace
            .touched()
            .flat_map(|touch| self.counters_in(touch.hex))
            .collect();
        let purpose = chance.one([Purpose::Sight, Purpose::Fire, Purpose::Fire, Purpose::Lane]);
        let fires = purpose == Purpose::Fire;
        let attack = fires.then(|| chance.one([Attack::Direct, Attack::Mortar, Attack::Oba]));
        let munition = chance.one([Munition::Other, Munition::He, Munition::Bombardment]);
        let lane = (purpose == Purpose::Lane)
            .then(|| self.lane(hexes, chance))
            .flatten();
        if let Some(probe) = lane.and_then(|lane| lane.probe) {
            let hex = self.counters[probe as usize].hex;
            let is_met = trace.touched().any(|touch| touch.hex == hex);
            if is_met && !counters.contains(&probe) {
                counters.push(probe);
            }
        }
        Some(Line {
            readings_on_map,
            trace,
            from,
            to,
            purpose,
            attack,
            munition: if fires { munition } else { Munition::Other },
            policy: chance.one(GrazingPolicy::ALL),
            lane,
            counters: counters.into(),
            obstacles_only: purpose == Purpose::Sight && chance.once_in(4),
        })
    }

    fn lane(&self, hexes: &[Hex], chance: &mut Chance) -> Option<LaneFacts> {
        let probe = self.counters.iter().position(|counter| counter.probe);
        let hex = match probe {
            Some(probe) => self.counters[probe].hex,
            None => *chance.pick(hexes)?,
        };
        Some(LaneFacts {
            hex,
            mover: chance.one([
                LaneMover::Infantry,
                LaneMover::Cavalry,
                LaneMover::Vehicle,
                LaneMover::VulnerablePrc,
            ]),
            probe: probe.map(number),
        })
    }

    /// A counter of the position, or an ordinary unit.
    fn end(&self, map: &Map, hexes: &[Hex], chance: &mut Chance) -> Option<EndFacts> {
        let corner = chance.once_in(8).then(|| chance.one([0, 1, 2, 3, 4, 5]));
        let real = self.counters.iter().take_while(|counter| !counter.probe);
        let at = chance.below(real.count());
        let counter = self.counters.get(at).filter(|counter| !counter.probe);
        if let Some(counter) = counter.filter(|_| chance.once_in(2)) {
            return Some(EndFacts {
                hex: counter.hex,
                corner,
                counter: Some(number(at)),
                level: counter.level,
                class: counter.class,
                flags: counter.flags,
                side: counter.side,
                aboard: counter.aboard.is_some(),
            });
        }
        let hex = *chance.pick(hexes)?;
        Some(EndFacts {
            hex,
            corner,
            counter: None,
            level: map.level(hex) * 2,
            class: CounterClass::Squad,
            flags: CounterFlags::none(),
            side: 0,
            aboard: false,
        })
    }

    fn counters_in(&self, hex: Hex) -> impl Iterator<Item = u32> + '_ {
        let here = move |(_, counter): &(u32, &CounterFacts)| counter.hex == hex;
        let real = self.counters.iter().take_while(|counter| !counter.probe);
        (0..).zip(real).filter(here).map(|(at, _)| at)
    }
}

const EC: [EnvironmentCondition; 5] = [
    EnvironmentCondition::Dry,
    EnvironmentCondition::Moist,
    EnvironmentCondition::Wet,
    EnvironmentCondition::Mud,
    EnvironmentCondition::Snow,
];

/// The names of all attributes: the plugin's own, and one of nobody, sorted.
fn names(manifest: &Manifest) -> Vec<String> {
    let own = manifest.attributes.iter();
    let own = own.map(|spec| format!("{}.{}", manifest.id, spec.name));
    let mut names: Vec<String> = own.chain([STRANGER.to_owned()]).collect();
    names.sort();
    names
}

/// A step into the next hex, or a turn.
fn step(map: &Map, hexes: &[Hex], chance: &mut Chance) -> Option<MoveStep> {
    let from = *chance.pick(hexes)?;
    let around = on_map(&map.grid, from);
    let classes = &CounterClass::ALL[..CounterClass::ALL.len() - 1];
    let mover = Mover {
        class: *chance.pick(classes)?,
        ground_pressure: chance.one([
            None,
            Some(GroundPressure::Low),
            Some(GroundPressure::Normal),
            Some(GroundPressure::High),
        ]),
        weight_kg: chance.one([None, Some(0), Some(900), Some(30_000), Some(u32::MAX)]),
        british_built: chance.once_in(2),
    };
    let turn = chance.once_in(5).then(|| TurnFacts {
        hexsides: chance.one([1, 2, 3, 5]),
        entered_from: chance.pick(&around).copied(),
    });
    let to = match turn {
        Some(_) => from,
        None => *chance.pick(&around)?,
    };
    Some(MoveStep {
        mover,
        from,
        to,
        way: chance.one([Way::Open, Way::Track, Way::Road]),
        turn,
        ec: chance.one(EC),
    })
}

fn on_map(grid: &Grid, hex: Hex) -> Vec<Hex> {
    let around = hex.neighbours().into_iter();
    around.filter(|hex| grid.contains(*hex)).collect()
}

/// An index as the ABI counts.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
