//! `alamein demo`: a few telling rulings.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use alamein_cases::{Case, Said};
use alamein_client::Access;
use alamein_hex::Hex;
use alamein_server::transport::ServerConfig;
use alamein_server::{Rules, Served, Serving};
use alamein_terrain::{
    Ask, Attack, CounterClass, End, LaneMover, Manifest, Mover, Munition, Question, Step,
};
use anyhow::{Context, Result, bail};

use crate::args::{Demo, RuleArgs, Scenario};
use crate::paint::Paint;
use crate::remote::{Judge, Remote};
use crate::saying::Speaker;
use crate::scenario::Stage;
use crate::threads::threads;
use crate::{mapping, output, scenario, serve};

pub(crate) fn run(demo: &Demo) -> Result<()> {
    let paint = Paint::of_terminal();
    let remote = match &demo.rules.server {
        Some(url) => Remote::connect(url, "", &demo.rules.access.read()?)?,
        None => start(&demo.rules, paint)?,
    };
    let example = Scenario {
        case: None,
        map: None,
        example: true,
    };
    let case = scenario::read(&example, &remote.facts.known)?;
    let judge = remote.judge(&case.settings)?;
    output::line("The worked example: units A to M around a deir.")?;
    let speaker = Speaker {
        position: &case.position,
        facts: &remote.facts,
        paint,
        explain: false,
    };
    for (number, scene) in (1..).zip(scenes(&case)?) {
        output::line(&format!(
            "\n{}",
            paint.bold(&format!("{number}. {}", scene.title))
        ))?;
        let question = scenario::question(&case, scene.ask);
        if scene.picture {
            output::line(&format!(
                "\n{}",
                mapping::of_question(&case, &question, &remote.facts)
            ))?;
        }
        output::put(&rule(&judge, &case, &question, &speaker)?)?;
    }
    output::line(
        "\nAsk for yourself: alamein fire H K --example --explain   (more: alamein --help)",
    )?;
    Ok(())
}

/// Starts a service on a free port, with the plugins of the folder, and connects to it.
fn start(rules: &RuleArgs, paint: Paint) -> Result<Remote> {
    let source = serve::source(rules, &[])?;
    let folder = source.folder.display().to_string();
    let runtime = threads(Some(2))?;
    let config = ServerConfig {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into(),
        ..ServerConfig::default()
    };
    let started = alamein_server::start(Serving {
        config,
        source,
        ..Serving::default()
    });
    let Served { server, rules, .. } = runtime.block_on(started)?;
    let url = format!("http://{}", server.local_addr());
    runtime.spawn(server.serve());
    runtime.block_on(loaded(&rules))?;
    let remote = Remote::connect(&url, "", &Access::default())?.beside(runtime);
    output::line(&paint.bold(&format!(
        "A service at {url}, with the plugins of {folder}:"
    )))?;
    for plugin in remote.listing().plugins {
        let Manifest {
            id, version, title, ..
        } = plugin.manifest;
        output::line(&format!("  {id} {version}  {title}"))?;
    }
    output::line("")?;
    Ok(remote)
}

/// Waits until the rules are in force, or refused.
async fn loaded(rules: &Rules) -> Result<()> {
    while !rules.is_loaded() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    match rules.refused("") {
        None => Ok(()),
        Some(refused) => bail!("{}", refused.why),
    }
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

fn scenes(case: &Stage) -> Result<Vec<Scene>> {
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
            munition: Munition::Other,
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
        step: Step::enter(from, to),
        ec: None,
    }
}
