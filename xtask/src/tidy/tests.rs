use super::*;

const NONE: [usize; 0] = [];

fn source(path: &str, text: &str) -> Source {
    Source {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

/// The lines at which the Rust laws are broken.
fn rust_lines(path: &str, text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    rust::breaches(&source(path, text), &mut found);
    found.iter().map(|breach| breach.line).collect()
}

/// The lines at which the laws on words are broken.
fn word_lines(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    text::words(&source("README.md", text), &mut found);
    found.iter().map(|breach| breach.line).collect()
}

#[test]
fn unsafe_belongs_to_the_border() {
    let code = "//! unsafe in a comment\nfn f() { unsafe { g() } }\nconst S: &str = \"unsafe\";\n";
    assert_eq!(rust_lines("crates/engine/src/a.rs", code), [2]);
    assert_eq!(rust_lines("plugins/deir/src/lib.rs", code), [2]);
    assert_eq!(rust_lines("crates/plugin-sdk/src/a.rs", code), NONE);
    assert_eq!(
        rust_lines("tests/tests/a.rs", "#[unsafe(no_mangle)] fn f() {}"),
        [1]
    );
}

#[test]
fn the_core_knows_no_chapter_even_in_a_comment() {
    let code = "/// See F4.5.\nfn f() {}\n// 0xF4, F64, PF4 and F5 are none.\nstruct F6;\n";
    assert_eq!(rust_lines("crates/terrain/src/a.rs", code), [1, 4]);
    assert_eq!(rust_lines("plugins/deir/src/lib.rs", code), NONE);
    assert_eq!(rust_lines("crates/terrain/tests/a.rs", code), NONE);
}

#[test]
fn the_core_has_no_rule_number_in_a_string() {
    let code = "/// Like D9.4.\nconst A: &str = \"by D9.4\";\nconst B: &str = r#\"A6.11/x\"#;\n\
                const C: &str = \"v1.2, A.6, A1, D9.x\"; const D: f64 = 9.4;\n";
    assert_eq!(rust_lines("crates/engine/src/a.rs", code), [2, 3]);
}

#[test]
fn tests_may_name_rules() {
    let code = "#[cfg(test)]\nmod tests {\n    // F4.5\n    const A: &str = \"F4.5\";\n}\n\
                #[test]\nfn f() {\n    let a = \"F4.5\";\n}\n\
                #[cfg(test)]\nuse a::b;\nconst B: &str = \"F4.5\";\n\
                #[cfg(not(test))]\nconst C: &str = \"D9.4\";\n";
    let path = "crates/engine/src/a.rs";
    assert_eq!(rust_lines(path, code), [12, 12, 14]);
}

#[test]
fn a_module_says_what_it_holds() {
    assert_eq!(
        rust_lines("crates/engine/src/a.rs", "fn f() {}\nmod utils;\n"),
        [2]
    );
    assert_eq!(rust_lines("crates/engine/src/utils.rs", ""), [0]);
    assert_eq!(rust_lines("plugins/deir/src/util/mod.rs", ""), [0]);
    assert_eq!(
        rust_lines("crates/engine/src/model.rs", "use a::utils::b;"),
        NONE
    );
}

#[test]
fn what_is_no_rust_is_told() {
    assert_eq!(
        rust_lines("crates/engine/src/a.rs", "fn f() {}\nfn g( {\n").len(),
        1
    );
}

#[test]
fn words_that_do_not_belong() {
    let undone = concat!("// TO", "DO: later\nTO", "DOS are a plural\nFIX", "ME\n");
    assert_eq!(word_lines(undone), [1, 3]);
    let paths = concat!(
        "see ../",
        "shared/a\nsrc/wo",
        "rk/a is ours\ncp /wo",
        "rk/a b\n"
    );
    assert_eq!(word_lines(paths), [1, 3]);
}

#[test]
fn a_plugin_names_no_other() {
    let plugins = [
        ("alamein-deir", "plugins/deir/"),
        ("alamein-sand", "plugins/sand/"),
        ("alamein-sand-dune", "plugins/house-rules/sand-dune/"),
    ]
    .map(|(name, folder)| text::Plugin {
        name: name.into(),
        folder: folder.into(),
    });
    let lines = |path, text| {
        let mut found = Vec::new();
        text::other_plugins(&source(path, text), &plugins, &mut found);
        found.iter().map(|breach| breach.line).collect::<Vec<_>>()
    };
    let code = "use alamein_deir::A;\nuse alamein_sand_dune::B;\n";
    assert_eq!(lines("plugins/sand/src/a.rs", code), [1, 2]);
    assert_eq!(lines("plugins/deir/src/a.rs", code), [2]);
    assert_eq!(lines("plugins/deir/tests/a.rs", code), [2]);
    assert_eq!(lines("crates/cli/src/a.rs", code), NONE);
    assert_eq!(
        lines("plugins/sand/Cargo.toml", "alamein-sand.workspace = true\n"),
        NONE
    );
    assert_eq!(
        lines("plugins/sand/Cargo.toml", "alamein-deir.workspace = true\n"),
        [1]
    );
}

#[test]
fn a_file_has_at_most_500_lines() {
    let broken = |text: String| {
        let mut found = Vec::new();
        text::length(&source("crates/engine/src/a.rs", &text), &mut found);
        !found.is_empty()
    };
    assert!(!broken("\n".repeat(500)));
    assert!(broken("\n".repeat(501)));
    assert!(!broken(format!("// @generated\n{}", "\n".repeat(501))));
}

/// What the table of arrows says of a workspace with these dependencies of one package.
fn arrows_of(manifest: &str, name: &str, dependencies: serde_json::Value) -> Vec<String> {
    let workspace = serde_json::json!({
        "workspace_root": "/house",
        "target_directory": "/house/target",
        "packages": [{
            "name": name,
            "manifest_path": format!("/house/{manifest}"),
            "dependencies": dependencies,
        }],
    });
    let workspace: Workspace = serde_json::from_value(workspace).unwrap();
    arrows::breaches(&workspace)
        .into_iter()
        .map(|breach| breach.what)
        .collect()
}

#[test]
fn arrows_point_down_only() {
    let hex = arrows_of(
        "crates/hex/Cargo.toml",
        "alamein-hex",
        serde_json::json!([
            { "name": "alamein-terrain", "kind": null, "path": "/house/crates/terrain" },
            { "name": "tokio-util", "kind": "dev", "path": null },
            { "name": "tokioish", "kind": null, "path": null },
            { "name": "alamein-engine", "kind": "dev", "path": "/house/crates/engine" },
        ]),
    );
    assert_eq!(hex.len(), 2, "{hex:?}");
    assert!(
        hex[0].contains("alamein-terrain") && hex[1].contains("tokio-util"),
        "{hex:?}"
    );
}

#[test]
fn a_plugin_leans_on_the_sdk_alone() {
    let deir = arrows_of(
        "plugins/deir/Cargo.toml",
        "alamein-deir",
        serde_json::json!([
            { "name": "alamein-plugin-sdk", "kind": null, "path": "/house/crates/plugin-sdk" },
            { "name": "serde", "kind": null, "path": null },
            { "name": "proptest", "kind": "dev", "path": null },
            { "name": "rand", "kind": null, "path": null },
            { "name": "alamein-hex", "kind": null, "path": "/house/crates/hex" },
        ]),
    );
    assert_eq!(deir.len(), 2, "{deir:?}");
    assert!(
        deir[0].contains("rand") && deir[1].contains("alamein-hex"),
        "{deir:?}"
    );
}

#[test]
fn every_crate_has_a_floor() {
    let cellar = arrows_of(
        "crates/cellar/Cargo.toml",
        "alamein-cellar",
        serde_json::json!([]),
    );
    assert_eq!(cellar.len(), 1);
}
