//! A reader that does not read keeps nobody waiting for ever.

use std::fs::OpenOptions;
use std::process::Command;

use alamein_tests::stage::{Stage, shots};
use alamein_tests::swapped::{Swapped, temporary};

use crate::{ask, client};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_stops_although_nobody_reads_its_record() {
    let folder = temporary().unwrap();
    let pipe = folder.path().join("record");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let builds = Swapped::new().unwrap();
    let build = builds.build("1.0.0", 1).unwrap();
    let record = pipe.display().to_string();
    let flags = ["--record", &record];

    let unheard = Stage::start(&build, &flags).unwrap_err().to_string();
    assert!(unheard.contains("a pipe that nobody reads"), "{unheard}");

    let open = OpenOptions::new().read(true).write(true).open(&pipe);
    let _open = open.unwrap();
    let mut stage = Stage::start(&build, &flags).unwrap();
    let client = client(&stage).await;
    let shots = shots().unwrap();
    // More than a pipe holds.
    for _ in 0..100 {
        ask(&client, &shots).await;
    }
    stage.server.stop().unwrap();
}
