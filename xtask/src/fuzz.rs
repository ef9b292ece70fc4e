//! Fuzzing: the targets of `fuzz/`, each for a bounded time, and their corpora.
//!
//! The targets themselves are functions of `tests/fuzzed`, whose tests run them over the corpora. What a
//! fuzzer finds on top stays in `target/fuzz`, until `--seed` takes what is worth it into `fuzz/corpus`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;

use alamein_plugin_build::cargo;

use crate::{BuildPlugins, Workspace, build_house_rules};

/// How long one input may take, in seconds, before it counts as one that never ends.
const PATIENCE: u32 = 20;
/// How much memory one input may take, in MiB.
const MEMORY: u32 = 2048;
/// The longest input, in bytes.
const LONGEST: u32 = 1 << 16;
/// How much of a corpus is kept in the repository, in bytes.
const KEPT: u64 = 90 << 10;
/// A small plugin in C, whose library is a seed.
const SMALL_PLUGIN: &str = "midday-haze";

/// What looks on beside the targets' own assertions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Sanitizer {
    /// Nothing: any toolchain will do, and it is quick.
    #[default]
    None,
    /// Memory that is not one's own. It takes a nightly toolchain.
    Address,
}

/// How to fuzz.
#[derive(Debug, Clone)]
pub struct Fuzz {
    /// The targets, by name; all if none is named.
    pub only: Vec<String>,
    /// How long each.
    pub time: Duration,
    /// What looks on.
    pub sanitizer: Sanitizer,
}

/// What had to be left out, and why.
type Skipped = Option<String>;

/// Runs targets. Where there is no cargo-fuzz that is told, and on a machine that integrates changes it
/// is a failure.
pub fn fuzz(workspace: &Workspace, options: &Fuzz) -> Result<Skipped> {
    let Some(fuzzer) = Fuzzer::find(workspace, options.sanitizer)? else {
        let skipped = format!("fuzzing: {HINT}");
        println!("SKIPPED {skipped}");
        return Ok(Some(skipped));
    };
    let targets = chosen(&workspace.root, &options.only)?;
    fuzzer.build()?;
    let mut failed = Vec::new();
    for target in &targets {
        println!("==> fuzzing {target} for {} s", options.time.as_secs());
        if let Err(error) = fuzzer.run(target, options.time) {
            println!("{error:#}");
            failed.push(target.as_str());
        }
    }
    ensure!(
        failed.is_empty(),
        "the fuzzer found fault with {}",
        failed.join(", ")
    );
    Ok(None)
}

/// Makes the corpora anew: of the seeds, of what is kept, of what was found since, as little as
/// reaches as much.
pub fn seed(workspace: &Workspace, sanitizer: Sanitizer) -> Result<()> {
    let fuzzer = Fuzzer::find(workspace, sanitizer)?.with_context(|| HINT.to_owned())?;
    let small = BuildPlugins {
        only: vec![SMALL_PLUGIN.to_owned()],
        ..BuildPlugins::default()
    };
    build_house_rules(workspace, &small)?;
    let seeds = fuzzer.folder.join("seeds");
    fresh(&seeds)?;
    let mut command = cargo::command(&workspace.root);
    command.args([
        "run",
        "--quiet",
        "--package",
        "alamein-fuzzed",
        "--",
        "seeds",
    ]);
    cargo::run(command.arg(&seeds))?;
    fuzzer.build()?;
    for target in chosen(&workspace.root, &[])? {
        let corpus = workspace.root.join("fuzz/corpus").join(&target);
        let merged = fuzzer.folder.join("merged").join(&target);
        fresh(&merged)?;
        let mut command = fuzzer.command(&target)?;
        command.args(["-merge=1", "-verbosity=0"]).arg(&merged);
        for folder in [&seeds.join(&target), &corpus, &fuzzer.grown(&target)] {
            fs::create_dir_all(folder)?;
            command.arg(folder);
        }
        cargo::run(&mut command)?;
        let (count, size) = keep(&merged, &corpus)?;
        println!("{target:<14} {count:>4} inputs {:>4} KiB", size >> 10);
    }
    Ok(())
}

const HINT: &str = "cargo-fuzz is not installed: `cargo install --locked cargo-fuzz` brings it, or \
                    let `.ci/run` install it";

/// Takes the smallest inputs, as many as may be kept, in place of those that were.
fn keep(merged: &Path, corpus: &Path) -> Result<(usize, u64)> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(merged)? {
        let entry = entry?;
        inputs.push((entry.metadata()?.len(), entry.path()));
    }
    inputs.sort();
    fresh(corpus)?;
    let (mut count, mut all) = (0, 0);
    for (size, input) in inputs {
        if all + size > KEPT {
            break;
        }
        let name = input.file_name().context("an input has a name")?;
        fs::copy(&input, corpus.join(name))?;
        (count, all) = (count + 1, all + size);
    }
    Ok((count, all))
}

/// An empty folder.
fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())
}

/// The names of the targets there are, or of those that were chosen.
fn chosen(root: &Path, only: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(root.join("fuzz/targets"))? {
        let path = entry?.path();
        if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
            all.push(name.to_owned());
        }
    }
    all.sort();
    if let Some(unknown) = only.iter().find(|name| !all.contains(name)) {
        bail!(
            "there is no target {unknown:?}; there are {}",
            all.join(", ")
        );
    }
    all.retain(|name| only.is_empty() || only.contains(name));
    Ok(all)
}

/// cargo-fuzz, and where it builds.
struct Fuzzer {
    tool: PathBuf,
    root: PathBuf,
    /// All that fuzzing makes, the targets' binaries too.
    folder: PathBuf,
    host: String,
    sanitizer: Sanitizer,
}

impl Fuzzer {
    /// The fuzzer, if there is one. Where changes are integrated there must be.
    fn find(workspace: &Workspace, sanitizer: Sanitizer) -> Result<Option<Self>> {
        let tool = match cargo::tool(&workspace.root, "cargo-fuzz", HINT) {
            Ok(tool) => tool,
            Err(_) if env::var_os("CI").is_none() => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(Self {
            tool,
            root: workspace.root.clone(),
            folder: workspace.root.join("target/fuzz"),
            host: cargo::host()?,
            sanitizer,
        }))
    }

    /// Builds all targets. One that looks on at memory is built by a nightly toolchain, apart.
    fn build(&self) -> Result<()> {
        let mut command = Command::new(&self.tool);
        command.current_dir(&self.root);
        let sanitizer = match self.sanitizer {
            Sanitizer::None => "none",
            Sanitizer::Address => {
                // What rustup set for this process is another toolchain's.
                command.env_remove("CARGO").env_remove("RUSTC");
                command.env("RUSTUP_TOOLCHAIN", "nightly");
                "address"
            }
        };
        command.args([
            "fuzz",
            "build",
            "--fuzz-dir",
            "fuzz",
            "--sanitizer",
            sanitizer,
        ]);
        cargo::run(command.arg("--target-dir").arg(self.built()))
    }

    fn built(&self) -> PathBuf {
        match self.sanitizer {
            Sanitizer::None => self.folder.clone(),
            Sanitizer::Address => self.folder.join("address"),
        }
    }

    /// A target's binary with the limits that hold for every input.
    fn command(&self, target: &str) -> Result<Command> {
        let binary = self.built().join(&self.host).join("release").join(target);
        ensure!(binary.is_file(), "{} was not built", binary.display());
        let mut command = Command::new(binary);
        command.current_dir(&self.root).args([
            format!("-timeout={PATIENCE}"),
            format!("-rss_limit_mb={MEMORY}"),
            format!("-max_len={LONGEST}"),
        ]);
        Ok(command)
    }

    /// Where what a target's runs find is kept.
    fn grown(&self, target: &str) -> PathBuf {
        self.folder.join("corpus").join(target)
    }

    fn run(&self, target: &str, time: Duration) -> Result<()> {
        let found = self.folder.join("found").join(target);
        let grown = self.grown(target);
        let kept = self.root.join("fuzz/corpus").join(target);
        for folder in [&found, &grown, &kept] {
            fs::create_dir_all(folder)?;
        }
        let mut command = self.command(target)?;
        command.args([
            format!("-max_total_time={}", time.as_secs().max(1)),
            format!("-artifact_prefix={}/", found.display()),
            "-print_final_stats=1".to_owned(),
            "-verbosity=0".to_owned(),
        ]);
        let dictionary = self.root.join(format!("fuzz/dictionaries/{target}.dict"));
        if dictionary.is_file() {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        // What is new goes to the first.
        cargo::run(command.args([grown, kept])).with_context(|| {
            format!(
                "to see it again: cargo run --package alamein-fuzzed -- run {target} {}/...",
                found.display()
            )
        })
    }
}

/// A time as people write it: `20s`, `3m`.
pub fn time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is no time: write 20s or 3m");
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let count: u64 = digits.parse().map_err(|_| wrong())?;
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(wrong()),
    };
    let seconds = count.checked_mul(unit).ok_or_else(wrong)?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit() {
        let rows = [("20s", 20), ("7", 7), ("3m", 180), ("1h", 3600)];
        for (text, seconds) in rows {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)));
        }
        for text in ["", "s", "20x", "-3s", "1m30s", "99999999999999999h"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_smallest_inputs_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (merged, corpus) = (folder.path().join("merged"), folder.path().join("corpus"));
        fs::create_dir_all(&merged).unwrap();
        for (name, size) in [("a", 60 << 10), ("b", 10), ("c", 40 << 10), ("d", 70 << 10)] {
            fs::write(merged.join(name), vec![0; size]).unwrap();
        }
        assert_eq!(keep(&merged, &corpus).unwrap(), (2, 10 + (40 << 10)));
        assert!(corpus.join("b").is_file() && corpus.join("c").is_file());
    }

    #[test]
    fn a_target_that_there_is_not_is_told() {
        let root = crate::root();
        assert_eq!(chosen(&root, &["sayings".into()]).unwrap(), ["sayings"]);
        let error = chosen(&root, &["sayngs".into()]).unwrap_err();
        assert!(error.to_string().contains("map_files"), "{error}");
    }
}
