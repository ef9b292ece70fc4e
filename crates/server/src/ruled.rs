//! What is told of rulings: how many by which rules, and some of them in the log.

use std::hash::{BuildHasher as _, RandomState};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use alamein_terrain::{
    Ask, Digest, LosResult, LosVerdict, MovementVerdict, Question, Ruling, SetUpVerdict, Verdict,
};
use lru::LruCache;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use crate::fault::reason_name;
use crate::metrics::Bounded;

/// How many rulesets are told apart: with plugins that are replaced all day there is no end to them.
const MOST_RULESETS: usize = 200;
/// Of how many it is remembered how they are told.
const KNOWN: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");
/// How much of a fingerprint is told.
const SHORT: usize = 12;
/// What stands for the others.
const OTHER: &str = "other";

/// Counts rulings, and writes some of them into the log. Clones are the same.
#[derive(Clone, Debug)]
pub struct Ruled(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    given: Family<ByRules, Counter>,
    refused: Family<Refused, Counter>,
    rulesets: Bounded<ByRules>,
    /// What was counted of late, by what was asked for and by what it is judged.
    known: Mutex<LruCache<(String, Digest), Arc<Counted>>>,
    log: f64,
    chance: RandomState,
}

/// By which rules: the name or tag by which they were asked for, and the beginning of their fingerprint.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct ByRules {
    ruleset: String,
    fingerprint: String,
}

/// The rules of a request, and what counts the rulings by them.
#[derive(Debug)]
pub(crate) struct Counted {
    by: ByRules,
    given: Counter,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Refused {
    ruleset: String,
    fingerprint: String,
    reason: &'static str,
}

impl Default for Ruled {
    fn default() -> Self {
        Self::logging(0.0)
    }
}

impl Ruled {
    /// Writes this share of all rulings into the log: from 0, none, to 1, each.
    #[must_use]
    pub fn logging(share: f64) -> Self {
        Self(Arc::new(Counters {
            given: Family::default(),
            refused: Family::default(),
            rulesets: Bounded::new(MOST_RULESETS),
            known: Mutex::new(LruCache::new(KNOWN)),
            log: share,
            chance: RandomState::new(),
        }))
    }

    /// Puts the counters into a registry.
    pub fn register(&self, registry: &mut Registry) {
        registry.register(
            "rulings",
            "Questions that were ruled on, by ruleset and the beginning of its fingerprint",
            self.0.given.clone(),
        );
        registry.register(
            "rulings_refused",
            "Questions that were not ruled on, by ruleset, the beginning of its fingerprint and reason",
            self.0.refused.clone(),
        );
    }

    /// The rules of a request. A fingerprint by which they were asked for is no name.
    pub(crate) fn rules(&self, asked: &str, fingerprint: Digest) -> Arc<Counted> {
        let known = || self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (asked.to_owned(), fingerprint);
        if let Some(counted) = known().get(&key) {
            return Arc::clone(counted);
        }
        let by = self.labels(asked, fingerprint);
        let given = self.0.given.get_or_create_owned(&by);
        let counted = Arc::new(Counted { by, given });
        known().put(key, Arc::clone(&counted));
        counted
    }

    fn labels(&self, asked: &str, fingerprint: Digest) -> ByRules {
        let whole = fingerprint.to_string();
        let ruleset = match asked {
            "" => crate::rules::DEFAULT,
            asked if whole.starts_with(asked) => "",
            asked => asked,
        };
        let rules = ByRules {
            ruleset: ruleset.to_owned(),
            fingerprint: whole.get(..SHORT).unwrap_or(&whole).to_owned(),
        };
        self.0.rulesets.one_of(rules, || ByRules {
            ruleset: OTHER.to_owned(),
            fingerprint: OTHER.to_owned(),
        })
    }

    /// Counts rulings.
    pub(crate) fn given(&self, rules: &Counted, count: u64) {
        rules.given.inc_by(count);
    }

    /// Counts questions that were not ruled on.
    pub(crate) fn refused(&self, rules: &Counted, reason: ErrorReason, count: u64) {
        let ByRules {
            ruleset,
            fingerprint,
        } = rules.by.clone();
        let refused = Refused {
            ruleset,
            fingerprint,
            reason: reason_name(reason),
        };
        self.0.refused.get_or_create(&refused).inc_by(count);
    }

    /// Writes a ruling into the log, if it is its turn. No counter is named, nor is what was observed: what
    /// a side may not know of another is not in the log.
    pub(crate) fn log(&self, told: &Told, time: Duration) {
        if !self.is_logged(told) {
            return;
        }
        tracing::info!(
            target: "alamein_server::rulings",
            kind = told.kind,
            position = %told.position,
            ruling = %told.ruling,
            rules = %told.rules,
            verdict = told.verdict,
            ms = time.as_secs_f64() * 1e3,
            "ruled"
        );
    }

    /// Whether a ruling is among those for the log: by its id and the process, so that of one question which
    /// is asked again and again either all or none is written.
    pub(crate) fn is_logged(&self, told: &Told) -> bool {
        let share = self.0.log;
        if share <= 0.0 || share >= 1.0 {
            return share >= 1.0;
        }
        let chance = self.0.chance.hash_one(told.ruling) as u32;
        f64::from(chance) < share * f64::from(u32::MAX)
    }
}

/// What the log tells of a ruling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    kind: &'static str,
    position: Digest,
    pub(crate) ruling: Digest,
    pub(crate) rules: Digest,
    verdict: &'static str,
}

impl Told {
    pub(crate) fn of(question: &Question, ruling: &Ruling) -> Self {
        Self {
            kind: kind(&question.ask),
            position: ruling.position,
            ruling: ruling.id,
            rules: ruling.rules,
            verdict: verdict(&ruling.verdict),
        }
    }
}

/// What is asked, in a word.
fn kind(ask: &Ask) -> &'static str {
    match ask {
        Ask::LineOfSight { .. } => "line_of_sight",
        Ask::LineOfFire { .. } => "line_of_fire",
        Ask::FireLane { .. } => "fire_lane",
        Ask::Movement { .. } => "movement",
        Ask::SetUp(_) => "set_up",
    }
}

/// A verdict, in a word.
fn verdict(verdict: &Verdict) -> &'static str {
    let los = |los: &LosVerdict| match los.result {
        LosResult::Clear => "clear",
        LosResult::Hindered => "hindered",
        LosResult::Blocked => "blocked",
    };
    match verdict {
        Verdict::LineOfSight(it) | Verdict::LineOfFire(it, _) => los(it),
        Verdict::FireLane(_, lane) if lane.attacked => "attacked",
        Verdict::FireLane(..) => "not_attacked",
        Verdict::Movement(MovementVerdict { prohibited_by, .. })
        | Verdict::SetUp(SetUpVerdict { prohibited_by, .. })
            if !prohibited_by.is_empty() =>
        {
            "prohibited"
        }
        Verdict::Movement(step) if step.total.is_none() => "unknown",
        Verdict::SetUp(setup) if setup.allowed.is_none() => "unknown",
        Verdict::Movement(_) | Verdict::SetUp(_) => "allowed",
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text;

    use super::*;

    #[test]
    fn rulesets_are_told_apart_up_to_a_number() {
        let ruled = Ruled::default();
        let fingerprint = Digest::of(b"rules");
        for at in 0..1000 {
            ruled.given(&ruled.rules(&format!("club-{at}"), fingerprint), 1);
        }
        let short = fingerprint.to_string()[..8].to_owned();
        let by_print = ruled.rules(&short, Digest::of(b"rules"));
        assert_eq!(by_print.by.ruleset, OTHER);
        ruled.refused(&ruled.rules("", fingerprint), ErrorReason::UnknownHex, 3);
        let (mut registry, mut told) = (Registry::default(), String::new());
        ruled.register(&mut registry);
        text::encode(&mut told, &registry).unwrap();
        let rulesets = told.matches("rulings_total{").count();
        assert_eq!(rulesets, MOST_RULESETS + 1);
        let others = r#"rulings_total{ruleset="other",fingerprint="other"} 800"#;
        assert!(told.lines().any(|line| line == others), "{told}");
        assert!(told.contains(r#"reason="UNKNOWN_HEX"} 3"#), "{told}");
    }

    #[test]
    fn a_fingerprint_is_no_name() {
        let ruled = Ruled::default();
        let fingerprint = Digest::of(b"rules");
        let whole = fingerprint.to_string();
        let asked = |asked: &str| ruled.rules(asked, fingerprint).by.ruleset.clone();
        assert_eq!(asked(""), "default");
        assert_eq!(asked("club"), "club");
        assert_eq!(asked(&whole), "");
        assert_eq!(asked(&whole[..8]), "");
        assert_eq!(ruled.rules("", fingerprint).by.fingerprint, whole[..SHORT]);
    }
}
