//! Plugins that do not come back from a call: their threads are given up, others judge on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use alamein_cases::Asked;
use alamein_engine::{
    Engine, EngineConfig, Health, PrepareError, Ruleset, RulesetConfig, Rulings, Threads, Wanted,
};
use alamein_plugin_host::{NativePlugin, load_folder};
use alamein_terrain::{Ask, Budget, CounterClass, FeatureError, Mover, Position, Question, Step};
use alamein_tests::{known, root};
use serde_json::json;

use crate::folders::Folder;
use crate::{Bad, check, fog};

/// An engine that loses patience soon, and what it is asked.
pub(crate) struct Trial {
    engine: Engine,
    plugins: Vec<NativePlugin>,
    position: Arc<Position>,
    questions: Vec<Question>,
    _folder: Folder,
}

impl Trial {
    pub(crate) fn new(config: EngineConfig) -> Self {
        let folder = Folder::with_the_rogue();
        let plugins: Vec<NativePlugin> = load_folder(folder.path()).loaded().cloned().collect();
        let ruleset = Ruleset::build(&plugins, &RulesetConfig::default()).unwrap();
        let engine = Threads::with(config).unwrap().engine(Arc::new(ruleset));
        let file = root().join("tests/cases/f4-example.json");
        let case = alamein_cases::load(&file, &known(&engine)).unwrap();
        let asked = |question: &alamein_cases::CaseQuestion| match &question.asked {
            Asked::Question(asked) => Some((**asked).clone()),
            _ => None,
        };
        Self {
            questions: case.questions.iter().filter_map(asked).collect(),
            position: case.position,
            engine,
            plugins,
            _folder: folder,
        }
    }

    /// A ruleset with a rogue that does this there.
    pub(crate) fn rogue(&self, at: &str, how: &str) -> Arc<Ruleset> {
        let options = json!({"at": at, "how": how});
        let options = [("rogue".to_owned(), options.as_object().unwrap().clone())];
        let config = RulesetConfig {
            options: options.into(),
            ..RulesetConfig::default()
        };
        Arc::new(Ruleset::build(&self.plugins, &config).unwrap())
    }

    pub(crate) fn ask(&self, ruleset: &Arc<Ruleset>) -> Result<Rulings, PrepareError> {
        self.ask_within(ruleset, None)
    }

    /// Asks questions of lines, and one of a step.
    fn ask_within(
        &self,
        ruleset: &Arc<Ruleset>,
        time: Option<Duration>,
    ) -> Result<Rulings, PrepareError> {
        let hex = |name| self.position.map().grid.hex(name).unwrap();
        let step = Question::new(Ask::Movement {
            mover: Mover::new(CounterClass::Tank),
            step: Step::enter(hex("P6"), hex("O6")),
            ec: None,
        });
        let wanted = Wanted {
            budget: Budget {
                deadline: time.map(|time| Instant::now() + time),
            },
            ..Wanted::default()
        };
        let mut questions: Vec<Question> = self.questions.iter().take(20).cloned().collect();
        questions.push(step);
        let (ruleset, position) = (Arc::clone(ruleset), Arc::clone(&self.position));
        let asked = self.engine.adjudicate(ruleset, position, questions, wanted);
        tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap()
            .block_on(asked)
    }

    /// Checks that rules without a fault are judged by.
    pub(crate) fn judges(&self) {
        let rulings = self.ask(&self.engine.ruleset()).unwrap();
        assert!(rulings.iter().all(Result::is_ok), "{rulings:?}");
    }

    /// Waits until the threads are so.
    fn wait(&self, what: &str, so: impl Fn(&Health) -> bool) {
        let start = Instant::now();
        while !so(&self.engine.threads().health()) {
            let threads = self.engine.threads().health();
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "{what}: {threads:?}"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// As is usual.
pub(crate) fn patient() -> EngineConfig {
    EngineConfig {
        threads: 1,
        ..EngineConfig::default()
    }
}

fn impatient() -> EngineConfig {
    EngineConfig {
        threads: 1,
        budget: Duration::from_millis(2000),
        grace: Duration::from_millis(200),
        lost_threads: 100,
        ..EngineConfig::default()
    }
}

fn overran(doing: &str) -> Option<PrepareError> {
    let (plugin, doing) = ("rogue".to_owned(), doing.to_owned());
    Some(FeatureError::Overran { plugin, doing }.into())
}

#[test]
fn a_call_that_does_not_come_back_is_given_up_by_name() {
    let trial = Trial::new(impatient());
    trial.judges();
    let rows = [
        ("prepare", "preparing a map"),
        ("survey", "surveying a map"),
        ("observe", "observing lines"),
        ("object", "objecting to what was observed of lines"),
        ("judge", "judging lines"),
        ("observe_step", "observing steps"),
        ("judge_step", "judging steps"),
    ];
    for (lost, (at, doing)) in rows.into_iter().enumerate() {
        let ruleset = trial.rogue(at, "loop");
        assert_eq!(trial.ask(&ruleset).err(), overran(doing), "{at}");
        // It is out of use: no other thread is lost in it.
        let start = Instant::now();
        let again = trial.ask(&ruleset);
        let told = |error: alamein_engine::QuestionError| error.to_string();
        let again = match again {
            Err(error) => error.to_string(),
            Ok(rulings) => rulings.into_iter().find_map(Result::err).map(told).unwrap(),
        };
        assert_eq!(again, overran(doing).unwrap().to_string());
        assert!(
            start.elapsed() < Duration::from_millis(1000),
            "{at}: not at once"
        );
        let member = ruleset
            .members()
            .iter()
            .find(|it| it.manifest().id == "rogue");
        let failure = member.unwrap().feature.failure().unwrap();
        assert_eq!(failure, format!("it did not come back while {doing}"));
        trial.wait("another takes its place", |threads| threads.at_work == 1);
        let threads = trial.engine.threads().health();
        assert_eq!(threads.lost, [("rogue".to_owned(), lost + 1)].into());
        trial.judges();
    }
}

#[test]
fn a_clients_haste_puts_no_plugin_out_of_use() {
    // It takes its time, and is back before the grace is over.
    let config = EngineConfig {
        grace: Duration::from_secs(60),
        ..impatient()
    };
    let trial = Trial::new(config);
    let ruleset = trial.rogue("judge", "sleep");
    let hasty = trial.ask_within(&ruleset, Some(Duration::from_millis(1)));
    // Where nobody was free within that time, none of it was begun.
    assert!(hasty.is_err() || hasty.is_ok_and(|rulings| rulings.iter().all(Result::is_err)));
    assert_eq!(trial.engine.threads().health().lost_ever, 0);
    assert!(
        ruleset
            .members()
            .iter()
            .all(|it| it.feature.failure().is_none())
    );
}

#[test]
fn at_the_cap_nothing_is_judged_and_who_keeps_the_threads_is_named() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = Arc::clone(&told);
    let config = EngineConfig {
        lost_threads: 2,
        on_health: Some(Arc::new(move |threads: &Health| {
            let now = (threads.lost_now(), threads.fit());
            tell.lock().unwrap().push(now);
        })),
        ..impatient()
    };
    let trial = Trial::new(config);
    for _ in 0..2 {
        trial.judges();
        let ruleset = trial.rogue("judge", "loop");
        assert_eq!(trial.ask(&ruleset).err(), overran("judging lines"));
    }
    // It is told a moment after it is so.
    let all_told = |health: &Health| !health.fit() && told.lock().unwrap().len() == 2;
    trial.wait("it is told", all_told);
    let none = PrepareError::NoThreads {
        plugins: vec!["rogue".to_owned()],
    };
    assert_eq!(trial.ask(&trial.engine.ruleset()).err(), Some(none));
    assert_eq!(*told.lock().unwrap(), [(1, true), (2, false)]);
    assert_eq!(trial.engine.threads().health().at_work, 0);
}

#[test]
fn a_thread_that_comes_back_is_counted_and_works_again() {
    let config = EngineConfig {
        lost_threads: 1,
        ..impatient()
    };
    let trial = Trial::new(config);
    let file = trial._folder.path().join("come-back");
    let ruleset = trial.rogue("judge", file.to_str().unwrap());
    assert_eq!(trial.ask(&ruleset).err(), overran("judging lines"));
    trial.wait("it is lost", |threads| threads.lost_now() == 1);
    assert!(trial.ask(&trial.engine.ruleset()).is_err());
    std::fs::write(&file, "").unwrap();
    trial.wait("it is back", |threads| threads.came_back == 1);
    let expected = Health {
        at_work: 1,
        cap: 1,
        lost_ever: 1,
        came_back: 1,
        ..Health::default()
    };
    assert_eq!(trial.engine.threads().health(), expected);
    trial.judges();
    // Who did that once may do it again.
    let again = trial.ask(&ruleset).unwrap();
    assert!(again.iter().all(Result::is_err));
}

#[test]
fn what_waits_when_the_last_thread_is_lost_is_refused() {
    let config = EngineConfig {
        lost_threads: 1,
        ..impatient()
    };
    let trial = Trial::new(config);
    let (hangs, refused) = (trial.rogue("judge", "loop"), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let error = trial.ask(&hangs).unwrap_err();
                if matches!(error, PrepareError::NoThreads { .. }) {
                    refused.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(refused.load(Ordering::Relaxed), 7);
}

#[test]
fn a_flood_that_never_ends_is_given_up() {
    let flags = ["--budget=300", "--grace=300"].map(str::to_owned);
    let folder = Folder::of_all();
    fog::add(&folder, &["IGNORE_FULL=1"]);
    let expected = json!({
        "plugin": "fog-bank", "asked": "fog", "says": "while observing lines", "poisoned": true,
    });
    check(
        "failing_plugins.py",
        vec![Bad::with_flags("flood", folder, &flags, expected)],
    );
}

#[test]
fn who_works_until_its_time_is_up_is_named_and_keeps_no_thread() {
    let flags = ["--budget=300", "--grace=60000"].map(str::to_owned);
    let folder = Folder::of_all();
    fog::add(&folder, &["WAIT=1"]);
    let expected = json!({"plugin": "fog-bank"});
    check(
        "out_of_time.py",
        vec![Bad::with_flags("waiting", folder, &flags, expected)],
    );
}

#[test]
fn a_service_goes_on_without_the_threads_that_it_lost() {
    let impatient = [
        "--threads=2",
        "--budget=300",
        "--grace=300",
        "--max-lost-threads=2",
    ];
    let lost = |name, how: &str| {
        let flags = [
            "--set=rogue.at=judge".to_owned(),
            format!("--set=rogue.how={how}"),
        ];
        let flags = flags.into_iter().chain(impatient.map(str::to_owned));
        Bad::with_flags(
            name,
            Folder::with_the_rogue(),
            &flags.collect::<Vec<_>>(),
            json!({}),
        )
    };
    check("lost_threads.py", vec![lost("a loop", "loop")]);
}
