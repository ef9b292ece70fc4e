//! Building the fixture, and questions to put to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use alamein_hex::{Grid, Hex, trace_between};
use alamein_plugin_host::{NativeFeature, NativePlugin, PluginError, TARGET, Vocabulary};
use alamein_terrain::{
    CounterClass, CounterFlags, EndFacts, EnvironmentCondition, Field, GrazingPolicy, Layer, Line,
    LineBatch, Map, MoveStep, Mover, Munition, PreparedFeature, Purpose, Seen, SeenBatch, SetUp,
    SetUpBatch, SetUpPiece, StepBatch, TerrainFeature, Way,
};
use futures::executor::block_on;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tempfile::TempDir;

/// The fixture's manifest, without an artifact.
pub(crate) fn manifest() -> Value {
    let rule = |id: &str| json!({"id": id, "title": "", "message": ""});
    json!({
        "manifest_version": 1, "id": "fog-bank", "version": "1.2.3", "rules_revision": 1,
        "title": "Fog", "rules": [rule("X1/drm"), rule("X2/thin"), rule("X3/judge")],
    })
}

/// A fixture to be built.
pub(crate) struct Fixture {
    defines: Vec<(String, String)>,
    /// The manifest in the library.
    pub(crate) manifest: Value,
    /// The manifest beside it, without its artifact.
    pub(crate) sidecar: Value,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self {
            defines: Vec::new(),
            manifest: manifest(),
            sidecar: manifest(),
        }
    }

    /// A fixture with these macros: `NAME=value`.
    pub(crate) fn with(defines: &[&str]) -> Self {
        let split = |define: &&str| {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            (name.to_owned(), value.to_owned())
        };
        Self {
            defines: defines.iter().map(split).collect(),
            ..Self::new()
        }
    }

    /// Compiles it into a folder of its own.
    pub(crate) fn build(&self) -> Built {
        let folder = tempfile::tempdir().expect("a temporary folder");
        self.build_in(folder.path());
        Built { folder }
    }

    pub(crate) fn build_in(&self, folder: &Path) {
        let library = folder.join("libfog.so");
        self.compile(&library);
        let bytes = fs::read(&library).expect("the library");
        let mut sidecar = self.sidecar.clone();
        sidecar["artifact"] = json!({
            "file": "libfog.so", "size": bytes.len(), "sha256": digest(&bytes), "target": TARGET,
            "build_id": "build",
        });
        write_sidecar(folder, &sidecar);
    }

    fn compile(&self, library: &Path) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fog.c");
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        let mut command = Command::new(&compiler);
        command.args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]);
        command
            .args(["-Wno-unused", "-Wno-unused-const-variable", "-o"])
            .arg(library);
        let mut define = |name: &str, value: &str| {
            command.arg(format!("-D{name}={value}"));
        };
        for (name, value) in &self.defines {
            define(name, value);
        }
        if !self.defines.iter().any(|(name, _)| name == "TARGET") {
            define("TARGET", &format!("{TARGET:?}"));
        }
        define("MANIFEST", &format!("{:?}", self.manifest.to_string()));
        let output = command.arg(&source).output();
        let output = output.unwrap_or_else(|error| panic!("these tests need {compiler}: {error}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler} failed:\n{said}");
    }
}

/// A fixture that is built.
pub(crate) struct Built {
    folder: TempDir,
}

impl Built {
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.path().join("libfog.so")
    }

    pub(crate) fn load(&self) -> Result<NativePlugin, PluginError> {
        NativePlugin::load(self.path())
    }

    /// Changes what the sidecar says.
    pub(crate) fn edit(&self, edit: impl FnOnce(&mut Value)) {
        let text = fs::read_to_string(self.path().join("plugin.json")).expect("the sidecar");
        let mut sidecar = serde_json::from_str(&text).expect("JSON");
        edit(&mut sidecar);
        write_sidecar(self.path(), &sidecar);
    }
}

/// The SHA-256, in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn write_sidecar(folder: &Path, sidecar: &Value) {
    fs::write(folder.join("plugin.json"), sidecar.to_string()).expect("to write the sidecar");
}

/// An instance of a plugin, alone in its ruleset, at place 7.
pub(crate) fn instantiate(plugin: &NativePlugin, thin: bool) -> NativeFeature {
    let kinds = Vocabulary::of([plugin]);
    plugin
        .instantiate(json!({"thin": thin}), &kinds, 7)
        .expect("an instance")
}

/// Builds a fixture with these macros, loads it, and shows it a map.
pub(crate) fn prepared(defines: &[&str]) -> Arc<dyn PreparedFeature> {
    let plugin = Fixture::with(defines)
        .build()
        .load()
        .expect("a plugin that loads");
    let feature = instantiate(&plugin, true);
    block_on(feature.prepare(&map())).expect("a map it likes")
}

/// A map of one column of ten hexes, with fog in the fourth and the sixth.
pub(crate) fn map() -> Map {
    let grid = Grid::new(1, 10).expect("a grid");
    let mut map = Map::flat(grid);
    let fog = Field::Hexes(["A4", "A6"].map(hex).into());
    let layer = Layer {
        fields: [("hexes".to_owned(), fog)].into(),
    };
    map.layers.insert("fog".into(), layer);
    map
}

pub(crate) fn hex(name: &str) -> Hex {
    Grid::new(1, 10).expect("a grid").hex(name).expect("a hex")
}

/// The line between the centres of two hexes.
pub(crate) fn line(from: &str, to: &str) -> Line {
    let (from, to) = (hex(from), hex(to));
    let end = |hex| EndFacts {
        hex,
        corner: None,
        counter: None,
        level: 0,
        class: CounterClass::Squad,
        flags: CounterFlags::none(),
        side: 0,
        aboard: false,
    };
    Line {
        trace: trace_between(from, to),
        readings_on_map: [true; 2],
        from: end(from),
        to: end(to),
        purpose: Purpose::Sight,
        attack: None,
        munition: Munition::Other,
        policy: GrazingPolicy::Either,
        lane: None,
        counters: [].into_iter().collect(),
        obstacles_only: false,
    }
}

pub(crate) fn step(from: &str, to: &str, class: CounterClass) -> MoveStep {
    let (from, to) = (hex(from), hex(to));
    MoveStep {
        mover: Mover::new(class),
        from,
        to,
        way: Way::Open,
        turn: None,
        ec: EnvironmentCondition::Dry,
    }
}

pub(crate) fn lines<'a>(lines: &'a [Line], ask: &'a [u32]) -> LineBatch<'a> {
    LineBatch {
        levels: &[0; 10],
        counters: &[],
        attributes: &[],
        attribute_names: &[],
        ec: EnvironmentCondition::Dry,
        lines,
        ask,
        kept: None,
    }
}

pub(crate) fn steps<'a>(steps: &'a [MoveStep], ask: &'a [u32]) -> StepBatch<'a> {
    StepBatch {
        levels: &[0; 10],
        counters: &[],
        attributes: &[],
        attribute_names: &[],
        ec: EnvironmentCondition::Dry,
        steps,
        ask,
    }
}

/// A unit in plain view that sets up.
pub(crate) fn setup(at: &str, class: CounterClass) -> SetUp {
    SetUp {
        piece: SetUpPiece::unit(class),
        hex: hex(at),
    }
}

pub(crate) fn setups<'a>(setups: &'a [SetUp], ask: &'a [u32]) -> SetUpBatch<'a> {
    SetUpBatch {
        levels: &[0; 10],
        counters: &[],
        attributes: &[],
        attribute_names: &[],
        ec: EnvironmentCondition::Dry,
        setups,
        ask,
    }
}

/// A batch of what was seen of each line, without objections.
pub(crate) fn seen(of: &[Vec<Seen>]) -> SeenBatch {
    let mut batch = SeenBatch::default();
    for seen in of {
        let start = batch.seen.len();
        batch.seen.extend(seen);
        batch.of.push(start..batch.seen.len());
        batch.objections_of.push(0..0);
    }
    batch
}
