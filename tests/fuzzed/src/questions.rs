//! Positions and questions that make sense, as far as bytes can be made to: the rules themselves, and
//! what leads from one position to another.

use alamein_hex::{Grid, Hex};
use alamein_proto::v1::{
    self, attribute::Value, end, layer_field::Kind, movement_question, position::MapSource,
    question::Question as Asked, set_up_question, subject,
};
use alamein_terrain::{FieldKind, FieldSpec, LayerSpec, Manifest};
use arbitrary::{Result, Unstructured};

use crate::requests::{batch, leads, read_position};
use crate::world::{QUESTIONS, world};

/// Bytes choose a position and questions about it.
pub(crate) fn run(bytes: &[u8]) {
    let made = Maker::new(bytes).and_then(|mut maker| maker.all());
    let Ok((position, questions)) = made else {
        return;
    };
    let subject = v1::Subject {
        subject: Some(subject::Subject::Position(position)),
    };
    batch(Some(&subject), &questions);
}

/// Bytes choose two positions on one map. What leads from one to the other does, also when it went
/// over the wire.
pub(crate) fn changes(bytes: &[u8]) {
    let both = Maker::new(bytes).and_then(|mut maker| {
        let map = maker.map()?;
        let (a, b) = (maker.position(&map)?, maker.position(&map)?);
        Ok([a, b].map(|position| read_position(&position)))
    });
    let Ok([Some(a), Some(b)]) = both else { return };
    assert_eq!(a.map_id(), b.map_id());
    leads(&a, &b);
}

struct Maker<'a> {
    given: Unstructured<'a>,
    grid: Grid,
    /// The hexes of the first field of a layer that is being made.
    among: Vec<String>,
}

impl<'a> Maker<'a> {
    /// Where the bytes have come to their end, the first of every choice is taken.
    fn new(bytes: &'a [u8]) -> Result<Self> {
        let mut given = Unstructured::new(bytes);
        let (columns, rows) = (given.int_in_range(3..=14)?, given.int_in_range(3..=12)?);
        let grid = Grid::new(columns, rows).unwrap_or(Grid::geomorphic());
        let among = Vec::new();
        Ok(Self { given, grid, among })
    }
}

impl Maker<'_> {
    fn all(&mut self) -> Result<(v1::Position, Vec<v1::Question>)> {
        let map = self.map()?;
        let position = self.position(&map)?;
        let known = position.counters.len();
        let questions = self.many(QUESTIONS, |it, _| it.question(known))?;
        Ok((position, questions))
    }

    /// A position on a map.
    fn position(&mut self, map: &v1::Map) -> Result<v1::Position> {
        let mut counters = self.many(6, |it, at| it.counter("c", at))?;
        self.load(&mut counters)?;
        let known = counters.len();
        let lanes = self.many(known.min(2), |it, _| {
            Ok(v1::PlacedFireLane {
                counter_id: format!("c{}", it.given.int_in_range(0..=known - 1)?),
                hex: it.hex()?,
            })
        })?;
        Ok(v1::Position {
            map_source: Some(MapSource::Map(map.clone())),
            environment: Some(v1::Environment { ec: self.word(5)? }),
            fire_lanes: distinct(lanes, |lane| &lane.counter_id),
            counters,
        })
    }

    /// Puts some counters aboard of those before them, whatever these are.
    fn load(&mut self, counters: &mut [v1::Counter]) -> Result<()> {
        for at in 1..counters.len() {
            let carrier = self.given.int_in_range(0..=at - 1)?;
            let carries = counters[carrier].class >= v1::CounterClass::Wagon as i32;
            if carries && self.given.ratio(1u8, 3u8)? {
                let (hex, id) = (counters[carrier].hex.clone(), counters[carrier].id.clone());
                (counters[at].hex, counters[at].aboard) = (hex, id);
            }
        }
        Ok(())
    }

    fn many<T>(
        &mut self,
        most: usize,
        mut one: impl FnMut(&mut Self, usize) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = self.given.int_in_range(0..=most)?;
        (0..count).map(|at| one(self, at)).collect()
    }

    /// A number of an enum that has so many, 0 included.
    fn word(&mut self, most: i32) -> Result<i32> {
        self.given.int_in_range(0..=most)
    }

    fn place(&mut self) -> Result<Hex> {
        let index = self.given.int_in_range(0..=self.grid.len() - 1)?;
        Ok(self.grid.hex_at(index).unwrap_or_default())
    }

    fn hex(&mut self) -> Result<String> {
        let place = self.place()?;
        Ok(self.grid.label(place))
    }

    /// A hex of a layer: among those of its first field, where that has some, mostly.
    fn hex_of_layer(&mut self) -> Result<String> {
        if self.among.is_empty() || self.given.ratio(1u8, 16u8)? {
            return self.hex();
        }
        self.given.choose(&self.among).cloned()
    }

    /// A hex beside another.
    fn beside(&mut self, hex: Hex) -> Result<Hex> {
        let grid = self.grid;
        let beside = hex.neighbours().into_iter();
        let beside: Vec<Hex> = beside.filter(|hex| grid.contains(*hex)).collect();
        self.given.choose(&beside).copied()
    }

    /// A hexside of a layer: one of a hex of its first field, where that has some, mostly.
    fn hexside(&mut self) -> Result<String> {
        let name = self.hex_of_layer()?;
        let hex = self.grid.hex(&name).unwrap_or_default();
        let beside = self.beside(hex)?;
        Ok(format!("{name}|{}", self.grid.label(beside)))
    }

    fn map(&mut self) -> Result<v1::Map> {
        let specs: Vec<&LayerSpec> = manifests().flat_map(|it| &it.layers).collect();
        let mut layers = Vec::new();
        for spec in specs {
            if self.given.ratio(1u8, 3u8)? {
                self.among.clear();
                let fields = spec.fields.iter();
                let fields: Result<Vec<_>> = fields.map(|field| self.field(field)).collect();
                self.among.clear();
                layers.push(v1::Layer {
                    name: spec.name.clone(),
                    fields: fields?.into_iter().flatten().collect(),
                });
            }
        }
        let levels = self.many(6, |it, _| {
            Ok(v1::HexLevel {
                hex: it.hex()?,
                level: it.given.int_in_range(-2..=4)?,
            })
        })?;
        Ok(v1::Map {
            board: Some(v1::Board {
                columns: self.grid.columns().into(),
                rows: self.grid.rows().into(),
            }),
            base_level: self.given.int_in_range(-1..=2)?,
            levels: distinct(levels, |level| &level.hex),
            layers,
        })
    }

    fn field(&mut self, spec: &FieldSpec) -> Result<Option<v1::LayerField>> {
        if self.given.ratio(1u8, 4u8)? {
            return Ok(None);
        }
        let value = |it: &mut Self| it.given.int_in_range(-2..=6i64);
        let kind = match spec.kind {
            FieldKind::Hexes => {
                let hexes = distinct(self.many(12, |it, _| it.hex_of_layer())?, |hex| hex);
                if self.among.is_empty() {
                    self.among.clone_from(&hexes);
                }
                Kind::Hexes(v1::HexSet { hexes })
            }
            FieldKind::Hexsides => {
                let hexsides = distinct(self.many(8, |it, _| it.hexside())?, |side| side);
                Kind::Hexsides(v1::HexsideSet { hexsides })
            }
            FieldKind::HexValues => {
                let values = self.many(8, |it, _| {
                    Ok(v1::HexValue {
                        hex: it.hex_of_layer()?,
                        value: value(it)?,
                    })
                })?;
                let values = distinct(values, |value| &value.hex);
                Kind::HexValues(v1::HexValues { values })
            }
            FieldKind::HexsideValues => {
                let values = self.many(8, |it, _| {
                    Ok(v1::HexsideValue {
                        hexside: it.hexside()?,
                        value: value(it)?,
                    })
                })?;
                let values = distinct(values, |value| &value.hexside);
                Kind::HexsideValues(v1::HexsideValues { values })
            }
        };
        Ok(Some(v1::LayerField {
            name: spec.name.clone(),
            kind: Some(kind),
        }))
    }

    fn counter(&mut self, prefix: &str, at: usize) -> Result<v1::Counter> {
        let flags = self.many(2, |it, _| it.given.int_in_range(1..=8))?;
        let class = self.given.int_in_range(1..=13)?;
        // Of what has none, now and then, to see it refused.
        let turns = class == v1::CounterClass::Gun as i32 || class > 7;
        let facing = match self.given.ratio(1u8, if turns { 2 } else { 64 })? {
            true => Some(self.given.int_in_range(0..=5)?),
            false => None,
        };
        let hidden = prefix == "c" && self.given.ratio(1u8, 8u8)?;
        let known_to = if hidden {
            vec!["german".to_owned()]
        } else {
            Vec::new()
        };
        let attributes = self.many(1, |it, _| it.attribute())?;
        let attributes = attributes.into_iter().flatten().collect();
        Ok(v1::Counter {
            id: format!("{prefix}{at}"),
            class,
            hex: self.hex()?,
            side: match hidden {
                true => "german".to_owned(),
                false => ["", "german", "british"][self.given.int_in_range(0..=2usize)?].to_owned(),
            },
            aboard: String::new(),
            height_half_levels: self.given.int_in_range(-1..=3)?,
            flags: distinct(flags, |flag| flag),
            attributes,
            facing,
            known_to,
        })
    }

    /// An attribute that a plugin declares, if any does.
    fn attribute(&mut self) -> Result<Option<v1::Attribute>> {
        let declared = |manifest: &'static Manifest| {
            let attributes = manifest.attributes.iter();
            attributes.map(move |it| format!("{}.{}", manifest.id, it.name))
        };
        let names: Vec<String> = manifests().flat_map(declared).collect();
        if names.is_empty() {
            return Ok(None);
        }
        Ok(Some(v1::Attribute {
            name: self.given.choose(&names)?.clone(),
            value: Some(Value::IntValue(self.given.int_in_range(-1..=8)?)),
        }))
    }

    fn end(&mut self, known: usize) -> Result<Option<v1::End>> {
        let corner = match self.given.ratio(1u8, 6u8)? {
            true => Some(self.given.int_in_range(0..=5)?),
            false => None,
        };
        let end = match known > 0 && self.given.ratio(2u8, 3u8)? {
            true => end::End::CounterId(format!("c{}", self.given.int_in_range(0..=known - 1)?)),
            false => end::End::Hex(self.hex()?),
        };
        let end = Some(end);
        Ok(Some(v1::End { end, corner }))
    }

    fn question(&mut self, known: usize) -> Result<v1::Question> {
        let probes = self.many(2, |it, at| it.counter("probe", at))?;
        let options = v1::QuestionOptions {
            grazing_policy: self.word(3)?,
            probes,
            ignore_layers: Vec::new(),
        };
        let asked = match self.given.int_in_range(0..=4u8)? {
            0 => Asked::LineOfSight(v1::LineOfSightQuestion {
                from: self.end(known)?,
                to: self.end(known)?,
            }),
            1 => Asked::LineOfFire(v1::LineOfFireQuestion {
                from: self.end(known)?,
                to: self.end(known)?,
                attack: self.given.int_in_range(1..=3)?,
                munition: self.word(2)?,
            }),
            2 => Asked::FireLane(v1::FireLaneQuestion {
                mg: self.end(known)?,
                counter_hex: self.hex()?,
                mover_hex: self.hex()?,
                mover: self.given.int_in_range(1..=4)?,
            }),
            3 => Asked::Movement(self.movement()?),
            _ => Asked::SetUp(self.set_up()?),
        };
        Ok(v1::Question {
            tag: String::new(),
            question: Some(asked),
            options: Some(options),
        })
    }

    fn movement(&mut self) -> Result<v1::MovementQuestion> {
        use movement_question::Step;
        let mover = v1::Mover {
            class: self.given.int_in_range(1..=12)?,
            ground_pressure: self.word(3)?,
            weight_tons: match self.given.ratio(1u8, 2u8)? {
                true => Some(self.given.int_in_range(0..=60u8)?.into()),
                false => None,
            },
            british_built: self.given.ratio(1u8, 2u8)?,
            counter_id: String::new(),
        };
        let at = self.place()?;
        let other = self.beside(at)?;
        let other = self.grid.label(other);
        let way = self.word(2)?;
        let step = match self.given.ratio(3u8, 4u8)? {
            true => Step::Entry(v1::Entry {
                from_hex: self.grid.label(at),
                to_hex: other,
                way,
            }),
            false => Step::VcaChange(v1::VcaChange {
                hex: self.grid.label(at),
                entered_from: other,
                hexsides: self.given.int_in_range(1..=5)?,
                way,
            }),
        };
        Ok(v1::MovementQuestion {
            mover: Some(mover),
            step: Some(step),
            ec: self.word(5)?,
        })
    }

    fn set_up(&mut self) -> Result<v1::SetUpQuestion> {
        use set_up_question::Piece;
        let piece = match self.given.ratio(1u8, 2u8)? {
            true => Piece::Unit(v1::SetUpUnit {
                class: self.given.int_in_range(1..=12)?,
                concealment: self.word(2)?,
                beneath: self.word(4)?,
            }),
            false => Piece::Fortification(self.given.int_in_range(1..=6)?),
        };
        Ok(v1::SetUpQuestion {
            hex: self.hex()?,
            piece: Some(piece),
        })
    }
}

fn manifests() -> impl Iterator<Item = &'static Manifest> {
    let members = world().ruleset.members().iter();
    members.map(|member| member.manifest())
}

/// What may stand somewhere once.
fn distinct<T, K: Ord + Clone>(items: Vec<T>, key: impl Fn(&T) -> &K) -> Vec<T> {
    let mut seen = std::collections::BTreeSet::new();
    let is_new = |item: &T| seen.insert(key(item).clone());
    let mut items = items;
    items.retain(is_new);
    items
}
