//! Calls over loopback: one question each, batches, and the same against a service that only echoes.

use std::time::Duration;

use alamein_cases::Known;
use alamein_client::{Client, Subject, View, v1};
use alamein_figures::clock::Took;
use alamein_figures::here::again_and_again;
use alamein_figures::scenes::{self, Scene};
use alamein_figures::{Figure, Report, Unit};
use alamein_hex::Grid;
use alamein_proto::encode;
use alamein_terrain::Question;
use anyhow::{Context, Result};
use bytes::Bytes;
use prost::Message as _;

use super::raw::{Goes, Method};
use super::spawned::Spawned;
use super::{echo, say};
use crate::args::Bench;
use crate::threads::threads;

pub(super) const UNARY: &str = "/alamein.v1.AdjudicationService/LineOfFire";
const BATCH: &str = "/alamein.v1.AdjudicationService/BatchAdjudicate";

const STREAM: &str = "/alamein.v1.AdjudicationService/Adjudicate";
/// How many questions are under way in a stream.
const WINDOW: usize = 64;

/// How many questions a batch has.
pub(super) const QUESTIONS: usize = if cfg!(debug_assertions) { 100 } else { 1000 };
/// How often the service and the echo take turns.
const GOES: u32 = 5;

/// How many calls are under way at once, over how many connections.
const LOADS: [(usize, usize); 2] = [(1, 1), (32, 4)];

/// Whether what is asked again and again is answered as it was before, or judged each time: what the rate
/// is called in figures, and within which times calls were answered.
const AGAIN: [&str; 3] = ["unary", "p50", "p99"];
const JUDGED: [&str; 3] = ["judged", "judged p50", "judged p99"];

/// How much of a ruling is asked for, and what that is called in figures.
const VIEWS: [(View, &str); 2] = [(View::Verdict, "verdict"), (View::Full, "full")];

/// Measures calls to a service and to an echo, both started for this.
pub(super) fn measure(command: &Bench, known: &Known, report: &mut Report) -> Result<()> {
    let scene = scenes::example(known)?;
    let (service, echo) = (Spawned::service(command, "memory")?, Spawned::echo()?);
    let judging = Spawned::judging(command)?;
    let time = command.time();
    threads(None)?.block_on(async {
        let (client, _) = service.ready().await?;
        let subject = kept(&client, &scene).await?;
        let (client, _) = judging.ready().await?;
        kept(&client, &scene).await?;
        for (view, name) in VIEWS {
            say(&format!("calls, {name}"));
            let asked = lines_of_fire(&scene, &subject, view);
            let pair = Pair::new(&service, &echo, UNARY, asked.clone()).await?;
            let judged = Pair::new(&judging, &echo, UNARY, asked).await?;
            report.figures.push(pair.bytes(&format!("unary/{name}")));
            for load in LOADS {
                let what = format!("{name}/{}", load.0);
                pair.unary(AGAIN, &what, load, time, report).await?;
                judged.unary(JUDGED, &what, load, time, report).await?;
            }
            say(&format!("batches, {name}"));
            let asked = vec![batch(&scene, &subject, view, QUESTIONS)];
            let pair = Pair::new(&service, &echo, BATCH, asked).await?;
            report.figures.push(pair.bytes(&format!("batch/{name}")));
            pair.batches(name, time, report).await?;
            say(&format!("streams, {name}"));
            let asked = streamed(&scene, &subject, view);
            streams(&service, &echo, asked, pair.answered / QUESTIONS)
                .await?
                .tell(name, time, report)
                .await?;
        }
        Ok(())
    })
}

/// The position of a scene, kept by the service.
pub(super) async fn kept(client: &Client, scene: &Scene) -> Result<v1::Subject> {
    let kept = client.create_position(&scene.position).await;
    let kept = kept.context("the service does not keep the position")?;
    Ok(Subject::from(kept).message())
}

/// Requests for each line of fire of a scene.
pub(super) fn lines_of_fire(scene: &Scene, subject: &v1::Subject, view: View) -> Vec<Bytes> {
    let grid = scene.position.map().grid;
    let request = |shot: &Question| {
        let asked = encode::question(shot, &grid);
        let Some(v1::question::Question::LineOfFire(question)) = asked.question else {
            return None;
        };
        let request = v1::LineOfFireRequest {
            subject: Some(subject.clone()),
            question: Some(question),
            options: asked.options,
            view: view.into(),
            ..v1::LineOfFireRequest::default()
        };
        Some(request.encode_to_vec().into())
    };
    scene.shots.iter().filter_map(request).collect()
}

/// A request for so many lines of fire of a scene at once.
fn batch(scene: &Scene, subject: &v1::Subject, view: View, count: usize) -> Bytes {
    let grid = scene.position.map().grid;
    let asked = |grid: &Grid, shots: &[Question]| {
        let all = again_and_again(shots, count);
        all.iter()
            .map(|shot| encode::question(shot, grid))
            .collect()
    };
    let request = v1::BatchAdjudicateRequest {
        subject: Some(subject.clone()),
        questions: asked(&grid, &scene.shots),
        view: view.into(),
        ..v1::BatchAdjudicateRequest::default()
    };
    request.encode_to_vec().into()
}

/// Messages of a stream: the first says about what the questions are, and each of the others has one.
fn streamed(scene: &Scene, subject: &v1::Subject, view: View) -> Vec<Bytes> {
    let grid = scene.position.map().grid;
    let context = v1::AdjudicationContext {
        subject: Some(subject.clone()),
        view: view.into(),
        ..v1::AdjudicationContext::default()
    };
    let message = |(at, shot): (usize, &Question)| {
        let request = v1::AdjudicateRequest {
            context: (at == 0).then(|| context.clone()),
            questions: vec![encode::question(shot, &grid)],
            ..v1::AdjudicateRequest::default()
        };
        request.encode_to_vec().into()
    };
    scene.shots.iter().enumerate().map(message).collect()
}

/// A stream of questions to the service, and one of messages of the same sizes to the echo.
struct Streams {
    service: Method,
    echo: Method,
}

async fn streams(
    service: &Spawned,
    echo: &Spawned,
    requests: Vec<Bytes>,
    answered: usize,
) -> Result<Streams> {
    let sizes = requests.iter().map(|request| echo::message(request.len()));
    let echoed = sizes.collect();
    Ok(Streams {
        service: Method::new(&service.address, 1, STREAM, requests).await?,
        echo: Method::new(&echo.address, 1, &echo::stream(answered), echoed).await?,
    })
}

impl Streams {
    async fn tell(&self, view: &str, time: Duration, report: &mut Report) -> Result<()> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..GOES {
            let go = time / GOES;
            ours.push(1.0 / self.service.keep_streaming(WINDOW, go).await?);
            theirs.push(1.0 / self.echo.keep_streaming(WINDOW, go).await?);
        }
        let name = |who: &str| format!("{who}/stream/{view}");
        for (who, rounds) in [("calls", ours), ("echo", theirs)] {
            let rate = Figure::rate(name(who), Unit::RulingsPerSecond, Took::of(rounds));
            report.figures.push(rate);
        }
        let ratio = format!("calls to echo: stream/{view}");
        report.set_against(&ratio, &name("calls"), &name("echo"));
        Ok(())
    }
}

/// A method of the service, and calls of the same sizes to the echo.
struct Pair {
    service: (String, String, Vec<Bytes>),
    echo: (String, String, Vec<Bytes>),
    /// How many bytes an answer has, in the mean.
    answered: usize,
}

impl Pair {
    async fn new(
        service: &Spawned,
        echo: &Spawned,
        path: &str,
        requests: Vec<Bytes>,
    ) -> Result<Self> {
        let method = Method::new(&service.address, 1, path, requests.clone()).await?;
        let mut bytes = 0;
        for number in 0..requests.len() {
            let answer = method.call(number).await;
            bytes += answer.context("the service does not answer")?.len();
        }
        let answered = bytes / requests.len();
        let sizes = requests.iter().map(|request| echo::message(request.len()));
        let echoed = sizes.collect();
        Ok(Self {
            answered,
            service: (service.address.clone(), path.to_owned(), requests),
            echo: (echo.address.clone(), echo::unary(answered), echoed),
        })
    }

    fn bytes(&self, name: &str) -> Figure {
        let name = format!("calls/bytes/{name}");
        Figure::one(name, Unit::Bytes, self.answered as f64)
    }

    /// Asks the service and the echo by turns.
    async fn by_turns(
        &self,
        (at_once, connections): (usize, usize),
        time: Duration,
    ) -> Result<(Goes, Goes)> {
        let open = |(address, path, requests): &(String, String, Vec<Bytes>)| {
            let (address, path, requests) = (address.clone(), path.clone(), requests.clone());
            async move { Method::new(&address, connections, &path, requests).await }
        };
        let (service, echo) = (open(&self.service).await?, open(&self.echo).await?);
        let (mut ours, mut theirs) = (Goes::default(), Goes::default());
        let go = time / GOES;
        // Once for the caches.
        service.keep_asking(at_once, go / 4).await?;
        echo.keep_asking(at_once, go / 4).await?;
        for _ in 0..GOES {
            ours.add(service.keep_asking(at_once, go).await?);
            theirs.add(echo.keep_asking(at_once, go).await?);
        }
        Ok((ours, theirs))
    }

    async fn unary(
        &self,
        kinds: [&str; 3],
        what: &str,
        load: (usize, usize),
        time: Duration,
        report: &mut Report,
    ) -> Result<()> {
        let (ours, theirs) = self.by_turns(load, time).await?;
        for (who, goes) in [("calls", &ours), ("echo", &theirs)] {
            let [rate, half, most] = kinds;
            let rate = format!("{who}/{rate}/{what}");
            let rate = Figure::rate(rate, Unit::CallsPerSecond, goes.rate());
            let within = |part, name: &str| {
                let name = format!("{who}/{name}/{what}");
                Figure::one(name, Unit::Milliseconds, goes.within(part))
            };
            let more = [rate, within(0.5, half), within(0.99, most)];
            report.figures.extend(more);
        }
        for kind in kinds {
            let name = |who: &str| format!("{who}/{kind}/{what}");
            let ratio = format!("calls to echo: {kind}/{what}");
            report.set_against(&ratio, &name("calls"), &name("echo"));
        }
        Ok(())
    }

    async fn batches(&self, view: &str, time: Duration, report: &mut Report) -> Result<()> {
        // Some are on their way while others are judged, so that no core waits.
        let (ours, theirs) = self.by_turns((4, 4), time).await?;
        for (who, goes) in [("calls", &ours), ("echo", &theirs)] {
            let mut took = goes.rate();
            took.middle /= QUESTIONS as f64;
            took.best /= QUESTIONS as f64;
            let name = format!("{who}/batch/{view}");
            let rate = Figure::rate(name, Unit::RulingsPerSecond, took);
            report.figures.push(rate);
        }
        let ratio = format!("calls to echo: batch/{view}");
        let name = |who: &str| format!("{who}/batch/{view}");
        report.set_against(&ratio, &name("calls"), &name("echo"));
        Ok(())
    }
}
