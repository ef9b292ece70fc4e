//! What a plugin writes to the log.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use alamein_plugin_host::last_calls_made;
use alamein_plugin_host::limits::LOG_LINES;
use alamein_terrain::{Budget, PreparedFeature, TerrainFeature};
use futures::executor::block_on;
use tracing_subscriber::fmt::MakeWriter;

use crate::support::{Fixture, instantiate, line, lines, map, prepared};

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no test panics here").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// What is logged meanwhile, by line.
fn logged(call: impl FnOnce()) -> Vec<String> {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(log.clone())
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .without_time()
        .finish();
    tracing::subscriber::with_default(subscriber, call);
    let bytes = log.0.lock().expect("no test panics here").clone();
    String::from_utf8(bytes)
        .expect("a log is text")
        .lines()
        .map(str::to_owned)
        .collect()
}

fn observe(prepared: &dyn PreparedFeature) {
    let questions = [line("A1", "A4")];
    let observed = prepared.observe_lines(lines(&questions, &[0]), Budget::default());
    assert_eq!(block_on(observed).expect("all is well").len(), 1);
}

#[test]
fn each_load_has_a_state_of_its_own() {
    let built = Fixture::new().build();
    let lines = logged(|| {
        let (one, other) = (built.load().expect("one"), built.load().expect("another"));
        assert_ne!(one.origin(), other.origin(), "they are two generations");
        for plugin in [&one, &one, &other] {
            instantiate(plugin, true);
        }
    });
    // The fixture counts its instances in a static.
    let created: Vec<_> = lines
        .iter()
        .filter(|line| line.contains("created"))
        .collect();
    assert_eq!(created.len(), 3, "{lines:#?}");
    assert!(created[0].contains("created 0 before"), "{lines:#?}");
    assert!(created[1].contains("created 1 before"), "{lines:#?}");
    assert!(created[2].contains("created 0 before"), "{lines:#?}");
}

#[test]
fn a_line_has_a_level_and_the_plugin() {
    let prepared = prepared(&["LOG=6"]);
    let lines = logged(|| observe(&*prepared));
    let text = |level: &str, text: &str| {
        format!("{level:>5} alamein_plugin_host::services: {text} plugin=\"fog-bank\"")
    };
    let expected = [
        text("ERROR", "line "),
        text("WARN", "line "),
        text("INFO", "line "),
        text("DEBUG", "line "),
        text("TRACE", "line "),
        text("WARN", "(unknown level 6) line "),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_chatterbox_is_cut_short() {
    let prepared = prepared(&["LOG=1000"]);
    let lines = logged(|| observe(&*prepared));
    assert_eq!(lines.len(), LOG_LINES as usize + 1);
    assert!(
        lines[LOG_LINES as usize].contains("wrote 64 lines in one call"),
        "{lines:?}"
    );
    // The next call may write again.
    assert_eq!(logged(|| observe(&*prepared)).len(), LOG_LINES as usize + 1);
}

#[test]
fn a_log_that_panics_does_not_reach_the_plugin() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            panic!("the log is broken");
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let prepared = prepared(&["LOG=3"]);
    let subscriber = tracing_subscriber::fmt().with_writer(|| Broken).finish();
    tracing::subscriber::with_default(subscriber, || observe(&*prepared));
}

#[test]
fn what_a_panic_left_behind_is_not_touched() {
    let plugin = Fixture::with(&["RELEASE_STATUS=FAILED"])
        .build()
        .load()
        .expect("a plugin");
    let feature = instantiate(&plugin, true);
    let prepared = block_on(feature.prepare(&map())).expect("a map");
    let lines = logged(|| {
        drop(prepared);
        assert!(last_calls_made(Duration::from_secs(10)));
    });
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("release failed") && lines[0].contains("fog-bank"),
        "{lines:?}"
    );
}
