//! Very many connections, and no file descriptors for more.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use alamein_client::View;
use alamein_tests::serving::Server;
use alamein_tests::{plugin_folder, python};

use crate::raw::Raw;
use crate::{client, example, memory, others_are_answered};

/// How many connections there are to be.
const MANY: u64 = 10_000;

async fn serve(files: u32, flags: &'static [&'static str]) -> Option<Server> {
    let start = move || Server::start_with_files(plugin_folder()?, files, flags);
    match tokio::task::spawn_blocking(start).await.unwrap() {
        Ok(server) => {
            client(&server).await.ruleset().await.unwrap();
            Some(server)
        }
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error:#}");
            eprintln!("SKIPPED: a process may not have {files} files here: {error:#}");
            None
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_idle_connections_are_no_burden() {
    let Some(python) = python::python() else {
        eprintln!("SKIPPED: set ALAMEIN_PYTHON to a Python to open {MANY} connections");
        return;
    };
    let Some(server) = serve(12_000, &["--max-connections", "11000"]).await else {
        return;
    };
    let before = memory(&server, "VmRSS");
    let script = alamein_tests::root().join("tests/python/many_connections.py");
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -n 12000 && exec \"$0\" \"$@\""])
        .arg(python)
        .arg(script)
        .args([server.address(), &MANY.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    said.read_line(&mut line).unwrap();
    assert_eq!(line.trim(), "open", "it could not open them");
    let took = others_are_answered(&server).await;
    let grown = memory(&server, "VmRSS") - before;
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    eprintln!("{MANY} connections take {grown} MiB; one more was answered in {took:?}");
    assert!(grown * 1024 / MANY < 64, "they take {grown} MiB");
    others_are_answered(&server).await;
}

/// The time that a process has worked, in hundredths of a second.
fn worked(server: &Server) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.pid())).unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_file_descriptors_it_serves_those_it_has_and_accepts_again() {
    let Some(server) = serve(64, &[]).await else {
        return;
    };
    let (position, questions) = example();
    let first = client(&server).await;
    let ask = || first.adjudicate(&*position, &questions[..1], View::Full);
    ask().await.unwrap();
    let many: Vec<Raw> = (0..120)
        .map(|_| Raw::greet(server.address(), &[]))
        .collect();
    let start = std::time::Instant::now();
    while !server.log().contains("cannot be accepted") {
        assert!(
            start.elapsed() < crate::PATIENCE,
            "it should have run out of them"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let before = worked(&server);
    let (mut times, start) = (0, std::time::Instant::now());
    while start.elapsed() < Duration::from_secs(3) {
        ask().await.unwrap();
        times += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(times > 5, "it serves those it has: {times}");
    let busy = worked(&server) - before;
    assert!(busy < 200, "it was busy for {busy} hundredths of 3 seconds");
    let told = server.log().matches("cannot be accepted").count();
    assert!(told <= 3, "it was said {told} times");
    drop(many);
    others_are_answered(&server).await;
}
