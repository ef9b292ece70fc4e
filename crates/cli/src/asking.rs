//! The commands that ask one question.

use alamein_cases::{Asked, Export, Exported, Said, write};
use alamein_terrain::{Adjudicated, Ask, CounterClass, Mover, Question, Step};
use anyhow::{Context, Result, bail, ensure};

use crate::args::{AskFile, Asking, Fire, Lane, Los, Move, class};
use crate::bench::{Bench, Judge};
use crate::paint::Paint;
use crate::scenario::Stage;
use crate::{json, mapping, output, saying, scenario};

pub(crate) fn los(los: Los) -> Result<()> {
    let Los { from, to, asking } = los;
    Session::open(asking)?.rule("los", |case| {
        Ok(Ask::LineOfSight {
            from: scenario::end(case, "FROM", &from)?,
            to: scenario::end(case, "TO", &to)?,
        })
    })
}

pub(crate) fn fire(fire: Fire) -> Result<()> {
    let Fire {
        from,
        to,
        attack,
        munition,
        asking,
    } = fire;
    Session::open(asking)?.rule("fire", |case| {
        Ok(Ask::LineOfFire {
            from: scenario::end(case, "FROM", &from)?,
            to: scenario::end(case, "TO", &to)?,
            attack,
            munition,
        })
    })
}

pub(crate) fn lane(lane: Lane) -> Result<()> {
    let Lane {
        mg,
        counter_hex,
        mover_hex,
        mover,
        asking,
    } = lane;
    Session::open(asking)?.rule("lane", |case| {
        Ok(Ask::FireLane {
            mg: scenario::end(case, "MG", &mg)?,
            counter_hex: scenario::hex(case, "COUNTER_HEX", &counter_hex)?,
            mover_hex: scenario::hex(case, "MOVER_HEX", &mover_hex)?,
            mover,
        })
    })
}

pub(crate) fn step(step: Move) -> Result<()> {
    let session = Session::open(step.asking)?;
    let counter = session.case.position.counter(&step.mover);
    let class = match counter.map(|counter| counter.class) {
        Some(class) => class,
        None => class(&step.mover).with_context(|| no_such_mover(&step.mover))?,
    };
    let mover = Mover {
        class,
        ground_pressure: step.ground_pressure,
        weight_kg: step.weight,
        british_built: step.british_built,
    };
    session.rule("move", |case| {
        let from = scenario::hex(case, "FROM", &step.from)?;
        let to = scenario::hex(case, "TO", &step.to)?;
        let ec = step.ec;
        let step = Step::enter(from, to);
        Ok(Ask::Movement { mover, step, ec })
    })
}

fn no_such_mover(word: &str) -> String {
    let names = CounterClass::ALL.map(CounterClass::name);
    format!(
        "MOVER: {word:?} is neither a counter here nor one of {}",
        names.join(", ")
    )
}

pub(crate) fn of_file(ask: AskFile) -> Result<()> {
    let session = Session::open(ask.asking)?;
    let Some(asked) = session.case.question(&ask.question) else {
        let questions = session.case.questions.iter();
        let ids: Vec<&str> = questions.map(|question| question.id.as_str()).collect();
        ensure!(!ids.is_empty(), "QUESTION: the case asks no questions");
        bail!(
            "QUESTION: there is no question {:?} in the case; there are {}",
            ask.question,
            ids.join(", ")
        );
    };
    match &asked.asked {
        Asked::Question(question) => {
            let question = (**question).clone();
            session.show(&ask.question, &question)
        }
        Asked::Unanswered => bail!(
            "question {}: nothing answers questions of the kind {:?}",
            ask.question,
            asked.kind
        ),
        Asked::Unreadable(error) => Err(error.clone().into()),
    }
}

/// A case, and someone to judge it.
struct Session {
    asking: Asking,
    bench: Bench,
    judge: Judge,
    case: Stage,
}

impl Session {
    fn open(asking: Asking) -> Result<Self> {
        let bench = Bench::open(&asking.rules)?;
        let case = scenario::read(&asking.scenario, &bench.facts().known)?;
        let judge = bench.judge(&asking.rules, &case.settings)?;
        Ok(Self {
            asking,
            bench,
            judge,
            case,
        })
    }

    fn rule(self, id: &str, ask: impl FnOnce(&Stage) -> Result<Ask>) -> Result<()> {
        let question = scenario::question(&self.case, ask(&self.case)?);
        self.show(id, &question)
    }

    /// Asks a question and shows the ruling.
    fn show(&self, id: &str, question: &Question) -> Result<()> {
        let one = std::slice::from_ref(question);
        let said = self.judge.ask(&self.case.position, one, true)?;
        let ruled = match said.into_iter().next().context("there is no answer")? {
            Said::Ruled(ruled) => *ruled,
            Said::NotImplemented { plugin, rule } => bail!(
                "plugin {plugin} does not implement its rule {rule}, on which this turns; there is \
                 no ruling"
            ),
            Said::Refused(why) => bail!("{why}"),
        };
        if let Some(renamed) = self.case.renamed() {
            eprintln!("alamein: note: {renamed}");
        }
        let output = &self.asking.output;
        if output.json {
            output::line(&format!("{:#}", json::adjudicated(&ruled, output.explain)))?;
        } else {
            if output.picture {
                let facts = self.bench.facts();
                output::line(&mapping::of_question(&self.case, question, facts))?;
            }
            let speaker = saying::Speaker {
                position: &self.case.position,
                facts: self.bench.facts(),
                paint: Paint::of_terminal(),
                explain: output.explain,
            };
            output::put(&speaker.ruling(question, &ruled))?;
        }
        self.save(id, question, &ruled)
    }

    fn save(&self, id: &str, question: &Question, ruled: &Adjudicated) -> Result<()> {
        let Some(file) = &self.asking.output.save else {
            return Ok(());
        };
        let name = file.file_stem().map(|stem| stem.to_string_lossy());
        let export = Export {
            id: name.as_deref().unwrap_or("case"),
            position: &self.case.position,
            rulings: &[Exported {
                id,
                question,
                ruled,
            }],
            settings: &self.judge.settings(),
            fingerprint: ruled.ruling.rules,
        };
        let text = write(&export, &self.bench.facts().known);
        std::fs::write(file, text).with_context(|| format!("--save {}", file.display()))?;
        eprintln!("saved; `alamein check {}` replays it", file.display());
        Ok(())
    }
}
