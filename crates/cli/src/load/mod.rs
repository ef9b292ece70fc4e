//! `alamein load`: how much a service bears, and what it does when it is asked for more.
//!
//! Calls are made when they are due, whether those before them are answered or not, as many users would
//! make them: a service that falls behind is not waited for. The time of a call counts from when it was
//! due.

mod drive;
mod telling;

use std::time::Duration;

use alamein_cases::Asked;
use alamein_client::{Client, Settings, Subject, View, v1};
use alamein_figures::memory::resident;
use alamein_proto::encode;
use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::args::{Load, Rates, Scenario};
use crate::output;
use crate::remote::Remote;
use crate::scenario;
use crate::threads::threads;
use drive::{Target, drive};
use telling::{HEADER, Run};

/// Which part of the calls must be answered for a rate to count as borne.
const GOOD: f64 = 0.99;
/// By how much each rate is greater than the one before, until one is not borne.
const GROWTH: f64 = 1.6;
/// How often the gap between what is borne and what is not is then halved.
const HALVINGS: usize = 3;
/// How long to wait between two rates, so that none pays for the one before.
const REST: Duration = Duration::from_millis(300);

pub(crate) fn run(command: &Load) -> Result<()> {
    if let Some(pid) = command.pid {
        // What cannot be looked at would be told as no memory at all.
        resident(pid).with_context(|| {
            format!("--pid {pid}: this machine has no such process, or does not tell its memory")
        })?;
    }
    let runtime = threads(None)?;
    let (position, questions) = case(command)?;
    let target = runtime.block_on(target(command, &position, &questions))?;
    let mut bench = Bench {
        command,
        runs: Vec::new(),
        ask: |rate| runtime.block_on(drive(&target, rate, command)),
    };
    bench.say(HEADER)?;
    let found = bench.all()?;
    bench.conclude(found)
}

/// The position and the questions to ask about it.
fn case(
    command: &Load,
) -> Result<(
    std::sync::Arc<alamein_terrain::Position>,
    Vec<alamein_terrain::Question>,
)> {
    let remote = Remote::connect(&command.server, "", &command.access.read()?)?;
    let scenario = Scenario {
        case: command.case.clone(),
        map: None,
        example: command.case.is_none(),
    };
    let case = scenario::read(&scenario, &remote.facts.known)?;
    let asked = case
        .questions
        .iter()
        .filter_map(|question| match &question.asked {
            Asked::Question(asked) => Some((**asked).clone()),
            Asked::Unanswered | Asked::Unreadable(_) => None,
        });
    let asked: Vec<_> = asked.collect();
    ensure!(!asked.is_empty(), "the case has no questions");
    Ok((case.position.clone(), asked))
}

/// Connects, and makes the request that is asked again and again.
async fn target(
    command: &Load,
    position: &alamein_terrain::Position,
    questions: &[alamein_terrain::Question],
) -> Result<Target> {
    let settings = Settings {
        tries: 1,
        ..Settings::default()
    };
    let url = match command.server.contains("://") {
        true => command.server.clone(),
        false => format!("http://{}", command.server),
    };
    let mut clients = Vec::new();
    let access = command.access.read()?;
    for _ in 0..command.connections.max(1) {
        clients.push(Client::connect_as(&url, settings, &access).await?);
    }
    let first = clients.first().context("no connection")?;
    let kept = first.create_position(position).await?;
    let grid = position.map().grid;
    let wanted = command.questions.max(1);
    let questions = questions.iter().cycle().take(wanted);
    let request = v1::BatchAdjudicateRequest {
        subject: Some(Subject::from(kept).message()),
        questions: questions
            .map(|asked| encode::question(asked, &grid))
            .collect(),
        view: View::Verdict.into(),
        ..v1::BatchAdjudicateRequest::default()
    };
    Ok(Target { clients, request })
}

/// What was measured so far.
struct Bench<'a, F> {
    command: &'a Load,
    runs: Vec<Run>,
    ask: F,
}

/// What was found.
struct Found {
    /// The highest rate that was borne, if one was.
    borne: Option<Run>,
    /// A higher one was not, so that this is the knee; else the rates that were asked for ended.
    overloaded: bool,
    /// What happened at twice that, or at the one rate that was asked for.
    beyond: Option<Run>,
}

impl<F: FnMut(f64) -> Run> Bench<'_, F> {
    fn say(&self, line: &str) -> Result<()> {
        if self.command.json {
            return Ok(());
        }
        output::line(line)
    }

    fn at(&mut self, rate: f64) -> Result<Run> {
        let run = (self.ask)(rate);
        self.say(&run.row())?;
        self.runs.push(run.clone());
        std::thread::sleep(REST);
        Ok(run)
    }

    fn borne(&self, run: &Run) -> bool {
        let bound = Duration::from_millis(self.command.bound);
        run.share(run.good) >= GOOD && run.percentile(0.99) <= bound
    }

    fn all(&mut self) -> Result<Found> {
        let (from, to) = match self.command.rate {
            Rates::One(rate) => {
                let beyond = Some(self.at(rate)?);
                return Ok(Found {
                    borne: None,
                    overloaded: false,
                    beyond,
                });
            }
            Rates::Between(from, to) => (from, to),
        };
        let (borne, overloaded) = self.highest(from, to)?;
        let beyond = match &borne {
            Some(borne) => Some(self.at(2.0 * borne.rate)?),
            None => None,
        };
        Ok(Found {
            borne,
            overloaded,
            beyond,
        })
    }

    /// The highest rate that is borne, if any is, and whether a higher one was tried that is not.
    fn highest(&mut self, from: f64, to: f64) -> Result<(Option<Run>, bool)> {
        let (mut best, mut rate) = (None::<Run>, from);
        let mut unborne = loop {
            let run = self.at(rate)?;
            if !self.borne(&run) {
                break rate;
            }
            best = Some(run);
            if rate >= to {
                return Ok((best, false));
            }
            rate = (rate * GROWTH).min(to);
        };
        for _ in 0..HALVINGS {
            let Some(least) = best.as_ref().map(|run| run.rate) else {
                break;
            };
            let run = self.at((least * unborne).sqrt().round())?;
            match self.borne(&run) {
                true => best = Some(run),
                false => unborne = run.rate,
            }
        }
        Ok((best, true))
    }

    fn conclude(&self, found: Found) -> Result<()> {
        let Found {
            borne,
            overloaded,
            beyond,
        } = found;
        if self.command.json {
            let told = json!({
                "runs": self.runs.iter().map(Run::json).collect::<Vec<_>>(),
                "borne": borne.as_ref().map(|run| run.rate),
                "knee": borne.as_ref().filter(|_| overloaded).map(|run| run.rate),
                "beyond": beyond.as_ref().map(Run::json),
            });
            return output::line(&format!("{told:#}"));
        }
        let (Some(borne), Some(beyond)) = (borne, beyond) else {
            if matches!(self.command.rate, Rates::Between(..)) {
                output::line("\nNot even the first rate is borne: begin with a lower one.")?;
            }
            return Ok(());
        };
        output::line(&telling::conclusion(&borne, overloaded, &beyond))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> Load {
        Load {
            server: String::new(),
            rate: Rates::Between(100.0, 10_000.0),
            seconds: 1.0,
            deadline: 1000,
            bound: 50,
            questions: 1,
            connections: 1,
            access: crate::args::AccessArgs::default(),
            case: None,
            pid: None,
            json: true,
        }
    }

    /// A service that bears so many calls in a second and turns away all others.
    fn service(bears: f64) -> impl FnMut(f64) -> Run {
        move |rate| {
            let mut run = Run::new(rate, Duration::from_secs(1));
            for at in 0..rate as u64 {
                run.count(match (at as f64) < bears {
                    true => drive::Outcome::Good(Duration::from_millis(5)),
                    false => drive::Outcome::Shed,
                });
            }
            run.ended()
        }
    }

    #[test]
    fn the_knee_is_found_between_what_is_borne_and_what_is_not() {
        let command = command();
        let mut bench = Bench {
            command: &command,
            runs: Vec::new(),
            ask: service(1000.0),
        };
        let found = bench.all().unwrap();
        let (knee, beyond) = (found.borne.unwrap(), found.beyond.unwrap());
        assert!(found.overloaded);
        assert!((900.0..=1010.0).contains(&knee.rate), "{}", knee.rate);
        assert_eq!(beyond.rate, 2.0 * knee.rate);
        assert!(beyond.shed > 0);
    }

    #[test]
    fn a_service_that_bears_nothing_has_no_knee() {
        let command = command();
        let mut bench = Bench {
            command: &command,
            runs: Vec::new(),
            ask: service(0.0),
        };
        let found = bench.all().unwrap();
        assert!(found.borne.is_none() && found.beyond.is_none());
    }

    #[test]
    fn where_the_rates_end_before_the_service_is_overloaded_there_is_no_knee() {
        let command = command();
        let mut bench = Bench {
            command: &command,
            runs: Vec::new(),
            ask: service(100_000.0),
        };
        let found = bench.all().unwrap();
        let (borne, beyond) = (found.borne.unwrap(), found.beyond.unwrap());
        assert_eq!((borne.rate, found.overloaded), (10_000.0, false));
        let told = telling::conclusion(&borne, found.overloaded, &beyond);
        assert!(
            told.contains(
                "10000 calls a second, the last rate, are still borne: the knee lies higher"
            ),
            "{told}"
        );
        assert!(told.contains("--rate 10000..40000"), "{told}");
        let knee = telling::conclusion(&borne, true, &beyond);
        assert!(knee.contains("The knee is at 10000 calls"), "{knee}");
    }
}
