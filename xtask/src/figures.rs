//! How fast it is: what is measured for the README and the docs, and instructions that are counted.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use alamein_plugin_build::cargo;
use anyhow::{Context, Result, bail, ensure};

use crate::{BuildPlugins, Workspace, build_binary, build_plugins};

/// Where counts are that later ones are held against, from the root.
const COUNTS: &str = "benches/instructions.txt";
/// Where the history of figures is, from the root.
const HISTORY: &str = "docs/performance/history.jsonl";
/// By how much more a count may be than the one that is written down, as a part of it.
const MORE: f64 = 0.15;
/// The binary that does what is counted.
const COUNTED: &str = "counted";
/// The one that counts how often memory is allocated.
const ALLOCATED: &str = "allocated";

/// Measures everything, each for so many seconds, and writes it into README, docs/performance.md and
/// the plots beside it, and adds it to the history.
pub fn figures(workspace: &Workspace, seconds: f64) -> Result<()> {
    let root = &workspace.root;
    let binary = build_binary(workspace, true)?;
    let release = BuildPlugins {
        release: true,
        ..BuildPlugins::default()
    };
    build_plugins(workspace, &release)?;
    let folder = root.join("target/figures");
    fs::create_dir_all(&folder)?;
    fs::create_dir_all(root.join("docs/performance"))?;
    let seconds = seconds.to_string();
    let bench = |more: &[&str]| {
        let mut bench = Command::new(&binary);
        bench.args(["bench", "--json", "--for", &seconds, "--plugins"]);
        bench.arg(workspace.plugin_dir()).args(more);
        bench
    };
    // With those that are linked, which need benchmarks of their own.
    let linked = |more: &[&str]| {
        let mut linked = cargo(workspace);
        linked.args([
            "bench",
            "-q",
            "-p",
            "alamein-benches",
            "--bench",
            "rulings",
            "--",
        ]);
        linked.args(["--json", "--for", &seconds]).args(more);
        linked
    };
    let history = root.join(HISTORY).display().to_string();
    let curves = ["boards", "counters", "range", "clients"];
    let curves: Vec<&str> = curves.iter().flat_map(|name| ["--curve", name]).collect();
    for (file, mut command) in [
        ("bench.json", bench(&["--history", &history])),
        ("linked.json", linked(&[])),
        ("curves.json", bench(&curves)),
        ("plugins.json", linked(&["--curve", "plugins"])),
    ] {
        println!("measuring for {file}");
        run_into(&mut command, &folder.join(file))?;
    }
    write_figures(workspace, &folder)
}

/// Writes what was measured last anew into README, docs/performance.md and the plots.
pub fn write(workspace: &Workspace) -> Result<()> {
    write_figures(workspace, &workspace.root.join("target/figures"))
}

fn write_figures(workspace: &Workspace, folder: &Path) -> Result<()> {
    let mut write = cargo(workspace);
    write.args(["run", "-q", "--release", "-p", "alamein-benches"]);
    write.args(["--bin", "write-figures", "--"]);
    cargo::run(write.arg(folder).arg(&workspace.root))
}

fn run_into(command: &mut Command, file: &Path) -> Result<()> {
    let into = File::create(file).with_context(|| file.display().to_string())?;
    let status = command.stdout(into).status()?;
    ensure!(status.success(), "{} was not measured", file.display());
    Ok(())
}

fn cargo(workspace: &Workspace) -> Command {
    cargo::command(&workspace.root)
}

/// Counts instructions under callgrind, and holds them against those that are written down, or writes
/// them down. Counts of another compiler are told and not held against anything.
pub fn instructions(workspace: &Workspace, write: bool) -> Result<()> {
    let root = &workspace.root;
    ensure!(
        Command::new("valgrind")
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_ok(),
        "counting needs valgrind: apt-get install valgrind"
    );
    let mut build = cargo(workspace);
    build.args(["build", "--release", "-p", "alamein-benches"]);
    cargo::run(build.args(["--bin", COUNTED, "--bin", ALLOCATED]))?;
    let [binary, allocated] =
        [COUNTED, ALLOCATED].map(|name| workspace.target.join("release").join(name));
    let compiler = compiler()?;
    let written = root.join(COUNTS);
    let before = match write {
        true => Counts::default(),
        false => Counts::read(&written)?,
    };
    let mut now = Counts {
        compiler: compiler.clone(),
        counts: BTreeMap::new(),
    };
    let mut worse = Vec::new();
    for name in names(&binary)? {
        let count = Count {
            instructions: count(&binary, &name)?,
            allocations: allocations(&allocated, &name)?,
        };
        let told = match before.counts.get(&name) {
            None => "is new".to_owned(),
            Some(before) => {
                let changes = count.changes(*before);
                if changes.iter().any(|change| *change > MORE) {
                    worse.push(name.clone());
                }
                let [instructions, allocations] = changes.map(|change| 100.0 * change);
                format!("{instructions:+.1}%, {allocations:+.1}%")
            }
        };
        println!("{}: {told}", count.line(&name));
        now.counts.insert(name, count);
    }
    if write {
        return now.write(&written);
    }
    if before.compiler != compiler {
        println!(
            "{COUNTS} was counted with {}, this with {compiler}: no measure",
            before.compiler
        );
        return Ok(());
    }
    ensure!(
        worse.is_empty(),
        "more than {:.0}% more instructions or allocations than {COUNTS} says: {}. Where that has its reason, `cargo xtask \
         instructions --write` writes them down",
        100.0 * MORE,
        worse.join(", ")
    );
    Ok(())
}

/// The compiler, in its own words.
fn compiler() -> Result<String> {
    let told = Command::new("rustc").arg("--version").output()?;
    Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
}

fn names(binary: &Path) -> Result<Vec<String>> {
    let listed = Command::new(binary).arg("--list").output()?;
    ensure!(listed.status.success(), "{COUNTED} --list failed");
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    Ok(text.lines().map(str::to_owned).collect())
}

/// How many instructions one piece of work takes.
fn count(binary: &Path, name: &str) -> Result<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.args(["--collect-atstart=no", "--toggle-collect=counted::counted*"]);
    let ran = valgrind.arg(binary).arg(name).output()?;
    let told = String::from_utf8_lossy(&ran.stderr);
    ensure!(ran.status.success(), "{name}: {told}");
    collected(&told).with_context(|| format!("{name}: callgrind counted nothing: {told}"))
}

/// How often memory is allocated for one piece of work.
fn allocations(binary: &Path, name: &str) -> Result<u64> {
    let ran = Command::new(binary).arg(name).output()?;
    let told = String::from_utf8_lossy(&ran.stderr);
    ensure!(ran.status.success(), "{name}: {told}");
    let count = String::from_utf8_lossy(&ran.stdout);
    let count = count.trim().parse();
    count.with_context(|| format!("{name}: {ALLOCATED} tells no number"))
}

/// What callgrind says that it counted, unless it is nothing.
fn collected(told: &str) -> Option<u64> {
    let (_, rest) = told.split_once("Collected : ")?;
    let count = rest.split_whitespace().next()?.parse().ok()?;
    (count > 0).then_some(count)
}

/// What one piece of work takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Instructions, as callgrind counts them.
    pub instructions: u64,
    /// Allocations.
    pub allocations: u64,
}

impl Count {
    /// By which parts both are more than they were.
    fn changes(self, before: Self) -> [f64; 2] {
        let change = |now: u64, before: u64| match now == before {
            true => 0.0,
            false => now as f64 / before as f64 - 1.0,
        };
        [
            change(self.instructions, before.instructions),
            change(self.allocations, before.allocations),
        ]
    }

    fn line(self, name: &str) -> String {
        format!("{:>14}{:>12}  {name}", self.instructions, self.allocations)
    }
}

/// Counts, as they are written down.
#[derive(Debug, Default, PartialEq)]
pub struct Counts {
    compiler: String,
    /// Each by what it counts.
    pub counts: BTreeMap<String, Count>,
}

/// What stands at the head of the file, before the compiler.
const HEAD: &str = "# Instructions, counted under callgrind, and allocations (cargo xtask instructions --write), with ";

impl Counts {
    fn read(file: &Path) -> Result<Self> {
        match fs::read_to_string(file) {
            Ok(text) => Self::parse(&text).with_context(|| file.display().to_string()),
            Err(_) => Ok(Self::default()),
        }
    }

    /// Reads what was written down.
    ///
    /// # Errors
    /// A line that is no two counts and a name.
    pub fn parse(text: &str) -> Result<Self> {
        let mut counts = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Some(compiler) = line.strip_prefix(HEAD) {
                compiler.clone_into(&mut counts.compiler);
                continue;
            }
            let words = line.trim().split_once(' ');
            let words =
                words.and_then(|(first, rest)| Some((first, rest.trim().split_once("  ")?)));
            let Some((instructions, (allocations, name))) = words else {
                bail!("{line:?} is no two counts and a name");
            };
            let count = Count {
                instructions: instructions.parse()?,
                allocations: allocations.parse()?,
            };
            counts.counts.insert(name.to_owned(), count);
        }
        Ok(counts)
    }

    fn text(&self) -> String {
        let counts = self.counts.iter();
        let lines = counts.map(|(name, count)| format!("{}\n", count.line(name)));
        format!("{HEAD}{}\n{}", self.compiler, lines.collect::<String>())
    }

    fn write(&self, file: &PathBuf) -> Result<()> {
        fs::write(file, self.text()).with_context(|| file.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_callgrind_says_is_read() {
        let told = "==12== Events    : Ir\n==12== Collected : 123456\n==12==\n";
        assert_eq!(collected(told), Some(123_456));
        // Nothing is what comes of a name that it does not find.
        assert_eq!(collected("==12== Collected : 0\n"), None);
        assert_eq!(collected(""), None);
    }

    #[test]
    fn counts_are_read_as_they_are_written() {
        let count = Count {
            instructions: 90_000,
            allocations: 12,
        };
        let counts = Counts {
            compiler: "rustc 1.95.0".to_owned(),
            counts: BTreeMap::from([("a ruling with findings".to_owned(), count)]),
        };
        assert_eq!(Counts::parse(&counts.text()).unwrap_or_default(), counts);
        assert!(Counts::parse("many  rulings").is_err());
    }
}
