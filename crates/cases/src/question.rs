//! The questions of a case.

use alamein_hex::{Aim, Hex};
use alamein_terrain::{
    Ask, Attack, Concealment, CounterClass, End, Fortification, GrazingPolicy, GroundPressure,
    LaneMover, Mover, Munition, Position, Question, SetUp, SetUpPiece, Step, Way,
};

use crate::known::Known;
use crate::node::{Node, Wrong};
use crate::position::{CONDITIONS, class, counter, hex};

/// The words for how a shot travels; the first of each is the one that is written.
pub(crate) const ATTACKS: [(&str, Attack); 4] = [
    ("direct", Attack::Direct),
    ("indirect", Attack::Mortar),
    ("mortar", Attack::Mortar),
    ("oba", Attack::Oba),
];

/// The words for what moves on a Fire Lane.
pub(crate) const LANE_MOVERS: [(&str, LaneMover); 4] = [
    ("infantry", LaneMover::Infantry),
    ("cavalry", LaneMover::Cavalry),
    ("vehicle", LaneMover::Vehicle),
    ("vulnerable_prc", LaneMover::VulnerablePrc),
];

/// The words for ground pressure.
pub(crate) const PRESSURES: [(&str, GroundPressure); 3] = [
    ("low", GroundPressure::Low),
    ("normal", GroundPressure::Normal),
    ("high", GroundPressure::High),
];

/// The words for grazing policies.
pub(crate) const MUNITIONS: [(&str, Munition); 3] = [
    ("other", Munition::Other),
    ("he", Munition::He),
    ("bombardment", Munition::Bombardment),
];

pub(crate) const WAYS: [(&str, Way); 2] = [("track", Way::Track), ("road", Way::Road)];

pub(crate) const POLICIES: [(&str, GrazingPolicy); 3] = [
    ("EITHER", GrazingPolicy::Either),
    ("BOTH", GrazingPolicy::Both),
    ("NEITHER_IF_GRAZING", GrazingPolicy::NeitherIfGrazing),
];

/// The heaviest thing that ever drove, in tons, and then some.
const HEAVIEST: f64 = 1000.0;

/// What the fields of each kind of question are, beside those that every question may have.
const KINDS: [(&str, &[&str]); 6] = [
    ("line_of_sight", &["from", "to"]),
    ("line_of_fire", &["from", "to", "attack", "munition"]),
    ("fire_lane", &["mg", "counter_hex", "mover_hex", "mover"]),
    ("movement", &["mover", "from", "to", "ec", "along"]),
    (
        "vca_change",
        &["mover", "hex", "entered_from", "hexsides", "ec", "along"],
    ),
    ("setup", &["what", "hex", "concealment", "beneath"]),
];

/// What every question may have.
const COMMON: [&str; 10] = [
    "id",
    "kind",
    "expect",
    "expect_other_policies",
    "contested",
    "contested_why",
    "grounds",
    "policy",
    "probes",
    "ignore_layers",
];

/// Reads what a question asks; nothing if it is of a kind that nothing answers.
pub(crate) fn read(
    node: &Node<'_>,
    position: &Position,
    unowned: &[String],
    known: &Known,
    strangers: &mut Vec<String>,
) -> Result<Option<Question>, Wrong> {
    let kind = node.need("kind")?.text()?;
    let Some((_, fields)) = KINDS.iter().find(|(name, _)| *name == kind) else {
        return Ok(None);
    };
    let names: Vec<&str> = COMMON.iter().chain(*fields).copied().collect();
    strangers.extend(node.strangers(&names));
    let mut probes = Vec::new();
    if let Some(list) = node.get("probes") {
        for probe in list.items()? {
            probes.push(counter(&probe, &position.map().grid, strangers)?);
        }
    }
    let ids =
        |id: &str| position.counter(id).is_some() || probes.iter().any(|probe| probe.id == id);
    let ask = Reader {
        position,
        ids: &ids,
    }
    .ask(node, kind)?;
    let mut ignore_layers = unowned.to_vec();
    if let Some(list) = node.get("ignore_layers") {
        for layer in list.items()? {
            // One that a plugin owns by now is taken into account, and may not be ignored.
            let layer = layer.text()?;
            if known.layer(layer).is_none() {
                ignore_layers.push(layer.to_owned());
            }
        }
    }
    ignore_layers.sort();
    ignore_layers.dedup();
    let policy = match node.get("policy") {
        Some(policy) => Some(policy.word(&POLICIES)?),
        None => None,
    };
    Ok(Some(Question {
        ask,
        policy,
        probes,
        ignore_layers,
    }))
}

struct Reader<'a> {
    position: &'a Position,
    ids: &'a dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    fn ask(&self, node: &Node<'_>, kind: &str) -> Result<Ask, Wrong> {
        Ok(match kind {
            "line_of_sight" => Ask::LineOfSight {
                from: self.end(&node.need("from")?)?,
                to: self.end(&node.need("to")?)?,
            },
            "line_of_fire" => Ask::LineOfFire {
                from: self.end(&node.need("from")?)?,
                to: self.end(&node.need("to")?)?,
                attack: match node.get("attack") {
                    Some(attack) => attack.word(&ATTACKS)?,
                    None => Attack::Direct,
                },
                munition: match node.get("munition") {
                    Some(munition) => munition.word(&MUNITIONS)?,
                    None => Munition::Other,
                },
            },
            "fire_lane" => Ask::FireLane {
                mg: self.end(&node.need("mg")?)?,
                counter_hex: self.lane(node)?,
                mover_hex: self.hex(node, "mover_hex")?,
                mover: node.need("mover")?.word(&LANE_MOVERS)?,
            },
            "setup" => Ask::SetUp(SetUp {
                piece: piece(node)?,
                hex: self.hex(node, "hex")?,
            }),
            _ => Ask::Movement {
                mover: mover(&node.need("mover")?)?,
                step: match kind {
                    "vca_change" => self.turn(node)?,
                    _ => self.step(node)?,
                },
                ec: match node.get("ec") {
                    Some(ec) => Some(ec.word(&CONDITIONS)?),
                    None => None,
                },
            },
        })
    }

    /// The hex of a Fire Lane counter: the one that the question names, or that is on the map.
    fn lane(&self, node: &Node<'_>) -> Result<Hex, Wrong> {
        let laid = match (node.get("counter_hex"), self.end(&node.need("mg")?)?) {
            (None, End::Counter { id, .. }) => self.position.fire_lane(&id),
            _ => None,
        };
        match laid {
            Some(lane) => Ok(lane.hex),
            None => self.hex(node, "counter_hex"),
        }
    }

    fn hex(&self, node: &Node<'_>, name: &str) -> Result<Hex, Wrong> {
        hex(&node.need(name)?, &self.position.map().grid)
    }

    fn step(&self, node: &Node<'_>) -> Result<Step, Wrong> {
        Ok(Step::Enter {
            from: self.hex(node, "from")?,
            to: self.hex(node, "to")?,
            way: way(node)?,
        })
    }

    fn turn(&self, node: &Node<'_>) -> Result<Step, Wrong> {
        let entered_from = match node.get("entered_from") {
            Some(from) => Some(hex(&from, &self.position.map().grid)?),
            None => None,
        };
        Ok(Step::Turn {
            hex: self.hex(node, "hex")?,
            entered_from,
            hexsides: node.need("hexsides")?.number()?,
            way: way(node)?,
        })
    }

    /// An end: a counter's id, or else a hex; or an object that says which, and a corner.
    fn end(&self, node: &Node<'_>) -> Result<End, Wrong> {
        if !node.value.is_object() {
            return self.end_named(node, None);
        }
        let corner = match node.get("corner") {
            Some(corner) => Some(corner_of(&corner)?),
            None => None,
        };
        match (node.get("counter"), node.get("hex")) {
            (Some(counter), None) => Ok(End::Counter {
                id: counter.text()?.to_owned(),
                corner,
            }),
            (None, Some(at)) => {
                let hex = hex(&at, &self.position.map().grid)?;
                Ok(End::Hex(Aim { hex, corner }))
            }
            _ => Err(node.wrong("needs either a counter or a hex")),
        }
    }

    fn end_named(&self, node: &Node<'_>, corner: Option<u8>) -> Result<End, Wrong> {
        let name = node.text()?;
        if (self.ids)(name) {
            let id = name.to_owned();
            return Ok(End::Counter { id, corner });
        }
        match self.position.map().grid.hex(name) {
            Ok(hex) => Ok(End::Hex(Aim { hex, corner })),
            Err(error) => Err(node.wrong(format!(
                "there is no counter {name:?} here, and as a hex: {error}"
            ))),
        }
    }
}

/// What a step follows, if the question says so.
fn way(node: &Node<'_>) -> Result<Way, Wrong> {
    match node.get("along") {
        Some(along) => along.word(&WAYS),
        None => Ok(Way::Open),
    }
}

fn corner_of(node: &Node<'_>) -> Result<u8, Wrong> {
    let corner = node.number()?;
    if corner > 5 {
        return Err(node.wrong(format!("a hex has vertices 0 to 5, not {corner}")));
    }
    Ok(corner)
}

fn mover(node: &Node<'_>) -> Result<Mover, Wrong> {
    let mut mover = Mover::new(class(&node.need("class")?)?);
    if mover.class == CounterClass::Wreck {
        return Err(node.wrong("a wreck does not move"));
    }
    if let Some(pressure) = node.get("ground_pressure") {
        mover.ground_pressure = Some(pressure.word(&PRESSURES)?);
    }
    if let Some(weight) = node.get("weight_tons") {
        mover.weight_kg = Some(kilograms(&weight)?);
    }
    if let Some(british) = node.get("british_built") {
        mover.british_built = british.flag()?;
    }
    Ok(mover)
}

/// What sets up: a Fortification, or a unit with what goes with it.
fn piece(node: &Node<'_>) -> Result<SetUpPiece, Wrong> {
    let what = node.need("what")?;
    let name = what.text()?;
    let mut named = Fortification::ALL.into_iter();
    if let Some(fortification) = named.find(|one| one.name() == name) {
        let of_units = ["concealment", "beneath"].into_iter();
        if let Some(field) = of_units.filter_map(|field| node.get(field)).next() {
            return Err(field.wrong(format!("a Fortification ({name}) has none")));
        }
        return Ok(SetUpPiece::Fortification(fortification));
    }
    let class = class(&what)?;
    if class == CounterClass::Wreck {
        return Err(what.wrong("a wreck does not set up"));
    }
    let concealment = match node.get("concealment") {
        Some(concealment) => concealment.word(&Concealment::ALL.map(|word| (word.name(), word)))?,
        None => Concealment::Unconcealed,
    };
    let beneath = match node.get("beneath") {
        Some(beneath) => {
            let fortification =
                beneath.word(&Fortification::ALL.map(|word| (word.name(), word)))?;
            if !fortification.shelters() {
                return Err(beneath.wrong("nothing sets up beneath it"));
            }
            Some(fortification)
        }
        None => None,
    };
    Ok(SetUpPiece::Unit {
        class,
        concealment,
        beneath,
    })
}

fn kilograms(node: &Node<'_>) -> Result<u32, Wrong> {
    let tons = node
        .value
        .as_f64()
        .ok_or_else(|| node.wrong("must be a number of tons"))?;
    // What is not a number is not within either.
    if !(0.0..=HEAVIEST).contains(&tons) {
        return Err(node.wrong(format!("{tons} is not within 0 to {HEAVIEST} tons")));
    }
    Ok((tons * 1000.0).round() as u32)
}
