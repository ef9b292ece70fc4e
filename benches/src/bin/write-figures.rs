//! Puts what was measured into the README and the docs: tables between marks, and plots.
//!
//! `cargo xtask figures` measures, and runs it with the folder in which the measurements are.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use alamein_benches::plots;
use alamein_figures::Report;
use alamein_figures::aims::{self, Bound};
use alamein_figures::curve::Curve;
use alamein_figures::telling::{amount, thousands};
use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use xtask::figures::Counts;

/// What README shows, in words for people who do not know the names of figures.
const SHOWN: [(&str, &str); 10] = [
    (
        "geometry",
        "a line looked up and walked, nothing asked about it",
    ),
    (
        "verdicts/example",
        "is there a LOS? on the worked example's map, all its lines, one thread",
    ),
    (
        "field/dense",
        "all that is seen from a hex of four boards of dense desert",
    ),
    (
        "findings on two/example",
        "a line of fire with every finding in words, in batches, two threads",
    ),
    (
        "calls/unary/full/32",
        "the same, each a gRPC call of its own over loopback, some dozens asked again and again",
    ),
    (
        "calls/judged/full/32",
        "the same where none is answered as it was before, but judged each time",
    ),
    (
        "calls/batch/verdict",
        "verdicts in batches of 1,000 over gRPC",
    ),
    (
        "service/start",
        "from the start to serving, with all plugins",
    ),
    (
        "service/memory",
        "memory of a service with the worked example",
    ),
    (
        "service/memory for a position",
        "each position more that it keeps",
    ),
];

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(measured), Some(root)) = (arguments.next(), arguments.next()) else {
        bail!("give the folder of what was measured, and the root of the repository");
    };
    let mut report: Report = read(&measured.join("bench.json"))?;
    let linked: Report = read(&measured.join("linked.json"))?;
    report.figures.extend(linked.figures);
    report.ratios.extend(linked.ratios);
    let mut curves: Vec<Curve> = read(&measured.join("curves.json"))?;
    curves.extend(read::<Vec<Curve>>(&measured.join("plugins.json"))?);

    let folder = root.join("docs/performance");
    fs::create_dir_all(&folder)?;
    let mut tables = BTreeMap::from([
        ("machine".to_owned(), machine(&report)),
        ("shown".to_owned(), shown(&report)),
        ("aims".to_owned(), aimed(&report)),
        ("all".to_owned(), all(&report)),
        ("instructions".to_owned(), instructions(&root)?),
    ]);
    for curve in &curves {
        let file = folder.join(format!("{}.svg", curve.name));
        fs::write(&file, plots::svg(curve)?).with_context(|| file.display().to_string())?;
        tables.insert(format!("curve {}", curve.name), slopes(curve));
    }
    for file in ["README.md", "docs/performance.md"] {
        let path = root.join(file);
        let text = fs::read_to_string(&path).with_context(|| file.to_owned())?;
        fs::write(
            &path,
            filled(&text, &tables).with_context(|| file.to_owned())?,
        )?;
    }
    Ok(())
}

fn read<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    serde_json::from_str(&text).with_context(|| file.display().to_string())
}

/// A text with tables put between their marks, `<!-- figures: NAME -->` and `<!-- end -->`.
fn filled(text: &str, tables: &BTreeMap<String, String>) -> Result<String> {
    const OPEN: &str = "<!-- figures: ";
    const CLOSE: &str = "<!-- end -->";
    let (mut rest, mut filled) = (text, String::new());
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) = after.split_once(" -->").context("a mark does not end")?;
        let (_, after) = after
            .split_once(CLOSE)
            .with_context(|| format!("{name}: there is no {CLOSE}"))?;
        let table = tables
            .get(name)
            .with_context(|| format!("there is no {name:?}"))?;
        write!(
            filled,
            "{before}{OPEN}{name} -->\n{}\n{CLOSE}",
            table.trim_end()
        )?;
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn machine(report: &Report) -> String {
    let cores = report.machine.cores;
    let when = report.when.split('T').next().unwrap_or_default();
    format!("On {cores} cores, on {when}:\n")
}

fn shown(report: &Report) -> String {
    let mut text = machine(report);
    text.push_str("\n| what | how fast | aim |\n| --- | --- | --- |\n");
    for (name, words) in SHOWN {
        let Some(figure) = report.figure(name) else {
            continue;
        };
        let aim = aims::aim_of(name);
        let aim = aim.map_or(String::new(), |aim| {
            bound(aim, |it| amount(it, figure.unit))
        });
        let told = amount(figure.value, figure.unit);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {words} | {told} | {aim} |");
    }
    text
}

fn aimed(report: &Report) -> String {
    let mut text = "| figure | aim | measured | |\n| --- | --- | --- | --- |\n".to_owned();
    for (aim, value) in aims::told(report) {
        let unit = report.figure(aim.of).map(|figure| figure.unit);
        let tell = |value| match unit {
            Some(unit) => amount(value, unit),
            None => format!("{value:.2}"),
        };
        let reached = match aim.bound.keeps(value) {
            true => "reached",
            false => "**not reached**",
        };
        let (aimed, told) = (bound(aim.bound, tell), tell(value));
        let _ = writeln!(text, "| `{}` | {aimed} | {told} | {reached} |", aim.of);
    }
    text
}

fn bound(bound: Bound, tell: impl Fn(f64) -> String) -> String {
    match bound {
        Bound::AtLeast(least) => format!("at least {}", tell(least)),
        Bound::AtMost(most) => format!("at most {}", tell(most)),
    }
}

fn all(report: &Report) -> String {
    let mut text = "| figure | middle | best |\n| --- | --- | --- |\n".to_owned();
    for figure in &report.figures {
        let best = figure
            .best
            .map_or(String::new(), |best| amount(best, figure.unit));
        let middle = amount(figure.value, figure.unit);
        let _ = writeln!(text, "| `{}` | {middle} | {best} |", figure.name);
    }
    text.push_str("\n| ratio | |\n| --- | --- |\n");
    for ratio in &report.ratios {
        let _ = writeln!(text, "| `{}` | {:.2} |", ratio.name, ratio.value);
    }
    text
}

/// How many instructions were counted last, as the file says that later counts are held against.
fn instructions(root: &Path) -> Result<String> {
    let file = root.join("benches/instructions.txt");
    let counted = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut text = "| what | instructions | allocations |\n| --- | --- | --- |\n".to_owned();
    for (what, count) in Counts::parse(&counted)?.counts {
        let [instructions, allocations] =
            [count.instructions, count.allocations].map(|count| thousands(count as f64));
        let _ = writeln!(text, "| {what} | {instructions} | {allocations} |");
    }
    Ok(text)
}

fn slopes(curve: &Curve) -> String {
    let name = &curve.name;
    let mut text = format!(
        "![How it grows with {}](performance/{name}.svg)\n\n",
        curve.across
    );
    text.push_str(
        "| what | at first | at last | grows as the power |\n| --- | --- | --- | --- |\n",
    );
    for series in &curve.series {
        let at = |point: Option<&(f64, f64)>| match point {
            Some((size, value)) => format!("{} at {size}", amount(*value, series.unit)),
            None => String::new(),
        };
        let (first, last) = (at(series.points.first()), at(series.points.last()));
        let slope = series
            .slope()
            .map_or("?".to_owned(), |slope| format!("{slope:.2}"));
        let _ = writeln!(text, "| {} | {first} | {last} | {slope} |", series.name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_marks_is_replaced_and_nothing_else() {
        let tables = BTreeMap::from([("a".to_owned(), "new\n".to_owned())]);
        let text = "before\n<!-- figures: a -->\nold\n<!-- end -->\nafter <!-- end -->\n";
        let now = filled(text, &tables).unwrap_or_default();
        assert_eq!(
            now,
            "before\n<!-- figures: a -->\nnew\n<!-- end -->\nafter <!-- end -->\n"
        );
        assert_eq!(filled(&now, &tables).unwrap_or_default(), now);
        assert!(filled("<!-- figures: b -->\n<!-- end -->", &tables).is_err());
        assert!(filled("<!-- figures: a -->\n", &tables).is_err());
    }
}
