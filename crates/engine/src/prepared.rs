//! Positions made ready: maps shown to the plugins, counters in numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use alamein_hex::{Aim, Hex, Hexside, TraceRef};
use alamein_terrain::{
    AttributeFact, Counter, CounterClass, CounterFacts, CounterFlags, EndFacts, Map, Name,
    Position, PreparedFeature, Problem, Severity,
};
use smallvec::SmallVec;
use smol_str::SmolStrBuilder;

use crate::checked;
use crate::error::{AttributeError, PrepareError};
use crate::interests::Interests;
use crate::memo::Memo;
use crate::planes::{Busy, Plane, Planes};
use crate::ruleset::Ruleset;
use crate::seers::Seers;

/// A map that every plugin of a ruleset has seen.
#[derive(Debug)]
pub(crate) struct PreparedMap {
    pub(crate) map: Arc<Map>,
    pub(crate) features: Vec<Arc<dyn PreparedFeature>>,
    /// The level of each hex in half levels: its Base Level and what the plugins add.
    pub(crate) levels: Vec<i16>,
    /// What the plugins find odd about it.
    pub(crate) warnings: Vec<Problem>,
    /// The layers that no plugin owns, each with the hexes that it speaks of.
    pub(crate) unowned: BTreeMap<String, Vec<bool>>,
    /// Of each hex of the grid, whether it is not at the edge.
    inside: Vec<bool>,
    /// The name of each hex of the grid.
    names: Vec<Name>,
    /// Whom what is asked concerns; nothing if there are too many features for that.
    pub(crate) interests: Option<Interests>,
    /// Who speaks on lines of sight; nothing if there are too many features for that.
    pub(crate) planes: Option<Planes>,
    /// What terrain does to LOS, as far as that was asked.
    pub(crate) memo: Memo,
}

impl PreparedMap {
    pub(crate) async fn new(
        ruleset: &Ruleset,
        map: Arc<Map>,
        verify_every: u32,
    ) -> Result<Self, PrepareError> {
        check_layers(ruleset, &map)?;
        let mut features = Vec::new();
        let mut problems = Vec::new();
        for member in ruleset.members() {
            let prepared = checked::prepare(&*member.feature, &map, verify_every).await?;
            problems.extend(prepared.problems().iter().cloned());
            features.push(prepared);
        }
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        let (problems, warnings): (Vec<Problem>, _) = problems.into_iter().partition(is_error);
        if !problems.is_empty() {
            return Err(PrepareError::Map { problems, warnings });
        }
        let mut levels: Vec<i16> = map
            .grid
            .hexes()
            .map(|hex| map.level(hex).saturating_mul(2))
            .collect();
        for feature in &features {
            for (level, part) in levels.iter_mut().zip(feature.levels()) {
                *level = level.saturating_add(*part);
            }
        }
        let unowned = unowned(ruleset, &map);
        Ok(Self {
            names: map
                .grid
                .hexes()
                .map(|hex| map.grid.label(hex).into())
                .collect(),
            inside: map
                .grid
                .hexes()
                .map(|hex| map.grid.is_inside(hex))
                .collect(),
            interests: Interests::new(map.grid, &features),
            planes: Planes::new(ruleset, map.grid, &features),
            memo: Memo::new(map.grid.len()),
            map,
            features,
            levels,
            unowned,
            warnings,
        })
    }

    /// A layer that no plugin owns and that is not to be ignored.
    pub(crate) fn unknown_layer(&self, ignored: &[String]) -> Option<String> {
        self.unowned
            .keys()
            .find(|layer| !ignored.contains(layer))
            .cloned()
    }

    /// What a hex is called, on the map or off it.
    pub(crate) fn label(&self, hex: Hex) -> Name {
        match self.name(hex) {
            Some(name) => name.clone(),
            None => self.map.grid.label(hex).into(),
        }
    }

    /// What a hex of the map is called.
    fn name(&self, hex: Hex) -> Option<&Name> {
        self.names.get(self.map.grid.index(hex)?)
    }

    /// What a hexside is called, on the map or off it: see [`Grid::hexside_name`](alamein_hex::Grid).
    pub(crate) fn hexside_label(&self, hexside: Hexside) -> Name {
        let [one, other] = hexside.hexes();
        let joined = |one: &str, other: &str| {
            let mut name = SmolStrBuilder::new();
            name.push_str(one);
            name.push('|');
            name.push_str(other);
            name.finish()
        };
        match (self.name(one), self.name(other)) {
            (Some(one), Some(other)) => joined(one.min(other), one.max(other)),
            _ => match self.map.grid.hexside_name(hexside) {
                Some(name) => name.into(),
                None => joined(&self.label(one), &self.label(other)),
            },
        }
    }

    /// Whether a hex is on the map and not at its edge.
    pub(crate) fn is_inside(&self, hex: Hex) -> bool {
        let index = self.map.grid.index(hex);
        let inside = index.and_then(|index| self.inside.get(index));
        inside.copied().unwrap_or_default()
    }

    pub(crate) fn level(&self, hex: Hex) -> i16 {
        let index = self.map.grid.index(hex);
        index
            .and_then(|index| self.levels.get(index))
            .copied()
            .unwrap_or_default()
    }
}

/// Checks the fields of each layer against what its plugin declares.
fn check_layers(ruleset: &Ruleset, map: &Map) -> Result<(), PrepareError> {
    for (name, layer) in &map.layers {
        let Some(owner) = ruleset.owner(name) else {
            continue;
        };
        let Some(spec) = owner.manifest().layer(name) else {
            continue;
        };
        for (field, held) in &layer.fields {
            let wrong = |why: String| {
                let plugin = owner.manifest().id.clone();
                Err(PrepareError::Layer {
                    layer: name.clone(),
                    field: field.clone(),
                    plugin,
                    why,
                })
            };
            let Some(declared) = spec.fields.iter().find(|spec| spec.name == *field) else {
                let known: Vec<&str> = spec.fields.iter().map(|spec| spec.name.as_str()).collect();
                return wrong(format!(
                    "the layer has no such field; it has {}",
                    known.join(", ")
                ));
            };
            if declared.kind != held.kind() {
                return wrong(format!("it holds {}, not {}", declared.kind, held.kind()));
            }
        }
    }
    Ok(())
}

fn unowned(ruleset: &Ruleset, map: &Map) -> BTreeMap<String, Vec<bool>> {
    let mut unowned = BTreeMap::new();
    for (name, layer) in &map.layers {
        if ruleset.owner(name).is_some() {
            continue;
        }
        let mut hexes = vec![false; map.grid.len()];
        for hex in layer.fields.values().flat_map(|field| field.hexes()) {
            if let Some(slot) = map.grid.index(hex).and_then(|index| hexes.get_mut(index)) {
                *slot = true;
            }
        }
        unowned.insert(name.clone(), hexes);
    }
    unowned
}

/// A position that can be asked about.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) position: Arc<Position>,
    pub(crate) map: Arc<PreparedMap>,
    pub(crate) counters: Vec<CounterFacts>,
    /// What they are called.
    pub(crate) counter_names: Vec<Name>,
    pub(crate) attributes: Vec<AttributeFact>,
    pub(crate) attribute_names: Vec<String>,
    /// The counters, sorted by the index of their hex.
    by_hex: Vec<(usize, u32)>,
    /// Where there is any.
    occupied: Option<Plane>,
    sides: BTreeSet<String>,
    /// Who speaks on lines of sight over its counters, once that is asked.
    busy: OnceLock<Busy>,
    /// From where each counter is seen, as far as that was asked.
    seers: OnceLock<Seers>,
}

impl Prepared {
    pub(crate) fn new(
        ruleset: &Ruleset,
        map: Arc<PreparedMap>,
        position: Arc<Position>,
    ) -> Result<Self, PrepareError> {
        let counters = position.counters();
        check_attributes(ruleset, counters)?;
        let sides: BTreeSet<String> = counters.iter().filter_map(|c| c.side.clone()).collect();
        let attribute_names: Vec<String> = counters
            .iter()
            .flat_map(|counter| counter.attributes.keys().cloned())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let mut prepared = Self {
            map,
            counter_names: counters.iter().map(|it| Name::new(&it.id)).collect(),
            counters: Vec::new(),
            attributes: Vec::new(),
            attribute_names,
            by_hex: Vec::new(),
            occupied: None,
            sides,
            busy: OnceLock::new(),
            seers: OnceLock::new(),
            position: Arc::clone(&position),
        };
        for (index, counter) in position.counters().iter().enumerate() {
            prepared.add(number(index), counter);
        }
        prepared.by_hex.sort_unstable();
        if !counters.is_empty() {
            let mut occupied = Plane::new(prepared.map.map.grid);
            counters
                .iter()
                .for_each(|counter| occupied.add(counter.hex, 1));
            prepared.occupied = Some(occupied);
        }
        Ok(prepared)
    }

    fn add(&mut self, index: u32, counter: &Counter) {
        let facts = self.facts(counter, false);
        self.counters.push(facts);
        if let Some(hex) = self.map.map.grid.index(counter.hex) {
            self.by_hex.push((hex, index));
        }
        for (name, value) in &counter.attributes {
            let Ok(name) = self.attribute_names.binary_search(name) else {
                continue;
            };
            let name = number(name);
            self.attributes.push(AttributeFact {
                counter: index,
                name,
                value: *value,
            });
        }
    }

    /// A counter in numbers.
    pub(crate) fn facts(&self, counter: &Counter, probe: bool) -> CounterFacts {
        let carrier = |id: &String| self.index_of(id);
        CounterFacts {
            class: counter.class,
            flags: counter.flags,
            hex: counter.hex,
            level: self.map.level(counter.hex).saturating_add(counter.height),
            side: self.side(counter.side.as_deref()),
            aboard: counter.aboard.as_ref().and_then(carrier),
            probe,
        }
    }

    /// The number of a side; 0 is none. A side that no counter of the position has (a probe's) is
    /// a side that is not theirs.
    pub(crate) fn side(&self, side: Option<&str>) -> u32 {
        let Some(side) = side else { return 0 };
        let known = self.sides.iter().position(|known| known == side);
        known.map_or(number(self.sides.len()) + 1, |at| number(at) + 1)
    }

    /// The index of a counter of the position.
    pub(crate) fn index_of(&self, id: &str) -> Option<u32> {
        let counters = self.position.counters();
        counters
            .binary_search_by(|counter| counter.id.as_str().cmp(id))
            .ok()
            .map(number)
    }

    /// Who speaks on lines of sight, by what lies between the ends.
    pub(crate) fn busy(&self, planes: &Planes) -> &Busy {
        self.busy.get_or_init(|| planes.with(&self.counters))
    }

    /// From where each counter is seen.
    pub(crate) fn seers(&self) -> &Seers {
        let of = || Seers::new(self.map.map.grid.len(), self.counters.len());
        self.seers.get_or_init(of)
    }

    /// A Good Order unit on the ground that nothing else is said of.
    pub(crate) fn ordinary_unit(&self, aim: Aim) -> EndFacts {
        EndFacts {
            hex: aim.hex,
            corner: aim.corner,
            counter: None,
            level: self.map.level(aim.hex),
            class: CounterClass::Squad,
            flags: CounterFlags::none(),
            side: 0,
            aboard: false,
        }
    }

    /// The counters in the hexes that a line touches.
    pub(crate) fn counters_on(&self, line: &TraceRef) -> SmallVec<[u32; 8]> {
        let Some(occupied) = &self.occupied else {
            return SmallVec::new();
        };
        let touched = line.trace().touched().iter().map(|touch| touch.hex);
        let occupied = occupied.marked(line.origin(), touched);
        occupied.flat_map(|hex| self.counters_in(hex)).collect()
    }

    fn counters_in(&self, hex: Hex) -> impl Iterator<Item = u32> + '_ {
        let index = self.map.map.grid.index(hex).unwrap_or(usize::MAX);
        let from = self.by_hex.partition_point(|(at, _)| *at < index);
        let here = self.by_hex.get(from..).unwrap_or_default();
        here.iter()
            .take_while(move |(at, _)| *at == index)
            .map(|(_, counter)| *counter)
    }
}

/// Checks the attributes of counters against what the plugins declare.
pub(crate) fn check_attributes(
    ruleset: &Ruleset,
    counters: &[Counter],
) -> Result<(), AttributeError> {
    for counter in counters {
        for (name, value) in &counter.attributes {
            let (counter, name) = (counter.id.clone(), name.clone());
            let spec = name.split_once('.').and_then(|(plugin, attribute)| {
                let mut members = ruleset.members().iter();
                let member = members.find(|member| member.manifest().id == plugin)?;
                member
                    .manifest()
                    .attributes
                    .iter()
                    .find(|spec| spec.name == attribute)
            });
            let Some(spec) = spec else {
                return Err(AttributeError::Unknown { counter, name });
            };
            if !(spec.minimum..=spec.maximum).contains(value) {
                let (least, most) = (spec.minimum, spec.maximum);
                let why = format!("{value} is not within {least} to {most}");
                return Err(AttributeError::Invalid { counter, name, why });
            }
        }
    }
    Ok(())
}

/// An index as the ABI counts. Positions and batches are far smaller than that.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
