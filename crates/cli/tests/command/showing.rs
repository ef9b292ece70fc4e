//! What there is to see without a question.

use serde_json::Value;

use crate::run;

#[test]
fn every_command_teaches_with_examples() {
    run("--help").says("Exit status: 0 for any ruling");
    let commands = [
        "los",
        "fire",
        "lane",
        "move",
        "reach",
        "ask",
        "check",
        "rules",
        "serve",
        "map new",
        "map check",
        "map show",
        "map convert",
        "map import",
        "map overlays",
        "ruleset list",
        "ruleset show",
        "ruleset check",
        "ruleset create",
        "ruleset tag",
        "ruleset diff",
        "ruleset conflicts",
        "plugin load",
        "plugin replace",
        "plugin retire",
        "plugin status",
        "store migrate",
        "store check",
        "store export",
        "store import",
        "store gc",
        "store stat",
    ];
    for command in commands {
        let help = run(&format!("{command} --help"));
        help.says("Examples:").says(&format!("  alamein {command}"));
    }
    assert!(run("--version").out.starts_with("alamein 0."));
}

#[test]
fn the_plugins_are_listed_with_their_rules_and_options() {
    run("rules")
        .says("deir 0.")
        .says("  rules: F4.3, F4.4, F4.5, F4.51, F4.52\n")
        .says("  option deir.cavalry_target=\"non_prc\"")
        .says("    contested: ")
        .says("Rules fingerprint: ");
    let one = run("rules deir --set deir.cavalry_target=prc");
    one.says("  F4.5/tem ")
        .says("=\"prc\" (default \"non_prc\")")
        .says("  layer deir: ");
    assert!(!one.out.contains("hillock"), "{}", one.out);
    run("rules nobody").complains("PLUGIN: there is no plugin \"nobody\"; there are deir, ");
    let all: Value = serde_json::from_str(&run("rules --json").out).unwrap();
    assert_eq!(all["plugins"][0]["manifest"]["id"], "deir");
}

#[test]
fn maps_are_drawn() {
    let whole = run("map show --example");
    whole
        .says("# P6  \\")
        .says("# deir lip hexsides")
        .says("J squad R7");
    let part = run("map show --example --around J --margin 0");
    assert_eq!(part.out.lines().next().unwrap(), "  _____");
    run("map show --example --line E P9").says("* the line and the hexes it touches");
    run("map show --example --around X").complains("--around: there is no counter \"X\"");
}

#[test]
fn the_demo_tells_the_telling_cases() {
    run("demo")
        .says("A service at http://127.0.0.1:")
        .says("J (R7) to G (R3): clear")
        .says("J (R7) to H (S4): blocked by F4.4")
        .says("hindered +1 by A; TEM +1; total DRM +2")
        .says("may claim Hull Down")
        .says("Infantry moving in Q7: immune")
        .says("Infantry moving in R9: attacked")
        .says("tank from Q6 into Q5: 2 MP")
        .says("/ S4* \\");
}
