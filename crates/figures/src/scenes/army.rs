//! Counters of both sides, strewn over a map.

use alamein_hex::Hex;
use alamein_terrain::{Counter, CounterClass, CounterFlags, Map};

use super::Chance;

/// What an army is made of, over and over.
const CLASSES: [CounterClass; 12] = [
    CounterClass::Squad,
    CounterClass::Squad,
    CounterClass::Tank,
    CounterClass::HalfSquad,
    CounterClass::Squad,
    CounterClass::Wreck,
    CounterClass::Leader,
    CounterClass::Gun,
    CounterClass::Squad,
    CounterClass::Truck,
    CounterClass::ArmoredCar,
    CounterClass::Halftrack,
];

/// So many counters on a map: mostly Infantry, every fifth of it entrenched, tanks, trucks, Guns and
/// wrecks, of two sides; the same on every machine. Wrecks have no side.
#[must_use]
pub fn army(map: &Map, count: usize) -> Vec<Counter> {
    let hexes: Vec<Hex> = map.grid.hexes().collect();
    let mut chance = Chance::new(1942);
    let classes = CLASSES.iter().cycle().take(count);
    let numbered = classes.zip(1..);
    let placed = numbered.filter_map(|(class, number)| {
        let hex = *chance.one_of(&hexes)?;
        Some(counter(*class, number, hex))
    });
    placed.collect()
}

fn counter(class: CounterClass, number: usize, hex: Hex) -> Counter {
    let side = ["axis", "allied"][number % 2];
    let mut counter = Counter::new(format!("{}-{number}", class.name()), class, hex);
    counter.side = (class != CounterClass::Wreck).then(|| side.to_owned());
    if class.is_infantry() && class != CounterClass::Gun && number.is_multiple_of(5) {
        counter.flags = CounterFlags::ENTRENCHED;
    }
    counter
}
