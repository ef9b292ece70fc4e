//! How long work takes.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

/// How many rounds there are at least.
const ROUNDS: usize = 5;
/// How long a round takes at least, so that looking at the clock does not count.
const ROUND: Duration = Duration::from_millis(2);

/// How long one of something took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Took {
    /// In the middle of all rounds, in seconds.
    pub middle: f64,
    /// In the best round, in seconds.
    pub best: f64,
}

impl Took {
    /// Of rounds, each with how long one took in it.
    #[must_use]
    pub fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        let at = |index: usize| rounds.get(index).copied().unwrap_or(f64::NAN);
        Self {
            middle: at(rounds.len() / 2),
            best: at(0),
        }
    }

    /// How many there are in a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        1.0 / self.middle
    }

    /// How many there were in a second in the best round.
    #[must_use]
    pub fn best_rate(&self) -> f64 {
        1.0 / self.best
    }
}

/// Does work again and again for a while, after once for the caches. It does so many at a time; told is
/// how long one takes.
pub fn time<T>(budget: Duration, items: usize, mut work: impl FnMut() -> T) -> Took {
    let times = times_in_a_round(&mut work);
    let (start, mut rounds) = (Instant::now(), Vec::new());
    while rounds.len() < ROUNDS || start.elapsed() < budget {
        rounds.push(round(times, items, &mut work));
    }
    Took::of(rounds)
}

/// Two pieces of work that do the same number at a time, by turns, so that whatever else the machine
/// does hits both alike.
pub fn versus<A, B>(
    budget: Duration,
    items: usize,
    mut one: impl FnMut() -> A,
    mut other: impl FnMut() -> B,
) -> (Took, Took) {
    let times = (times_in_a_round(&mut one), times_in_a_round(&mut other));
    let (start, mut rounds) = (Instant::now(), (Vec::new(), Vec::new()));
    while rounds.0.len() < ROUNDS || start.elapsed() < budget {
        rounds.0.push(round(times.0, items, &mut one));
        rounds.1.push(round(times.1, items, &mut other));
    }
    (Took::of(rounds.0), Took::of(rounds.1))
}

fn times_in_a_round<T>(work: &mut impl FnMut() -> T) -> u32 {
    black_box(work());
    let start = Instant::now();
    black_box(work());
    let once = start.elapsed().as_secs_f64().max(1e-9);
    (ROUND.as_secs_f64() / once).ceil().clamp(1.0, 1e6) as u32
}

fn round<T>(times: u32, items: usize, work: &mut impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..times {
        black_box(work());
    }
    start.elapsed().as_secs_f64() / (f64::from(times) * items.max(1) as f64)
}

/// The same on several threads at once: `work` is done on each, so many at a time, for a while. Told is
/// how many were done in a second by all of them together.
///
/// # Panics
/// Where a thread does.
pub fn rate_on<T>(
    threads: usize,
    budget: Duration,
    items: usize,
    work: impl Fn() -> T + Sync,
) -> f64 {
    let (begun, work) = (Barrier::new(threads), &work);
    let one = || {
        black_box(work());
        begun.wait();
        let (start, mut done) = (Instant::now(), 0u64);
        while start.elapsed() < budget {
            black_box(work());
            done += items as u64;
        }
        done as f64 / start.elapsed().as_secs_f64()
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        let rates = running.into_iter().map(|thread| match thread.join() {
            Ok(rate) => rate,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        rates.sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_best_are_told() {
        let took = Took::of(vec![3.0, 1.0, 2.0]);
        assert_eq!((took.middle, took.best), (2.0, 1.0));
        assert_eq!((took.rate(), took.best_rate()), (0.5, 1.0));
    }

    #[test]
    fn work_is_done_at_least_in_some_rounds() {
        let mut done = 0;
        let took = time(Duration::ZERO, 10, || {
            done += 1;
            std::thread::sleep(Duration::from_millis(1));
        });
        assert!(done > ROUNDS);
        assert!(took.best >= 1e-4 && took.middle >= took.best, "{took:?}");
    }

    #[test]
    fn two_threads_do_what_each_does() {
        let sleep = || std::thread::sleep(Duration::from_millis(2));
        let rate = rate_on(2, Duration::from_millis(40), 1, sleep);
        assert!(rate > 0.0 && rate <= 1000.0, "{rate}");
    }
}
