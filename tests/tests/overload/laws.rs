//! What holds when a service is asked for more than it can do, however fast it is.

use std::process::Command;

use alamein_tests::serving::binary;
use serde_json::Value;

use crate::{memory, others_are_answered, serve};

/// Runs `alamein load` and gives what it tells.
async fn load(arguments: Vec<String>) -> Value {
    let run = move || {
        let output = Command::new(binary().unwrap())
            .arg("load")
            .args(arguments)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn too_much_is_turned_away_and_what_is_let_in_is_answered_in_time() {
    let server = serve(&[
        "--threads",
        "1",
        "--max-requests",
        "16",
        "--max-wait",
        "500",
    ])
    .await;
    others_are_answered(&server).await;
    let before = memory(&server, "VmRSS");
    // A call of 256 questions takes a thread for much more than 5 ms: this is too much for any machine.
    let command = format!(
        "--server http://{} --rate 200 --for 4 --questions 256 --deadline 10000 --pid {} --json",
        server.address(),
        server.pid()
    );
    let told = load(command.split(' ').map(str::to_owned).collect()).await;
    let beyond = &told["beyond"];
    let count = |what: &str| beyond[what].as_u64().unwrap();
    assert!(count("turned_away") > 0, "{beyond:#}");
    assert!(count("answered") > 0, "{beyond:#}");
    assert_eq!((count("failed"), count("late")), (0, 0), "{beyond:#}");
    let grown = (count("memory_bytes") >> 20).saturating_sub(before);
    assert!(grown < 96, "it took {grown} MiB: {beyond:#}");
    others_are_answered(&server).await;
}
