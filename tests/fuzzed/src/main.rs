//! `alamein-fuzzed seeds DIR` writes what corpora begin with; `alamein-fuzzed run TARGET FILE...` runs a
//! target on files, such as one that a fuzzer found.

use std::path::Path;
use std::{env, fs, process::ExitCode};

use alamein_fuzzed::{TARGETS, Target};
use anyhow::{Context, Result, bail};

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("alamein-fuzzed: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    match words {
        ["seeds", folder] => write_seeds(Path::new(folder)),
        ["run", target, files @ ..] => {
            let target = Target::find(target).with_context(|| format!("no target {target:?}"))?;
            for file in files {
                println!("{file}");
                (target.run)(&fs::read(file).context((*file).to_owned())?);
            }
            Ok(())
        }
        _ => bail!("alamein-fuzzed seeds DIR, or alamein-fuzzed run TARGET FILE..."),
    }
}

fn write_seeds(folder: &Path) -> Result<()> {
    for target in TARGETS {
        let folder = folder.join(target.name);
        fs::create_dir_all(&folder)?;
        let seeds = (target.seeds)().with_context(|| format!("the seeds of {}", target.name))?;
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:03}")), seed)?;
        }
        println!("{:<14} {:>4} seeds", target.name, seeds.len());
    }
    Ok(())
}
