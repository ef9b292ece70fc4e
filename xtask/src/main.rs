//! `cargo xtask`: the chores of this repository. `cargo xtask --help` lists them.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Duration,
};

use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand};
use xtask::{
    BuildPlugins, BuiltPlugin, PLUGIN_DIR, Workspace, api, build_binary, build_house_rules,
    build_plugins, ci, clients, figures, fuzz, header, reference, soak, test, tidy,
};

/// The chores of this repository.
///
/// To see a ruling, run `cargo xtask demo`. Before you hand in a change, run `cargo xtask ci`.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build the plugins and lay each in a folder as the service loads it.
    ///
    /// Each plugin gets a folder named by its id: the library, and its plugin.json with an added
    /// "artifact" that gives the library's size, SHA-256, target and build id. Files are
    /// replaced by renaming, so a service that runs on the old ones is not disturbed.
    Plugins(Plugins),
    /// Build the house rules of plugins/house-rules, in Rust and in C.
    ///
    /// Each is laid out like a plugin, in target/alamein/house-rules, where no service looks for it. To
    /// play by one, put its folder among the plugins: `cargo xtask house-rules deeper-deirs --out
    /// target/alamein/plugins` (the next `cargo xtask plugins` takes it away again).
    HouseRules(Plugins),
    /// Build the `alamein` binary and the plugins, into target/alamein.
    ///
    /// The binary is target/alamein/bin/alamein, the plugins are in target/alamein/plugins.
    Build(Profile),
    /// Build all, then run `alamein demo`: a ruling on screen.
    ///
    /// What follows goes to the demo; to ask for the demo's own help: `cargo xtask demo -- --help`.
    Demo {
        #[command(flatten)]
        profile: Profile,
        /// Passed on to `alamein demo`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Build the plugins, then run all tests on them.
    ///
    /// This is `cargo test --workspace --no-fail-fast` with ALAMEIN_PLUGIN_DIR set. What follows
    /// goes to cargo test: `cargo xtask test -p alamein-hex -- --nocapture`.
    Test {
        /// Passed on to `cargo test`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Swap plugins under load from two languages, and check every answer.
    ///
    /// Each answer is compared with what is ruled in the test's own process under the fingerprint that
    /// it names. A run of half a minute is part of the tests; here it is as long as one likes. For the
    /// second language, ALAMEIN_PYTHON names a Python with grpcio-tools.
    Soak {
        /// How long, in minutes.
        #[arg(long, value_name = "N", default_value_t = 1)]
        minutes: u64,
        /// Optimised.
        #[arg(long)]
        release: bool,
    },
    /// Measure how fast it is, and write that into README, docs/performance.md and its plots.
    ///
    /// Everything is built optimised, and measured with `alamein bench` and the benchmarks. It takes some
    /// minutes, in which the machine should do nothing else. The figures are added to
    /// docs/performance/history.jsonl.
    Figures {
        /// For how many seconds each thing is measured.
        #[arg(long = "for", value_name = "SECONDS", default_value_t = 3.0)]
        seconds: f64,
        /// Only write anew what was measured last.
        #[arg(long)]
        write: bool,
    },
    /// Count instructions of what must not get slower, under callgrind, and allocations.
    ///
    /// They are the same on every machine with the same compiler. More than 15 % more of either
    /// than benches/instructions.txt says is a failure.
    Instructions {
        /// Write them down as what later ones are held against.
        #[arg(long)]
        write: bool,
    },
    /// Check the clients in other languages against the service.
    ///
    /// Builds the binary and the plugins, then runs the ci.sh of each client, with its examples, and of the
    /// page: what is generated is current, it builds and passes its linters, its tests and the
    /// case files hold, and its version is the workspace's.
    Clients {
        /// Only these; all if none is named.
        #[arg(value_enum)]
        only: Vec<clients::Abroad>,
    },
    /// Hand whatever bytes come to mind to all that reads what comes from outside.
    ///
    /// Each target of fuzz/ runs for a bounded time, from the corpus in fuzz/corpus. What it finds on top
    /// stays in target/fuzz; what fails is written there too, and told. The tests run every target over
    /// its corpus without a fuzzer.
    Fuzz(Fuzz),
    /// Run all that a change has to pass, with a summary at the end.
    Ci {
        /// Only these steps.
        #[arg(value_enum)]
        steps: Vec<ci::Step>,
    },
    /// Check the laws of this repository that no compiler knows.
    ///
    /// No file over 500 lines, no rule number in the core, no plugin that knows another, `unsafe`
    /// only at the plugins' border, and arrows between crates that point down only. The laws stand
    /// in xtask/src/tidy; `cargo test -p xtask` checks them too.
    Tidy,
    /// Write what is made of the service's options: docs/configuration.md and deploy/alamein.toml.
    ///
    /// Run it when a flag of `alamein serve` is new or has changed. The tests check that both are
    /// current.
    Options,
    /// At a release: make the API as it is the one that later ones are compared with.
    ///
    /// It is written to proto/released.binpb. Whatever is in it must stay: `cargo xtask ci buf` tells what
    /// does not.
    ReleaseApi,
    /// Write the reference of the API in the book, docs/book/src/api, of the protos' comments.
    Reference {
        /// Only check that it is what they say.
        #[arg(long)]
        check: bool,
    },
    /// Write the C header of the plugins' ABI, crates/plugin-abi/include/alamein.h.
    Header {
        /// Only check that it is what the ABI says.
        #[arg(long)]
        check: bool,
    },
}

#[derive(Args)]
struct Profile {
    /// Optimised.
    #[arg(long)]
    release: bool,
}

impl Profile {
    /// All plugins, built the same way.
    fn of_plugins(&self) -> BuildPlugins {
        BuildPlugins {
            release: self.release,
            ..BuildPlugins::default()
        }
    }
}

#[derive(Args)]
struct Fuzz {
    /// Only these targets, by name. All if none is named.
    targets: Vec<String>,
    /// How long each runs: 20s, 3m.
    #[arg(long = "for", value_name = "TIME", value_parser = fuzz::time, default_value = "20s")]
    time: Duration,
    /// What looks on beside the targets' own assertions; `address` takes a nightly toolchain.
    #[arg(long, value_enum, default_value_t)]
    sanitizer: fuzz::Sanitizer,
    /// Make the corpora in fuzz/corpus anew, of what this repository has and of what was found.
    #[arg(long, conflicts_with_all = ["targets", "time"])]
    seed: bool,
}

#[derive(Args)]
struct Plugins {
    /// Only these, by name. All if none is named.
    names: Vec<String>,
    #[command(flatten)]
    profile: Profile,
    /// Where they go, instead of their folder in target/alamein.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl From<Plugins> for BuildPlugins {
    fn from(chosen: Plugins) -> Self {
        Self {
            release: chosen.profile.release,
            out: chosen.out,
            only: chosen.names,
        }
    }
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<()> {
    let workspace = Workspace::read(&xtask::root())?;
    match cli.chore {
        Chore::Plugins(chosen) => plugins(&workspace, &chosen.into()),
        Chore::HouseRules(chosen) => {
            list(&build_house_rules(&workspace, &chosen.into())?);
            Ok(())
        }
        Chore::Build(profile) => build(&workspace, &profile),
        Chore::Demo { profile, arguments } => demo(&workspace, &profile, &arguments),
        Chore::Test { arguments } => run_tests(&workspace, &as_typed("test", arguments)),
        Chore::Soak { minutes, release } => soak::soak(&workspace, minutes, release),
        Chore::Figures { write: true, .. } => figures::write(&workspace),
        Chore::Figures { seconds, .. } => figures::figures(&workspace, seconds),
        Chore::Instructions { write } => figures::instructions(&workspace, write),
        Chore::Fuzz(Fuzz {
            seed: true,
            sanitizer,
            ..
        }) => fuzz::seed(&workspace, sanitizer),
        Chore::Fuzz(chosen) => {
            let options = fuzz::Fuzz {
                only: chosen.targets,
                time: chosen.time,
                sanitizer: chosen.sanitizer,
            };
            fuzz::fuzz(&workspace, &options).map(drop)
        }
        Chore::Clients { only } => {
            let (tally, outcome) = clients::clients(&workspace, &only)?;
            println!("\n{tally}");
            outcome
        }
        Chore::Ci { steps } => ci::ci(&workspace, &steps),
        Chore::Tidy => tidy::check(&workspace.root),
        Chore::ReleaseApi => api::release(&workspace.root),
        Chore::Reference { check: true } => reference::check(&workspace.root),
        Chore::Reference { check: false } => reference::write(&workspace.root),
        Chore::Options => write_options(&workspace),
        Chore::Header { check: true } => header::check(&workspace.root),
        Chore::Header { check: false } => header::write(&workspace.root),
    }
}

fn plugins(workspace: &Workspace, options: &BuildPlugins) -> Result<()> {
    list(&build_plugins(workspace, options)?);
    Ok(())
}

fn list(built: &[BuiltPlugin]) {
    for plugin in built {
        let short = plugin.sha256.get(..12).unwrap_or_default();
        let (id, size, folder) = (&plugin.id, plugin.size / 1024, shown(&plugin.folder));
        println!("{id:<14} {size:>6} KiB  sha256 {short}  {folder}");
    }
}

fn build(workspace: &Workspace, profile: &Profile) -> Result<()> {
    let binary = build_binary(workspace, profile.release)?;
    plugins(workspace, &profile.of_plugins())?;
    println!("{}", shown(&binary));
    Ok(())
}

fn demo(workspace: &Workspace, profile: &Profile, arguments: &[OsString]) -> Result<()> {
    let binary = build_binary(workspace, profile.release)?;
    build_plugins(workspace, &profile.of_plugins())?;
    let mut demo = Command::new(binary);
    demo.arg("demo").args(arguments);
    if env::var_os(PLUGIN_DIR).is_none() {
        demo.env(PLUGIN_DIR, workspace.plugin_dir());
    }
    let status = demo.status()?;
    if !status.success() {
        bail!("alamein demo failed ({status})");
    }
    Ok(())
}

fn write_options(workspace: &Workspace) -> Result<()> {
    let binary = build_binary(workspace, false)?;
    for (what, file) in [
        ("init", "deploy/alamein.toml"),
        ("reference", "docs/configuration.md"),
    ] {
        let written = Command::new(&binary).args(["config", what]).output()?;
        if !written.status.success() {
            bail!("alamein config {what} failed ({})", written.status);
        }
        std::fs::write(workspace.root.join(file), written.stdout)?;
        println!("{file}");
    }
    Ok(())
}

fn run_tests(workspace: &Workspace, arguments: &[OsString]) -> Result<()> {
    let (tally, outcome) = test::test(workspace, arguments)?;
    println!("\n{tally}");
    outcome
}

/// A path as short as it can be told from here.
fn shown(path: &Path) -> String {
    let here = env::current_dir().unwrap_or_default();
    path.strip_prefix(here)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// The arguments after a chore's name as they were typed. The parser eats a leading `--`, which
/// cargo test needs to see.
fn as_typed(chore: &str, parsed: Vec<OsString>) -> Vec<OsString> {
    let mut typed = env::args_os().skip(1);
    if typed.next().is_some_and(|first| first == chore) {
        typed.collect()
    } else {
        parsed
    }
}
