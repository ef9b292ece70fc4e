//! Deadlines of clients that are not written in Rust.

use alamein_tests::python;
use serde_json::Value;

use crate::serve;

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_waits_for_any_more_is_not_done() {
    let flags = [
        "--threads",
        "1",
        "--budget",
        "60000",
        "--max-deadline",
        "60000",
        "--max-wait",
        "60000",
        "--max-requests",
        "100000",
        // Each is to be judged, although all ask the same.
        "--answer-cache",
        "0",
    ];
    let server = serve(&flags).await;
    let address = server.address().to_owned();
    let run = move || python::run("deadlines.py", &address, &Value::Null);
    tokio::task::spawn_blocking(run).await.unwrap().unwrap();
}
