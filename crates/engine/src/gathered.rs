//! What many features say of many lines, put together line by line in lists that all lines share.

use std::iter::Peekable;
use std::ops::Range;
use std::vec;

use alamein_terrain::Spoken;

/// For each line, step or set-up a part of one list.
#[derive(Debug)]
pub(crate) struct PerLine<T> {
    all: Vec<T>,
    of: Vec<Range<usize>>,
}

impl<T> Default for PerLine<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            of: Vec::new(),
        }
    }
}

impl<T> PerLine<T> {
    /// Nothing yet, of so many lines of which so much will be said.
    pub(crate) fn with_capacity(lines: usize, all: usize) -> Self {
        Self {
            all: Vec::with_capacity(all),
            of: Vec::with_capacity(lines),
        }
    }

    /// What there is of the line to which things are added now.
    pub(crate) fn open(&mut self) -> &mut Vec<T> {
        &mut self.all
    }

    /// Where the line begins to which things are added now.
    pub(crate) fn begins(&self) -> usize {
        self.of.last().map_or(0, |range| range.end)
    }

    /// All has been added that there is of a line.
    pub(crate) fn close(&mut self) {
        self.of.push(self.begins()..self.all.len());
    }

    /// How much there is of all lines.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// What there is of a line.
    pub(crate) fn of(&self, line: usize) -> &[T] {
        let range = self.of.get(line);
        range
            .and_then(|range| self.all.get(range.clone()))
            .unwrap_or_default()
    }
}

/// What each feature said, to be taken line by line.
pub(crate) struct Voices<T> {
    voices: Vec<(u16, Peekable<vec::IntoIter<Spoken<T>>>)>,
    count: usize,
}

impl<T> Default for Voices<T> {
    fn default() -> Self {
        Self {
            voices: Vec::new(),
            count: 0,
        }
    }
}

impl<T> Voices<T> {
    /// Adds what a feature said.
    pub(crate) fn add(&mut self, feature: u16, mut said: Vec<Spoken<T>>) {
        if said.is_empty() {
            return;
        }
        // Most plugins go through the lines in their order; none must.
        if !said.is_sorted_by_key(|spoken| spoken.of) {
            said.sort_by_key(|spoken| spoken.of);
        }
        self.count += said.len();
        self.voices.push((feature, said.into_iter().peekable()));
    }

    /// How much is said in all.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Takes what is said of a line. The lines are to be gone through in their order.
    pub(crate) fn of(&mut self, line: u32) -> impl Iterator<Item = (u16, T)> {
        let voices = self.voices.iter_mut();
        voices.flat_map(move |(feature, said)| {
            let of_it = move || said.next_if(|spoken| spoken.of <= line);
            std::iter::from_fn(of_it).map(|spoken| (*feature, spoken.said))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(of: u32, said: char) -> Spoken<char> {
        Spoken { of, said }
    }

    #[test]
    fn what_is_said_of_a_line_is_taken_together_in_whatever_order_it_was_said() {
        let mut voices = Voices::default();
        voices.add(3, vec![spoken(2, 'd'), spoken(0, 'a'), spoken(2, 'e')]);
        voices.add(4, Vec::new());
        voices.add(7, vec![spoken(0, 'b'), spoken(0, 'c')]);
        assert_eq!(voices.count(), 5);
        let mut said = |line| voices.of(line).collect::<Vec<_>>();
        assert_eq!(said(0), [(3, 'a'), (7, 'b'), (7, 'c')]);
        assert_eq!(said(1), []);
        assert_eq!(said(2), [(3, 'd'), (3, 'e')]);
    }

    #[test]
    fn each_line_has_its_part() {
        let mut lines = PerLine::with_capacity(3, 2);
        lines.open().push('a');
        lines.close();
        lines.close();
        lines.open().push('b');
        lines.close();
        assert_eq!(
            [0, 1, 2, 3].map(|line| lines.of(line)),
            [&['a'][..], &[], &['b'], &[]]
        );
    }
}
