//! Something that all connections draw on, and of which none may take all.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A stock of places or of bytes.
///
/// A connection may hold as much as is still free, and one more: one alone gets half of it, two get
/// a third each, and whoever comes next always finds something.
#[derive(Clone, Debug)]
pub(crate) struct Stock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    max: u64,
    free: AtomicU64,
}

/// How much of a stock a connection holds. Clones are the same count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held(Arc<AtomicU64>);

/// Why nothing could be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Short {
    /// There is not so much.
    Empty,
    /// The connection would have more than its share.
    Share {
        /// What it holds.
        held: u64,
    },
}

/// What was taken of a stock. It goes back when this is dropped.
#[derive(Debug)]
pub(crate) struct Taken {
    amount: u64,
    stock: Stock,
    held: Held,
}

impl Stock {
    pub(crate) fn new(max: u64) -> Self {
        Self(Arc::new(Inner {
            max,
            free: AtomicU64::new(max),
        }))
    }

    /// How much there is of it, taken or not.
    pub(crate) fn max(&self) -> u64 {
        self.0.max
    }

    /// How much of it is free.
    pub(crate) fn free(&self) -> u64 {
        self.0.free.load(Relaxed)
    }

    /// Why the connection that holds `held` could not take one of it now, if it could not.
    pub(crate) fn lacks(&self, held: &Held) -> Option<Short> {
        short(self.free(), held.amount(), 1)
    }

    /// Takes so much for the connection that holds `held`.
    pub(crate) fn take(&self, amount: u64, held: &Held) -> Result<Taken, Short> {
        let mut taken = Taken {
            amount: 0,
            stock: self.clone(),
            held: held.clone(),
        };
        taken.grow(amount)?;
        Ok(taken)
    }
}

impl Held {
    pub(crate) fn amount(&self) -> u64 {
        self.0.load(Relaxed)
    }

    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Relaxed);
    }

    pub(crate) fn remove(&self, less: u64) {
        self.0.fetch_sub(less, Relaxed);
    }
}

/// Why whoever holds so much cannot take so much more of what is free, if that is so.
pub(crate) fn short(free: u64, held: u64, more: u64) -> Option<Short> {
    if free < more {
        return Some(Short::Empty);
    }
    let fair = held.saturating_add(more) <= free.saturating_add(1);
    (!fair).then_some(Short::Share { held })
}

impl Taken {
    /// Takes more.
    pub(crate) fn grow(&mut self, more: u64) -> Result<(), Short> {
        let held = self.held.amount();
        let take = |free: u64| match short(free, held, more) {
            None => Some(free - more),
            Some(_) => None,
        };
        let free = &self.stock.0.free;
        match free.fetch_update(Relaxed, Relaxed, take) {
            Ok(_) => {
                self.held.add(more);
                self.amount += more;
                Ok(())
            }
            Err(free) => Err(short(free, held, more).unwrap_or(Short::Empty)),
        }
    }

    /// Gives some of it back.
    pub(crate) fn shrink(&mut self, less: u64) {
        let less = less.min(self.amount);
        self.amount -= less;
        self.held.remove(less);
        self.stock.0.free.fetch_add(less, Relaxed);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.shrink(self.amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes one at a time until there is no more to be had.
    fn all(stock: &Stock, held: &Held) -> (Vec<Taken>, Short) {
        let mut taken = Vec::new();
        loop {
            match stock.take(1, held) {
                Ok(one) => taken.push(one),
                Err(short) => return (taken, short),
            }
        }
    }

    #[test]
    fn one_connection_leaves_something_for_the_next_and_so_on() {
        let stock = Stock::new(240);
        let (one, two, three) = (Held::default(), Held::default(), Held::default());
        let (first, short) = all(&stock, &one);
        assert_eq!((first.len(), short), (121, Short::Share { held: 121 }));
        let (second, _) = all(&stock, &two);
        let (third, _) = all(&stock, &three);
        assert_eq!((second.len(), third.len()), (60, 30));
        drop((first, second, third));
        assert_eq!((stock.free(), one.amount()), (240, 0));
    }

    #[test]
    fn the_last_place_can_be_had() {
        let (stock, held) = (Stock::new(2), Held::default());
        let (taken, short) = all(&stock, &held);
        assert_eq!((taken.len(), short), (2, Short::Empty));
        let stock = Stock::new(1);
        assert_eq!(all(&stock, &Held::default()).0.len(), 1);
    }

    #[test]
    fn what_is_more_than_there_is_takes_nothing() {
        let (stock, held) = (Stock::new(10), Held::default());
        assert_eq!(stock.take(11, &held).unwrap_err(), Short::Empty);
        let mut taken = stock.take(6, &held).unwrap();
        assert_eq!(taken.grow(5), Err(Short::Empty));
        assert_eq!(taken.grow(2), Err(Short::Share { held: 6 }));
        taken.shrink(4);
        assert_eq!(taken.grow(2), Ok(()));
        assert_eq!(stock.free(), 6);
    }
}
