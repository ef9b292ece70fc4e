//! What a side knows of a position.

mod told;

use std::collections::{BTreeMap, BTreeSet};

use crate::counter::Counter;
use crate::position::{FireLane, Position};

impl Counter {
    /// Whether a side may know of this counter itself: it is nobody's secret, the side's own, or told to
    /// the side. What carries it may be hidden nevertheless.
    #[must_use]
    pub fn is_known_to(&self, side: &str) -> bool {
        self.known_to.is_empty()
            || self.side.as_deref() == Some(side)
            || self.known_to.contains(side)
    }
}

impl Position {
    /// The position as far as a side knows it: without the counters that are hidden from it, what is
    /// aboard of them, and the Fire Lanes of these. Who else knows a counter is told of the side's own
    /// alone.
    ///
    /// Two positions that differ in nothing but what is hidden from a side are the same as seen by it,
    /// ids included.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use alamein_hex::Grid;
    /// use alamein_terrain::{Counter, CounterClass, Environment, Map, Position};
    ///
    /// let map = Arc::new(Map::flat(Grid::geomorphic()));
    /// let mut gun = Counter::new("gun", CounterClass::Gun, map.grid.hex("P6").unwrap());
    /// gun.side = Some("german".into());
    /// gun.known_to = ["german".to_owned()].into();
    /// let position = Position::new(map, vec![gun], Environment::default()).unwrap();
    /// assert_eq!(position.seen_by("german"), position);
    /// assert!(position.seen_by("british").counters().is_empty());
    /// ```
    #[must_use]
    pub fn seen_by(&self, side: &str) -> Self {
        let hidden = self.hidden_from(side);
        let seen = |counter: &&Counter| !hidden.contains(counter.id.as_str());
        let as_told = |counter: &Counter| {
            let mut counter = counter.clone();
            if counter.side.as_deref() != Some(side) {
                counter.known_to = BTreeSet::new();
            }
            counter
        };
        let counters = self.counters().iter().filter(seen).map(as_told);
        let lanes = self.fire_lanes().iter();
        let lanes = lanes.filter(|lane| !hidden.contains(lane.mg.as_str()));
        self.beside(
            counters.collect(),
            lanes.cloned().collect(),
            self.environment(),
        )
    }

    /// The ids of the counters that a side may not know of.
    #[must_use]
    pub fn hidden_from(&self, side: &str) -> BTreeSet<&str> {
        let mut hidden: BTreeSet<&str> = BTreeSet::new();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for counter in self.counters() {
            let mut way = Vec::new();
            let mut at = Some(counter);
            let mut is_hidden = false;
            while let Some(counter) = at {
                let id = counter.id.as_str();
                if hidden.contains(id) || known.contains(id) {
                    is_hidden = hidden.contains(id);
                    break;
                }
                way.push(counter);
                let carrier = counter.aboard.as_deref();
                at = carrier.and_then(|carrier| self.counter(carrier));
            }
            for counter in way.into_iter().rev() {
                is_hidden |= !counter.is_known_to(side);
                let ids = if is_hidden { &mut hidden } else { &mut known };
                ids.insert(&counter.id);
            }
        }
        hidden
    }

    /// The same position with other ids for those counters that are hidden from a side and have one of
    /// these ids; nothing if there are none. A side may call its probes as it likes, and must not learn
    /// from it what is called so already.
    #[must_use]
    pub fn with_room_for(&self, side: &str, ids: &BTreeSet<&str>) -> Option<Self> {
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        for id in self.hidden_from(side).intersection(ids) {
            let mut name = format!("hidden {id}");
            while self.counter(&name).is_some()
                || ids.contains(name.as_str())
                || names.values().any(|other| *other == name)
            {
                name.insert(0, '~');
            }
            names.insert(id, name);
        }
        if names.is_empty() {
            return None;
        }
        let named = |id: &String| names.get(id.as_str()).unwrap_or(id).clone();
        let counters = self.counters().iter().map(|counter| Counter {
            id: named(&counter.id),
            aboard: counter.aboard.as_ref().map(named),
            ..counter.clone()
        });
        let lanes = self.fire_lanes().iter().map(|lane| FireLane {
            mg: named(&lane.mg),
            hex: lane.hex,
        });
        Some(self.beside(counters.collect(), lanes.collect(), self.environment()))
    }
}
