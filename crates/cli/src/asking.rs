//! The commands that ask one question.

use alamein_cases::Asked;
use alamein_terrain::{Ask, Concealment, CounterClass, Fortification, SetUp, SetUpPiece};
use anyhow::{Context, Result, bail, ensure};

use crate::args::{AskFile, Fire, Lane, Los, Setup, class};
use crate::scenario;
use crate::session::Session;

pub(crate) fn los(los: Los) -> Result<()> {
    let Los { from, to, asking } = los;
    Session::rule(&asking, "los", |case| {
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
    Session::rule(&asking, "fire", |case| {
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
    Session::rule(&asking, "lane", |case| {
        Ok(Ask::FireLane {
            mg: scenario::end(case, "MG", &mg)?,
            counter_hex: scenario::hex(case, "COUNTER_HEX", &counter_hex)?,
            mover_hex: scenario::hex(case, "MOVER_HEX", &mover_hex)?,
            mover,
        })
    })
}

pub(crate) fn setup(setup: Setup) -> Result<()> {
    let concealment = match (setup.concealed, setup.hidden) {
        (_, true) => Concealment::Hidden,
        (true, false) => Concealment::Concealed,
        (false, false) => Concealment::Unconcealed,
    };
    let (what, beneath) = (setup.what, setup.beneath);
    Session::rule(&setup.asking, "setup", |case| {
        let mut fortifications = Fortification::ALL.into_iter();
        let counter = case.position.counter(&what).map(|counter| counter.class);
        let piece = match fortifications.find(|one| one.name() == what) {
            Some(fortification) if counter.is_none() => {
                ensure!(
                    concealment == Concealment::Unconcealed && beneath.is_none(),
                    "WHAT: a Fortification has no --concealed, --hidden or --beneath"
                );
                SetUpPiece::Fortification(fortification)
            }
            _ => SetUpPiece::Unit {
                class: counter
                    .or_else(|| class(&what))
                    .with_context(|| no_such_piece(&what))?,
                concealment,
                beneath,
            },
        };
        let hex = scenario::hex(case, "HEX", &setup.hex)?;
        Ok(Ask::SetUp(SetUp { piece, hex }))
    })
}

fn no_such_piece(word: &str) -> String {
    let classes = CounterClass::ALL.map(CounterClass::name);
    let fortifications = Fortification::ALL.map(Fortification::name);
    format!(
        "WHAT: {word:?} is neither a counter here nor one of {}, {}",
        classes.join(", "),
        fortifications.join(", ")
    )
}

pub(crate) fn of_file(ask: AskFile) -> Result<()> {
    let asking = &ask.asking;
    let session = Session::open(&asking.scenario, &asking.rules)?;
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
            session.show(&asking.output, &ask.question, &question)
        }
        Asked::Unanswered => bail!(
            "question {}: nothing answers questions of the kind {:?}",
            ask.question,
            asked.kind
        ),
        Asked::Unreadable(error) => Err(error.clone().into()),
    }
}
