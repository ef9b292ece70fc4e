//! What is aimed at, on two cores.

use crate::Report;

/// A bound that a figure or a ratio is to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Of which figure or ratio.
    pub of: &'static str,
    /// The bound.
    pub bound: Bound,
}

/// On which side the aim lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// So much or more.
    AtLeast(f64),
    /// So much or less.
    AtMost(f64),
}

impl Bound {
    /// Whether a value keeps it.
    #[must_use]
    pub fn keeps(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

/// Every aim.
pub const AIMS: [Aim; 10] = [
    least("verdicts/example", 5e6),
    most("linked to loaded: verdicts/example", 2.0),
    least("findings on two/example", 5e5),
    most("field/dense", 1.0),
    least("calls to echo: unary/full/32", 0.8),
    most("calls to echo: p99/full/32", 1.5),
    least("calls/batch/verdict", 3e5),
    most("service/start", 200.0),
    most("service/memory", 60e6),
    most("service/memory for a position", 1000.0),
];

const fn least(of: &'static str, value: f64) -> Aim {
    Aim {
        of,
        bound: Bound::AtLeast(value),
    }
}

const fn most(of: &'static str, value: f64) -> Aim {
    Aim {
        of,
        bound: Bound::AtMost(value),
    }
}

/// The aim for a figure or a ratio, if there is one.
#[must_use]
pub fn aim_of(name: &str) -> Option<Bound> {
    AIMS.iter().find(|aim| aim.of == name).map(|aim| aim.bound)
}

/// The aims that a report tells something of, each with what it came to.
pub fn told(report: &Report) -> impl Iterator<Item = (Aim, f64)> {
    AIMS.iter()
        .filter_map(|aim| Some((*aim, report.value(aim.of)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Figure, Unit};

    #[test]
    fn an_aim_is_kept_on_its_own_side() {
        assert!(Bound::AtLeast(5.0).keeps(5.0) && !Bound::AtLeast(5.0).keeps(4.9));
        assert!(Bound::AtMost(5.0).keeps(5.0) && !Bound::AtMost(5.0).keeps(5.1));
    }

    #[test]
    fn what_was_not_measured_is_not_told() {
        let mut report = Report::default();
        assert_eq!(told(&report).count(), 0);
        let start = Figure::one("service/start", Unit::Milliseconds, 150.0);
        report.figures.push(start);
        let all: Vec<_> = told(&report).collect();
        assert_eq!(all.len(), 1);
        assert!(all[0].0.bound.keeps(all[0].1));
    }
}
