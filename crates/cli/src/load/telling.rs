//! What came of calls at one rate, in numbers and words.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::drive::Outcome;

/// What stands over the rows.
pub(super) const HEADER: &str =
    " calls/s   answered   turned away   late   failed       p50       p99       max    memory";

/// What came of calls at one rate.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Calls in a second.
    pub(super) rate: f64,
    pub(super) time: Duration,
    pub(super) good: u64,
    pub(super) shed: u64,
    late: u64,
    failed: BTreeMap<String, u64>,
    /// How long the answered ones took from when they were due, in order.
    took: Vec<Duration>,
    /// The most memory that the service had, in bytes.
    pub(super) memory: Option<u64>,
}

impl Run {
    pub(super) fn new(rate: f64, time: Duration) -> Self {
        Self {
            rate,
            time,
            good: 0,
            shed: 0,
            late: 0,
            failed: BTreeMap::new(),
            took: Vec::new(),
            memory: None,
        }
    }

    pub(super) fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Good(took) => {
                self.good += 1;
                self.took.push(took);
            }
            Outcome::Shed => self.shed += 1,
            Outcome::Late => self.late += 1,
            Outcome::Failed(why) => *self.failed.entry(why).or_default() += 1,
        }
    }

    /// Puts in order what was counted.
    pub(super) fn ended(mut self) -> Self {
        self.took.sort_unstable();
        self
    }

    fn failed(&self) -> u64 {
        self.failed.values().sum()
    }

    fn all(&self) -> u64 {
        self.good + self.shed + self.late + self.failed()
    }

    /// Which part of all calls so many are.
    pub(super) fn share(&self, of: u64) -> f64 {
        of as f64 / self.all().max(1) as f64
    }

    /// How many calls were answered in a second.
    fn goodput(&self) -> f64 {
        self.good as f64 / self.time.as_secs_f64()
    }

    /// Within which time this part of the answered calls was answered.
    pub(super) fn percentile(&self, part: f64) -> Duration {
        let last = self.took.len().saturating_sub(1);
        let at = (part * self.took.len() as f64).ceil() as usize;
        let found = self.took.get(at.saturating_sub(1).min(last));
        found.copied().unwrap_or_default()
    }

    pub(super) fn row(&self) -> String {
        let percent = |of| format!("{:.1}%", 100.0 * self.share(of));
        let time = |part| millis(self.percentile(part));
        let memory = self.memory.map(mebibytes).unwrap_or_default();
        let mut row = format!(
            "{:>8.0} {:>10} {:>13} {:>6} {:>8} {:>9} {:>9} {:>9} {:>9}",
            self.rate,
            percent(self.good),
            percent(self.shed),
            percent(self.late),
            percent(self.failed()),
            time(0.5),
            time(0.99),
            time(1.0),
            memory
        );
        for (why, times) in self.failed.iter().take(3) {
            row.push_str(&format!("\n         failed {times} times: {why}"));
        }
        row
    }

    pub(super) fn json(&self) -> Value {
        let time = |part| self.percentile(part).as_secs_f64() * 1e3;
        json!({
            "rate": self.rate,
            "seconds": self.time.as_secs_f64(),
            "answered": self.good,
            "turned_away": self.shed,
            "late": self.late,
            "failed": self.failed(),
            "failures": self.failed,
            "p50_ms": time(0.5),
            "p99_ms": time(0.99),
            "max_ms": time(1.0),
            "memory_bytes": self.memory,
        })
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20))
}

/// The highest rate that was borne, whether that is the knee (a higher one overloaded the service), and what
/// happened at twice that rate.
pub(super) fn conclusion(borne: &Run, overloaded: bool, beyond: &Run) -> String {
    let times = |part: f64, whole: f64| format!("{:.2}", part / whole.max(f64::MIN_POSITIVE));
    let late = |run: &Run| run.percentile(0.99).as_secs_f64();
    let rate = borne.rate;
    let found = match overloaded {
        true => format!("The knee is at {rate:.0} calls a second. "),
        false => format!(
            "{rate:.0} calls a second, the last rate, are still borne: the knee lies higher. Look for it with \
             --rate {rate:.0}..{:.0}.\n",
            4.0 * rate
        ),
    };
    let mut text = format!(
        "\n{found}At twice that, {} times as many are answered as there, \
         {:.0}% are turned\naway with a time to come back, and 99 of 100 that are answered are so within \
         {} ({} times as long).",
        times(beyond.goodput(), borne.goodput()),
        100.0 * beyond.share(beyond.shed),
        millis(beyond.percentile(0.99)),
        times(late(beyond), late(borne)),
    );
    if let (Some(before), Some(after)) = (borne.memory, beyond.memory) {
        text.push_str(&format!(
            "\nThe service had {} at that rate, and {} at twice as many calls.",
            mebibytes(before),
            mebibytes(after)
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_answered_calls() {
        let mut run = Run::new(100.0, Duration::from_secs(1));
        assert_eq!(run.percentile(0.99), Duration::ZERO);
        for ms in (1..=100).rev() {
            run.count(Outcome::Good(Duration::from_millis(ms)));
        }
        for _ in 0..100 {
            run.count(Outcome::Shed);
        }
        let run = run.ended();
        let at = |part| run.percentile(part).as_millis();
        assert_eq!((at(0.5), at(0.99), at(1.0), at(0.0)), (50, 99, 100, 1));
        assert_eq!(run.share(run.good), 0.5);
    }
}
