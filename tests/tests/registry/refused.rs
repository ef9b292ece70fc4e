//! What a registry refuses, and that the last good state stays.

use alamein_rulesets::{PluginRef, PluginState, Registry, RegistryError, Settings};
use alamein_tests::house::House;
use serde_json::json;

use crate::{bytes, registry, rule, shots, spec};
use alamein_tests::swapped::{ID, Swapped, add_case};

/// Everything that a change could change.
fn state(registry: &Registry) -> String {
    let snapshot = registry.snapshot();
    let listing = registry.list();
    let plugins: Vec<_> = listing
        .plugins
        .iter()
        .filter(|plugin| plugin.generation.is_some())
        .map(|plugin| (&plugin.id, &plugin.version, &plugin.state, &plugin.rulesets))
        .collect();
    format!("{plugins:?} {:?} {:?}", snapshot.names(), snapshot.tags())
}

/// Checks that something is refused for this reason, says all this, and changes nothing.
fn refuses<T: std::fmt::Debug>(
    registry: &Registry,
    reason: &str,
    says: &[&str],
    attempt: impl FnOnce() -> Result<T, RegistryError>,
) {
    let before = state(registry);
    let error = attempt().unwrap_err();
    assert_eq!(error.reason(), reason, "{error}");
    for word in says {
        assert!(
            error.to_string().contains(word),
            "{word:?} is not in: {error}"
        );
    }
    assert_eq!(state(registry), before, "after: {error}");
}

#[test]
fn each_change_is_whole_or_not_at_all() {
    let (registry, builds, shots) = (
        registry(Settings::default()),
        Swapped::new().unwrap(),
        shots(),
    );
    registry.load(&builds.build("0.1.0", 3).unwrap()).unwrap();
    let made = registry
        .create(&spec("default", &[(ID, "^0.1")]), false)
        .unwrap();
    let before = bytes(&rule(&registry, &made.revision, &shots));
    let fingerprint = made.revision.fingerprint();
    let other = registry
        .create(&spec("other", &[]), false)
        .unwrap()
        .revision
        .fingerprint();
    registry.tag("fixed", fingerprint, false).unwrap();

    refuses(
        &registry,
        "BUILDS_DIFFER",
        &[ID, "0.1.0", "raise the version"],
        || registry.load(&builds.build("0.1.0", 4).unwrap()),
    );
    refuses(&registry, "BUILDS_DIFFER", &[ID], || {
        registry.replace(ID, &builds.build("0.1.0", 4).unwrap())
    });
    refuses(&registry, "OTHER_PLUGIN", &["deir", ID], || {
        registry.replace("deir", &builds.build("0.1.9", 4).unwrap())
    });
    refuses(
        &registry,
        "UNKNOWN_PLUGIN",
        &["dunes", "swapped 0.1.0"],
        || registry.replace("dunes", &builds.build("0.1.9", 4).unwrap()),
    );
    refuses(&registry, "MANIFEST_UNREADABLE", &["plugin.json"], || {
        registry.load("/nowhere".as_ref())
    });
    refuses(
        &registry,
        "WOULD_BREAK",
        &[ID, "ruleset default", "^0.1"],
        || registry.retire(&PluginRef::of(ID)),
    );
    refuses(
        &registry,
        "WOULD_BREAK",
        &["deir", "default", "other"],
        || registry.retire(&PluginRef::of("deir")),
    );
    refuses(&registry, "UNKNOWN_PLUGIN", &["swapped 9.9.9"], || {
        let version = Some("9.9.9".parse().unwrap());
        registry.retire(&PluginRef {
            version,
            ..PluginRef::of(ID)
        })
    });
    // One that fits the spec but clashes within the ruleset: both are named.
    let clashing = builds
        .build_with("0.1.5", 4, |manifest| {
            manifest["layers"] =
                json!([{"name": "deir", "fields": [{"name": "x", "kind": "hexes"}]}]);
        })
        .unwrap();
    refuses(
        &registry,
        "WOULD_BREAK",
        &["default", "swapped", "deir", "layer"],
        || registry.load(&clashing),
    );
    let unknown = builds
        .build_with("0.1.6", 4, |manifest| {
            manifest["rules"][0]["replaces"] = json!(["F4.5/tme"]);
        })
        .unwrap();
    refuses(&registry, "WOULD_BREAK", &["default", "F4.5/tem"], || {
        registry.replace(ID, &unknown)
    });

    refuses(&registry, "BAD_NAME", &["Our Club"], || {
        registry.create(&spec("Our Club", &[]), false)
    });
    refuses(&registry, "NAME_TAKEN", &["fixed", "tag"], || {
        registry.create(&spec("fixed", &[]), false)
    });
    refuses(&registry, "NAME_TAKEN", &["other", "ruleset"], || {
        registry.tag("other", other, true)
    });
    refuses(&registry, "NAME_TAKEN", &["default"], || {
        registry.tag("default", other, true)
    });
    refuses(
        &registry,
        "TAG_MOVES",
        &[&fingerprint.to_string(), &other.to_string()],
        || registry.tag("fixed", other, false),
    );
    // Of two that move it from the same, one finds it gone.
    refuses(
        &registry,
        "TAG_ELSEWHERE",
        &["fixed", &fingerprint.to_string(), &other.to_string()],
        || registry.move_tag("fixed", other, other),
    );
    refuses(&registry, "TAG_ELSEWHERE", &["free", "nothing"], || {
        registry.move_tag("free", other, fingerprint)
    });
    // A tag that cannot be given keeps its ruleset from being made.
    for (tag, reason) in [
        ("new", "NAME_TAKEN"),
        ("default", "NAME_TAKEN"),
        ("fixed", "TAG_MOVES"),
        ("No", "BAD_NAME"),
    ] {
        for validate_only in [true, false] {
            refuses(&registry, reason, &[tag], || {
                let tags = ["kept".to_owned(), tag.to_owned()];
                registry.create_tagged(&spec("new", &[]), &tags, validate_only)
            });
        }
    }
    let strange = alamein_terrain::Digest::of(b"strange");
    refuses(&registry, "UNKNOWN_RULESET", &["create it again"], || {
        registry.tag("new", strange, false)
    });
    refuses(
        &registry,
        "UNKNOWN_RULESET",
        &["did you mean \"default\"?"],
        || registry.resolve("defualt"),
    );
    refuses(
        &registry,
        "RULESET_IMPOSSIBLE",
        &[
            "dunes",
            "deirs",
            "did you mean deir?",
            "^0.3",
            "loaded is 0.1.0",
        ],
        || {
            registry.create(
                &spec("new", &[("dunes", "*"), ("deirs", "*"), (ID, "^0.3")]),
                false,
            )
        },
    );

    let now = registry.resolve("").unwrap();
    assert_eq!(now.fingerprint(), fingerprint);
    assert_eq!(bytes(&rule(&registry, &now, &shots)), before);
    assert_eq!(
        registry.tag("fixed", other, true).unwrap(),
        Some(fingerprint)
    );
    assert_eq!(registry.resolve("fixed").unwrap().fingerprint(), other);

    // What was refused is shown with its reason, until it is loaded.
    let shown = |folder: &std::path::Path| {
        let plugins = registry.list().plugins.into_iter();
        let mut its = plugins.filter(|plugin| plugin.folder.as_deref() == Some(folder));
        its.next().map(|plugin| plugin.state)
    };
    let Some(PluginState::Refused { reason, why }) = shown(&clashing) else {
        panic!("it is not shown");
    };
    assert_eq!(reason, "WOULD_BREAK");
    assert!(why.contains("layer"));
}

#[test]
fn what_is_only_validated_changes_nothing() {
    let registry = registry(Settings::default());
    let before = state(&registry);
    let made = registry.create(&spec("new", &[]), true).unwrap();
    assert!(!made.known && made.before.is_none());
    assert_eq!(state(&registry), before);
    registry
        .resolve(&made.revision.fingerprint().to_string())
        .unwrap_err();
}

#[test]
fn what_would_clash_is_told_without_building() {
    let registry = registry(Settings::default());
    for (id, replaces) in [("one", "F4.5/tem"), ("two", "F4.5"), ("three", "F9.9/none")] {
        let house = House::new(id).rule("H1/tem", &[replaces]).does("refuse", 0);
        registry.adopt(house.plugin().unwrap()).unwrap();
    }
    let spec = spec("new", &[("one", "*"), ("two", "*"), ("three", "*")]);
    let conflicts = registry.conflicts(&spec);
    let reasons: Vec<&str> = conflicts.iter().map(|conflict| conflict.reason()).collect();
    assert_eq!(reasons, ["REPLACED_TWICE", "UNKNOWN_RULE"]);
    assert_eq!(conflicts[0].plugins(), ["deir", "one", "two"]);
    // Built, a plugin that refuses to be made is told as that.
    let one = crate::spec("new", &[("one", "*")]);
    let error = registry.create(&one, false).unwrap_err();
    assert!(
        error.to_string().contains("it refuses to be made"),
        "{error}"
    );
}

#[test]
fn a_plugins_own_cases_come_first() {
    let (registry, builds) = (registry(Settings::default()), Swapped::new().unwrap());
    registry.load(&builds.build("0.1.0", 3).unwrap()).unwrap();
    registry
        .create(&spec("default", &[(ID, "*")]), false)
        .unwrap();
    let bad = builds.build("0.1.1", 4).unwrap();
    add_case(&bad, 5).unwrap();
    refuses(
        &registry,
        "CASES_FAIL",
        &["own.json", "open", "total_drm is 4, not 5"],
        || registry.replace(ID, &bad),
    );
    let good = builds.build("0.1.2", 5).unwrap();
    add_case(&good, 5).unwrap();
    registry.replace(ID, &good).unwrap();
    // House rules of others do not count in them: another gives every target more.
    let more = House::new("more")
        .rule("H9/tem", &["swapped:H1/tem"])
        .does("tem", 9);
    registry.adopt(more.plugin().unwrap()).unwrap();
    let next = builds.build("0.1.3", 6).unwrap();
    add_case(&next, 6).unwrap();
    registry.replace(ID, &next).unwrap();
}

#[test]
fn a_process_holds_so_many_libraries_and_no_more() {
    let settings = Settings {
        most_libraries: 0,
        ..Settings::default()
    };
    let (registry, builds) = (registry(settings), Swapped::new().unwrap());
    refuses(
        &registry,
        "TOO_MANY_GENERATIONS",
        &[ID, "may hold 0", "restart"],
        || registry.load(&builds.build("0.1.0", 3).unwrap()),
    );
    assert_eq!(registry.list().most_libraries, 0);
}

#[test]
fn developers_may_have_several_builds_and_no_fingerprint_means_two() {
    let settings = Settings {
        developer: true,
        ..Settings::default()
    };
    let (registry, builds, shots) = (registry(settings), Swapped::new().unwrap(), shots());
    registry.load(&builds.build("0.1.0", 3).unwrap()).unwrap();
    let first = registry
        .create(&spec("default", &[(ID, "*")]), false)
        .unwrap()
        .revision;
    registry
        .replace(ID, &builds.build("0.1.0", 4).unwrap())
        .unwrap();
    let second = registry.resolve("").unwrap();
    assert_ne!(first.fingerprint(), second.fingerprint());
    assert_eq!(crate::tem(&rule(&registry, &first, &shots)), 3);
    assert_eq!(crate::tem(&rule(&registry, &second, &shots)), 4);
    // A spec of the very revision means that build and no other.
    let pinned = registry.create(&first.pinned("pinned"), false).unwrap_err();
    assert!(pinned.to_string().contains("is not loaded"), "{pinned}");
    let pinned = registry.create(&second.pinned("pinned"), false).unwrap();
    assert!(pinned.known);
    // Nor does one of builds mean what one without them means.
    let plain = crate::registry(Settings::default());
    let plain = plain.create(&spec("default", &[]), false).unwrap().revision;
    let ours = registry
        .create(&spec("plain", &[]), false)
        .unwrap()
        .revision;
    assert_ne!(plain.fingerprint(), ours.fingerprint());
}

#[test]
fn a_folder_gives_what_can_be_used() {
    let builds = Swapped::new().unwrap();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let good = builds.build("0.1.0", 3).unwrap();
    std::fs::rename(&good, folder.path().join("good")).unwrap();
    std::fs::create_dir(folder.path().join("bad")).unwrap();
    std::fs::write(folder.path().join("bad/plugin.json"), "{}").unwrap();
    let registry = registry(Settings::default());
    let came = registry.load_folder(folder.path());
    let came: Vec<_> = came
        .iter()
        .map(|(path, taken)| (path.file_name().unwrap(), taken.is_ok()))
        .collect();
    assert_eq!(came, [("bad".as_ref(), false), ("good".as_ref(), true)]);
    let all = registry.spec_of_all("default");
    assert_eq!(all.plugins.len(), 8);
    registry.create(&all, false).unwrap();
    let refused = registry.list().plugins.into_iter().last().unwrap();
    assert_eq!(refused.id, "bad");
    assert!(matches!(refused.state, PluginState::Refused { .. }));
}

#[test]
fn no_more_tags_are_kept_than_may_be() {
    let registry = registry(Settings {
        most_tags: 2,
        ..Settings::default()
    });
    let made = registry.create(&spec("default", &[]), false).unwrap();
    let fingerprint = made.revision.fingerprint();
    for tag in ["one", "two"] {
        registry.tag(tag, fingerprint, false).unwrap();
    }
    refuses(&registry, "TOO_MANY_TAGS", &["three", "2"], || {
        registry.tag("three", fingerprint, false)
    });
    refuses(&registry, "TOO_MANY_TAGS", &["three"], || {
        registry.create_tagged(&spec("other", &[]), &["three".to_owned()], false)
    });
    // One that is there can be given again.
    registry.tag("one", fingerprint, false).unwrap();
    registry.move_tag("two", fingerprint, fingerprint).unwrap();
}

#[test]
fn a_pipe_among_the_cases_does_not_hold_up_the_registry() {
    let (registry, builds) = (registry(Settings::default()), Swapped::new().unwrap());
    let folder = builds.build("0.1.0", 3).unwrap();
    std::fs::create_dir_all(folder.join("cases")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(folder.join("cases/pipe.json"))
        .status();
    assert!(made.unwrap().success());
    let (tell, told) = std::sync::mpsc::channel();
    let loading = registry.clone();
    std::thread::spawn(move || tell.send(loading.load(&folder).map(drop)));
    let loaded = told.recv_timeout(std::time::Duration::from_secs(60));
    let error = loaded.expect("it comes back").unwrap_err();
    assert_eq!(error.reason(), "CASES_FAIL");
    assert!(error.to_string().contains("pipe.json: is no ordinary file"));
    registry.create(&spec("after", &[]), false).unwrap();
}
