//! How a service starts and stops: in which order, and with which exit status.
#![allow(clippy::unwrap_used)] // A test may.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use alamein_tests::plugin_folder;
use alamein_tests::serving::{Server, binary};

const PATIENCE: Duration = Duration::from_secs(60);

/// A server, its log and its exit status, whatever becomes of it.
fn ended(flags: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(binary().unwrap());
    command
        .args(["serve", "--plugins"])
        .arg(plugin_folder().unwrap())
        .env("ALAMEIN_STORE", "memory");
    let ended = command.args(flags).env_remove("RUST_LOG").output().unwrap();
    let log = String::from_utf8_lossy(&ended.stderr).into_owned();
    (ended.status.code(), log)
}

fn signal(pid: u32, signal: &str) {
    let told = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status();
    assert!(told.unwrap().success());
}

fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !there() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// That these stand in a log one after another.
#[track_caller]
fn in_order(log: &str, lines: &[&str]) {
    let mut rest = log;
    for line in lines {
        let Some(at) = rest.find(line) else {
            panic!("{line:?} is not there, or not in its place:\n{log}");
        };
        rest = &rest[at + line.len()..];
    }
}

#[test]
fn it_listens_before_it_loads_and_goes_down_step_by_step() {
    let flags = ["--lame-duck", "100ms", "--drain", "10s"];
    let mut server = Server::start(plugin_folder().unwrap(), &flags).unwrap();
    wait_for("rules in force", || server.log().contains("rules in force"));
    let status = server.stop().unwrap();
    wait_for("the log's end", || {
        server.log().contains("waiting for what is open")
    });
    let log = server.log();
    assert_eq!(status.code(), Some(0), "{log}");
    // It goes down while it says so.
    assert!(log.contains("asked to stop"), "{log}");
    in_order(
        &log,
        &[
            "no configuration file",
            "listening address=",
            "plugin loaded",
            "rules in force",
            "shutting down: not serving any more",
            "shutting down: waiting for what is open",
        ],
    );
}

#[test]
fn what_does_not_finish_is_cut_off_and_the_status_says_so() {
    let flags = ["--lame-duck", "0", "--drain", "300ms"];
    let mut server = Server::start(plugin_folder().unwrap(), &flags).unwrap();
    let mut stuck = TcpStream::connect(server.address()).unwrap();
    stuck.write_all(&half_a_request()).unwrap();
    wait_for("rules in force", || server.log().contains("rules in force"));
    // Its head is there, its message never comes.
    std::thread::sleep(Duration::from_millis(200));
    let status = server.stop().unwrap();
    assert_eq!(status.code(), Some(3), "{}", server.log());
    wait_for("it is told", || {
        server.log().contains("1 connections were cut off")
    });
}

/// A call whose message is never sent, in HTTP/2 by hand.
fn half_a_request() -> Vec<u8> {
    let mut head = vec![0x83, 0x86];
    let mut literal = |name: &[u8], value: &str| {
        head.extend(name);
        head.push(u8::try_from(value.len()).unwrap());
        head.extend(value.as_bytes());
    };
    literal(&[0x04], "/alamein.v1.AdjudicationService/LineOfSight");
    literal(&[0x01], "localhost");
    literal(&[0x0f, 0x10], "application/grpc");
    literal(b"\x00\x02te", "trailers");
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    let length = u8::try_from(head.len()).unwrap();
    bytes.extend([0, 0, length, 1, 4, 0, 0, 0, 1]);
    bytes.extend(head);
    bytes
}

#[test]
fn a_second_signal_stops_at_once() {
    let flags = ["--lame-duck", "10m", "--drain", "10m"];
    let mut server = Server::start(plugin_folder().unwrap(), &flags).unwrap();
    signal(server.pid(), "-INT");
    wait_for("asked to stop", || server.log().contains("asked to stop"));
    // A server without connections that is stopped at once has cut nothing off.
    assert_eq!(server.stop().unwrap().code(), Some(0), "{}", server.log());
}

#[test]
fn what_keeps_it_from_starting_is_told_with_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for flag in ["--listen", "--metrics", "--admin"] {
        let mut flags = vec![flag, address.as_str()];
        if flag != "--listen" {
            flags.extend(["--listen", "127.0.0.1:0"]);
        }
        let (code, log) = ended(&flags);
        assert_eq!(code, Some(71), "{flag}: {log}");
        assert!(
            log.contains(&format!("{address} could not be bound")),
            "{log}"
        );
        assert!(log.contains("something listens there already"), "{log}");
    }
    let (code, log) = ended(&["--listen", "127.0.0.1:0", "--record", "/nowhere/asked"]);
    assert_eq!(code, Some(69), "{log}");
    assert!(
        log.contains("/nowhere/asked: the record cannot be written"),
        "{log}"
    );
    let (code, log) = ended(&["--listen", "127.0.0.1:0", "--lock", "/nowhere"]);
    assert_eq!(code, Some(78), "{log}");
    assert!(log.contains("--lock: /nowhere is no file"), "{log}");
}

/// A service as a supervisor starts it that speaks systemd's protocol.
struct Supervised {
    child: Child,
    socket: UnixDatagram,
}

impl Supervised {
    fn start(folder: &Path, flags: &[&str], watchdog: Duration) -> Self {
        let path = folder.join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let child = Command::new(binary().unwrap())
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--lame-duck",
                "0",
                "--plugins",
            ])
            .arg(plugin_folder().unwrap())
            .args(flags)
            .env("ALAMEIN_STORE", "memory")
            .env("NOTIFY_SOCKET", path)
            .env("WATCHDOG_USEC", watchdog.as_micros().to_string())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, socket }
    }

    /// Waits until it is told this, and gives all that was told on the way.
    fn told(&self, what: &str) -> Vec<String> {
        let mut told = Vec::new();
        let mut bytes = [0; 4096];
        loop {
            let length = self.socket.recv(&mut bytes).unwrap();
            let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
            let done = text.lines().any(|line| line == what);
            told.push(text);
            if done {
                return told;
            }
        }
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        // It is gone if it was stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_supervisor_is_told_how_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("alamein.toml");
    std::fs::write(&config, "drain = \"9s\"\n").unwrap();
    let flag = format!("--config={}", config.display());
    let mut service = Supervised::start(folder.path(), &[&flag], Duration::from_millis(200));
    let before = service.told("READY=1");
    assert!(
        before
            .iter()
            .any(|it| it.contains("STATUS=loading the rules")),
        "{before:?}"
    );
    assert!(
        before.last().unwrap().contains("STATUS=serving"),
        "{before:?}"
    );
    service.told("WATCHDOG=1");
    service.told("WATCHDOG=1");

    std::fs::write(&config, "drain = \"8s\"\n").unwrap();
    signal(service.child.id(), "-HUP");
    let reloading = service.told("RELOADING=1");
    assert!(
        reloading.last().unwrap().contains("MONOTONIC_USEC="),
        "{reloading:?}"
    );
    service.told("STATUS=reloaded");
    // What cannot be read anew leaves everything as it is, and is told.
    std::fs::write(&config, "drain = \"soon\"\n").unwrap();
    signal(service.child.id(), "-HUP");
    service.told("STATUS=not all was reloaded; the log says why");

    signal(service.child.id(), "-TERM");
    service.told("STOPPING=1");
    let ended = service.child.wait().unwrap();
    let mut log = String::new();
    let stderr = service.child.stderr.take().unwrap();
    std::io::Read::read_to_string(&mut { stderr }, &mut log).unwrap();
    assert_eq!(ended.code(), Some(0), "{log}");
    assert!(
        log.contains("drain will be in force after the next start"),
        "{log}"
    );
    assert!(log.contains("alamein.toml:1: drain: \"soon\""), "{log}");
}
