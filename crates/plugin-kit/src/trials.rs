//! What is tried in a child process. Each part runs in a process of its own, so that one which the
//! plugin ends takes nothing else with it.

use std::path::Path;
use std::sync::Barrier;
use std::time::Duration;

use alamein_plugin_host::trial::{Conditions, Trial, TrialInstance, TrialMap, thread_count};
use alamein_plugin_host::{NativePlugin, PluginError, Vocabulary};
use alamein_terrain::FeatureError;
use serde_json::{Map, Value};

use crate::check::Check;
use crate::exam::{Examiner, FOREIGN_KINDS, Heard, PLUGIN, Scene, Style, Trouble};
use crate::maps;
use crate::notes::{Note, Notes};
use crate::options::{Set, sets};
use crate::questions::Questions;
use crate::{heap, part::Part};

/// How many lines and steps are asked about on a map.
const QUESTIONS: usize = 60;
/// How many where the time is looked at.
const MANY: usize = 1500;

/// A plugin to try, with everything that it is to be tried with.
pub(crate) struct Tests<'a> {
    pub(crate) notes: &'a Notes,
    pub(crate) plugin: NativePlugin,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) sets: Vec<Set>,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) folder: &'a Path,
}

/// Does one part of the trials on a plugin's folder, with these options instead of its defaults.
pub(crate) fn run(part: Part, folder: &Path, options: &Map<String, Value>, notes: &Notes) {
    let before = thread_count();
    let Some(tests) = Tests::open(folder, options, notes) else {
        return notes.write(&Note::Done);
    };
    match part {
        Part::Load => tests.load_again(),
        Part::Calls => tests.calls(),
        Part::Same => tests.same(),
        Part::Sink => tests.sink(),
        Part::Budget => tests.budget(),
        Part::Memory => heap::run(&tests),
        Part::Guarded => tests.guarded(),
        Part::Sight => tests.sight(),
        Part::Threads => tests.threads(before),
    }
    notes.write(&Note::Done);
}

/// Which check a plugin fails that is not loaded for this reason.
pub(crate) fn check_of(error: &PluginError) -> Check {
    match error {
        PluginError::FolderUnreadable { .. }
        | PluginError::ManifestUnreadable { .. }
        | PluginError::UnsafePath { .. }
        | PluginError::LibraryUnreadable { .. }
        | PluginError::DigestMismatch { .. }
        | PluginError::WrongTarget { .. } => Check::Files,
        PluginError::ManifestInvalid { .. } => Check::Manifest,
        PluginError::NoDescriptor { .. }
        | PluginError::NotAPlugin { .. }
        | PluginError::PanicAbort { .. }
        | PluginError::BadDescriptor { .. } => Check::Descriptor,
        PluginError::WrongAbi { .. } => Check::Abi,
        PluginError::Mismatch { .. } => Check::SameManifest,
        _ => Check::Loads,
    }
}

impl<'a> Tests<'a> {
    fn open(folder: &'a Path, options: &Map<String, Value>, notes: &'a Notes) -> Option<Self> {
        notes.doing("opening its library");
        let plugin = match NativePlugin::load(folder) {
            Ok(plugin) => plugin,
            Err(error) => {
                notes.fault(check_of(&error), error.to_string());
                return None;
            }
        };
        let manifest = plugin.manifest();
        let scene = |shown: maps::Shown| Scene {
            questions: Questions::new(manifest, &shown, QUESTIONS),
            shown,
        };
        Some(Self {
            notes,
            vocabulary: Vocabulary::of([&plugin]).with(FOREIGN_KINDS),
            sets: sets(manifest, options),
            scenes: maps::all(manifest).into_iter().map(scene).collect(),
            plugin,
            folder,
        })
    }

    pub(crate) fn examiner(&'a self, set: &'a Set, under: Conditions) -> Examiner<'a> {
        Examiner {
            vocabulary: &self.vocabulary,
            notes: self.notes,
            under,
            rules: self.plugin.rules(),
            strangers: false,
            set: &set.name,
        }
    }

    /// An instance with a set of options.
    pub(crate) fn create(
        &self,
        trial: &Trial,
        set: &Set,
        under: Conditions,
    ) -> Result<TrialInstance, Trouble> {
        let doing = format!("creating an instance with {}", set.name);
        self.notes.doing(&doing);
        let tried = trial.create(&set.options, &self.vocabulary, PLUGIN, under);
        self.examiner(set, under).result(doing, tried)
    }

    /// Notes what ended an examination.
    pub(crate) fn note(&self, trouble: &Trouble) {
        let check = match trouble {
            Trouble::Slow { .. } => Check::Budget,
            Trouble::Clash { .. } => Check::Sayings,
            Trouble::Call { error, .. } => match error {
                FeatureError::Panicked { .. } | FeatureError::Poisoned { .. } => Check::Panics,
                FeatureError::Rubbish { .. } | FeatureError::OutOfTime { .. } => Check::Sayings,
                FeatureError::Failed { .. } => Check::Answers,
                FeatureError::Overran { .. } => Check::Budget,
            },
        };
        self.notes.fault(check, trouble.to_string());
    }

    /// A second load gives code of its own.
    fn load_again(&self) {
        self.notes.doing("opening its library a second time");
        if let Err(error) = NativePlugin::load(self.folder) {
            self.notes.fault(check_of(&error), error.to_string());
        }
    }

    /// Makes every call on every map, with every set of options.
    fn calls(&self) {
        let trial = Trial::of(&self.plugin);
        let mut accepted = false;
        for (at, set) in self.sets.iter().enumerate() {
            let instance = match self.create(&trial, set, Conditions::default()) {
                Ok(instance) => instance,
                Err(Trouble::Call {
                    error: FeatureError::Failed { message, .. },
                    ..
                }) => {
                    self.refused(at, set, &message);
                    continue;
                }
                Err(trouble) => {
                    self.note(&trouble);
                    continue;
                }
            };
            let mut heard = Vec::new();
            let mut is_sound = true;
            for scene in &self.scenes {
                match self.once(&instance, set, scene) {
                    Ok(one) => {
                        accepted |= !one.is_refused && scene.shown.filling != maps::Filling::None;
                        heard.push(one);
                    }
                    Err(trouble) => {
                        is_sound = false;
                        self.note(&trouble);
                        break;
                    }
                }
            }
            if at == 0 {
                self.notes.write(&Note::Same(format!("{heard:?}")));
            }
            if is_sound {
                let doing = format!("destroying the instance with {}", set.name);
                self.notes.doing(&doing);
                let ended = self.examiner(set, Conditions::default());
                if let Err(trouble) = ended.result(doing, instance.destroy()) {
                    self.note(&trouble);
                }
            }
        }
        if !accepted && !self.plugin.manifest().layers.is_empty() {
            let what = "it refused every map on which its own layers were, so that its rules were \
                        tried on others only; its case files are the better test";
            self.notes.remark(Check::Answers, what);
        }
    }

    /// It does not like a set of options.
    fn refused(&self, at: usize, set: &Set, why: &str) {
        if at == 0 {
            let what = format!("it refuses {}: {why}", set.name);
            self.notes.fault(Check::Options, what);
        } else {
            let what = format!("it refuses what its schema allows, {}: {why}", set.name);
            self.notes.remark(Check::Options, what);
        }
    }

    /// Every call on one map.
    fn once(&self, to: &TrialInstance, set: &Set, scene: &Scene) -> Result<Heard, Trouble> {
        let examiner = self.examiner(set, Conditions::default());
        let map = examiner.show(to, scene)?;
        let heard = examiner.ask(&map, scene, Style::Together)?;
        examiner.release(map, scene)?;
        Ok(heard)
    }

    /// Shows every map to a new instance.
    pub(crate) fn shown(
        &self,
        trial: &Trial,
        set: &Set,
        under: Conditions,
    ) -> Result<(TrialInstance, Vec<TrialMap>), Trouble> {
        let instance = self.create(trial, set, under)?;
        let examiner = self.examiner(set, under);
        let maps: Result<Vec<_>, Trouble> = self
            .scenes
            .iter()
            .map(|scene| examiner.show(&instance, scene))
            .collect();
        Ok((instance, maps?))
    }

    /// What it says of everything.
    pub(crate) fn all(
        &self,
        maps: &[TrialMap],
        set: &Set,
        style: Style,
        under: Conditions,
    ) -> Result<Vec<Heard>, Trouble> {
        let examiner = self.examiner(set, under);
        let pairs = maps.iter().zip(&self.scenes);
        pairs
            .map(|(map, scene)| examiner.ask(map, scene, style))
            .collect()
    }

    /// Its sink is full at once, and after one push.
    fn sink(&self) {
        let mut was_full = false;
        let trial = Trial::of(&self.plugin);
        for pushes in [0, 1] {
            let under = Conditions {
                pushes: Some(pushes),
                ..Conditions::default()
            };
            match crate::full::run(self, &trial, under) {
                Ok(full) => was_full |= full,
                Err(trouble) => self.notes.fault(Check::Sink, trouble.to_string()),
            }
        }
        if !was_full {
            let why = "it said nothing of what it was asked, so that no sink was full";
            self.notes
                .write(&Note::NotApplicable(Check::Sink, why.into()));
        }
    }

    /// Many questions, with time for them and without.
    fn budget(&self) {
        self.notes.doing("preparing questions");
        let manifest = self.plugin.manifest();
        let mut longest = Duration::ZERO;
        for shown in maps::all(manifest) {
            if shown.filling == maps::Filling::Wild {
                continue;
            }
            let scene = Scene {
                questions: Questions::new(manifest, &shown, MANY),
                shown,
            };
            match crate::full::in_time(self, &scene) {
                Ok(took) => longest = longest.max(took),
                Err(trouble) => return self.notes.fault(Check::Budget, trouble.to_string()),
            }
        }
        let what = format!(
            "the longest call, about {MANY} lines or steps, took {} ms",
            longest.as_millis()
        );
        self.notes.remark(Check::Budget, what);
    }

    /// What is lent cannot be read after the call.
    fn guarded(&self) {
        let plain = Conditions::default();
        let guarded = Conditions {
            guarded: true,
            ..plain
        };
        let trial = Trial::of(&self.plugin);
        let Some(set) = self.sets.first() else { return };
        let tried = || -> Result<(), Trouble> {
            let (_one, maps) = self.shown(&trial, set, plain)?;
            let usual = self.all(&maps, set, Style::Together, plain)?;
            let (_other, maps) = self.shown(&trial, set, guarded)?;
            for _ in 0..2 {
                let said = self.all(&maps, set, Style::Together, guarded)?;
                let when = "When what it is lent is taken back after each call,";
                self.compare(Check::StalePointers, when, &usual, &said);
            }
            Ok(())
        };
        if let Err(trouble) = tried() {
            self.notes.fault(Check::StalePointers, trouble.to_string());
        }
    }

    /// Several threads ask at once, and end.
    fn threads(&self, before: Option<usize>) {
        const THREADS: usize = 4;
        let plain = Conditions::default();
        let trial = Trial::of(&self.plugin);
        let Some(set) = self.sets.first() else { return };
        let tried = || -> Result<(), Trouble> {
            let (instance, maps) = self.shown(&trial, set, plain)?;
            let usual = self.all(&maps, set, Style::Together, plain)?;
            // All have asked before any of them ends, so that it is known which of the two went wrong.
            let (asked, noted) = (Barrier::new(THREADS + 1), Barrier::new(THREADS + 1));
            let ask = || {
                let said = self.all(&maps, set, Style::Together, plain);
                asked.wait();
                noted.wait();
                said
            };
            let all: Vec<Result<Vec<Heard>, Trouble>> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(ask)).collect();
                asked.wait();
                self.notes.doing(ENDING);
                noted.wait();
                threads
                    .into_iter()
                    .filter_map(|it| it.join().ok())
                    .collect()
            });
            for said in all {
                self.compare(
                    Check::Threads,
                    "Asked by several threads at once,",
                    &usual,
                    &said?,
                );
            }
            drop((maps, instance));
            Ok(())
        };
        if let Err(trouble) = tried() {
            self.notes.fault(Check::Threads, trouble.to_string());
        }
        self.left_behind(&trial, before);
    }

    /// What goes on when nobody asks.
    fn left_behind(&self, trial: &Trial, before: Option<usize>) {
        self.notes.doing("waiting for what it may have left behind");
        let mut after = thread_count();
        for _ in 0..10 {
            if after <= before {
                break;
            }
            std::thread::sleep(Duration::from_millis(30));
            after = thread_count();
        }
        if let (Some(before), Some(after)) = (before, after)
            && after > before
        {
            let what = format!(
                "{} threads that it started are still running after its instance is gone; a plugin \
                 starts no threads: the host asks it from several, as it needs",
                after - before
            );
            self.notes.fault(Check::LeftBehind, what);
        }
        if trial.stray_calls() > 0 {
            let what = format!(
                "it called the host (its log, or the look at the clock) {} times from outside of a \
                 call, or from a thread that the host does not know",
                trial.stray_calls()
            );
            self.notes.fault(Check::LeftBehind, what);
        }
    }
}

/// What is being done while threads that asked come to their end.
pub(crate) const ENDING: &str = "threads that had asked it came to their end";
