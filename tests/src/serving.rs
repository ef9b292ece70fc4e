//! Servers for tests: the command itself, started as anyone would start it.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use alamein_client::{Client, Settings};
use anyhow::{Context, Result, anyhow, bail, ensure};
use xtask::Workspace;

/// How long a server may take to listen, and a process to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that listens. Once it is dropped it is gone.
#[derive(Debug)]
pub struct Server {
    child: Child,
    address: String,
    log: Arc<Mutex<String>>,
}

impl Server {
    /// Starts `alamein serve` on the plugins of a folder, and waits until it listens. Its rules may
    /// not be loaded by then.
    ///
    /// # Errors
    /// Where it does not build, or ends before it listens.
    pub fn start<S: AsRef<OsStr>>(plugins: &Path, flags: &[S]) -> Result<Self> {
        Self::start_at("127.0.0.1:0", plugins, flags)
    }

    /// The same, at an address.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_at<S: AsRef<OsStr>>(address: &str, plugins: &Path, flags: &[S]) -> Result<Self> {
        Self::started(Command::new(binary()?), address, plugins, flags)
    }

    /// The same, of a server that may have so many files and sockets open.
    ///
    /// # Errors
    /// As [`start`](Self::start), and where it may not have so many.
    pub fn start_with_files<S: AsRef<OsStr>>(
        plugins: &Path,
        files: u32,
        flags: &[S],
    ) -> Result<Self> {
        let before = format!("ulimit -n {files}");
        Self::started(after(&before)?, "127.0.0.1:0", plugins, flags)
    }

    fn started<S: AsRef<OsStr>>(
        mut command: Command,
        address: &str,
        plugins: &Path,
        flags: &[S],
    ) -> Result<Self> {
        let mut child = command
            .args(["serve", "--listen", address, "--plugins"])
            .arg(plugins)
            .args(flags)
            .env_remove("RUST_LOG")
            // What one test keeps is nothing to another: whoever wants it to last says where.
            .env("ALAMEIN_STORE", "memory")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("the server does not start")?;
        let log = Arc::new(Mutex::new(String::new()));
        let (told, address) = channel();
        if let Some(stderr) = child.stderr.take() {
            let log = Arc::clone(&log);
            std::thread::spawn(move || follow(stderr, &log, &told));
        }
        let mut server = Self {
            child,
            address: String::new(),
            log,
        };
        server.address = server.wait(&address)?;
        Ok(server)
    }

    fn wait(&mut self, address: &Receiver<String>) -> Result<String> {
        match address.recv_timeout(PATIENCE) {
            Ok(address) => Ok(address),
            Err(_) => bail!("the server listens nowhere; its log:\n{}", self.log()),
        }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Where its metrics are read, if it said so.
    #[must_use]
    pub fn metrics_address(&self) -> Option<String> {
        self.log().lines().find_map(|line| told(line, "metrics"))
    }

    /// Where its plugins are administered, if it said so.
    #[must_use]
    pub fn admin_address(&self) -> Option<String> {
        let log = self.log();
        let line = log
            .lines()
            .find(|line| line.contains("PluginAdminService"))?;
        let (_, rest) = line.split_once("listening address=")?;
        rest.split_whitespace().next().map(str::to_owned)
    }

    /// The same, once it says so.
    ///
    /// # Errors
    /// Where it never does.
    pub fn wait_for_admin(&self) -> Result<String> {
        let start = Instant::now();
        loop {
            if let Some(address) = self.admin_address() {
                return Ok(address);
            }
            ensure!(start.elapsed() < PATIENCE, "it is administered nowhere");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The id of its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it has logged.
    #[must_use]
    pub fn log(&self) -> String {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Says how long a file may be that it writes, in bytes; nothing means as long as it likes.
    ///
    /// # Errors
    /// Where that cannot be said.
    pub fn limit_files(&self, bytes: Option<u64>) -> Result<()> {
        let pid = self.child.id().to_string();
        let bytes = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        let limit = format!("--fsize={bytes}:");
        let told = Command::new("prlimit")
            .args(["--pid", &pid, &limit])
            .status();
        ensure!(
            told.context("prlimit")?.success(),
            "its files cannot be limited"
        );
        Ok(())
    }

    /// Asks it to read anew what can be.
    ///
    /// # Errors
    /// Where it cannot be asked.
    pub fn reload(&self) -> Result<()> {
        let pid = self.child.id().to_string();
        let told = Command::new("kill").args(["-HUP", &pid]).status()?;
        ensure!(told.success(), "it cannot be told to reload");
        Ok(())
    }

    /// Asks it to stop in order, and waits until it has.
    ///
    /// # Errors
    /// Where it does not stop.
    pub fn stop(&mut self) -> Result<ExitStatus> {
        let pid = self.child.id().to_string();
        let told = Command::new("kill").args(["-TERM", &pid]).status()?;
        ensure!(told.success(), "it cannot be told to stop");
        let start = Instant::now();
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            ensure!(start.elapsed() < PATIENCE, "it does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether it runs; if not, how it ended.
    ///
    /// # Errors
    /// Where the system does not say.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }
}

/// A server on the built plugins, and a client that tries until its rules are loaded.
///
/// # Errors
/// Where it does not start, or its rules are not loaded within a minute.
pub async fn served(flags: &[&str]) -> Result<(Server, Client)> {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let start = move || Server::start(crate::plugin_folder()?, &flags);
    let server = tokio::task::spawn_blocking(start).await??;
    let settings = Settings {
        deadline: PATIENCE,
        tries: u32::MAX,
        longest_answer: 64 << 20,
        ..Settings::default()
    };
    let url = format!("http://{}", server.address());
    let client = Client::connect_with(&url, settings).await?;
    client.ruleset().await?;
    Ok((server, client))
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command, started by a shell after something else.
fn after(before: &str) -> Result<Command> {
    let mut shell = Command::new("sh");
    let script = format!("{before} && exec \"$0\" \"$@\"");
    shell.arg("-c").arg(script).arg(binary()?);
    Ok(shell)
}

/// What a line of a log tells under a name, be it for people or JSON.
fn told(line: &str, name: &str) -> Option<String> {
    let plain = line.split_once(&format!(" {name}="));
    let json = || line.split_once(&format!("\"{name}\":\""));
    let (_, rest) = plain.or_else(json)?;
    let value = rest.split([' ', '"']).next()?;
    Some(value.to_owned())
}

/// Keeps what a server logs, and tells where it listens.
fn follow(stderr: ChildStderr, log: &Mutex<String>, listening: &Sender<String>) {
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        let address = told(&line, "address").filter(|_| line.contains("listening"));
        if let Some(address) = address {
            // Whoever waited may have given up.
            let _ = listening.send(address);
        }
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.push_str(&line);
        log.push('\n');
    }
}

/// The command, built once for a process.
///
/// # Errors
/// Where it does not build.
pub fn binary() -> Result<&'static Path> {
    static BINARY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || {
        let workspace = Workspace::read(&xtask::root())?;
        xtask::build_binary(&workspace, !cfg!(debug_assertions))
    };
    let built = BINARY.get_or_init(|| build().map_err(|error: anyhow::Error| format!("{error:#}")));
    built.as_deref().map_err(|error| anyhow!("{error}"))
}
