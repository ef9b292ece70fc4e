//! The search against every way there is, on countries such as no map has.

use alamein_hex::Grid;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const GRID: (u16, u16) = (3, 3);

fn grid() -> Grid {
    Grid::new(GRID.0, GRID.1).unwrap()
}

/// Every step on the map, in order.
fn steps() -> Vec<(Hex, Hex)> {
    let from = |from: Hex| from.neighbours().map(|to| (from, to));
    let steps = grid().hexes().flat_map(from);
    steps.filter(|(_, to)| grid().contains(*to)).collect()
}

fn outlooks(found: &[Found]) -> Outlooks {
    let mut outlooks = Outlooks::new();
    for ((from, to), found) in steps().into_iter().zip(found) {
        outlooks.entry(from).or_default().push(Outlook {
            to,
            found: found.clone(),
            contested: Vec::new(),
            not_covered: Vec::new(),
        });
    }
    outlooks
}

/// What came of each step: most may be taken, some for nothing.
fn country() -> impl Strategy<Value = Vec<Found>> {
    let found = prop_oneof![
        6 => (0_u32..5, 0_u32..3).prop_map(|(cost, checks)| Found::Open(Price::of_step(cost, checks))),
        1 => Just(Found::Prohibited),
        1 => Just(Found::Unknown(Unpriced::NoCost)),
    ];
    vec(found, steps().len())
}

/// Searches, and gives also the batches of hexes that were priced.
fn searched(country: &Outlooks, allowance: u32) -> (Searched, Vec<BTreeSet<Hex>>) {
    let mut batches = Vec::new();
    let price = |hexes: &BTreeSet<Hex>| -> Result<Outlooks, ()> {
        batches.push(hexes.clone());
        let of = |hex: &Hex| (*hex, country.get(hex).cloned().unwrap_or_default());
        Ok(hexes.iter().map(of).collect())
    };
    let searched = search(start(), allowance, price).unwrap();
    (searched, batches)
}

fn start() -> Hex {
    grid().hex("A2").unwrap()
}

/// The best way to each hex, found by going every way that does not come back to where it was.
struct EveryWay<'a> {
    country: &'a Outlooks,
    allowance: u32,
    way: Vec<Hex>,
    best: BTreeMap<Hex, (Price, Option<Hex>)>,
}

impl EveryWay<'_> {
    fn go(&mut self, hex: Hex, price: Price) {
        let here = (price, self.way.last().copied());
        let best = self.best.entry(hex).or_insert(here);
        *best = here.min(*best);
        self.way.push(hex);
        for step in self.country.get(&hex).into_iter().flatten() {
            let Found::Open(more) = step.found else {
                continue;
            };
            let there = price + more;
            if there.cost <= self.allowance && !self.way.contains(&step.to) {
                self.go(step.to, there);
            }
        }
        self.way.pop();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn it_finds_what_going_every_way_finds(found in country(), allowance in 0_u32..9) {
        let country = outlooks(&found);
        let (searched, _) = searched(&country, allowance);
        let (way, best) = (Vec::new(), BTreeMap::new());
        let mut every = EveryWay { country: &country, allowance, way, best };
        every.go(start(), Price::default());
        let mut expected: Vec<Reached> = every
            .best
            .iter()
            .map(|(hex, (price, came_from))| Reached {
                cost: price.cost,
                hex: *hex,
                came_from: *came_from,
                checks: price.checks,
            })
            .collect();
        expected.sort_by_key(|reached| (reached.hex != start(), reached.cost, reached.hex));
        prop_assert_eq!(searched.hexes, expected);
    }

    #[test]
    fn it_prices_what_it_reaches_once_and_in_batches(found in country(), allowance in 0_u32..9) {
        let (searched, batches) = searched(&outlooks(&found), allowance);
        let priced: Vec<Hex> = batches.iter().flatten().copied().collect();
        let once: BTreeSet<Hex> = priced.iter().copied().collect();
        let reached: BTreeSet<Hex> = searched.hexes.iter().map(|reached| reached.hex).collect();
        prop_assert_eq!(priced.len(), once.len());
        prop_assert_eq!(&once, &reached);
        let steps_of: BTreeSet<Hex> = searched.steps.keys().copied().collect();
        prop_assert_eq!(&steps_of, &reached);
    }
}

#[test]
fn open_country_takes_a_batch_for_each_ring() {
    let open = vec![Found::Open(Price::of_step(1, 0)); steps().len()];
    let country = outlooks(&open);
    let farthest = grid().hexes().map(|hex| start().range(hex)).max().unwrap();
    let (searched, batches) = searched(&country, 99);
    assert_eq!(searched.hexes.len(), grid().len());
    assert_eq!(batches.len(), usize::from(farthest) + 1);
}

#[test]
fn a_failure_ends_it() {
    let open = vec![Found::Open(Price::of_step(1, 0)); steps().len()];
    let country = outlooks(&open);
    let mut batches = 0;
    let price = |hexes: &BTreeSet<Hex>| {
        batches += 1;
        if batches == 2 {
            return Err("no more");
        }
        let of = |hex: &Hex| (*hex, country.get(hex).cloned().unwrap_or_default());
        Ok(hexes.iter().map(of).collect())
    };
    assert_eq!(search(start(), 99, price).unwrap_err(), "no more");
    assert_eq!(batches, 2);
}
