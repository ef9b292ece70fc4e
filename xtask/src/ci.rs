//! All that a change has to pass, step by step.

use std::{
    env, fs,
    io::IsTerminal,
    path::PathBuf,
    process::{Command, Output},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use alamein_plugin_build::cargo;

use crate::{Workspace, api, clients, fuzz, header, reference, test, test::Tally, tidy};

/// How long each fuzz target runs.
const FUZZED: Duration = Duration::from_secs(12);

/// A step, in the order in which they run: what is quick to tell comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// The laws of this repository (`cargo xtask tidy`).
    Tidy,
    /// The C header is what the plugins' ABI says (`cargo xtask header --check`).
    Header,
    /// The code is formatted.
    Fmt,
    /// The protos pass buf's lint, are formatted, and break nothing that was released.
    Buf,
    /// Licences, banned crates, sources and advisories (cargo-deny).
    Deny,
    /// Clippy finds nothing.
    Clippy,
    /// The documentation builds without a warning.
    Doc,
    /// The reference of the API is current, and the book builds without a warning (mdBook).
    Book,
    /// All tests, on freshly built plugins (`cargo xtask test`).
    Test,
    /// The clients in other languages, against the service (`cargo xtask clients`).
    Clients,
    /// Every fuzz target for some seconds (`cargo xtask fuzz`).
    Fuzz,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Step::Tidy => "tidy",
            Step::Header => "header",
            Step::Fmt => "fmt",
            Step::Buf => "buf",
            Step::Deny => "deny",
            Step::Clippy => "clippy",
            Step::Doc => "doc",
            Step::Book => "book",
            Step::Test => "test",
            Step::Clients => "clients",
            Step::Fuzz => "fuzz",
        }
    }
}

/// What a step that passed had to leave out, and why.
type Skipped = Option<String>;

/// Runs steps, all of them if none is named, and sums up. A step that fails does not keep the next
/// from running; the whole then fails.
pub fn ci(workspace: &Workspace, chosen: &[Step]) -> Result<()> {
    let mut summary = Vec::new();
    let mut failed = Vec::new();
    let mut tally = None;
    for step in Step::value_variants() {
        if !chosen.is_empty() && !chosen.contains(step) {
            continue;
        }
        let name = step.name();
        println!("{}", bold(&format!("==> {name}")));
        let start = Instant::now();
        let outcome = run(workspace, *step, &mut tally);
        let time = seconds(start.elapsed());
        let (verdict, remark) = match outcome {
            Ok(None) => ("ok", String::new()),
            Ok(Some(what)) => ("ok", format!("  SKIPPED {what}")),
            Err(error) => {
                println!("{name}: {error:#}");
                failed.push(name);
                ("FAILED", String::new())
            }
        };
        println!(
            "{}",
            bold(&format!("<== {name} {verdict} in {time}{remark}"))
        );
        summary.push(format!("  {name:<7} {verdict:<7} {time:>8}{remark}"));
    }
    println!("\n{}", bold("Summary"));
    for line in summary {
        println!("{line}");
    }
    // Alone on the last line, where those who count tests look for it.
    if let Some(tally) = tally {
        println!("\n{tally}");
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

fn run(workspace: &Workspace, step: Step, tally: &mut Option<Tally>) -> Result<Skipped> {
    match step {
        Step::Tidy => tidy::check(&workspace.root)?,
        Step::Header => header::check(&workspace.root)?,
        Step::Fmt => cargo::run(cargo(workspace).args(["fmt", "--all", "--check"]))?,
        Step::Buf => api::check(&workspace.root)?,
        Step::Deny => return deny(workspace),
        Step::Clippy => {
            let mut clippy = cargo(workspace);
            clippy.args(["clippy", "--workspace", "--all-targets", "--keep-going"]);
            cargo::run(clippy.args(["--", "-D", "warnings"]))?;
        }
        Step::Doc => {
            let documents = ["doc", "--workspace", "--no-deps"];
            cargo::run(
                cargo(workspace)
                    .args(documents)
                    .env("RUSTDOCFLAGS", "-D warnings"),
            )?;
        }
        Step::Book => {
            reference::check(&workspace.root)?;
            book(workspace)?;
        }
        Step::Test => {
            let (counted, outcome) = test::test(workspace, &[])?;
            add(tally, counted);
            outcome?;
            ensure!(counted.passed > 0, "no test ran");
        }
        Step::Clients => {
            let (counted, outcome) = clients::clients(workspace, &[])?;
            add(tally, counted);
            outcome?;
        }
        Step::Fuzz => {
            let options = fuzz::Fuzz {
                only: Vec::new(),
                time: FUZZED,
                sanitizer: fuzz::Sanitizer::None,
            };
            return fuzz::fuzz(workspace, &options);
        }
    }
    Ok(None)
}

/// Adds what a step counted to what was counted before.
fn add(tally: &mut Option<Tally>, counted: Tally) {
    let before = tally.unwrap_or_default();
    *tally = Some(Tally {
        passed: before.passed + counted.passed,
        failed: before.failed + counted.failed,
        skipped: before.skipped + counted.skipped,
    });
}

fn cargo(workspace: &Workspace) -> Command {
    cargo::command(&workspace.root)
}

/// mdBook itself goes on after a warning, such as an include that it does not find.
fn book(workspace: &Workspace) -> Result<()> {
    let hint = "`cargo install --locked mdbook` brings it";
    let mdbook = cargo::tool(&workspace.root, "mdbook", hint)?;
    let mut build = Command::new(&mdbook);
    build
        .args(["build", "docs/book"])
        .current_dir(&workspace.root);
    let output = build.output().context("mdbook")?;
    let said = String::from_utf8_lossy(&output.stderr);
    print!("{said}");
    let complains = ["WARN", "ERROR"].iter().any(|word| said.contains(word));
    ensure!(
        output.status.success() && !complains,
        "the book does not build"
    );
    Ok(())
}

fn deny(workspace: &Workspace) -> Result<Skipped> {
    let hint = "`cargo install --locked cargo-deny` brings it";
    let path = cargo::tool(&workspace.root, "cargo-deny", hint)?;
    let deny = || {
        let mut command = Command::new(&path);
        command.current_dir(&workspace.root);
        command
    };
    let check = ["check", "--hide-inclusion-graph"];
    cargo::run(deny().args(check).args(["bans", "licenses", "sources"]))?;

    let fetched = deny().args(["fetch", "db"]).output()?;
    if fetched.status.success() {
        cargo::run(deny().args(check).arg("advisories"))?;
        return Ok(None);
    }
    let reason = last_line(&fetched);
    if advisories_are_cached() {
        println!("The advisory database cannot be renewed ({reason}); the last copy serves.");
        cargo::run(deny().arg("--offline").args(check).arg("advisories"))?;
        return Ok(None);
    }
    let skipped = format!("advisories: no database here and none to be fetched ({reason})");
    println!("SKIPPED {skipped}");
    Ok(Some(skipped))
}

/// Whether an earlier fetch left a copy of the advisory database where cargo-deny looks for it.
fn advisories_are_cached() -> bool {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let databases = home.and_then(|home| fs::read_dir(home.join("advisory-dbs")).ok());
    databases.is_some_and(|mut entries| {
        entries.any(|entry| entry.is_ok_and(|entry| entry.path().join(".git").is_dir()))
    })
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.unwrap_or("it does not say why").to_owned()
}

fn seconds(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 60 {
        0 => format!("{:.1} s", time.as_secs_f64()),
        minutes => format!("{minutes} m {:02} s", seconds % 60),
    }
}

fn bold(text: &str) -> String {
    if std::io::stdout().is_terminal() {
        format!("\x1b[1m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}
