//! Which crate may lean on which: arrows point down only.

use alamein_plugin_build::{Dependency, Package, Workspace, files};

use super::Breach;

/// What a crate may lean on when it is built. What its tests lean on is its own affair, but for
/// what `outside` excludes.
struct Floor {
    name: &'static str,
    house: &'static [&'static str],
    outside: Outside,
}

enum Outside {
    Anything,
    Nothing,
    /// Anything but these and what begins with them and a hyphen.
    Except(&'static [&'static str]),
    Only(&'static [&'static str]),
}

use Outside::{Anything, Except, Nothing, Only};

/// Stands for every crate of this house.
const ALL: &[&str] = &["*"];

/// A crate that computes does not wait, listen or load.
const IO: &[&str] = &["tokio", "tonic", "prost", "libloading"];

/// What the wire brings stays at the edge.
const WIRE: &[&str] = &["tonic", "prost"];

const HEX: &str = "alamein-hex";
const TERRAIN: &str = "alamein-terrain";
const ABI: &str = "alamein-plugin-abi";
const SDK: &str = "alamein-plugin-sdk";
const HOST: &str = "alamein-plugin-host";
const BUILD: &str = "alamein-plugin-build";
const KIT: &str = "alamein-plugin-kit";
const ENGINE: &str = "alamein-engine";
const FIELDS: &str = "alamein-fields";
const MAPS: &str = "alamein-maps";
const CASES: &str = "alamein-cases";
const FIGURES: &str = "alamein-figures";
const RULESETS: &str = "alamein-rulesets";
const PICTURE: &str = "alamein-picture";
const PROTO: &str = "alamein-proto";
const PAGE: &str = "alamein-page";
const STORE: &str = "alamein-store";
const GAMES: &str = "alamein-games";
const SERVER: &str = "alamein-server";
const CLIENT: &str = "alamein-client";

/// The house, from the ground floor up.
#[rustfmt::skip]
const HOUSE: &[Floor] = &[
    floor(HEX,     &[],                                                   Except(IO)),
    floor(TERRAIN, &[HEX],                                                Except(IO)),
    floor(ABI,     &[],                                                   Nothing),
    floor(SDK,     &[ABI, HEX, TERRAIN],                                  Except(IO)),
    floor(HOST,    &[ABI, HEX, TERRAIN],                                  Except(WIRE)),
    floor(ENGINE,  &[HOST, TERRAIN, HEX],                                 Except(WIRE)),
    floor(FIELDS,  &[],                                                   Except(IO)),
    floor(MAPS,    &[FIELDS, TERRAIN, HEX],                               Except(IO)),
    floor(CASES,   &[ENGINE, TERRAIN, HEX],                               Except(WIRE)),
    floor(BUILD,   &[],                                                   Except(IO)),
    floor(KIT,     &[BUILD, CASES, ENGINE, HOST, ABI, TERRAIN, HEX],      Except(WIRE)),
    floor(FIGURES, &[CASES, MAPS, ENGINE, TERRAIN, HEX],                  Except(WIRE)),
    floor(RULESETS, &[CASES, ENGINE, HOST, TERRAIN, FIELDS],              Except(WIRE)),
    floor(PICTURE, &[CASES, ENGINE, TERRAIN, HEX],                        Except(WIRE)),
    floor(PAGE,    &[],                                                   Except(IO)),
    floor(STORE,   &[TERRAIN, HEX],                                       Except(WIRE)),
    floor(GAMES,   &[STORE, TERRAIN, HEX],                                Except(WIRE)),
    floor(PROTO,   &[GAMES, RULESETS, FIELDS, ENGINE, TERRAIN, HEX],                               Anything),
    floor(SERVER,  &[PROTO, GAMES, STORE, RULESETS, FIELDS, PICTURE, CASES, MAPS, ENGINE, HOST, TERRAIN, HEX], Anything),
    floor(CLIENT,  &[PROTO, TERRAIN, HEX],                                Anything),
    floor("alamein-cli",     ALL, Anything),
    floor("alamein-tests",   ALL, Anything),
    floor("alamein-fuzzed",  ALL, Anything),
    floor("alamein-benches", ALL, Anything),
    // It reads the protos, of which prost makes nothing here.
    floor("xtask",           &[BUILD], Except(&["tokio", "tonic", "libloading"])),
];

/// What lies under `plugins/`.
const PLUGIN: Floor = floor("a plugin", &[SDK], Only(&["serde", "serde_json"]));

const fn floor(name: &'static str, house: &'static [&'static str], outside: Outside) -> Floor {
    Floor {
        name,
        house,
        outside,
    }
}

/// Every arrow of the workspace that points where it may not.
pub(super) fn breaches(workspace: &Workspace) -> Vec<Breach> {
    let plugins = workspace.root.join("plugins");
    let mut found = Vec::new();
    for package in &workspace.packages {
        let breach = |what: String| {
            let path = files::relative(&workspace.root, &package.manifest_path);
            Breach {
                path,
                line: 0,
                what,
            }
        };
        let is_plugin = package.manifest_path.starts_with(&plugins);
        match HOUSE.iter().find(|floor| floor.name == package.name) {
            Some(floor) => found.extend(wrong_arrows(floor, package).map(breach)),
            None if is_plugin => found.extend(wrong_arrows(&PLUGIN, package).map(breach)),
            None => {
                let what = "has no floor yet; give it one in xtask/src/tidy/arrows.rs";
                found.push(breach(format!("{} {what}", package.name)));
            }
        }
    }
    found
}

fn wrong_arrows(floor: &Floor, package: &Package) -> impl Iterator<Item = String> {
    package
        .dependencies
        .iter()
        .filter(|arrow| !floor.allows(arrow))
        .map(|arrow| {
            let allowed = match (&arrow.path, &floor.outside) {
                (Some(_), _) => format!("of this house, {}", list(floor.house)),
                (None, Only(names)) => list(names),
                (None, Except(names)) => format!("anything but {}", list(names)),
                (None, Nothing) => "nothing".to_owned(),
                (None, Anything) => "anything".to_owned(),
            };
            format!(
                "{} may not lean on {}; allowed is {allowed}",
                package.name, arrow.name
            )
        })
}

fn list(names: &[&str]) -> String {
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    }
}

impl Floor {
    fn allows(&self, arrow: &Dependency) -> bool {
        let name = arrow.name.as_str();
        if arrow.path.is_some() {
            return arrow.is_dev() || self.house == ALL || self.house.contains(&name);
        }
        match &self.outside {
            Anything => true,
            Nothing => arrow.is_dev(),
            Only(names) => arrow.is_dev() || names.contains(&name),
            Except(names) => !names.iter().any(|banned| {
                name.strip_prefix(banned)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            }),
        }
    }
}
