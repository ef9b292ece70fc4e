//! `alamein fov` and `alamein matrix`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{UInt8Type, UInt16Type};
use arrow_array::{Array as _, RecordBatch};
use serde_json::Value;

use super::run;

/// The sights of a run with `--json`, by hex.
fn sights(line: &str) -> BTreeMap<String, Value> {
    let ran = run(line);
    let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| {
        panic!("{error}: {} {}", ran.out, ran.err);
    });
    let hexes = told["hexes"].as_array().unwrap().iter();
    let named = |hex: &Value| (hex["hex"].as_str().unwrap().to_owned(), hex.clone());
    hexes.map(named).collect()
}

#[test]
fn a_field_of_view_is_told_in_words_in_json_and_in_pictures() {
    let plain = run("fov H --example --range 4");
    let verdict = plain.verdict();
    assert!(verdict.starts_with("H (S4) sees "), "{verdict}");
    assert!(plain.out.contains("\n  clear  "), "{}", plain.out);
    assert!(plain.out.contains("\n  +1  "), "{}", plain.out);

    // However many hexes there are, a line is no longer than one of a terminal.
    let all = run("fov H --example");
    assert!(all.out.lines().all(|line| line.len() <= 80), "{}", all.out);
    let mut rest = all
        .out
        .lines()
        .skip_while(|line| !line.starts_with("  clear  "));
    let (first, second) = (rest.next().unwrap(), rest.next().unwrap());
    let indent = |line: &str| line.len() - line.trim_start().len();
    assert_eq!((indent(first), indent(second)), (2, "  clear  ".len()));

    let told = sights("fov H --example --range 4 --json");
    assert!(told.len() > 30, "{}", told.len());
    // As `los` says it of each.
    for (hex, sight) in told.iter().step_by(3) {
        let los = run(&format!("los H {hex} --example --json"));
        let los: Value = serde_json::from_str(&los.out).unwrap();
        let verdict = &los["verdict"];
        let result = verdict["result"].as_str().unwrap();
        let word = sight["sight"].as_str().unwrap();
        assert!(word.starts_with(result), "{hex}: {word} {result}");
        assert_eq!(sight["hindrance"], verdict["hindrance"], "{hex}");
        assert_eq!(sight["range"], verdict["range"], "{hex}");
    }

    let drawn = run("fov S4 --example --range 3 --picture");
    assert!(drawn.out.contains(" o "), "{}", drawn.out);
    assert!(drawn.out.contains("S4 sees "), "{}", drawn.out);
    let svg = run("fov J --example --svg -");
    assert!(svg.out.contains("fill-opacity=\".5\""), "{}", svg.out);
    assert!(svg.out.contains("Seen by J from "), "{}", svg.out);

    let off = run("fov Z99 --example");
    off.complains("VIEWER");
}

/// Every row of a table: from, to, range, sight, hindrance.
fn rows(
    batches: impl Iterator<Item = RecordBatch>,
) -> Vec<(String, String, u16, String, Option<u8>)> {
    let mut rows = Vec::new();
    for batch in batches {
        let text = |name: &str| {
            batch
                .column_by_name(name)
                .unwrap()
                .as_string::<i32>()
                .clone()
        };
        let (from, to, sight) = (text("from"), text("to"), text("sight"));
        let range = batch.column_by_name("range").unwrap();
        let range = range.as_primitive::<UInt16Type>();
        let hindrance = batch.column_by_name("hindrance").unwrap();
        let hindrance = hindrance.as_primitive::<UInt8Type>();
        for at in 0..batch.num_rows() {
            let drm = hindrance.is_valid(at).then(|| hindrance.value(at));
            let texts = [&from, &to, &sight].map(|of| of.value(at).to_owned());
            let [from, to, sight] = texts;
            rows.push((from, to, range.value(at), sight, drm));
        }
    }
    rows
}

fn read_parquet(file: &Path) -> Vec<(String, String, u16, String, Option<u8>)> {
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap()).unwrap();
    let metadata = builder.schema().metadata();
    assert_eq!(metadata["alamein.grazing_policy"], "EITHER");
    assert_eq!(metadata["alamein.rules_fingerprint"].len(), 64);
    rows(builder.build().unwrap().map(Result::unwrap))
}

fn read_arrow(file: &Path) -> Vec<(String, String, u16, String, Option<u8>)> {
    let reader = arrow_ipc::reader::FileReader::try_new(File::open(file).unwrap(), None).unwrap();
    rows(reader.map(Result::unwrap))
}

#[test]
fn every_pair_of_hexes_is_a_row_of_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let write = |name: &str, more: &str| {
        let path = file(name);
        let out = path.to_str().unwrap();
        let ran = run(&format!("matrix --example --range 2 --out {out} {more}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("rows"), "{}", ran.err);
    };
    write("los.parquet", "");
    write("los.arrow", "");
    write("los.bin", "--format arrow");
    let parquet = read_parquet(&file("los.parquet"));
    assert_eq!(parquet, read_arrow(&file("los.arrow")));
    assert_eq!(parquet, read_arrow(&file("los.bin")));
    // Each pair is there in both directions, and what is seen from a hex is what `fov` says.
    let mut by_pair: BTreeMap<(&str, &str), (&str, Option<u8>)> = BTreeMap::new();
    for (from, to, range, sight, drm) in &parquet {
        assert!(*range <= 2);
        assert!(by_pair.insert((from, to), (sight, *drm)).is_none());
    }
    for ((from, to), sight) in &by_pair {
        assert_eq!(by_pair[&(*to, *from)], *sight);
    }
    let told = sights("fov Q6 --example --range 2 --json");
    assert_eq!(
        by_pair.keys().filter(|(from, _)| *from == "Q6").count(),
        told.len()
    );
    for (hex, sight) in told {
        let (word, drm) = by_pair[&("Q6", &*hex)];
        assert_eq!(sight["sight"], word, "{hex}");
        assert_eq!(sight["hindrance"].as_u64(), drm.map(u64::from), "{hex}");
    }
    let words = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(words, 3, "nothing else is left there");

    let lost = run("matrix --example --out los.csv");
    lost.complains("--format");
}

#[test]
fn a_table_that_cannot_be_written_is_called_as_it_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("taken.parquet");
    std::fs::create_dir(&taken).unwrap();
    let nowhere = folder.path().join("none/los.parquet");
    for out in [&taken, &nowhere] {
        let out = out.display();
        let ran = run(&format!("matrix --example --range 1 --out {out}"));
        ran.complains(&format!("--out {out} cannot be written: "));
        assert!(!ran.err.contains(".part"), "{}", ran.err);
    }
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "nothing else is left there");
}
