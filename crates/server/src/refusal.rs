//! What the engine and the conversions refuse becomes an error of the API.

mod moves;

use alamein_engine::{AttributeError, PrepareError, QuestionError, Ruleset};
use alamein_proto::Refused;
use alamein_proto::v1::ErrorReason as R;
use alamein_terrain::{Ask, FeatureError, Map, PositionError, Problem, Question};

use crate::fault::Fault;
use crate::paths::Given;
use crate::transport::Deadline;

/// A refused field, whose path begins at the message that `prefix` names.
pub(crate) fn refused(refused: Refused, prefix: &str) -> Fault {
    let Refused {
        reason,
        field,
        message,
        metadata,
    } = refused.at(prefix);
    let mut fault = Fault::new(reason, format!("{field}: {message}"));
    for (key, value) in metadata {
        fault = match reason {
            R::MapNotFound => fault.missing("map", &value),
            R::PositionNotFound => fault.missing("position", &value),
            _ => fault,
        };
        fault = fault.with(key, value);
    }
    fault.field(field, message)
}

/// That what a client says is no longer than this server allows.
pub(crate) fn short(field: &str, text: &str, most: usize) -> Result<(), Fault> {
    if text.len() <= most {
        return Ok(());
    }
    let long = Refused::too_long(field, text.len(), "bytes", most);
    Err(refused(long, ""))
}

/// What to do where a plugin is out of use.
const REPLACE: &str = ": replace the plugin, or start the service anew";

/// What is needed to say what is wrong with a position, or with a question about it.
pub(crate) struct Context<'a> {
    /// What gives the position.
    pub(crate) given: Given<'a>,
    /// Its map.
    pub(crate) map: &'a Map,
    /// By what it is judged.
    pub(crate) ruleset: &'a Ruleset,
    /// Until when.
    pub(crate) deadline: Option<Deadline>,
}

impl Context<'_> {
    /// Why a position cannot be ruled on. `ignored` are the layers that the request ignores in a
    /// field of that name.
    pub(crate) fn position(&self, error: PrepareError, ignored: &[String]) -> Fault {
        let text = error.to_string();
        match error {
            PrepareError::Map { problems, .. } => self.map(&problems, text),
            PrepareError::UnknownLayer { layer } => {
                unknown_layer(&layer, &text, self.given.layer(&layer))
            }
            PrepareError::NotIgnorable { layer, plugin } => not_ignorable(
                &layer,
                &plugin,
                &text,
                list(ignored, &layer, "ignore_layers"),
            ),
            PrepareError::Layer {
                layer,
                field,
                plugin,
                why,
            } => Fault::new(R::LayerInvalid, text)
                .with("layer", &layer)
                .with("plugin", plugin)
                .field(self.given.field(&layer, &field), why),
            PrepareError::Attribute(error) => {
                let path = self.given.attribute(error.counter(), error.name());
                attribute(&error, text, path)
            }
            PrepareError::Feature(error) => self.feature(&error),
            PrepareError::NoThreads { plugins } => {
                Fault::new(R::ThreadsLost, text).with("plugins", plugins.join(","))
            }
            PrepareError::OutOfTime => self.out_of_time(text),
            PrepareError::Waited { waited, longest } => Fault::new(R::WaitedTooLong, text)
                .with("waited_ms", waited.as_millis())
                .with("max_ms", longest.as_millis())
                .retry_after(longest),
            PrepareError::Stopped => {
                Fault::new(R::Internal, "the judging of this request broke off")
            }
        }
    }

    /// A map to which plugins object.
    fn map(&self, problems: &[Problem], text: String) -> Fault {
        let first = problems.first();
        let plugin = first.map_or("", |problem| &problem.plugin);
        let layer = first.and_then(|problem| self.layer_of(problem));
        let fault = Fault::new(R::LayerInvalid, text)
            .with("plugin", plugin)
            .with("layer", layer.unwrap_or_default());
        problems.iter().fold(fault, |fault, problem| {
            let path = self.given.layer(self.layer_of(problem).unwrap_or_default());
            fault.field(path, format!("{}: {}", problem.plugin, problem.message))
        })
    }

    /// The layer that a problem concerns: that which it names, or the only one that it can be.
    pub(crate) fn layer_of(&self, problem: &Problem) -> Option<&str> {
        let mut members = self.ruleset.members().iter();
        let owner = members.find(|member| member.manifest().id == problem.plugin)?;
        let owned = || owner.manifest().layers.iter().map(|it| it.name.as_str());
        let named = |layer: &&str| {
            let rest = problem.message.strip_prefix(*layer);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let on_map = |layer: &&str| self.map.layers.contains_key(*layer);
        owned()
            .find(named)
            .or_else(|| only(owned().filter(on_map)))
            .or_else(|| only(owned()))
    }

    /// Why there is no ruling on a question. Paths begin at the request where it is asked alone,
    /// and else at the question.
    pub(crate) fn question(&self, error: QuestionError, question: &Question, alone: bool) -> Fault {
        let prefix = if alone { "question." } else { within(question) };
        self.question_at(error, question, prefix, alone)
    }

    /// The same; the fields of what is asked are at `prefix`.
    fn question_at(
        &self,
        error: QuestionError,
        question: &Question,
        prefix: &str,
        alone: bool,
    ) -> Fault {
        let text = error.to_string();
        let at = |path: &str| format!("{prefix}{path}");
        match error {
            QuestionError::UnknownCounter { field, id } => Fault::new(R::UnknownCounter, &*text)
                .with("counter", &id)
                .field(at(&field), format!("there is no counter {id:?}")),
            QuestionError::OffMap { field, hex } => Fault::new(R::HexOffMap, &*text)
                .with("hex", &hex)
                .with("columns", self.map.grid.columns())
                .with("rows", self.map.grid.rows())
                .field(at(&field), format!("{hex} is not on the map")),
            QuestionError::BadCorner { field, corner } => Fault::new(R::UnknownCorner, &*text)
                .with("corner", corner)
                .field(at(&field), "a hex has corners 0 to 5"),
            QuestionError::NotAdjacent { field, from, to } => Fault::new(R::NotAdjacent, &*text)
                .with("from", &from)
                .with("to", &to)
                .field(at(&field), format!("{to} is not adjacent to {from}")),
            QuestionError::BadTurn { field, hexsides } => Fault::new(R::OutOfRange, &*text)
                .with("field", at(&field))
                .with("value", hexsides)
                .with("min", 1)
                .with("max", 5)
                .field(at(&field), "a VCA changes by 1 to 5 hexsides"),
            QuestionError::NoMover { field, class } => Fault::new(R::CannotMove, &*text)
                .with("class", class)
                .field(at(&field), format!("a {class} does not move")),
            QuestionError::NoSetUp { field, what } => Fault::new(R::CannotSetUp, &*text)
                .with("what", what)
                .field(at(&field), format!("nothing sets up so: {what}")),
            QuestionError::BadProbe(error) => probe(&error, &text),
            QuestionError::ProbeAttribute(error) => {
                let mut probes = question.probes.iter();
                let path = match probes.position(|probe| probe.id == error.counter()) {
                    Some(index) => format!("options.probes[{index}].attributes"),
                    None => "options.probes".to_owned(),
                };
                attribute(&error, text, path)
            }
            QuestionError::UnknownLayer { layer } => {
                // Of a batch, each question says for itself what it ignores.
                let path = match alone {
                    true => self.given.layer(&layer),
                    false => "options.ignore_layers".to_owned(),
                };
                unknown_layer(&layer, &text, path)
            }
            QuestionError::NotIgnorable { layer, plugin } => {
                let path = list(&question.ignore_layers, &layer, "options.ignore_layers");
                not_ignorable(&layer, &plugin, &text, path)
            }
            QuestionError::NotImplemented {
                plugin,
                rule,
                place,
                ..
            } => Fault::new(R::RuleNotImplemented, text)
                .with("plugin", plugin)
                .with("rule", rule)
                .with("place", place.name()),
            QuestionError::Feature(error) => self.feature(&error),
            QuestionError::OutOfTime => self.out_of_time(text),
        }
    }

    /// A plugin failed. What it said goes to the log; clients learn which plugin it was.
    fn feature(&self, error: &FeatureError) -> Fault {
        let plugin = error.plugin();
        if let FeatureError::OutOfTime { .. } = error {
            let text = format!("time was up while plugin {plugin} was at work");
            return self.out_of_time(text).with("plugin", plugin);
        }
        tracing::error!(plugin, "{error}");
        let what = match error {
            FeatureError::Panicked { .. } => "panicked",
            FeatureError::Poisoned { .. } => "is out of use since it panicked",
            FeatureError::Overran { doing, .. } => {
                let text = format!(
                    "plugin {plugin} did not come back while {doing}, and is out of use; no ruling \
                     is given without its part{REPLACE}"
                );
                return Fault::new(R::PluginFailed, text).with("plugin", plugin);
            }
            FeatureError::Rubbish { .. } => "said something that makes no sense",
            FeatureError::Failed { .. } | FeatureError::OutOfTime { .. } => "failed",
        };
        let remedy = match error {
            FeatureError::Panicked { .. } | FeatureError::Poisoned { .. } => REPLACE,
            _ => "",
        };
        let text = format!("plugin {plugin} {what}; no ruling is given without its part{remedy}");
        Fault::new(R::PluginFailed, text).with("plugin", plugin)
    }

    /// Why there is no ruling where time was up.
    pub(crate) fn late(&self) -> Fault {
        self.out_of_time(QuestionError::OutOfTime.to_string())
    }

    fn out_of_time(&self, text: String) -> Fault {
        match self.deadline {
            Some(deadline) => deadline.passed(),
            None => Fault::new(R::Deadline, text),
        }
    }
}

/// The only one there is.
fn only<T>(mut of: impl Iterator<Item = T>) -> Option<T> {
    let first = of.next()?;
    of.next().is_none().then_some(first)
}

/// The path of a question's own fields within it.
fn within(question: &Question) -> &'static str {
    match question.ask {
        Ask::LineOfSight { .. } => "line_of_sight.",
        Ask::LineOfFire { .. } => "line_of_fire.",
        Ask::FireLane { .. } => "fire_lane.",
        Ask::Movement { .. } => "movement.",
        Ask::SetUp(_) => "set_up.",
    }
}

fn unknown_layer(layer: &str, text: &str, path: String) -> Fault {
    let what = "no plugin owns it; list it in ignore_layers to be judged without it";
    Fault::new(R::UnknownLayer, text)
        .with("layer", layer)
        .field(path, what)
}

fn not_ignorable(layer: &str, plugin: &str, text: &str, path: String) -> Fault {
    Fault::new(R::LayerNotIgnorable, text)
        .with("layer", layer)
        .with("plugin", plugin)
        .field(path, format!("plugin {plugin} owns {layer:?}"))
}

/// The path of an item of a list.
fn list(items: &[String], item: &str, path: &str) -> String {
    match items.iter().position(|it| it == item) {
        Some(index) => format!("{path}[{index}]"),
        None => path.to_owned(),
    }
}

fn attribute(error: &AttributeError, text: String, path: String) -> Fault {
    let name = error.name();
    let reason = match error {
        AttributeError::Unknown { .. } => R::UnknownAttribute,
        AttributeError::Invalid { .. } => R::AttributeInvalid,
    };
    let fault = Fault::new(reason, &text).with("attribute", name);
    let fault = match (error, name.split_once('.')) {
        (AttributeError::Invalid { .. }, Some((plugin, _))) => fault.with("plugin", plugin),
        _ => fault,
    };
    fault.field(path, text)
}

fn probe(error: &PositionError, text: &str) -> Fault {
    let reason = match error {
        PositionError::OffMap { .. } => R::HexOffMap,
        PositionError::Duplicate { .. } => R::DuplicateCounter,
        PositionError::NoId { .. } => R::MissingField,
        PositionError::Level { .. } | PositionError::Facing { .. } => R::OutOfRange,
        PositionError::NoFacing { .. } => R::FacingInvalid,
        PositionError::UnknownCarrier { .. } | PositionError::UnknownMg { .. } => R::UnknownCounter,
        PositionError::SecondLane { .. } => R::DuplicateCounter,
        PositionError::BadCarrier { .. } | PositionError::Ring { .. } => R::CounterInvalid,
    };
    let fault = Fault::new(reason, text).field("options.probes", error.to_string());
    match error {
        PositionError::OffMap { hex, .. } => fault.with("hex", hex),
        PositionError::Duplicate { id, .. }
        | PositionError::UnknownMg { id, .. }
        | PositionError::SecondLane { id, .. } => fault.with("counter", id),
        PositionError::NoFacing { id, class, .. } => fault.with("counter", id).with("class", class),
        PositionError::Facing { field, facing } => fault.with("field", field).with("value", facing),
        PositionError::UnknownCarrier { carrier, .. } => fault.with("counter", carrier),
        PositionError::BadCarrier { id, carrier, .. } | PositionError::Ring { id, carrier, .. } => {
            fault.with("counter", id).with("carrier", carrier)
        }
        PositionError::NoId { field } => fault.with("field", field),
        PositionError::Level { field, level } => fault.with("field", field).with("value", level),
    }
}
