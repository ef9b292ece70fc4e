//! Writing a case file.

use std::collections::BTreeSet;

use alamein_hex::Grid;
use alamein_terrain::{
    Adjudicated, Ask, Concealment, Counter, Digest, End, EnvironmentCondition, Field, FireLane,
    Layer, LosResult, Map, Mover, Munition, Position, Question, Ruling, SetUp, SetUpPiece, Step,
    Verdict, Way,
};
use serde_json::{Value, json};

use crate::answer::answer;
use crate::known::Known;
use crate::layers::KINDS;
use crate::position::CONDITIONS;
use crate::question::{ATTACKS, LANE_MOVERS, MUNITIONS, PRESSURES, WAYS};
use crate::reasons::reasons;
use crate::settings::Settings;

/// What goes into a case file.
#[derive(Clone, Debug)]
pub struct Export<'a> {
    /// The id of the case.
    pub id: &'a str,
    /// Where everything stands.
    pub position: &'a Position,
    /// The questions with what was ruled.
    pub rulings: &'a [Exported<'a>],
    /// What the ruleset sets that differs from what is usual.
    pub settings: &'a Settings,
    /// The fingerprint of the rules.
    pub fingerprint: Digest,
}

/// A question with what was ruled.
#[derive(Clone, Debug)]
pub struct Exported<'a> {
    /// The question's id within the case.
    pub id: &'a str,
    /// The question.
    pub question: &'a Question,
    /// What was ruled.
    pub ruled: &'a Adjudicated,
}

/// Writes a case file, complete in itself: reading it gives the same position and questions, and
/// it expects what was ruled.
#[must_use]
pub fn write(export: &Export<'_>, known: &Known) -> String {
    text(export, known, false)
}

/// The same on a single line, with a line break at its end: a line of a record. It has also what the
/// rulings rest on.
#[must_use]
pub fn write_line(export: &Export<'_>, known: &Known) -> String {
    // In a text of JSON a line break is written as `\n`: those that stand there are between values.
    let text = text(export, known, true);
    let mut line = text.replace("\n  ", " ").replace('\n', " ");
    line.truncate(line.trim_end().len());
    line.push('\n');
    line
}

/// Writes a case file that asks nothing.
#[must_use]
pub fn write_position(id: &str, position: &Position) -> String {
    whole(position_parts(id, position))
}

fn text(export: &Export<'_>, known: &Known, grounds: bool) -> String {
    let writer = Writer {
        export,
        known,
        grounds,
    };
    let questions = export.rulings.iter();
    let questions = listed(questions.map(|asked| writer.question(asked)).collect());
    let mut parts = position_parts(export.id, export.position);
    parts.push(("questions", questions));
    parts.push(("alamein", object(&writer.provenance())));
    whole(parts)
}

fn position_parts(id: &str, position: &Position) -> Vec<(&'static str, String)> {
    let grid = &position.map().grid;
    let counters = position.counters().iter();
    let counters = listed(counters.map(|c| spaced(&counter(c, grid))).collect());
    let mut parts = vec![
        ("id", spaced(&json!(id))),
        ("map", map_text(position.map())),
        ("counters", counters),
    ];
    let ec = position.environment().ec;
    if ec != EnvironmentCondition::default() {
        parts.push(("ec", spaced(&json!(word(&CONDITIONS, ec)))));
    }
    let lanes = position.fire_lanes();
    if !lanes.is_empty() {
        let lane = |lane: &FireLane| json!({"mg": lane.mg, "hex": grid.label(lane.hex)});
        let lanes = lanes.iter().map(lane).collect();
        parts.push(("fire_lanes", spaced(&lanes)));
    }
    parts
}

fn listed(items: Vec<String>) -> String {
    format!("[\n  {}]", items.join(",\n  "))
}

fn whole(parts: Vec<(&str, String)>) -> String {
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(key, text)| format!("\"{key}\": {text}"))
        .collect();
    format!("{{{}}}\n", parts.join(",\n"))
}

/// The word for a meaning.
pub(crate) fn word<T: PartialEq>(words: &[(&'static str, T)], meaning: T) -> &'static str {
    let found = words.iter().find(|(_, known)| *known == meaning);
    found.map_or("", |(word, _)| *word)
}

/// JSON on one line with room to breathe.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<(&str, Value)> = fields
                .iter()
                .map(|(key, value)| (key.as_str(), value.clone()))
                .collect();
            object(&fields)
        }
        plain => plain.to_string(),
    }
}

/// An object on one line, its fields in this order.
fn object(fields: &[(&str, Value)]) -> String {
    let field = |(key, value): &(&str, Value)| format!("{}: {}", json!(key), spaced(value));
    let fields: Vec<String> = fields.iter().map(field).collect();
    format!("{{{}}}", fields.join(", "))
}

fn map_text(map: &Map) -> String {
    let grid = &map.grid;
    let board = if *grid == Grid::geomorphic() {
        json!("33x10 geomorphic")
    } else {
        json!({"columns": grid.columns(), "rows": grid.rows()})
    };
    let mut parts = vec![format!("\"board\": {}", spaced(&board))];
    if map.base_level != 0 {
        parts.push(format!("\"base_level\": {}", map.base_level));
    }
    let levels = map.levels.iter();
    let levels: Value = levels
        .map(|(hex, level)| (grid.label(*hex), json!(level)))
        .collect();
    if levels != json!({}) {
        parts.push(format!("\"levels\": {}", spaced(&levels)));
    }
    let layers = map.layers.iter();
    let layers: Vec<String> = layers
        .map(|(name, layer)| format!("{}: {}", json!(name), spaced(&layer_json(layer, grid))))
        .collect();
    parts.push(format!("\"layers\": {{\n   {}}}", layers.join(",\n   ")));
    format!("{{{}}}", parts.join(",\n  "))
}

fn layer_json(layer: &Layer, grid: &Grid) -> Value {
    let fields = layer.fields.iter();
    fields
        .map(|(name, field)| (name.clone(), field_json(field, grid)))
        .collect()
}

/// A field in the form by which any reader knows its kind, even of a layer that nobody owns.
fn field_json(field: &Field, grid: &Grid) -> Value {
    let side = |side: &alamein_hex::Hexside| grid.hexside_name(*side).unwrap_or_default();
    let (kind, values) = match field {
        Field::Hexes(set) => ("hexes", set.iter().map(|hex| grid.label(*hex)).collect()),
        Field::Hexsides(set) => ("hexsides", set.iter().map(side).collect()),
        Field::HexValues(values) => {
            let value = |(hex, value): (&alamein_hex::Hex, &i64)| (grid.label(*hex), json!(value));
            ("hex_values", values.iter().map(value).collect())
        }
        Field::HexsideValues(values) => {
            let value = |(at, value): (&alamein_hex::Hexside, &i64)| (side(at), json!(value));
            (
                "hexside_values",
                values.iter().map(value).collect::<Value>(),
            )
        }
    };
    debug_assert!(KINDS.iter().any(|(word, _)| *word == kind));
    let empty = values == json!([]) || values == json!({});
    if empty && (kind == "hexsides" || kind == "hexside_values") {
        return json!({"kind": kind, "values": values});
    }
    values
}

pub(crate) fn counter(counter: &Counter, grid: &Grid) -> Value {
    let mut fields = json!({
        "id": counter.id,
        "class": counter.class.name(),
        "hex": grid.label(counter.hex),
    });
    let mut set = |key: &str, value: Value| fields[key] = value;
    if let Some(side) = &counter.side {
        set("side", json!(side));
    }
    if let Some(carrier) = &counter.aboard {
        set("aboard", json!(carrier));
    }
    if counter.height != 0 {
        set("height", json!(counter.height));
    }
    for flag in counter.flags.names() {
        set(flag, json!(true));
    }
    if let Some(facing) = counter.facing {
        set("facing", json!(facing));
    }
    if !counter.known_to.is_empty() {
        set("known_to", json!(counter.known_to));
    }
    if !counter.attributes.is_empty() {
        set("attributes", json!(counter.attributes));
    }
    fields
}

struct Writer<'a> {
    export: &'a Export<'a>,
    known: &'a Known,
    /// Whether to tell what rulings rest on.
    grounds: bool,
}

impl Writer<'_> {
    fn question(&self, asked: &Exported<'_>) -> String {
        let Exported {
            id,
            question,
            ruled,
        } = asked;
        let mut fields = vec![("id", json!(id))];
        fields.extend(self.ask(question));
        if let Some(policy) = question.policy {
            fields.push(("policy", json!(policy.name())));
        }
        if !question.probes.is_empty() {
            let grid = &self.export.position.map().grid;
            let probes = question.probes.iter().map(|probe| counter(probe, grid));
            fields.push(("probes", probes.collect()));
        }
        if !question.ignore_layers.is_empty() {
            let layers: BTreeSet<&String> = question.ignore_layers.iter().collect();
            fields.push(("ignore_layers", json!(layers)));
        }
        let expect = self.expect(&ruled.ruling);
        let others = ruled.other_policies.iter();
        let others: Value = others
            .map(|(policy, ruling)| (policy.name().to_owned(), self.expect(ruling)))
            .filter(|(_, other)| *other != expect)
            .collect();
        fields.push(("expect", expect));
        if others != json!({}) {
            fields.push(("expect_other_policies", others));
        }
        if self.grounds {
            fields.push(("grounds", json!(reasons(&ruled.ruling))));
        }
        object(&fields)
    }

    fn ask(&self, question: &Question) -> Vec<(&'static str, Value)> {
        let grid = &self.export.position.map().grid;
        let end = |end: &End| self.end(end, question);
        match &question.ask {
            Ask::LineOfSight { from, to } => vec![
                ("kind", json!("line_of_sight")),
                ("from", end(from)),
                ("to", end(to)),
            ],
            Ask::LineOfFire {
                from,
                to,
                attack,
                munition,
            } => {
                let mut fields = vec![
                    ("kind", json!("line_of_fire")),
                    ("from", end(from)),
                    ("to", end(to)),
                    ("attack", json!(word(&ATTACKS, *attack))),
                ];
                if *munition != Munition::Other {
                    fields.push(("munition", json!(word(&MUNITIONS, *munition))));
                }
                fields
            }
            Ask::FireLane {
                mg,
                counter_hex,
                mover_hex,
                mover,
            } => vec![
                ("kind", json!("fire_lane")),
                ("mg", end(mg)),
                ("counter_hex", json!(grid.label(*counter_hex))),
                ("mover_hex", json!(grid.label(*mover_hex))),
                ("mover", json!(word(&LANE_MOVERS, *mover))),
            ],
            Ask::Movement {
                mover: who,
                step,
                ec,
            } => {
                let mut fields = step_fields(step, grid);
                fields.push(("mover", mover(who)));
                fields.extend(ec.map(|ec| ("ec", json!(word(&CONDITIONS, ec)))));
                fields
            }
            Ask::SetUp(setup) => setup_fields(setup, grid),
        }
    }

    /// An end, in short where that says the same.
    fn end(&self, end: &End, question: &Question) -> Value {
        let position = self.export.position;
        match end {
            End::Counter { id, corner: None } => json!(id),
            End::Counter { id, corner } => json!({"counter": id, "corner": corner}),
            End::Hex(aim) => {
                let hex = position.map().grid.label(aim.hex);
                let is_counter = position.counter(&hex).is_some()
                    || question.probes.iter().any(|probe| probe.id == hex);
                match aim.corner {
                    None if !is_counter => json!(hex),
                    None => json!({"hex": hex}),
                    corner => json!({"hex": hex, "corner": corner}),
                }
            }
        }
    }

    /// The answer to expect: all that the verdict says, and what rules report of it.
    fn expect(&self, ruling: &Ruling) -> Value {
        let los = ruling.verdict.los();
        let blocked = los.is_some_and(|los| los.result == LosResult::Blocked);
        let of_terrain = los.is_some_and(|los| los.hindrance.is_none());
        let fire = matches!(ruling.verdict, Verdict::LineOfFire(..));
        let reported: BTreeSet<&str> = self.known.keys().map(|(key, _)| key).collect();
        let mut answer = answer(ruling, self.known);
        answer.retain(|key, value| match key.as_str() {
            "blocked_by" => blocked,
            "hindering" => !of_terrain,
            "prohibited_by" => *value != json!([]),
            // Beside a shot, a rule that reports is worth a word only where it found something.
            key if reported.contains(key) && !fire => {
                !matches!(value, Value::Null | Value::Bool(false)) && *value != json!(0)
            }
            _ => true,
        });
        json!(answer)
    }

    fn provenance(&self) -> Vec<(&'static str, Value)> {
        let ids = self.export.rulings.iter();
        let ids: Value = ids
            .map(|asked| {
                let id = asked.ruled.ruling.id.to_string();
                (asked.id.to_owned(), json!(id))
            })
            .collect();
        let mut fields = vec![
            (
                "rules_fingerprint",
                json!(self.export.fingerprint.to_string()),
            ),
            ("position_id", json!(self.export.position.id().to_string())),
            ("ruling_ids", ids),
        ];
        fields.extend(self.export.settings.to_say());
        fields
    }
}

fn step_fields(step: &Step, grid: &Grid) -> Vec<(&'static str, Value)> {
    let (mut fields, way) = match step {
        Step::Enter { from, to, way } => (
            vec![
                ("kind", json!("movement")),
                ("from", json!(grid.label(*from))),
                ("to", json!(grid.label(*to))),
            ],
            *way,
        ),
        Step::Turn {
            hex,
            entered_from,
            hexsides,
            way,
        } => {
            let mut fields = vec![
                ("kind", json!("vca_change")),
                ("hex", json!(grid.label(*hex))),
                ("hexsides", json!(hexsides)),
            ];
            fields.extend(entered_from.map(|from| ("entered_from", json!(grid.label(from)))));
            (fields, *way)
        }
    };
    if way != Way::Open {
        fields.push(("along", json!(word(&WAYS, way))));
    }
    fields
}

fn setup_fields(setup: &SetUp, grid: &Grid) -> Vec<(&'static str, Value)> {
    let hex = ("hex", json!(grid.label(setup.hex)));
    let kind = ("kind", json!("setup"));
    match setup.piece {
        SetUpPiece::Fortification(fortification) => {
            vec![kind, ("what", json!(fortification.name())), hex]
        }
        SetUpPiece::Unit {
            class,
            concealment,
            beneath,
        } => {
            let mut fields = vec![kind, ("what", json!(class.name())), hex];
            if concealment != Concealment::Unconcealed {
                fields.push(("concealment", json!(concealment.name())));
            }
            fields.extend(beneath.map(|beneath| ("beneath", json!(beneath.name()))));
            fields
        }
    }
}

fn mover(mover: &Mover) -> Value {
    let mut fields = json!({"class": mover.class.name()});
    if let Some(pressure) = mover.ground_pressure {
        fields["ground_pressure"] = json!(word(&PRESSURES, pressure));
    }
    if let Some(kilograms) = mover.weight_kg {
        fields["weight_tons"] = json!(f64::from(kilograms) / 1000.0);
    }
    if mover.british_built {
        fields["british_built"] = json!(true);
    }
    fields
}
