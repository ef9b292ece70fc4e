//! How something grows with something else.

use serde::{Deserialize, Serialize};

use crate::Unit;

/// How a quantity grows with a size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// What it is called, which is also the name of its plot: `boards`.
    pub name: String,
    /// What is varied, in words: `boards of the map`.
    pub across: String,
    /// What is measured.
    pub series: Vec<Series>,
}

/// A quantity, measured at several sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What, in words.
    pub name: String,
    /// In what it is counted.
    pub unit: Unit,
    /// The sizes, and how much there was at each.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A quantity that is not measured yet.
    #[must_use]
    pub fn new(name: impl Into<String>, unit: Unit) -> Self {
        Self {
            name: name.into(),
            unit,
            points: Vec::new(),
        }
    }

    /// By which power of the size it grows, over the upper half of the sizes, where what it costs to
    /// begin at all counts least: 0 is not at all, 1 in proportion, 2 as the square. Nothing where there
    /// are too few points above 0.
    #[must_use]
    pub fn slope(&self) -> Option<f64> {
        let known = self.points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0);
        let logs: Vec<(f64, f64)> = known.map(|(x, y)| (x.ln(), y.ln())).collect();
        // At least three points, else the upper half.
        let from = (logs.len() / 2).min(logs.len().saturating_sub(3));
        least_squares(logs.get(from..)?)
    }
}

/// The slope of the straight line that lies nearest to these points.
fn least_squares(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let middle = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (middle(|point| point.0), middle(|point| point.1));
    let both: f64 = points.iter().map(|at| (at.0 - x) * (at.1 - y)).sum();
    let square: f64 = points.iter().map(|at| (at.0 - x).powi(2)).sum();
    (points.len() >= 2 && square > 0.0).then(|| both / square)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope(points: &[(f64, f64)]) -> Option<f64> {
        let mut series = Series::new("", Unit::Bytes);
        series.points = points.to_vec();
        series.slope()
    }

    #[test]
    fn the_slope_is_the_power() {
        let squares: Vec<(f64, f64)> = [1.0, 2.0, 4.0, 8.0, 16.0]
            .iter()
            .map(|x| (*x, 3.0 * x * x))
            .collect();
        assert!((slope(&squares).unwrap_or(0.0) - 2.0).abs() < 1e-9);
        let level: Vec<(f64, f64)> = squares.iter().map(|(x, _)| (*x, 7.0)).collect();
        assert!(slope(&level).unwrap_or(1.0).abs() < 1e-9);
    }

    #[test]
    fn what_it_costs_to_begin_counts_little() {
        let points: Vec<(f64, f64)> = [1.0, 10.0, 100.0, 1000.0, 10_000.0]
            .iter()
            .map(|x| (*x, 100.0 + x))
            .collect();
        let slope = slope(&points).unwrap_or(0.0);
        assert!((0.8..=1.0).contains(&slope), "{slope}");
    }

    #[test]
    fn a_point_has_no_slope() {
        assert_eq!(slope(&[]), None);
        assert_eq!(slope(&[(1.0, 1.0)]), None);
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 1.0)]), None);
    }
}
