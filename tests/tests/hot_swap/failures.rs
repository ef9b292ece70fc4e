//! Whatever fails leaves the last good, and says why.

use std::fs;
use std::path::{Path, PathBuf};

use alamein_client::{Error, ErrorReason, v1};
use alamein_tests::stage::{Stage, bytes, shots};
use alamein_tests::swapped::{ID, Swapped, add_case, temporary};
use serde_json::{Value, json};

use crate::{admin, ask, client, reason, tem, try_to_ask};

/// A build that must not come in.
struct Bad {
    name: &'static str,
    folder: PathBuf,
    reason: ErrorReason,
    /// What the error must say.
    says: &'static str,
}

fn all(builds: &Swapped, stage: &Stage) -> Vec<Bad> {
    let bad = |name: &'static str, build: &Path, reason, says| Bad {
        name,
        folder: stage.lay(name, build).unwrap(),
        reason,
        says,
    };
    use ErrorReason::{PluginRefused, RulesetConflict};
    let next = |value| builds.build(&format!("1.9.{value}"), value).unwrap();
    let with = |change: &dyn Fn(&mut Value)| builds.build_with("2.0.0", 9, change).unwrap();
    let mut found = vec![
        bad(
            "other-code",
            &builds.build("1.0.0", 7).unwrap(),
            PluginRefused,
            "1.0.0",
        ),
        bad("cut-short", &next(20), PluginRefused, "both again"),
        bad("no-library", &next(21), PluginRefused, "cannot be read"),
        bad("no-json", &next(22), PluginRefused, "is no manifest"),
        bad("other-target", &next(23), PluginRefused, "is built for"),
        bad("own-cases", &next(24), PluginRefused, "its own cases fail"),
        bad(
            "unknown-rule",
            &with(&|it| it["rules"][0]["replaces"] = json!(["F4.55/tem"])),
            RulesetConflict,
            "which no plugin of the ruleset has",
        ),
        bad(
            "replaces-itself",
            &with(&|it| it["rules"][0]["replaces"] = json!(["H1/tem"])),
            RulesetConflict,
            "H1/tem",
        ),
        bad(
            "needs-another",
            &with(&|it| it["requires"] = json!({"dunes-of-marram": "^1"})),
            RulesetConflict,
            "needs plugin dunes-of-marram",
        ),
        bad(
            "needs-newer",
            &with(&|it| it["requires"] = json!({"deir": "^9"})),
            RulesetConflict,
            "needs plugin deir ^9",
        ),
        bad(
            "owns-a-layer",
            &with(&|it| {
                let field = json!({"name": "hexes", "kind": "hexes"});
                it["layers"] = json!([{"name": "deir", "fields": [field]}]);
            }),
            RulesetConflict,
            "both own the layer",
        ),
    ];
    for bad in &mut found {
        spoil(bad);
    }
    found
}

fn spoil(bad: &Bad) {
    let sidecar = bad.folder.join("plugin.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&sidecar).unwrap()).unwrap();
    let library = bad
        .folder
        .join(manifest["artifact"]["file"].as_str().unwrap());
    match bad.name {
        "cut-short" => {
            let bytes = fs::read(&library).unwrap();
            fs::write(&library, &bytes[..bytes.len() / 2]).unwrap();
        }
        "no-library" => fs::remove_file(library).unwrap(),
        "no-json" => fs::write(sidecar, "{").unwrap(),
        "other-target" => {
            manifest["artifact"]["target"] = json!("riscv64gc-unknown-linux-gnu");
            fs::write(sidecar, manifest.to_string()).unwrap();
        }
        "own-cases" => add_case(&bad.folder, 99).unwrap(),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_failure_leaves_the_last_good() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let stage = Stage::start(&builds.build("1.0.0", 1).unwrap(), &[]).unwrap();
    let (client, admin) = (client(&stage).await, admin(&stage).await);
    let good = client.ruleset().await.unwrap();
    let said = bytes(&ask(&client, &shots).await);
    for bad in all(&builds, &stage) {
        let Bad {
            name, reason: why, ..
        } = &bad;
        for replace in [true, false] {
            let error: Error = match replace {
                true => admin.replace(name, None).await.unwrap_err(),
                // Beside it a version that no ruleset can have harms nothing only if none would take
                // it: the club takes any, and the highest.
                false => admin.load(name).await.unwrap_err(),
            };
            assert_eq!(reason(&error), *why, "{name}: {error}");
            assert!(error.to_string().contains(bad.says), "{name}: {error}");
            assert_eq!(client.ruleset().await.unwrap(), good, "{name}");
            assert_eq!(bytes(&ask(&client, &shots).await), said, "{name}");
        }
        let stock = admin.list().await.unwrap();
        let folder = bad.folder.canonicalize().unwrap().display().to_string();
        let told = stock.plugins.iter().find(|it| it.path == folder);
        let told = told.unwrap_or_else(|| panic!("{name}: {stock:?}"));
        assert_eq!(told.state(), v1::PluginBuildState::Refused, "{name}");
        assert!(
            told.state_reason.contains(": "),
            "{name}: {}",
            told.state_reason
        );
    }
    let stock = admin.list().await.unwrap();
    let its: Vec<_> = stock
        .plugins
        .iter()
        .filter(|it| it.plugin_id == ID)
        .collect();
    let fit = its
        .iter()
        .filter(|it| it.state() == v1::PluginBuildState::Available);
    assert_eq!(fit.count(), 1, "{its:?}");
    assert_eq!(its[0].rulesets, ["club"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_for_must_be_there_and_may_not_be_needed() {
    let builds = Swapped::new().unwrap();
    let stage = Stage::start(&builds.build("1.0.0", 1).unwrap(), &[]).unwrap();
    let (client, admin) = (client(&stage).await, admin(&stage).await);
    let good = client.ruleset().await.unwrap();
    let elsewhere = builds.build("1.1.0", 2).unwrap();
    std::os::unix::fs::symlink(&elsewhere, stage.house().join("link")).unwrap();
    for path in [
        &*elsewhere.display().to_string(),
        "link",
        "../../..",
        "/",
        "nowhere",
        "..",
        "",
    ] {
        for error in [
            admin.load(path).await.unwrap_err(),
            admin.replace(path, None).await.unwrap_err(),
        ] {
            let expected = match path {
                "" => ErrorReason::MissingField,
                _ => ErrorReason::PathNotAllowed,
            };
            assert_eq!(reason(&error), expected, "{path}: {error}");
        }
    }
    stage.lay("second", &elsewhere).unwrap();
    let error = admin.replace("second", Some("deir")).await.unwrap_err();
    assert_eq!(reason(&error), ErrorReason::PluginRefused, "{error}");
    let retire = |id: &str| {
        admin.retire(v1::RetirePluginRequest {
            plugin_id: id.into(),
            ..Default::default()
        })
    };
    let error = retire("nobody").await.unwrap_err();
    assert_eq!(reason(&error), ErrorReason::PluginNotFound);
    let error = retire(ID).await.unwrap_err();
    assert_eq!(reason(&error), ErrorReason::PluginInUse);
    assert_eq!(error.remote().unwrap().metadata["rulesets"], "club");
    assert_eq!(client.ruleset().await.unwrap(), good);
    // One that nothing needs can go.
    admin.replace("second", None).await.unwrap();
    let retired = admin.retire(v1::RetirePluginRequest {
        plugin_id: ID.into(),
        version: "1.0.0".into(),
        ..Default::default()
    });
    assert_eq!(
        reason(&retired.await.unwrap_err()),
        ErrorReason::PluginNotFound,
        "it is already"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ruleset_that_lacked_a_plugin_is_made_when_it_comes() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let folder = temporary().unwrap();
    let file = folder.path().join("later.toml");
    let text =
        format!("name = \"later\"\n[plugins]\ndeir = \"*\"\nhillock = \"*\"\n{ID} = \"=2.0.0\"\n");
    fs::write(&file, text).unwrap();
    let flags = ["--rulesets", &file.display().to_string()];
    let stage = Stage::start(&builds.build("1.0.0", 1).unwrap(), &flags).unwrap();
    let (client, admin) = (client(&stage).await, admin(&stage).await);
    let later = client.clone().with_ruleset("later");
    let refused = try_to_ask(&later, &shots).await.unwrap_err();
    assert_eq!(
        reason(&refused),
        ErrorReason::PluginNotAvailable,
        "{refused}"
    );
    ask(&client, &shots).await;

    stage
        .lay("second", &builds.build("2.0.0", 2).unwrap())
        .unwrap();
    admin.load("second").await.unwrap();
    assert_eq!(tem(&ask(&later, &shots).await), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_usual_ruleset_is_made_once_what_was_refused_of_it_is_whole() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let folder = temporary().unwrap();
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    for entry in fs::read_dir(alamein_tests::plugin_folder().unwrap()).unwrap() {
        let plugin = entry.unwrap();
        lay_whole(&plugin.path(), &plugins.join(plugin.file_name()));
    }
    let bad = plugins.join("eighth");
    lay_whole(&builds.build("1.0.0", 1).unwrap(), &bad);
    let sidecar = fs::read(bad.join("plugin.json")).unwrap();
    fs::write(bad.join("plugin.json"), "{").unwrap();

    let socket = folder.path().join("admin.sock");
    let address = format!("unix:{}", socket.display());
    let flags = ["--admin", &address, "--lame-duck", "0"];
    let server = alamein_tests::serving::Server::start(&plugins, &flags).unwrap();
    let url = format!("http://{}", server.address());
    let client = alamein_client::Client::connect(&url).await.unwrap();
    while server.admin_address().is_none() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let settings = alamein_client::AdminSettings::default();
    let admin = alamein_client::AdminClient::connect(&address, settings);
    let admin = admin.await.unwrap();
    let refused = try_to_ask(&client, &shots).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::PluginRefused, "{refused}");

    // Another that comes does not help.
    admin.load("deir").await.unwrap();
    let refused = try_to_ask(&client, &shots).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::PluginRefused, "{refused}");

    fs::write(bad.join("plugin.json"), sidecar).unwrap();
    admin.load("eighth").await.unwrap();
    assert_eq!(tem(&ask(&client, &shots).await), 1, "{}", server.log());
}

/// A copy of a built plugin.
fn lay_whole(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (entry, to) = entry
            .map(|it| (it.path(), to.join(it.file_name())))
            .unwrap();
        match entry.is_dir() {
            true => lay_whole(&entry, &to),
            false => drop(fs::copy(&entry, &to).unwrap()),
        }
    }
}
