//! A real Envoy, by the configuration that this repository ships.

use std::ffi::OsString;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::root;

/// How long it may take to listen.
const PATIENCE: Duration = Duration::from_secs(60);
/// The ports in the configuration that is shipped: where clients connect, where it is administered, and
/// the replicas.
const PORTS: [u16; 5] = [50050, 9901, 50051, 50052, 50053];

/// An Envoy that runs in front of three replicas. Once it is dropped it is gone.
#[derive(Debug)]
pub struct Envoy {
    child: Child,
    port: u16,
    folder: TempDir,
}

impl Envoy {
    /// Starts one, if there is one on this machine (`ALAMEIN_ENVOY`, or `envoy` in PATH). Where there is
    /// none that is said, and where `CI` is set it is an error.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn start(replicas: [u16; 3]) -> Result<Option<Self>> {
        let Some(program) = program() else {
            ensure!(
                std::env::var_os("CI").is_none(),
                "there is no Envoy: install it, and name it in ALAMEIN_ENVOY"
            );
            eprintln!("SKIPPED: name an Envoy in ALAMEIN_ENVOY to run this");
            return Ok(None);
        };
        let [port, admin] = free_ports()?;
        let folder = tempfile::tempdir()?;
        let config = folder.path().join("envoy.yaml");
        let [first, second, third] = replicas;
        fs::write(&config, with_ports([port, admin, first, second, third])?)?;
        let log = fs::File::create(folder.path().join("log"))?;
        let child = Command::new(program)
            .arg("-c")
            .arg(&config)
            .args(["--concurrency", "1", "--log-level", "warning"])
            .args(["--use-dynamic-base-id", "--drain-time-s", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .context("Envoy does not start")?;
        let mut envoy = Self {
            child,
            port,
            folder,
        };
        envoy.wait()?;
        Ok(Some(envoy))
    }

    fn wait(&mut self) -> Result<()> {
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            let ended = self.child.try_wait()?;
            ensure!(
                ended.is_none() && start.elapsed() < PATIENCE,
                "Envoy does not listen: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// The URL that clients connect to.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What it has logged.
    #[must_use]
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Envoy {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The configuration that is shipped, with other ports.
fn with_ports(ports: [u16; 5]) -> Result<String> {
    let mut config = fs::read_to_string(shipped())?;
    for (from, to) in PORTS.into_iter().zip(ports) {
        let from = format!("port_value: {from} ");
        ensure!(
            config.matches(&from).count() == 1,
            "{from}is not there once"
        );
        config = config.replace(&from, &format!("port_value: @{to} "));
    }
    Ok(config.replace("port_value: @", "port_value: "))
}

/// The configuration that this repository ships.
#[must_use]
pub fn shipped() -> PathBuf {
    root().join("deploy/envoy/envoy.yaml")
}

/// Envoy's program.
#[must_use]
pub fn program() -> Option<OsString> {
    if let Some(named) = std::env::var_os("ALAMEIN_ENVOY") {
        return Some(named);
    }
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|folder| folder.join("envoy"));
    let found = found.into_iter().find(|it: &PathBuf| Path::exists(it));
    found.map(PathBuf::into_os_string)
}

/// Ports below those that a system gives to who connects, as far as systems go: while a server that
/// listened at one is away, no connection takes it.
const LASTING: std::ops::Range<u16> = 20_000..32_000;

/// Ports that nobody listens at. Somebody may by the time they are used, but no connection is given
/// them.
///
/// # Errors
/// Where there are not so many.
pub fn free_ports<const N: usize>() -> Result<[u16; N]> {
    // Processes that look at the same time begin elsewhere.
    let many = LASTING.len() as u32;
    let first = std::process::id().wrapping_mul(7919) % many;
    let mut held = Vec::with_capacity(N);
    for step in 0..many {
        if held.len() == N {
            break;
        }
        let port = LASTING.start + u16::try_from((first + step) % many)?;
        held.extend(TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
    }
    let ports: Vec<u16> = held
        .iter()
        .map(|it| Ok(it.local_addr()?.port()))
        .collect::<Result<_>>()?;
    ports.try_into().ok().context("too few ports are free")
}
