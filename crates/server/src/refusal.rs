//! What the engine and the conversions refuse becomes an error of the API.

use alamein_engine::{PrepareError, QuestionError};
use alamein_proto::Refused;
use alamein_proto::v1::ErrorReason as R;
use alamein_terrain::{FeatureError, PositionError};

use crate::fault::Fault;

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
        fault = fault.with(key, value);
    }
    fault.field(field, message)
}

/// Why a position cannot be ruled on.
pub(crate) fn position(error: PrepareError, prefix: &str) -> Fault {
    let text = error.to_string();
    let within = |path: &str| format!("{prefix}{path}");
    let attribute = |counter: &str, name: &str| format!("counters[{counter}].attributes[{name}]");
    match error {
        PrepareError::Map { problems } => {
            let plugin = problems
                .first()
                .map(|problem| problem.plugin.clone())
                .unwrap_or_default();
            let fault = Fault::new(R::LayerInvalid, text).with("plugin", plugin);
            problems.into_iter().fold(fault, |fault, problem| {
                fault.field(
                    within("map.layers"),
                    format!("{}: {}", problem.plugin, problem.message),
                )
            })
        }
        PrepareError::UnknownLayer { layer } => unknown_layer(&layer, &text, prefix),
        PrepareError::Layer {
            layer,
            field,
            plugin,
            why,
        } => Fault::new(R::LayerInvalid, text)
            .with("layer", &layer)
            .with("plugin", plugin)
            .field(within(&format!("map.layers[{layer}].{field}")), why),
        PrepareError::UnknownAttribute { counter, name } => Fault::new(R::UnknownAttribute, text)
            .with("attribute", &name)
            .field(
                within(&attribute(&counter, &name)),
                "no plugin of the ruleset declares it",
            ),
        PrepareError::Attribute { counter, name, why } => Fault::new(R::AttributeInvalid, text)
            .with("attribute", &name)
            .with("plugin", name.split('.').next().unwrap_or_default())
            .field(within(&attribute(&counter, &name)), why),
        PrepareError::Feature(error) => feature(&error),
        PrepareError::Stopped => Fault::new(R::Internal, "the judging of this request broke off"),
    }
}

/// Why there is no ruling on a question.
pub(crate) fn question(error: QuestionError, prefix: &str) -> Fault {
    let text = error.to_string();
    let within = |path: &str| format!("{prefix}{path}");
    match error {
        QuestionError::UnknownCounter { field, id } => Fault::new(R::UnknownCounter, &*text)
            .with("counter", &id)
            .field(within(&field), format!("there is no counter {id:?}")),
        QuestionError::OffMap { field, hex } => Fault::new(R::HexOffMap, &*text)
            .with("hex", &hex)
            .field(within(&field), format!("{hex} is not on the map")),
        QuestionError::BadCorner { field, corner } => Fault::new(R::UnknownCorner, &*text)
            .with("corner", corner)
            .field(within(&field), "a hex has corners 0 to 5"),
        QuestionError::NotAdjacent { field, from, to } => Fault::new(R::NotAdjacent, &*text)
            .with("from", &from)
            .with("to", &to)
            .field(within(&field), format!("{to} is not adjacent to {from}")),
        QuestionError::BadTurn { field, hexsides } => Fault::new(R::OutOfRange, &*text)
            .with("field", within(&field))
            .with("value", hexsides)
            .with("min", 1)
            .with("max", 5)
            .field(within(&field), "a VCA changes by 1 to 5 hexsides"),
        QuestionError::NoMover { field, class } => Fault::new(R::CannotMove, &*text)
            .with("class", class)
            .field(within(&field), format!("a {class} does not move")),
        QuestionError::BadProbe(error) => probe(&error, &text),
        QuestionError::UnknownLayer { layer } => unknown_layer(&layer, &text, "subject.position."),
        QuestionError::NotIgnorable { layer, plugin } => Fault::new(R::LayerNotIgnorable, text)
            .with("layer", &layer)
            .with("plugin", &plugin)
            .field(
                "options.ignore_layers",
                format!("plugin {plugin} owns {layer:?}"),
            ),
        QuestionError::NotImplemented {
            plugin,
            rule,
            place,
            ..
        } => Fault::new(R::RuleNotImplemented, text)
            .with("plugin", plugin)
            .with("rule", rule)
            .with("place", place),
        QuestionError::Feature(error) => feature(&error),
        QuestionError::OutOfTime => {
            Fault::new(R::Deadline, text).with("set_by", "client or server")
        }
    }
}

fn unknown_layer(layer: &str, text: &str, prefix: &str) -> Fault {
    let what = "no plugin owns it; list it in ignore_layers to be judged without it";
    Fault::new(R::UnknownLayer, text)
        .with("layer", layer)
        .field(format!("{prefix}map.layers[{layer}]"), what)
}

fn probe(error: &PositionError, text: &str) -> Fault {
    let reason = match error {
        PositionError::OffMap { .. } => R::HexOffMap,
        PositionError::Duplicate { .. } => R::DuplicateCounter,
        PositionError::NoId { .. } => R::MissingField,
        PositionError::Level { .. } => R::OutOfRange,
        PositionError::UnknownCarrier { .. } => R::UnknownCounter,
        PositionError::BadCarrier { .. } => R::CounterInvalid,
    };
    Fault::new(reason, text).field("options.probes", error.to_string())
}

/// A plugin failed. What it said goes to the log; clients learn which plugin it was.
fn feature(error: &FeatureError) -> Fault {
    let plugin = error.plugin();
    if let FeatureError::OutOfTime { .. } = error {
        let text = format!("time was up while plugin {plugin} judged");
        return Fault::new(R::Deadline, text).with("plugin", plugin);
    }
    tracing::error!(plugin, "{error}");
    let what = match error {
        FeatureError::Panicked { .. } => "panicked",
        FeatureError::Poisoned { .. } => "is out of use since it panicked",
        FeatureError::Rubbish { .. } => "said something that makes no sense",
        FeatureError::Failed { .. } | FeatureError::OutOfTime { .. } => "failed",
    };
    let text = format!("plugin {plugin} {what}; no ruling is given without its part");
    Fault::new(R::PluginFailed, text).with("plugin", plugin)
}
