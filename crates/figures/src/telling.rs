//! Figures as tables for people.

use std::fmt::Write as _;

use crate::aims::{Bound, aim_of};
use crate::curve::Curve;
use crate::history::Entry;
use crate::{Report, Unit};

/// By how much a figure must differ from the last for that to be told, as a part of it.
const NOTABLE: f64 = 0.1;

/// All figures and ratios of a report, each with its aim, and with the last of this machine.
#[must_use]
pub fn table(report: &Report, last: Option<&Entry>) -> String {
    let mut text = format!(
        "alamein {} on {} cores of {}; the middle of rounds for {} s each\n\n",
        report.version, report.machine.cores, report.machine.processor, report.seconds
    );
    let width = widest(report);
    for figure in &report.figures {
        let told = amount(figure.value, figure.unit);
        let aim = aim_of(&figure.name).map(|aim| aimed(aim, figure.value, figure.unit));
        let rest = [aim, since(last, &figure.name, figure.value)];
        row(&mut text, &figure.name, width, &told, rest);
    }
    if !report.ratios.is_empty() {
        text.push_str("\nRatios\n");
    }
    for ratio in &report.ratios {
        let aim = aim_of(&ratio.name).map(|aim| aimed_ratio(aim, ratio.value));
        let told = format!("{:.2}", ratio.value);
        let rest = [aim, since(last, &ratio.name, ratio.value)];
        row(&mut text, &ratio.name, width, &told, rest);
    }
    text
}

fn widest(report: &Report) -> usize {
    let figures = report.figures.iter().map(|figure| &figure.name);
    let ratios = report.ratios.iter().map(|ratio| &ratio.name);
    let widths = figures.chain(ratios).map(|name| name.chars().count());
    widths.max().unwrap_or_default()
}

fn row(text: &mut String, name: &str, width: usize, told: &str, rest: [Option<String>; 2]) {
    let rest: Vec<String> = rest.into_iter().flatten().collect();
    let line = format!("  {name:<width$}  {told:>20}  {}", rest.join("; "));
    text.push_str(line.trim_end());
    text.push('\n');
}

/// An amount with its unit: `5 120 000 lines/s`, `24.1 µs`, `3.2 MB`.
#[must_use]
pub fn amount(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Bytes if value >= 1e6 => format!("{:.1} MB", value / 1e6),
        Unit::Bytes if value >= 1e4 => format!("{:.1} kB", value / 1e3),
        unit if value >= 1000.0 => format!("{} {}", thousands(value), unit.words()),
        unit if value >= 10.0 => format!("{value:.1} {}", unit.words()),
        unit => format!("{value:.3} {}", unit.words()),
    }
}

/// A whole number with a comma between its thousands.
#[must_use]
pub fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn aimed(aim: Bound, value: f64, unit: Unit) -> String {
    let (words, bound) = match aim {
        Bound::AtLeast(bound) => ("at least", bound),
        Bound::AtMost(bound) => ("at most", bound),
    };
    format!("{words} {}{}", amount(bound, unit), missed(aim, value))
}

fn aimed_ratio(aim: Bound, value: f64) -> String {
    let (words, bound) = match aim {
        Bound::AtLeast(bound) => ("at least", bound),
        Bound::AtMost(bound) => ("at most", bound),
    };
    format!("{words} {bound}{}", missed(aim, value))
}

fn missed(aim: Bound, value: f64) -> &'static str {
    match aim.keeps(value) {
        true => ": reached",
        false => ": MISSED",
    }
}

/// How much more or less it is than the last time, where that is more than noise.
fn since(last: Option<&Entry>, name: &str, value: f64) -> Option<String> {
    let before = last?.figures.get(name).filter(|before| **before != 0.0)?;
    let change = value / before - 1.0;
    (change.abs() >= NOTABLE).then(|| format!("{:+.0}% since the last", 100.0 * change))
}

/// A curve as a table, with the power by which each quantity grows.
#[must_use]
pub fn curve(curve: &Curve) -> String {
    let mut text = format!("{}\n", curve.across);
    for series in &curve.series {
        let slope = series.slope();
        let slope = slope.map_or("?".to_owned(), |slope| format!("{slope:.2}"));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} (grows as the power {slope})", series.name);
        for (size, value) in &series.points {
            let _ = writeln!(text, "    {size:>6}  {:>20}", amount(*value, series.unit));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Figure;

    #[test]
    fn amounts_are_as_people_read_them() {
        assert_eq!(
            amount(5_123_456.0, Unit::LinesPerSecond),
            "5,123,456 lines/s"
        );
        assert_eq!(amount(0.5, Unit::Milliseconds), "0.500 ms");
        assert_eq!(amount(24.06, Unit::Microseconds), "24.1 µs");
        assert_eq!(amount(60e6, Unit::Bytes), "60.0 MB");
        assert_eq!(amount(950.0, Unit::Bytes), "950.0 bytes");
    }

    #[test]
    fn a_figure_is_told_with_its_aim_and_with_the_last() {
        let mut report = Report::default();
        let start = Figure::one("service/start", Unit::Milliseconds, 150.0);
        report.figures.push(start);
        let mut last = Entry::from(&report);
        assert!(table(&report, Some(&last)).contains("at most 200.0 ms: reached"));
        assert!(!table(&report, Some(&last)).contains("since"));
        last.figures.insert("service/start".to_owned(), 100.0);
        assert!(table(&report, Some(&last)).contains("+50% since the last"));
    }
}
