//! Developers' folders: what is built is taken, once it is whole.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use alamein_client::Client;
use alamein_tests::stage::{CLUB, Shots, Stage, bytes, shots};
use alamein_tests::swapped::Swapped;

use crate::{ask, client, tem};

/// Waits until the first shot has this TEM.
async fn gives(client: &Client, shots: &Shots, value: i16) -> bool {
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        if tem(&ask(client, shots).await) == value {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

async fn logs(stage: &Stage, text: &str) -> bool {
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        if stage.server.log().contains(text) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

fn library(build: &Path) -> String {
    let manifest = fs::read(build.join("plugin.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    manifest["artifact"]["file"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_is_taken_once_it_is_whole() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let stage = Stage::start(&builds.build("1.0.0", 1).unwrap(), &["--watch"]).unwrap();
    let client = client(&stage).await;
    assert!(logs(&stage, "watching for builds").await);
    let before = ask(&client, &shots).await;
    let pinned = before[0].ruling.rules.to_string();
    let pinned = client.clone().with_ruleset(pinned);

    // The same version, as developers build it many times; written slowly, the sidecar first.
    let next = builds.build("1.0.0", 2).unwrap();
    let (there, name) = (stage.house().join("first"), library(&next));
    let bytes_of_it = fs::read(next.join(&name)).unwrap();
    fs::copy(next.join("plugin.json"), there.join("plugin.json")).unwrap();
    fs::remove_file(there.join(&name)).unwrap();
    fs::write(there.join(&name), &bytes_of_it[..bytes_of_it.len() / 2]).unwrap();
    assert!(logs(&stage, "a build is not whole yet").await);
    assert_eq!(
        tem(&ask(&client, &shots).await),
        1,
        "half a build is not loaded"
    );
    fs::write(there.join(&name), &bytes_of_it).unwrap();
    assert!(gives(&client, &shots, 2).await, "{}", stage.server.log());
    assert_eq!(
        bytes(&ask(&pinned, &shots).await),
        bytes(&before),
        "a pin stays"
    );

    // One that cannot be used is told, and changes nothing.
    let broken = builds.build_with("1.0.0", 3, |it| {
        it["requires"] = serde_json::json!({"nothing-like-it": "*"});
    });
    stage.lay("first", &broken.unwrap()).unwrap();
    assert!(logs(&stage, "a build is not taken").await);
    assert_eq!(tem(&ask(&client, &shots).await), 2);
    // And the next good one is taken, as other tools lay it: a whole folder at once.
    stage
        .lay("first", &builds.build("1.0.0", 4).unwrap())
        .unwrap();
    assert!(gives(&client, &shots, 4).await, "{}", stage.server.log());
    assert!(stage.server.log().contains(&format!("ruleset=\"{CLUB}\"")));
}
