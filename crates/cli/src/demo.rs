//! `alamein demo`: a few telling rulings.

use alamein_cases::{Case, Said};
use alamein_hex::Hex;
use alamein_terrain::{Ask, Attack, CounterClass, End, LaneMover, Mover, Question, Step};
use anyhow::{Context, Result, bail};

use crate::args::{Demo, Scenario};
use crate::local::{Judge, Loaded};
use crate::paint::Paint;
use crate::saying::Speaker;
use crate::{mapping, scenario};

pub(crate) fn run(demo: &Demo) -> Result<()> {
    let loaded = Loaded::load(&demo.rules)?;
    let example = Scenario {
        case: None,
        example: true,
    };
    let case = scenario::read(&example, &loaded.facts.known)?;
    let judge = loaded.judge(&demo.rules, &case.settings)?;
    let paint = Paint::of_terminal();
    println!(
        "{}",
        paint.bold("The worked example: units A to M around a deir")
    );
    let speaker = Speaker {
        position: &case.position,
        facts: &loaded.facts,
        paint,
        explain: false,
    };
    for (number, scene) in (1..).zip(scenes(&case)?) {
        println!("\n{}", paint.bold(&format!("{number}. {}", scene.title)));
        let question = scenario::question(&case, scene.ask);
        if scene.picture {
            println!(
                "\n{}",
                mapping::of_question(&case, &question, &loaded.facts)
            );
        }
        print!("{}", rule(&judge, &case, &question, &speaker)?);
    }
    println!("\nAsk for yourself: alamein fire H K --example --explain   (more: alamein --help)");
    Ok(())
}

fn rule(judge: &Judge, case: &Case, question: &Question, speaker: &Speaker<'_>) -> Result<String> {
    let one = std::slice::from_ref(question);
    let said = judge.ask(&case.position, one, true)?;
    match said.into_iter().next().context("there is no answer")? {
        Said::Ruled(ruled) => Ok(speaker.ruling(question, &ruled)),
        Said::NotImplemented { plugin, rule } => {
            bail!("plugin {plugin} does not implement its rule {rule}")
        }
        Said::Refused(why) => bail!("{why}"),
    }
}

/// A question, and what is telling about it.
struct Scene {
    title: &'static str,
    ask: Ask,
    picture: bool,
}

fn scenes(case: &Case) -> Result<Vec<Scene>> {
    let unit = |id: &str| scenario::end(case, "the example", id);
    let hex = |name: &str| scenario::hex(case, "the example", name);
    let sight = |from, to| -> Result<Ask> {
        Ok(Ask::LineOfSight {
            from: unit(from)?,
            to: unit(to)?,
        })
    };
    let fire = |from, to| -> Result<Ask> {
        Ok(Ask::LineOfFire {
            from: unit(from)?,
            to: unit(to)?,
            attack: Attack::Direct,
        })
    };
    let scene = |title, ask| Scene {
        title,
        ask,
        picture: false,
    };
    Ok(vec![
        scene(
            "J, dug in within the deir, sees G up on the hillock..",
            sight("J", "G")?,
        ),
        scene("..but not H on the flat beyond the Lip", sight("J", "H")?),
        Scene {
            picture: true,
            ..scene("H fires at K past tank A", fire("H", "K")?)
        },
        scene("D fires at B along a Lip Hexside", fire("D", "B")?),
        scene(
            "E lays a Fire Lane to S10; Infantry moves in Q7..",
            lane(unit("E")?, hex("S10")?, hex("Q7")?),
        ),
        scene("..and in R9", lane(unit("E")?, hex("S10")?, hex("R9")?)),
        scene(
            "A tank leaves the deir over a Lip Hexside",
            step(hex("Q6")?, hex("Q5")?),
        ),
    ])
}

fn lane(mg: End, counter_hex: Hex, mover_hex: Hex) -> Ask {
    Ask::FireLane {
        mg,
        counter_hex,
        mover_hex,
        mover: LaneMover::Infantry,
    }
}

fn step(from: Hex, to: Hex) -> Ask {
    Ask::Movement {
        mover: Mover::new(CounterClass::Tank),
        step: Step::Enter { from, to },
        ec: None,
    }
}
