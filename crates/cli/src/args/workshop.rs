//! The command line of `alamein plugin`.

use std::path::PathBuf;

use alamein_terrain::GrazingPolicy;
use clap::{Args, Subcommand};

use super::measures::whole;
use super::{AccessArgs, policy};
use crate::plugin::help;

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Start a plugin: sources that build, with one rule, a case file and a README
    #[command(after_long_help = help::NEW)]
    New(PluginNew),
    /// Build a plugin, and lay it out as the service loads it
    #[command(after_long_help = help::BUILD)]
    Build(PluginBuild),
    /// Try whether a built plugin keeps to what a host expects: the conformance kit
    #[command(after_long_help = help::CHECK)]
    Check(PluginCheck),
    /// Replay a plugin's case files, by it and by the plugins that come with this program
    #[command(after_long_help = help::TEST)]
    Test(PluginTest),
    /// Show all that a host would learn of a built plugin without calling it
    #[command(after_long_help = help::INSPECT)]
    Inspect(PluginInspect),
    /// Load a plugin into a running service
    #[command(after_long_help = help::LOAD)]
    Load(PluginSwap),
    /// Load a plugin into a running service in place of those of its id
    #[command(after_long_help = help::REPLACE)]
    Replace(PluginSwap),
    /// Let a running service make no rulesets with a plugin any more
    #[command(after_long_help = help::RETIRE)]
    Retire(PluginRetire),
    /// List the plugins of a running service: what became of each, and who holds it
    #[command(after_long_help = help::STATUS)]
    Status(PluginStatus),
    /// List the plugins of a folder, and why any of them is refused
    #[command(after_long_help = help::LIST)]
    List(PluginList),
    /// Do one part of what `check` tries, in this process
    #[command(hide = true)]
    TryPart(PluginTryPart),
    /// Write down which plugins a folder holds, so that nothing else is let in
    #[command(after_long_help = help::LOCK)]
    Lock(PluginLock),
}

#[derive(Args, Debug)]
pub(crate) struct PluginLock {
    /// The folder that holds the plugins' folders
    ///
    /// If it is not given: ALAMEIN_PLUGIN_DIR, or `plugins` beside the folder of this program.
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// The file to write; left out: `plugins.lock` in that folder
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write nothing: fail if the file would be another
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PluginNew {
    /// What to call it: lower-case letters, digits and hyphens, such as `stony-wadi`
    pub(crate) name: String,
    /// The folder to make; left out: one of that name, here
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Where the SDK is: a clone of Alamein's repository, or the URL of one
    ///
    /// If it is not given: the clone in which this folder or this program lies, else the repository.
    #[arg(long, value_name = "PATH|URL")]
    pub(crate) sdk: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct PluginBuild {
    /// The folder of its sources
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) source: PathBuf,
    /// Optimised, as it should be where a service runs it
    #[arg(long)]
    pub(crate) release: bool,
    /// The folder that gets a folder named by the plugin; left out: target/plugins in its sources
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct PluginCheck {
    /// The folder of the plugin: its sources, which are built first, or what was built of them
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) plugin: PathBuf,
    /// Set one of its options, instead of the default
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    pub(crate) options: Vec<String>,
    /// How long each part of the trials may take before it is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = whole::<u64>(1))]
    pub(crate) time_limit: u64,
    /// Show also the checks that pass
    #[arg(long, short, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PluginTryPart {
    pub(crate) arguments: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct PluginInspect {
    /// The folder of the plugin: its sources, which are built first, or what was built of them
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) plugin: PathBuf,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PluginTest {
    /// The folder of the plugin: its sources, which are built first, or what was built of them
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) plugin: PathBuf,
    /// Case files, and folders of them; left out: those in the plugin's folder `cases`
    #[arg(long = "case", value_name = "FILE")]
    pub(crate) cases: Vec<PathBuf>,
    /// Another plugin to judge by: its folder, or that of its sources
    #[arg(long, value_name = "DIR")]
    pub(crate) with: Vec<PathBuf>,
    /// Count also questions that the rules leave open
    #[arg(long)]
    pub(crate) contested: bool,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// The folder that holds the plugins that come with this program
    #[arg(
        long,
        value_name = "DIR",
        env = "ALAMEIN_PLUGIN_DIR",
        help_heading = "Rules"
    )]
    pub(crate) plugins: Option<PathBuf>,
    /// Set an option of a plugin; `alamein rules` lists them
    #[arg(
        long = "set",
        value_name = "PLUGIN.OPTION=VALUE",
        help_heading = "Rules"
    )]
    pub(crate) options: Vec<String>,
    /// How a line that grazes is read
    #[arg(long, value_parser = policy(), ignore_case = true, help_heading = "Rules")]
    pub(crate) policy: Option<GrazingPolicy>,
}

#[derive(Args, Debug)]
pub(crate) struct PluginList {
    /// The folder that holds the plugins' folders; left out: `plugins` beside the folder of this
    /// program
    #[arg(value_name = "DIR", env = "ALAMEIN_PLUGIN_DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Where a running service lets its plugins be administered.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Service")]
pub(crate) struct AdminArgs {
    /// What `alamein serve --admin` was given: `127.0.0.1:50052`, `unix:/run/alamein.sock`, or
    /// `https://...` where TLS is spoken
    #[arg(long, value_name = "ADDRESS", env = "ALAMEIN_ADMIN")]
    pub(crate) admin: String,
    /// The file with the token, if the service wants one; it may as well be in ALAMEIN_TOKEN itself
    #[arg(long, value_name = "FILE")]
    pub(crate) admin_token_file: Option<PathBuf>,
    /// The certificates that vouch for the service's own, in PEM; without them, those of this machine
    #[arg(long, value_name = "FILE")]
    pub(crate) admin_ca: Option<PathBuf>,
    /// A certificate of one's own, in PEM, if the service asks for one
    #[arg(long, value_name = "FILE", requires = "admin_client_key")]
    pub(crate) admin_client_cert: Option<PathBuf>,
    /// Its private key, in PEM
    #[arg(long, value_name = "FILE", requires = "admin_client_cert")]
    pub(crate) admin_client_key: Option<PathBuf>,
}

impl AdminArgs {
    /// Who one is to the service, and whom one takes for it.
    pub(crate) fn access(&self) -> anyhow::Result<alamein_client::Access> {
        let access = AccessArgs {
            token_file: self.admin_token_file.clone(),
            tls_ca: self.admin_ca.clone(),
            client_cert: self.admin_client_cert.clone(),
            client_key: self.admin_client_key.clone(),
        };
        access.read()
    }
}

#[derive(Args, Debug)]
pub(crate) struct PluginSwap {
    /// The plugin's folder, as it was built; it must lie in a folder from which the service loads
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The id of the plugin that it must be
    #[arg(long, value_name = "PLUGIN")]
    pub(crate) id: Option<String>,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) admin: AdminArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PluginRetire {
    /// The plugin's id
    #[arg(value_name = "PLUGIN")]
    pub(crate) id: String,
    /// Only this version of it
    #[arg(long = "only-version", value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// Only the build with this SHA-256
    #[arg(long, value_name = "SHA256")]
    pub(crate) sha256: Option<String>,
    #[command(flatten)]
    pub(crate) admin: AdminArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PluginStatus {
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) admin: AdminArgs,
}
