//! Alamein beside VASL: where they differ on a LOS it is known why, and which is right is written down
//! in `docs/vasl-differences.md`.
//!
//! `ALAMEIN_VASL_DIR` is a folder with `boards/` and, made by VASL's own engine, tables of its answers in
//! `golden/`. Some lines of each are compared, or all of them with `ALAMEIN_VASL_ALL=1`.
#![allow(clippy::unwrap_used)] // A test may.

use std::io::Write;
use std::path::PathBuf;

use alamein_tests::linked_plugins;
use alamein_tests::vasl::compare::{Board, Sample};
use alamein_tests::vasl::outcome::Outcome;
use alamein_tests::vasl::peer::Look;
use alamein_tests::vasl::report::Report;

/// The boards. Of the lines compared so many in a hundred agree at least, with VASL as it is and with
/// its fault taken out: hillocks stand half a level too high in it.
const BOARDS: [(&str, [usize; 2]); 6] = [
    ("bd01", [100, 100]),
    ("bd02", [95, 95]),
    ("bd04", [100, 100]),
    ("bd26", [100, 100]),
    ("bdBFPDW2b", [70, 95]),
    ("bdBFPDW3b", [85, 95]),
];

/// One line in so many is compared, unless all are wanted.
const USUAL_SAMPLE: usize = 5;

#[test]
fn where_vasl_differs_it_is_known_why() {
    let Some(folder) = std::env::var_os("ALAMEIN_VASL_DIR").map(PathBuf::from) else {
        // Past the capture of the test's output, so that it is seen.
        let skipped = "SKIPPED: set ALAMEIN_VASL_DIR to a folder with VASL boards";
        let _ = writeln!(std::io::stderr(), "{skipped}");
        return;
    };
    let all = std::env::var_os("ALAMEIN_VASL_ALL").is_some_and(|all| all == "1");
    let sample = Sample(if all { 1 } else { USUAL_SAMPLE });
    let plugins = linked_plugins().unwrap();
    let mut report = Report::default();
    for (name, least) in BOARDS {
        let board = Board::read(&folder, name).unwrap();
        for table in ["", ".aim"] {
            let outcome = board.compare(table, sample, &plugins).unwrap();
            check(name, &outcome, least);
            report.0.push((format!("{name}{table}"), outcome));
        }
    }
    println!("{report}");
    assert!(report.open().is_empty(), "{report}");
}

fn check(name: &str, outcome: &Outcome, least: [usize; 2]) {
    let agreed: usize = outcome.agreed.iter().sum();
    let differing: usize = outcome.differing.values().map(|why| why.lines).sum();
    let told = agreed + differing + outcome.unexplained.len();
    assert!(outcome.compared > 0, "{name}");
    assert!(told >= outcome.compared, "{name}: {told}");
    for (look, least) in [Look::AS_IT_IS, Look::MENDED].into_iter().zip(least) {
        let percent = outcome.percent_agreed(look);
        assert!(percent >= least, "{name}: {percent} % agree");
    }
}
