//! Which features speak on a line of sight, read off tables of the map.
//!
//! For each hex there is a word with a bit for each feature: whether it speaks on lines that have this
//! hex between their ends, and so on for each of the marks of [`alamein_terrain::mark`]. A line's trace is
//! laid over the table, and the words of its hexes are joined. On most lines nothing comes of that, and
//! nobody need be asked.

use std::sync::Arc;

use alamein_hex::{Grid, Hex, TraceRef};
use alamein_terrain::{CounterFacts, PreparedFeature, class_bit, mark};

use crate::ruleset::Ruleset;

/// How many features have a bit. Of a ruleset with more, every line is asked about in rounds.
const MOST: usize = u64::BITS as usize;

/// How far around the map a line between two of its hexes may touch others.
const MARGIN: i32 = 2;

/// A word for each hex of a map and a margin around it, in axial order: so the place of a hex plus that
/// of an offset is the place of their sum.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    words: Vec<u64>,
    first: Hex,
    stride: i32,
}

impl Plane {
    pub(crate) fn new(grid: Grid) -> Self {
        let rows = |hex: Hex| i32::from(hex.r);
        let least = grid.hexes().map(rows).min().unwrap_or(0) - MARGIN;
        let most = grid.hexes().map(rows).max().unwrap_or(0) + MARGIN;
        let stride = most - least + 1;
        let columns = i32::from(grid.columns()) + 2 * MARGIN;
        Self {
            words: vec![0; usize::try_from(columns * stride).unwrap_or(0)],
            // Maps are far smaller than an `i16` counts.
            first: Hex::new(-MARGIN as i16, i16::try_from(least).unwrap_or(0)),
            stride,
        }
    }

    /// The same with no bits.
    fn emptied(&self) -> Self {
        Self {
            words: vec![0; self.words.len()],
            ..*self
        }
    }

    /// The place of a hex.
    fn place(&self, hex: Hex) -> i32 {
        let from = |at: i16, first: i16| i32::from(at) - i32::from(first);
        from(hex.q, self.first.q) * self.stride + from(hex.r, self.first.r)
    }

    /// The word of a hex; 0 off the map.
    fn at(&self, hex: Hex) -> u64 {
        let place = usize::try_from(self.place(hex)).unwrap_or(usize::MAX);
        self.words.get(place).copied().unwrap_or(0)
    }

    pub(crate) fn add(&mut self, hex: Hex, word: u64) {
        let place = usize::try_from(self.place(hex)).unwrap_or(usize::MAX);
        if let Some(at) = self.words.get_mut(place) {
            *at |= word;
        }
    }

    /// The word of an offset from the hex in a place.
    fn beside(&self, place: i32, offset: Hex) -> u64 {
        let place = place + i32::from(offset.q) * self.stride + i32::from(offset.r);
        // What is before the table is far behind it as a number without a sign.
        self.words.get(place as usize).copied().unwrap_or(0)
    }

    /// The words of some offsets from a hex, joined.
    fn joined(&self, from: Hex, offsets: &[Hex]) -> u64 {
        let from = self.place(from);
        let word = |offset: &Hex| self.beside(from, *offset);
        offsets
            .iter()
            .fold(0, |joined, offset| joined | word(offset))
    }

    /// The hexes at some offsets from a hex that have any bit.
    pub(crate) fn marked(
        &self,
        from: Hex,
        offsets: impl Iterator<Item = Hex>,
    ) -> impl Iterator<Item = Hex> {
        let place = self.place(from);
        let marked = offsets.filter(move |offset| self.beside(place, *offset) != 0);
        marked.map(move |offset| from + offset)
    }
}

/// What the features of a ruleset say of lines of sight on a map.
#[derive(Debug)]
pub(crate) struct Planes {
    between: Plane,
    end: Plane,
    unit_end: Plane,
    others_between: Plane,
    others_end: Plane,
    /// Those that speak on every line.
    everything: u64,
    /// Those that speak as soon as there is any counter.
    any_counter: u64,
    /// For each feature, the classes of counters between the ends on which it speaks.
    counters: Vec<u32>,
    /// Those that answer in short.
    pub(crate) answer: u64,
    /// Those that set aside or judge no obstacle of others.
    hindrances_only: u64,
    /// Those that judge what others observe in hexes, or on hexsides.
    judge: u64,
    /// Those that judge what others observe on hexsides.
    pub(crate) judge_hexsides: u64,
    /// Those that say on which lines they speak.
    surveyed: u64,
    /// Those that tell which vehicles they set aside.
    pub(crate) tell_aside: u64,
    /// Those that observe nothing but vehicles that Hinder.
    hinder_only: u64,
    /// How many vehicles that Hinder block; nothing if whoever judges hexes may say more of them.
    pub(crate) limit: Option<u8>,
}

/// Who speaks on a line, and who may set aside or judge what others observe of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Speakers {
    pub(crate) speak: u64,
    /// Those of them that speak for the marks of its hexes.
    pub(crate) of_marks: u64,
    /// Those of them that speak for counters between the ends.
    pub(crate) of_counters: u64,
    pub(crate) others: u64,
}

impl Speakers {
    /// Everybody.
    pub(crate) const ALL: Self = Self {
        speak: u64::MAX,
        of_marks: u64::MAX,
        of_counters: u64::MAX,
        others: u64::MAX,
    };
}

impl Planes {
    /// The tables of a map that these features have seen; nothing if they are too many.
    pub(crate) fn new(
        ruleset: &Ruleset,
        grid: Grid,
        features: &[Arc<dyn PreparedFeature>],
    ) -> Option<Self> {
        if features.len() > MOST {
            return None;
        }
        let plane = Plane::new(grid);
        let mut planes = Self {
            between: plane.clone(),
            end: plane.clone(),
            unit_end: plane.clone(),
            others_between: plane.clone(),
            others_end: plane,
            everything: 0,
            any_counter: 0,
            counters: Vec::new(),
            answer: 0,
            hindrances_only: 0,
            judge: 0,
            judge_hexsides: 0,
            surveyed: 0,
            tell_aside: 0,
            hinder_only: 0,
            limit: Some(u8::MAX),
        };
        for (at, feature) in features.iter().enumerate() {
            planes.add(1 << at, grid, &**feature);
        }
        // What a feature says in short is what its own rules say.
        for ((replaced, _), _) in ruleset.replacements().iter() {
            let replaced = 1_u64.checked_shl(replaced.into()).unwrap_or(0);
            planes.answer &= !replaced;
            planes.tell_aside &= !replaced;
            planes.hinder_only &= !replaced;
            if planes.judge & replaced != 0 {
                planes.limit = None;
            }
        }
        Some(planes)
    }

    fn add(&mut self, bit: u64, grid: Grid, feature: &dyn PreparedFeature) {
        let flag = |set: bool| if set { bit } else { 0 };
        let Some(outlook) = feature.outlook() else {
            let interest = feature.interest();
            self.everything |= flag(interest.everything);
            self.any_counter |= flag(interest.counters);
            self.counters.push(0);
            self.limit = None;
            for (hex, concerned) in grid.hexes().zip(&interest.hexes) {
                self.mark(hex, bit, if *concerned { mark::ALL } else { 0 });
            }
            return;
        };
        self.surveyed |= bit;
        self.everything |= flag(outlook.everything);
        self.answer |= flag(outlook.answers);
        self.hindrances_only |= flag(outlook.hindrances_only);
        self.judge |= flag(outlook.judges_hexes || outlook.judges_hexsides);
        self.judge_hexsides |= flag(outlook.judges_hexsides);
        self.tell_aside |= flag(outlook.tells_aside);
        self.hinder_only |= flag(outlook.hinders_only);
        if outlook.judges_hexes {
            self.limit = self
                .limit
                .zip(outlook.limit)
                .map(|(one, other)| one.min(other));
        }
        self.counters.push(outlook.counters);
        for (hex, marks) in grid.hexes().zip(&outlook.hexes) {
            self.mark(hex, bit, *marks);
        }
    }

    fn mark(&mut self, hex: Hex, bit: u64, marks: u8) {
        let planes = [
            (mark::BETWEEN, &mut self.between),
            (mark::END, &mut self.end),
            (mark::UNIT_END, &mut self.unit_end),
            (mark::OTHERS_BETWEEN, &mut self.others_between),
            (mark::OTHERS_END, &mut self.others_end),
        ];
        for (mark, plane) in planes {
            if marks & mark != 0 {
                plane.add(hex, bit);
            }
        }
    }

    /// Who speaks for the counters of a position.
    pub(crate) fn with(&self, counters: &[CounterFacts]) -> Busy {
        let mut between = None;
        for counter in counters {
            let class = class_bit(counter.class);
            let speak = self.counters.iter().enumerate();
            let speak = speak.filter(|(_, classes)| **classes & class != 0);
            let word = speak.fold(0, |word, (at, _)| word | 1 << at);
            if word != 0 {
                let plane = between.get_or_insert_with(|| self.between.emptied());
                plane.add(counter.hex, word);
            }
        }
        let any = if counters.is_empty() {
            0
        } else {
            self.any_counter
        };
        Busy {
            between,
            everywhere: self.everything | any,
        }
    }

    /// Who speaks on a line between centres of hexes, at whose ends there are counters or not.
    pub(crate) fn speakers(&self, busy: &Busy, line: &TraceRef, units: [bool; 2]) -> Speakers {
        let (origin, trace) = (line.origin(), line.trace());
        let mut of_marks = self.between.joined(origin, trace.between());
        of_marks |= joined_at_ends(&self.end, line);
        let ends = [trace.from(), trace.to()].map(|aim| aim.hex + origin);
        for (end, unit) in ends.into_iter().zip(units) {
            if unit {
                of_marks |= self.unit_end.at(end);
            }
        }
        let of_counters = busy.on(line);
        let speak = of_marks | of_counters | busy.everywhere;
        Speakers {
            speak,
            of_marks,
            of_counters,
            others: if speak == 0 { 0 } else { self.others(line) },
        }
    }

    /// Who may set aside or judge what others observe of a line.
    pub(crate) fn others(&self, line: &TraceRef) -> u64 {
        let between = &self.others_between;
        between.joined(line.origin(), line.trace().between())
            | joined_at_ends(&self.others_end, line)
    }

    /// Whether the speakers on a line can answer it in short, as far as that can be told beforehand.
    pub(crate) fn may_answer(&self, speakers: Speakers) -> bool {
        let Speakers { speak, others, .. } = speakers;
        // Whoever may set aside what others observe has a say only where another one speaks, and tells it
        // where that is about vehicles alone.
        let meddles = |other: usize| {
            let tells = self.tell_aside & (1 << other) != 0;
            let told = if tells { self.hinder_only } else { 0 };
            speak & !(1 << other) & !told != 0
        };
        speak & !self.answer == 0 && !bits(others & !self.hindrances_only).any(meddles)
    }

    /// Whether nothing but the marks of hexes makes anybody speak on a line, who has promised not to look at
    /// other counters then.
    pub(crate) fn terrain_alone(&self, speakers: Speakers) -> bool {
        speakers.speak & !self.surveyed == 0 && speakers.of_counters == 0
    }

    /// Whether those who speak on a line for the marks of its hexes are others than those who speak for its
    /// counters, and say the same of it whatever counters there are.
    pub(crate) fn tell_apart(&self, speakers: Speakers) -> bool {
        let Speakers {
            of_marks,
            of_counters,
            speak,
            ..
        } = speakers;
        let both = of_marks & of_counters != 0 || of_marks == 0 || of_counters == 0;
        !both && speak & !self.answer == 0
    }

    /// Those to be asked in rounds of a line.
    pub(crate) fn in_rounds(&self, speakers: Speakers) -> u64 {
        speakers.speak | speakers.others | self.judge
    }
}

/// The words of the ends of a line, joined.
fn joined_at_ends(plane: &Plane, line: &TraceRef) -> u64 {
    let (origin, trace) = (line.origin(), line.trace());
    plane.at(trace.from().hex + origin) | plane.at(trace.to().hex + origin)
}

/// Who speaks on lines by what lies between their ends, on a position.
#[derive(Debug)]
pub(crate) struct Busy {
    /// Nothing where no counter is of a class on which anybody speaks.
    between: Option<Plane>,
    everywhere: u64,
}

impl Busy {
    /// Who speaks on every line.
    pub(crate) fn everywhere(&self) -> u64 {
        self.everywhere
    }

    /// Who speaks for counters between the ends of a line.
    pub(crate) fn on(&self, line: &TraceRef) -> u64 {
        let joined = |plane: &Plane| plane.joined(line.origin(), line.trace().between());
        self.between.as_ref().map_or(0, joined)
    }

    /// Whether anybody may.
    pub(crate) fn minds_counters(&self) -> bool {
        self.between.is_some()
    }
}

/// The numbers of the bits of a word.
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_its_hex_and_by_the_sum_of_two() {
        for grid in [Grid::geomorphic(), Grid::new(7, 3).unwrap()] {
            let mut plane = Plane::new(grid);
            let hexes: Vec<Hex> = grid.hexes().collect();
            for (at, hex) in hexes.iter().enumerate() {
                plane.add(*hex, at as u64 + 1);
            }
            for (at, hex) in hexes.iter().enumerate() {
                assert_eq!(plane.at(*hex), at as u64 + 1);
                for from in [hexes[0], hexes[hexes.len() / 2], hexes[hexes.len() - 1]] {
                    assert_eq!(plane.joined(from, &[*hex - from]), at as u64 + 1);
                }
                // Around the map there is nothing.
                for next in hex.neighbours() {
                    if !grid.contains(next) {
                        assert_eq!(plane.at(next), 0, "{next:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn bits_are_told_from_the_lowest_on() {
        assert_eq!(bits(0).count(), 0);
        assert_eq!(bits(1 | 1 << 5 | 1 << 63).collect::<Vec<_>>(), [0, 5, 63]);
    }
}
