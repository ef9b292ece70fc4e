//! All that is wrong with a map.

use std::sync::Arc;

use alamein_engine::{PrepareError, Ruleset};
use alamein_maps::MapError;
use alamein_proto::v1::validate_map_request::Source;
use alamein_proto::v1::{self, ErrorReason, MapProblemSeverity};
use alamein_proto::{Limits, Refused, decode};
use alamein_store::Tenant;
use alamein_terrain::{Environment, Map, Position, Problem, Severity};
use tonic::Response;

use super::aside;
use super::compose::{self, NoMap, Text};
use crate::fault::Fault;
use crate::paths::Given;
use crate::refusal::Context;
use crate::rules::By;
use crate::service::{Service, missing};

/// How many problems are told.
const MOST: usize = 100;

/// What is checked.
#[derive(Clone, Copy)]
enum Checked<'a> {
    /// A map.
    Map(&'a v1::Map),
    /// A map file.
    File(Text<'a>),
}

impl Service {
    /// Checks a map and keeps nothing.
    pub(super) async fn validate(
        &self,
        tenant: &Tenant,
        request: v1::ValidateMapRequest,
    ) -> Result<Response<v1::ValidateMapResponse>, Fault> {
        let request = Arc::new(request);
        let (given, limits) = (Arc::clone(&request), Arc::clone(&self.limits));
        let read = aside(move || Checked::of(&given)?.read(&limits.request));
        match read.await? {
            Ok(map) => self.by_rules(tenant, &request, &map).await,
            Err(problems) => Ok(Response::new(answer(problems, None))),
        }
    }

    /// What the rules say of a map.
    async fn by_rules(
        &self,
        tenant: &Tenant,
        request: &v1::ValidateMapRequest,
        map: &Map,
    ) -> Result<Response<v1::ValidateMapResponse>, Fault> {
        let checked = Checked::of(request)?;
        let rules = self.rules_of(tenant, By::named(&request.ruleset)).await?;
        let engine = &rules.ready().engine;
        let ruleset = engine.ruleset();
        let context = Context {
            given: match checked {
                Checked::Map(given) => Given::Map(given),
                Checked::File(_) => Given::Id,
            },
            map,
            ruleset: &ruleset,
            deadline: None,
        };
        let mut problems = misfits(checked, &context, &request.ignore_layers);
        // Plugins see what fits, so that one layer amiss hides nothing of the others.
        let mut fitting = map.clone();
        fitting.layers.retain(|name, _| {
            ruleset.owner(name).is_some() && !problems.iter().any(|problem| problem.layer == *name)
        });
        let position = Position::new(fitting.into(), Vec::new(), Environment::default())
            .map_err(|error| Fault::new(ErrorReason::OutOfRange, error.to_string()))?;
        let said = match engine.check(Arc::new(position), Vec::new()).await {
            Ok(warnings) => warnings,
            Err(PrepareError::Map { problems, warnings }) => [problems, warnings].concat(),
            Err(error) => return Err(context.position(error, &[])),
        };
        let said = said.iter();
        problems.extend(said.map(|problem| of_plugin(problem, checked, &context)));
        Ok(rules.answer(v1::ValidateMapResponse {
            rules_fingerprint: rules.fingerprint(),
            ..answer(problems, Some(map))
        }))
    }
}

impl<'a> Checked<'a> {
    fn of(request: &'a v1::ValidateMapRequest) -> Result<Self, Fault> {
        match request.source.as_ref() {
            None => Err(missing("source", "the map to check")),
            Some(Source::Map(map)) => Ok(Self::Map(map)),
            Some(Source::Toml(text)) => Ok(Self::File(Text::Toml(text))),
            Some(Source::Json(text)) => Ok(Self::File(Text::Json(text))),
        }
    }

    /// The map, or what makes no sense. One more of these than is told, so that it is known whether
    /// there are more.
    fn read(self, limits: &Limits) -> Result<Result<Map, Vec<v1::MapProblem>>, Fault> {
        match self {
            Self::Map(given) => Ok(decode::survey_map(given, limits, MOST + 1).map_err(|all| {
                let problems = all.into_iter().map(|it| of_refused(it, given));
                problems.collect()
            })),
            Self::File(text) => match text.read(limits.max_hexes) {
                Ok((_, map)) => Ok(Ok(map)),
                Err(NoMap::Refused(fault)) => Err(fault),
                Err(NoMap::Wrong(all)) => {
                    let problems = all.into_iter().map(|it| of_file(it, text.field()));
                    Ok(Err(problems.collect()))
                }
            },
        }
    }

    /// Where a layer, or a field of one, is given: the path and the line.
    fn place(self, layer: &str, field: Option<&str>) -> (String, u32) {
        let text = match self {
            Self::Map(map) => {
                let given = Given::Map(map);
                let path = field.map(|field| given.field(layer, field));
                return (path.unwrap_or_else(|| given.layer(layer)), 0);
            }
            Self::File(text) => text,
        };
        let steps: Vec<&str> = ["layers", layer].into_iter().chain(field).collect();
        let path = match layer {
            "" => String::new(),
            _ => steps.join("."),
        };
        (
            compose::path_within(text.field(), &path),
            number(text.line_of(&steps)),
        )
    }
}

/// A line as messages have it.
fn number(line: Option<usize>) -> u32 {
    let line = line.map(|line| u32::try_from(line).unwrap_or(u32::MAX));
    line.unwrap_or_default()
}

fn answer(mut problems: Vec<v1::MapProblem>, map: Option<&Map>) -> v1::ValidateMapResponse {
    let is_error = |it: &v1::MapProblem| it.severity() == MapProblemSeverity::Error;
    let good = map.filter(|_| !problems.iter().any(is_error));
    let has_more_problems = problems.len() > MOST;
    problems.truncate(MOST);
    v1::ValidateMapResponse {
        map_id: good.map_or_else(String::new, |map| map.id().to_string()),
        problems,
        has_more_problems,
        rules_fingerprint: String::new(),
    }
}

/// A field that no map can have.
fn of_refused(refused: Refused, given: &v1::Map) -> v1::MapProblem {
    let layer = given.layers.iter().enumerate().find(|(index, _)| {
        let path = format!("layers[{index}].");
        refused.field.starts_with(&path)
    });
    v1::MapProblem {
        severity: MapProblemSeverity::Error.into(),
        reason: refused.reason.into(),
        layer: layer.map_or_else(String::new, |(_, layer)| layer.name.clone()),
        field: format!("map.{}", refused.field),
        plugin: String::new(),
        text: refused.message,
        line: 0,
    }
}

/// A field of a map file that makes no sense.
fn of_file(error: MapError, field: &str) -> v1::MapProblem {
    v1::MapProblem {
        severity: MapProblemSeverity::Error.into(),
        reason: ErrorReason::MapFileInvalid.into(),
        layer: String::new(),
        field: compose::path_within(field, &error.path),
        plugin: String::new(),
        text: error.what,
        line: number(error.line),
    }
}

/// What a plugin says.
fn of_plugin(problem: &Problem, checked: Checked<'_>, context: &Context<'_>) -> v1::MapProblem {
    let layer = context.layer_of(problem).unwrap_or_default();
    let (field, line) = checked.place(layer, None);
    let (severity, reason) = match problem.severity {
        Severity::Error => (MapProblemSeverity::Error, ErrorReason::LayerInvalid),
        Severity::Warning => (MapProblemSeverity::Warning, ErrorReason::Unspecified),
    };
    v1::MapProblem {
        severity: severity.into(),
        reason: reason.into(),
        field,
        layer: layer.to_owned(),
        plugin: problem.plugin.clone(),
        text: problem.message.clone(),
        line,
    }
}

/// Layers and fields that the rules do not know so.
fn misfits(checked: Checked<'_>, context: &Context<'_>, ignored: &[String]) -> Vec<v1::MapProblem> {
    let mut problems = Vec::new();
    for name in context.map.layers.keys() {
        let ignored_at = ignored.iter().position(|layer| layer == name);
        match (owner_of(context.ruleset, name), ignored_at) {
            (None, Some(_)) => {}
            (None, None) => {
                let text = "no plugin owns it; list it in ignore_layers to do without it";
                let place = checked.place(name, None);
                problems.push(misfit(ErrorReason::UnknownLayer, place, (name, ""), text));
            }
            (Some(plugin), Some(at)) => {
                let place = (format!("ignore_layers[{at}]"), 0);
                let text = format!("plugin {plugin} owns {name:?}");
                let owned = (name.as_str(), plugin);
                problems.push(misfit(ErrorReason::LayerNotIgnorable, place, owned, text));
            }
            (Some(plugin), None) => {
                for (field, text) in misfit_fields(context, name) {
                    let place = checked.place(name, Some(field));
                    let owned = (name.as_str(), plugin);
                    problems.push(misfit(ErrorReason::LayerInvalid, place, owned, text));
                }
            }
        }
    }
    problems
}

/// A layer, and the plugin that owns it, about which there is something to say.
fn misfit(
    reason: ErrorReason,
    (field, line): (String, u32),
    (layer, plugin): (&str, &str),
    text: impl Into<String>,
) -> v1::MapProblem {
    v1::MapProblem {
        severity: MapProblemSeverity::Error.into(),
        reason: reason.into(),
        field,
        layer: layer.to_owned(),
        plugin: plugin.to_owned(),
        text: text.into(),
        line,
    }
}

fn owner_of<'a>(ruleset: &'a Ruleset, layer: &str) -> Option<&'a str> {
    let owner = ruleset.owner(layer)?;
    Some(&owner.manifest().id)
}

/// The fields of a layer that its plugin does not declare so.
fn misfit_fields<'a>(context: &'a Context<'_>, name: &str) -> Vec<(&'a str, String)> {
    let spec = context.ruleset.owner(name);
    let spec = spec.and_then(|owner| owner.manifest().layer(name));
    let (Some(spec), Some(layer)) = (spec, context.map.layers.get(name)) else {
        return Vec::new();
    };
    let misfit = |(field, held): (&'a String, &alamein_terrain::Field)| {
        let declared = spec.fields.iter().find(|declared| declared.name == *field);
        let why = match declared {
            None => {
                let known: Vec<&str> = spec.fields.iter().map(|it| it.name.as_str()).collect();
                format!("the layer has no such field; it has {}", known.join(", "))
            }
            Some(declared) if declared.kind != held.kind() => {
                format!("it holds {}, not {}", declared.kind, held.kind())
            }
            Some(_) => return None,
        };
        Some((field.as_str(), why))
    };
    layer.fields.iter().filter_map(misfit).collect()
}
