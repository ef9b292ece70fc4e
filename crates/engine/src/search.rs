//! The search for all that an allowance reaches.
//!
//! Dijkstra's, over steps that are priced as it comes to them: whenever it comes to a hex whose
//! steps are not priced yet, those of every hex that it has seen so far are priced, in one batch.
//! So there are no more batches than the farthest hex is steps away, and no step is priced that
//! does not begin within the allowance.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Add;

use alamein_hex::Hex;
use alamein_terrain::{ContestedOption, MissingRule, Reached, Unpriced};
use pathfinding::directed::dijkstra::dijkstra_reach;
use pathfinding::num_traits::Zero;

/// What a way costs. Of two that cost the same, one that owes fewer DRs is better, then one of
/// fewer steps; so no way is as good as a part of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Price {
    cost: u32,
    checks: u32,
    steps: u32,
}

impl Price {
    /// The price of one step.
    pub(crate) fn of_step(cost: u32, checks: u32) -> Self {
        let steps = 1;
        Self {
            cost,
            checks,
            steps,
        }
    }
}

impl Add for Price {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            cost: self.cost.saturating_add(other.cost),
            checks: self.checks.saturating_add(other.checks),
            steps: self.steps.saturating_add(other.steps),
        }
    }
}

impl Zero for Price {
    fn zero() -> Self {
        Self::default()
    }

    fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

/// What came of a step.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// It may be taken.
    Open(Price),
    /// It is forbidden.
    Prohibited,
    /// Nobody can say what it costs.
    Unknown(Unpriced),
}

/// A step out of a hex.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    pub(crate) to: Hex,
    pub(crate) found: Found,
    /// The contested options on which it turned.
    pub(crate) contested: Vec<ContestedOption>,
    /// The rules that apply to it and that nobody covers.
    pub(crate) not_covered: Vec<MissingRule>,
}

impl Outlook {
    /// Where it leads and for what price, if it may be taken.
    fn open(&self) -> Option<(Hex, Price)> {
        match self.found {
            Found::Open(price) => Some((self.to, price)),
            Found::Prohibited | Found::Unknown(_) => None,
        }
    }
}

/// The steps out of each of some hexes.
pub(crate) type Outlooks = BTreeMap<Hex, Vec<Outlook>>;

/// What a search found.
#[derive(Debug)]
pub(crate) struct Searched {
    /// The hexes: first where it begins, then by cost and in the order of hexes.
    pub(crate) hexes: Vec<Reached>,
    /// The steps out of each of them, whatever came of them.
    pub(crate) steps: Outlooks,
}

/// Finds all hexes within an allowance. `price` prices the steps out of each of some hexes.
///
/// # Errors
/// What `price` fails with.
pub(crate) fn search<E, F>(from: Hex, allowance: u32, price: F) -> Result<Searched, E>
where
    F: FnMut(&BTreeSet<Hex>) -> Result<Outlooks, E>,
{
    let mut country = Country {
        price,
        allowance,
        best: BTreeMap::from([(from, 0)]),
        priced: BTreeMap::new(),
        ahead: BTreeSet::new(),
        failed: None,
    };
    let prices: BTreeMap<Hex, Price> = dijkstra_reach(&from, |hex| country.steps_out_of(*hex))
        .map(|reached| (reached.node, reached.total_cost))
        .collect();
    if let Some(error) = country.failed {
        return Err(error);
    }
    // Only what is within the allowance was priced, and all of it.
    let steps = country.priced;
    let hexes = hexes(&prices, &steps);
    Ok(Searched { hexes, steps })
}

/// The country that a search crosses.
struct Country<E, F> {
    price: F,
    allowance: u32,
    /// The least that a way to each hex seen costs, as far as is known. Of a hex that the search
    /// comes to, it is what the cheapest costs.
    best: BTreeMap<Hex, u32>,
    priced: Outlooks,
    /// Hexes that were seen, and whose steps are not priced.
    ahead: BTreeSet<Hex>,
    failed: Option<E>,
}

impl<E, F> Country<E, F>
where
    F: FnMut(&BTreeSet<Hex>) -> Result<Outlooks, E>,
{
    /// The steps out of a hex that may be taken within the allowance. After a failure there are
    /// none, so that the search ends.
    fn steps_out_of(&mut self, hex: Hex) -> Vec<(Hex, Price)> {
        if self.failed.is_none() && !self.priced.contains_key(&hex) {
            self.ahead.insert(hex);
            let ahead = std::mem::take(&mut self.ahead);
            match (self.price)(&ahead) {
                Ok(mut priced) => self.priced.append(&mut priced),
                Err(error) => self.failed = Some(error),
            }
        }
        if self.failed.is_some() {
            return Vec::new();
        }
        let here = self.best.get(&hex).copied().unwrap_or_default();
        let outlooks = self.priced.get(&hex).into_iter().flatten();
        let mut steps = Vec::new();
        for (to, price) in outlooks.filter_map(Outlook::open) {
            let there = here.saturating_add(price.cost);
            if there > self.allowance {
                continue;
            }
            let best = self.best.entry(to).or_insert(there);
            *best = there.min(*best);
            if !self.priced.contains_key(&to) {
                self.ahead.insert(to);
            }
            steps.push((to, price));
        }
        steps
    }
}

/// The hexes reached, each with the first of the hexes from which a best way comes to it.
fn hexes(prices: &BTreeMap<Hex, Price>, steps: &Outlooks) -> Vec<Reached> {
    let mut came_from: BTreeMap<Hex, Hex> = BTreeMap::new();
    for (from, outlooks) in steps {
        let here = prices.get(from).copied().unwrap_or_default();
        for (to, price) in outlooks.iter().filter_map(Outlook::open) {
            if prices.get(&to) == Some(&(here + price)) {
                came_from.entry(to).or_insert(*from);
            }
        }
    }
    let reached = |(hex, price): (&Hex, &Price)| Reached {
        cost: price.cost,
        hex: *hex,
        came_from: came_from.get(hex).copied(),
        checks: price.checks,
    };
    let mut hexes: Vec<Reached> = prices.iter().map(reached).collect();
    hexes.sort_by_key(|reached| (reached.came_from.is_some(), reached.cost, reached.hex));
    hexes
}

#[cfg(test)]
mod tests;
