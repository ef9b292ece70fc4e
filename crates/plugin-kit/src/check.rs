//! The checks, and what comes of them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Check {
    /// Its files are there, whole, safe, and of one build.
    Files,
    /// Its `plugin.json` has the form of one.
    Manifest,
    /// Its options' defaults fit their own schema, and it takes them.
    Options,
    /// Its library exports a descriptor that makes sense.
    Descriptor,
    /// It speaks an ABI that this host knows.
    Abi,
    /// The manifest in the library is the one beside it.
    SameManifest,
    /// It can be loaded, and loaded again.
    Loads,
    /// No call ends the process.
    Alive,
    /// No call panics.
    Panics,
    /// What it says makes sense.
    Sayings,
    /// It does not fail on what a map may hold.
    Answers,
    /// The same question has the same answer.
    Determinism,
    /// A question has the same answer alone and among others.
    Batches,
    /// It says nothing of what does not concern it.
    Mask,
    /// What it answers of LOS in short is what its rounds come to.
    Sight,
    /// It stops when its sink is full.
    Sink,
    /// It minds the time that a call may take.
    Budget,
    /// It gives back all memory.
    Memory,
    /// It does not read what it was lent after the call.
    StalePointers,
    /// It answers the same in several threads at once.
    Threads,
    /// It leaves nothing running behind.
    LeftBehind,
    /// Threads that called it end in peace.
    ThreadEnd,
}

impl Check {
    /// Every check, in the order in which they are made.
    pub const ALL: [Self; 22] = [
        Self::Files,
        Self::Manifest,
        Self::Options,
        Self::Descriptor,
        Self::Abi,
        Self::SameManifest,
        Self::Loads,
        Self::Alive,
        Self::Panics,
        Self::Sayings,
        Self::Answers,
        Self::Determinism,
        Self::Batches,
        Self::Mask,
        Self::Sight,
        Self::Sink,
        Self::Budget,
        Self::Memory,
        Self::StalePointers,
        Self::Threads,
        Self::LeftBehind,
        Self::ThreadEnd,
    ];

    /// Its name, and what it claims.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Files => (
                "files",
                "its files are there, whole, safe, and of one build",
            ),
            Self::Manifest => ("manifest", "plugin.json has the form of one"),
            Self::Options => (
                "options",
                "the defaults of its options fit, and it takes them",
            ),
            Self::Descriptor => ("descriptor", "its library says what it is, in order"),
            Self::Abi => ("abi", "it speaks an ABI that this host knows"),
            Self::SameManifest => (
                "same-manifest",
                "the manifest in its library is the one beside it",
            ),
            Self::Loads => ("loads", "it can be loaded, and loaded again"),
            Self::Alive => ("alive", "no call ends the process"),
            Self::Panics => ("panics", "no call panics"),
            Self::Sayings => ("sayings", "what it says makes sense"),
            Self::Answers => ("answers", "it does not fail on what a map may hold"),
            Self::Determinism => ("determinism", "the same question has the same answer"),
            Self::Batches => (
                "batches",
                "a question has the same answer alone and among others",
            ),
            Self::Mask => ("mask", "it says nothing of what does not concern it"),
            Self::Sight => (
                "sight",
                "what it answers of LOS in short is what its rounds come to",
            ),
            Self::Sink => ("sink", "it stops when its sink is full"),
            Self::Budget => ("budget", "it minds the time that a call may take"),
            Self::Memory => ("memory", "it gives back all memory"),
            Self::StalePointers => (
                "stale-pointers",
                "it does not read what it was lent after the call",
            ),
            Self::Threads => ("threads", "it answers the same in several threads at once"),
            Self::LeftBehind => ("left-behind", "it leaves nothing running behind"),
            Self::ThreadEnd => ("thread-end", "threads that called it end in peace"),
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What it claims, in a few words.
    #[must_use]
    pub const fn claim(self) -> &'static str {
        self.words().1
    }
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// It says nothing of this plugin, or could not be made.
    NotApplicable,
}

impl Verdict {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotApplicable => "not applicable",
        }
    }
}

/// A check with what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Which.
    pub check: Check,
    /// What came of it.
    pub verdict: Verdict,
    /// The faults, each with what to do; or why it says nothing; or what is worth knowing.
    pub messages: Vec<String>,
}

/// What came of all checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The plugin's id, if it has one that can be read.
    pub plugin: Option<String>,
    /// Every check, in the order of [`Check::ALL`].
    pub checks: Vec<Checked>,
}

impl Report {
    /// A report in which nothing has been checked yet: all pass but what is known to fail.
    pub(crate) fn new() -> Self {
        let checked = |check| Checked {
            check,
            verdict: Verdict::Pass,
            messages: Vec::new(),
        };
        Self {
            plugin: None,
            checks: Check::ALL.into_iter().map(checked).collect(),
        }
    }

    fn entry(&mut self, check: Check) -> Option<&mut Checked> {
        self.checks
            .iter_mut()
            .find(|checked| checked.check == check)
    }

    /// How many faults of one check are told.
    const FAULTS: usize = 5;

    pub(crate) fn fault(&mut self, check: Check, what: String) {
        if let Some(entry) = self.entry(check) {
            if entry.verdict != Verdict::Fail {
                entry.messages.clear();
            }
            entry.verdict = Verdict::Fail;
            if entry.messages.len() < Self::FAULTS && !entry.messages.contains(&what) {
                entry.messages.push(what);
            }
        }
    }

    pub(crate) fn remark(&mut self, check: Check, what: String) {
        if let Some(entry) = self.entry(check).filter(|it| it.verdict != Verdict::Fail) {
            entry.messages.push(what);
        }
    }

    pub(crate) fn not_applicable(&mut self, check: Check, why: &str) {
        if let Some(entry) = self.entry(check).filter(|it| it.verdict == Verdict::Pass) {
            entry.verdict = Verdict::NotApplicable;
            entry.messages = vec![why.to_owned()];
        }
    }

    /// Says of every check from this one on that it was not made.
    pub(crate) fn not_made_from(&mut self, first: Check, why: &str) {
        for check in Check::ALL.into_iter().filter(|check| *check >= first) {
            self.not_applicable(check, why);
        }
    }

    /// Whether a check has failed.
    #[must_use]
    pub fn has_failed(&self, check: Check) -> bool {
        let failed = |it: &&Checked| it.check == check && it.verdict == Verdict::Fail;
        self.checks.iter().any(|it| failed(&it))
    }

    /// How many checks ended so.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.checks
            .iter()
            .filter(|it| it.verdict == verdict)
            .count()
    }

    /// For programs to read.
    #[must_use]
    pub fn json(&self) -> Value {
        let checked = |it: &Checked| {
            json!({
                "name": it.check.name(), "claim": it.check.claim(),
                "verdict": it.verdict.name(), "messages": it.messages,
            })
        };
        json!({
            "plugin": self.plugin,
            "passed": self.count(Verdict::Pass),
            "failed": self.count(Verdict::Fail),
            "not_applicable": self.count(Verdict::NotApplicable),
            "checks": self.checks.iter().map(checked).collect::<Value>(),
        })
    }
}
