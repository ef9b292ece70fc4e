//! Services that are started for a while, each a process of its own, as it is where it matters.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use alamein_client::{Client, Settings};
use anyhow::{Context, Result, anyhow};

use crate::args::{Bench, RuleArgs};
use crate::plugins;

/// How long a service may take until it listens, and until it answers.
const PATIENCE: Duration = Duration::from_secs(60);

/// A service. Once it is dropped it is gone.
pub(super) struct Spawned {
    child: Child,
    pub(super) address: String,
    /// When it was started.
    started: Instant,
}

impl Spawned {
    /// Starts `alamein serve` on a free port, with the usual settings but for where it keeps things.
    pub(super) fn service(command: &Bench, store: &str) -> Result<Self> {
        Self::start(Self::command(command, store)?)
    }

    fn command(command: &Bench, store: &str) -> Result<Command> {
        let folder = plugins::folder(&RuleArgs::of_folder(command.plugins.clone()))?;
        let mut service = this_program()?;
        service.args(["serve", "--listen", "127.0.0.1:0", "--store", store]);
        service.arg("--plugins").arg(folder);
        Ok(service)
    }

    /// The same, which keeps things in memory and judges what it is asked however often it was asked before.
    pub(super) fn judging(command: &Bench) -> Result<Self> {
        let mut service = Self::command(command, "memory")?;
        service.args(["--answer-cache", "0"]);
        Self::start(service)
    }

    /// Starts the echo.
    pub(super) fn echo() -> Result<Self> {
        let mut echo = this_program()?;
        echo.args(["bench", "--echo"]);
        Self::start(echo)
    }

    fn start(mut command: Command) -> Result<Self> {
        // What this process is told of its own service is not meant for these.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("ALAMEIN_") {
                command.env_remove(name);
            }
        }
        let started = Instant::now();
        let mut child = command
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("a service does not start")?;
        let (tell, told) = channel();
        follow(child.stdout.take(), tell.clone());
        follow(child.stderr.take(), tell);
        let mut spawned = Self {
            child,
            address: String::new(),
            started,
        };
        let address = told.recv_timeout(PATIENCE);
        spawned.address = address.map_err(|_| anyhow!("a service listens nowhere"))?;
        Ok(spawned)
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A client of it, once its rules are in force.
    pub(super) async fn ready(&self) -> Result<(Client, Duration)> {
        let settings = Settings {
            tries: 1,
            longest_answer: 64 << 20,
            ..Settings::default()
        };
        let client = Client::connect_with(&format!("http://{}", self.address), settings).await?;
        while !client.is_serving().await.unwrap_or(false) {
            let waited = self.started.elapsed();
            anyhow::ensure!(waited < PATIENCE, "a service does not serve");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok((client, self.started.elapsed()))
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn this_program() -> Result<Command> {
    let program = std::env::current_exe().context("this program cannot tell where it is")?;
    Ok(Command::new(program))
}

/// Reads what a service says to its end, so that it never waits, and tells where it listens.
fn follow(output: Option<impl Read + Send + 'static>, tell: Sender<String>) {
    let Some(output) = output else { return };
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let address = line.split_once("listening address=");
            let address = address.and_then(|(_, rest)| rest.split_whitespace().next());
            if let Some(address) = address {
                // Whoever waited may have given up.
                let _ = tell.send(address.to_owned());
            }
        }
    });
}
