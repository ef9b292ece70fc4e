//! A plugin that misbehaves where and how its options say.

use alamein_plugin_sdk::{export_plugin, kinds, prelude::*, rules};
use serde::Deserialize;
use std::sync::atomic::{AtomicI16, Ordering};

rules! {
    SAID = "X1.1/said";
}
kinds! {
    SMOKE = "smoke";
}

/// Where and how.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    at: String,
    how: String,
}

/// The plugin.
#[derive(Debug)]
pub struct Rogue(Options);

impl Rogue {
    fn reach(&self, here: &str) {
        self.0.reach(here);
    }
}

impl Options {
    fn reach(&self, here: &str) {
        if self.at != here {
            return;
        }
        match self.how.as_str() {
            "panic" => panic!("the rogue panics in {here}"),
            "panic_with_a_number" => std::panic::panic_any(4_u8),
            "index" => drop(Vec::<u8>::new()[here.len()]),
            "sleep" => std::thread::sleep(std::time::Duration::from_millis(2500)),
            "sleep_long" => std::thread::sleep(std::time::Duration::from_secs(5)),
            "loop" => loop {
                std::thread::sleep(std::time::Duration::from_millis(1));
            },
            "panic_with_a_bomb" => std::panic::panic_any(Bomb),
            "vary" | "leave_a_value" => {}
            "spawn" => drop(std::thread::spawn(|| loop {
                std::hint::black_box(vec![0_u8; 1000]);
                std::thread::sleep(std::time::Duration::from_millis(1));
            })),
            "exit" => std::process::exit(3),
            "abort" => std::process::abort(),
            "overflow_the_stack" => drop(deeper(1)),
            how => {
                // Until a file is there.
                while how.starts_with('/') && !std::path::Path::new(how).exists() {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
            }
        }
    }
}

/// What panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the rogue's payload panics in its turn");
    }
}

/// What it leaves behind in a thread, to be dropped when that ends.
struct Left(Vec<u8>);

impl Drop for Left {
    fn drop(&mut self) {
        std::hint::black_box(self.0.len());
    }
}

thread_local! {
    static LEFT: Left = Left(vec![1; 1000]);
}

/// How often it was asked.
static ASKED: AtomicI16 = AtomicI16::new(0);

/// What it makes of a map.
#[derive(Debug)]
pub struct Held(Options);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.reach("release");
    }
}

impl Drop for Rogue {
    fn drop(&mut self) {
        self.0.reach("destroy");
    }
}

/// Never returns.
#[allow(unconditional_recursion)]
fn deeper(depth: u64) -> u64 {
    std::hint::black_box(deeper(depth + 1)) + depth
}

impl TerrainPlugin for Rogue {
    type Options = Options;
    type Map = Held;

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        options.reach("create");
        if options.at == "create" && options.how == "refuse" {
            return Err("the rogue does not like its options".into());
        }
        Ok(Self(options))
    }

    fn prepare(&self, _map: &MapView<'_>, _problems: &mut Problems) -> Held {
        self.reach("prepare");
        Held(self.0.clone())
    }

    fn survey(&self, _: &Held, survey: &mut Survey<'_>) {
        self.reach("survey");
        survey.everything();
    }

    fn observe(&self, _: &Held, line: &Line<'_>, say: &mut Observations) {
        self.reach("observe");
        for counter in line.counters() {
            if let Some(loud) = counter.attribute("rogue.loud") {
                let drm = i16::try_from(loud).unwrap_or_default();
                say.hindrance(SAID, SMOKE, drm)
                    .at(counter.hex())
                    .of(&counter);
            }
        }
        if self.0.at == "observe" && self.0.how == "vary" {
            let drm = 1 + ASKED.fetch_add(1, Ordering::Relaxed).rem_euclid(97);
            say.hindrance(SAID, SMOKE, drm).at(line.to().hex());
        }
        if self.0.how == "leave_a_value" {
            LEFT.with(|left| std::hint::black_box(left.0.len()));
        }
        if self.0.at == "observe" && self.0.how == "contradict" {
            for drm in [1, 2] {
                say.hindrance(SAID, SMOKE, drm).at(line.to().hex());
            }
        }
    }

    fn object(&self, _: &Held, _line: &Line<'_>, _seen: &Seen<'_>, _say: &mut Objections) {
        self.reach("object");
    }

    fn judge(&self, _: &Held, _line: &Line<'_>, _seen: &Seen<'_>, _say: &mut Findings) {
        self.reach("judge");
    }

    fn observe_step(&self, _: &Held, _step: &Step<'_>, _say: &mut Observations) {
        self.reach("observe_step");
    }

    fn object_to_step(&self, _: &Held, _: &Step<'_>, _: &Seen<'_>, _: &mut Objections) {
        self.reach("object_to_step");
    }

    fn judge_step(&self, _: &Held, _step: &Step<'_>, _seen: &Seen<'_>, _say: &mut Findings) {
        self.reach("judge_step");
    }
}

export_plugin! {
    id: "rogue",
    symbol: alamein_plugin_rogue,
    plugin: Rogue,
    manifest: include_str!("../plugin.json"),
    rules: RULES,
    kinds: KINDS,
}
