//! Positions: a map and what stands on it.

mod check;

pub use check::{PositionError, aboard_in_a_ring};

use std::sync::Arc;

use alamein_hex::Hex;

use crate::canon::{Canon, CanonError, CanonReader, Canonical, Digest, FromCanonical};
use crate::counter::Counter;
use crate::map::{Environment, Map};
use check::{check_counters, check_fire_lanes};

/// What the canonical form of a position begins with.
const DOMAIN: &str = "alamein/position/2";

/// A Fire Lane: the machine gun that has it, and the hex that holds its counter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FireLane {
    /// The machine gun's counter. It has one Fire Lane at most.
    pub mg: String,
    /// The hex of the Fire Lane counter.
    pub hex: Hex,
}

/// An immutable snapshot: a map, and the counters and Fire Lanes on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    map: Arc<Map>,
    counters: Vec<Counter>,
    fire_lanes: Vec<FireLane>,
    environment: Environment,
    map_id: Digest,
    id: Digest,
}

impl Position {
    /// A position without Fire Lanes, checked.
    ///
    /// # Errors
    /// A counter off the map, twice, with no name, with a facing that its class has not, or aboard
    /// something that cannot carry it; a map that does not [`check`](Map::check).
    pub fn new(
        map: Arc<Map>,
        counters: Vec<Counter>,
        environment: Environment,
    ) -> Result<Self, PositionError> {
        map.check()?;
        check_counters(&map, &counters)?;
        Ok(Self::checked(map, counters, Vec::new(), environment, None))
    }

    /// The same with these Fire Lanes.
    ///
    /// # Errors
    /// A Fire Lane off the map, of a counter that is not there, or a second one of the same counter.
    pub fn with_fire_lanes(self, fire_lanes: Vec<FireLane>) -> Result<Self, PositionError> {
        check_fire_lanes(&self, &fire_lanes)?;
        let (map, id) = (self.map, self.map_id);
        Ok(Self::checked(
            map,
            self.counters,
            fire_lanes,
            self.environment,
            Some(id),
        ))
    }

    /// Another position on the same map, of parts that are known to be sound.
    pub(crate) fn beside(
        &self,
        counters: Vec<Counter>,
        fire_lanes: Vec<FireLane>,
        environment: Environment,
    ) -> Self {
        let map = Arc::clone(&self.map);
        Self::checked(map, counters, fire_lanes, environment, Some(self.map_id))
    }

    fn checked(
        map: Arc<Map>,
        mut counters: Vec<Counter>,
        mut fire_lanes: Vec<FireLane>,
        environment: Environment,
        map_id: Option<Digest>,
    ) -> Self {
        counters.sort_by(|a, b| a.id.cmp(&b.id));
        fire_lanes.sort();
        let map_id = map_id.unwrap_or_else(|| map.id());
        let mut position = Self {
            map,
            counters,
            fire_lanes,
            environment,
            map_id,
            id: map_id,
        };
        position.id = position.canon().digest();
        position
    }

    /// The canonical form, of which the id is a hash. It names the map by its id.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        self.canon().into_bytes()
    }

    fn canon(&self) -> Canon {
        let mut canon = Canon::new(DOMAIN);
        canon
            .put(self.map_id)
            .list(self.counters.iter())
            .list(self.fire_lanes.iter())
            .int(self.environment.ec as u32);
        canon
    }

    /// The id of the map of a position, read from the position's canonical form.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn map_id_in(bytes: &[u8]) -> Result<Digest, CanonError> {
        CanonReader::new(bytes, DOMAIN)?.get()
    }

    /// Reads a position from its canonical form and the map that it names.
    ///
    /// # Errors
    /// Bytes that are none, or that name another map; a position that no client could have made.
    pub fn from_canonical(bytes: &[u8], map: Arc<Map>) -> Result<Self, CanonError> {
        let mut reader = CanonReader::new(bytes, DOMAIN)?;
        let map_id: Digest = reader.get()?;
        let counters = reader.get()?;
        let fire_lanes = reader.get()?;
        let environment = Environment { ec: reader.get()? };
        reader.end()?;
        let read = Self::new(map, counters, environment);
        let read = read.and_then(|position| position.with_fire_lanes(fire_lanes));
        let position = read.map_err(|error| CanonError(error.to_string()))?;
        if position.map_id != map_id {
            return Err(CanonError(format!("they name the map {map_id}")));
        }
        Ok(position)
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// The id of the map.
    #[must_use]
    pub fn map_id(&self) -> Digest {
        self.map_id
    }

    /// The counters, by id.
    #[must_use]
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// The counter of this id.
    #[must_use]
    pub fn counter(&self, id: &str) -> Option<&Counter> {
        let at = self
            .counters
            .binary_search_by(|counter| counter.id.as_str().cmp(id))
            .ok()?;
        self.counters.get(at)
    }

    /// The Fire Lanes, by their machine guns' ids.
    #[must_use]
    pub fn fire_lanes(&self) -> &[FireLane] {
        &self.fire_lanes
    }

    /// The Fire Lane of this machine gun.
    #[must_use]
    pub fn fire_lane(&self, mg: &str) -> Option<&FireLane> {
        let mut lanes = self.fire_lanes.iter();
        lanes.find(|lane| lane.mg == mg)
    }

    /// The conditions.
    #[must_use]
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// The id: a hash of the content. The same content has the same id everywhere.
    #[must_use]
    pub fn id(&self) -> Digest {
        self.id
    }
}

impl Canonical for FireLane {
    fn write(&self, canon: &mut Canon) {
        canon.text(&self.mg).put(self.hex);
    }
}

impl FromCanonical for FireLane {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        let (mg, hex) = (reader.get()?, reader.get()?);
        Ok(Self { mg, hex })
    }
}

#[cfg(test)]
mod tests {
    use alamein_hex::{Grid, Hexside};

    use super::*;
    use crate::counter::{CounterClass, CounterFlags};
    use crate::map::{EnvironmentCondition, Field, Layer};

    fn position(aboard: &[(&str, Option<&str>)]) -> Result<Position, PositionError> {
        let map = Map::flat(Grid::geomorphic());
        let hex = map.grid.hex("P6").unwrap();
        let counter = |(id, carrier): &(&str, Option<&str>)| {
            let mut counter = Counter::new(*id, CounterClass::Truck, hex);
            counter.aboard = carrier.map(str::to_owned);
            counter
        };
        let counters = aboard.iter().map(counter).collect();
        Position::new(Arc::new(map), counters, Environment::default())
    }

    #[test]
    fn a_position_is_read_back_from_its_canonical_form() {
        let mut map = Map::flat(Grid::geomorphic());
        let (hex, next) = (map.grid.hex("P6").unwrap(), map.grid.hex("P7").unwrap());
        let side = Hexside::between(hex, next).unwrap();
        map.base_level = -1;
        map.levels = [(hex, 2), (next, -1)].into();
        let fields = [
            ("a", Field::Hexes([hex, next].into())),
            ("b", Field::Hexsides([side].into())),
            ("c", Field::HexValues([(hex, i64::MIN)].into())),
            ("d", Field::HexsideValues([(side, 7)].into())),
        ];
        let fields = fields.map(|(name, field)| (name.to_owned(), field)).into();
        map.layers = [("x".to_owned(), Layer { fields })].into();
        let mut counter = Counter::new("b", CounterClass::Crew, hex);
        counter.side = Some("german".into());
        counter.aboard = Some("a".into());
        counter.height = -3;
        counter.flags = CounterFlags::EMPLACED.and(CounterFlags::UNARMORED);
        counter.attributes = [("sand.x".to_owned(), -5)].into();
        counter.known_to = ["british".to_owned(), "free french".to_owned()].into();
        let mut truck = Counter::new("a", CounterClass::Truck, hex);
        truck.facing = Some(5);
        let wet = Environment {
            ec: EnvironmentCondition::Wet,
        };
        let position = Position::new(Arc::new(map), vec![counter, truck], wet).unwrap();
        let lane = |mg: &str| FireLane {
            mg: mg.into(),
            hex: next,
        };
        let position = position
            .with_fire_lanes(vec![lane("b"), lane("a")])
            .unwrap();

        let map = Arc::new(Map::from_canonical(&position.map().canonical()).unwrap());
        assert_eq!(map.id(), position.map_id());
        let bytes = position.canonical();
        assert_eq!(Position::map_id_in(&bytes), Ok(map.id()));
        let read = Position::from_canonical(&bytes, Arc::clone(&map)).unwrap();
        assert_eq!(read.id(), position.id());
        assert_eq!(read.counters(), position.counters());
        assert_eq!(read.fire_lanes(), position.fire_lanes());
        assert_eq!(read.environment(), position.environment());

        for end in 0..bytes.len() {
            assert!(Position::from_canonical(&bytes[..end], Arc::clone(&map)).is_err());
        }
        let other = Arc::new(Map::flat(map.grid));
        assert!(
            Position::from_canonical(&bytes, other).is_err(),
            "of another map"
        );
    }

    #[test]
    fn a_facing_and_a_fire_lane_are_checked() {
        let map = Arc::new(Map::flat(Grid::geomorphic()));
        let hex = map.grid.hex("P6").unwrap();
        let facing = |class, facing| {
            let mut counter = Counter::new("a", class, hex);
            counter.facing = Some(facing);
            Position::new(Arc::clone(&map), vec![counter], Environment::default())
        };
        assert!(facing(CounterClass::Gun, 5).is_ok());
        let refused = facing(CounterClass::Gun, 6);
        assert!(matches!(refused, Err(PositionError::Facing { .. })));
        let refused = facing(CounterClass::Squad, 0);
        assert!(matches!(refused, Err(PositionError::NoFacing { .. })));

        let lanes = |mgs: &[&str], hex| {
            let lane = |mg: &&str| FireLane {
                mg: (*mg).into(),
                hex,
            };
            let lanes = mgs.iter().map(lane).collect();
            position(&[("a", None)])?.with_fire_lanes(lanes)
        };
        assert!(lanes(&["a"], hex).is_ok());
        let refused = lanes(&["b"], hex);
        assert!(matches!(refused, Err(PositionError::UnknownMg { .. })));
        let refused = lanes(&["a", "a"], hex);
        assert!(matches!(refused, Err(PositionError::SecondLane { .. })));
        let refused = lanes(&["a"], Hex::new(99, 0));
        assert!(matches!(refused, Err(PositionError::OffMap { .. })));
    }

    #[test]
    fn a_chain_of_carriers_ends() {
        assert!(position(&[("a", Some("b")), ("b", Some("c")), ("c", None)]).is_ok());
    }

    #[test]
    fn nothing_is_aboard_itself_by_any_way() {
        let rings: [&[(&str, Option<&str>)]; 3] = [
            &[("a", Some("a"))],
            &[("a", Some("b")), ("b", Some("a"))],
            &[
                ("x", None),
                ("a", Some("b")),
                ("b", Some("c")),
                ("c", Some("b")),
            ],
        ];
        for ring in rings {
            let refused = position(ring);
            assert!(
                matches!(refused, Err(PositionError::Ring { .. })),
                "{refused:?}"
            );
        }
    }
}
