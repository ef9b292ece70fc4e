//! The map service.

mod compose;
mod render;
mod validate;

use std::collections::BTreeSet;
use std::sync::Arc;

use alamein_proto::decode;
use alamein_proto::encode;
use alamein_proto::v1;
use alamein_proto::v1::map_service_server::MapService;
use alamein_store::Kind;
use alamein_terrain::{Digest, Environment, Map, Position};
use tonic::{Request, Response, Status};

use crate::adjudication::check_side;
use crate::audit::Deed;
use crate::auth::Caller;
use crate::fault::Fault;
use crate::kept::of_store;
use crate::paths::Given;
use crate::refusal::{self, Context};
use crate::rules::{By, InForce};
use crate::service::{Service, missing, page};

impl Service {
    /// Checks a position against rules: its layers and attributes.
    pub(crate) async fn check(
        &self,
        rules: &InForce,
        position: Arc<Position>,
        ignore_layers: &[String],
        given: Given<'_>,
    ) -> Result<Vec<v1::MapWarning>, Fault> {
        let engine = &rules.ready().engine;
        let (ruleset, map) = (engine.ruleset(), Arc::clone(position.map()));
        let context = Context {
            given,
            map: &map,
            ruleset: &ruleset,
            deadline: None,
        };
        let warnings = engine
            .check(position, ignore_layers.to_vec())
            .await
            .map_err(|error| context.position(error, ignore_layers))?;
        let warning = |problem: alamein_terrain::Problem| v1::MapWarning {
            layer: context.layer_of(&problem).unwrap_or_default().to_owned(),
            hexes: hexes_named(&problem.message, &map),
            text: format!("{}: {}", problem.plugin, problem.message),
        };
        Ok(warnings.into_iter().map(warning).collect())
    }
}

/// The hexes of a map that a text names, in plain string order. A rule's number is none.
fn hexes_named(text: &str, map: &Map) -> Vec<String> {
    let within = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let words = text.split(|c| !within(c));
    let words = words.map(|word| word.trim_end_matches('.'));
    let hexes = words.filter_map(|word| map.grid.hex(word).ok());
    let named: BTreeSet<String> = hexes.map(|hex| map.grid.label(hex)).collect();
    named.into_iter().collect()
}

#[tonic::async_trait]
impl MapService for Service {
    async fn create_map(
        &self,
        request: Request<v1::CreateMapRequest>,
    ) -> Result<Response<v1::CreateMapResponse>, Status> {
        let (tenant, deed) = (Caller::of(&request).tenant, Deed::of(&request));
        let v1::CreateMapRequest {
            map,
            ignore_layers,
            ruleset,
            validate_only,
        } = request.into_inner();
        let given = map.ok_or_else(|| missing("map", "the map to keep"))?;
        let map: Map = decode::map(&given, &self.limits.request)
            .map_err(|error| refusal::refused(error, "map."))?;
        let map = Arc::new(map);
        let rules = self.rules_of(&tenant, By::named(&ruleset)).await?;
        let empty = Position::new(Arc::clone(&map), Vec::new(), Environment::default())
            .map_err(|error| Fault::new(v1::ErrorReason::OutOfRange, error.to_string()))?;
        let warnings = self
            .check(&rules, Arc::new(empty), &ignore_layers, Given::Map(&given))
            .await?;
        let id = map.id();
        deed.note("map_id", id);
        deed.only_checks(validate_only);
        let created = match validate_only {
            true => self
                .keeper
                .map(&tenant, id)
                .await
                .map(|kept| kept.is_none()),
            false => self.keeper.keep_map(&tenant, map).await,
        };
        let created = created.map_err(|error| of_store(&error))?;
        Ok(rules.answer(v1::CreateMapResponse {
            map_id: id.to_string(),
            created,
            warnings,
            rules_fingerprint: rules.fingerprint(),
        }))
    }

    async fn get_map(
        &self,
        request: Request<v1::GetMapRequest>,
    ) -> Result<Response<v1::GetMapResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let id = request.into_inner().map_id;
        let map = self.kept_map(&tenant, &id, "map_id").await?;
        Ok(Response::new(v1::GetMapResponse {
            map_id: id,
            map: Some(encode::map(&map)),
        }))
    }

    async fn list_maps(
        &self,
        request: Request<v1::ListMapsRequest>,
    ) -> Result<Response<v1::ListMapsResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let v1::ListMapsRequest {
            page_size,
            page_token,
        } = request.into_inner();
        let (size, after) = page(page_size, &page_token)?;
        let listed = self.keeper.page(&tenant, Kind::Map, after, size).await;
        let (listed, more) = listed.map_err(|error| of_store(&error))?;
        let next = listed.last().filter(|_| more).map(|it| it.id.to_string());
        let mut maps = Vec::with_capacity(listed.len());
        for it in listed {
            let map = self.keeper.map(&tenant, it.id).await;
            // It may have been swept away since it was listed.
            if let Some(map) = map.map_err(|error| of_store(&error))? {
                maps.push(summary(it.id, &map));
            }
        }
        Ok(Response::new(v1::ListMapsResponse {
            maps,
            next_page_token: next.unwrap_or_default(),
        }))
    }

    async fn validate_map(
        &self,
        request: Request<v1::ValidateMapRequest>,
    ) -> Result<Response<v1::ValidateMapResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        Ok(self.validate(&tenant, request.into_inner()).await?)
    }

    async fn compose_map(
        &self,
        request: Request<v1::ComposeMapRequest>,
    ) -> Result<Response<v1::ComposeMapResponse>, Status> {
        let (request, most) = (request.into_inner(), self.limits.request.max_hexes);
        let answer = aside(move || compose::compose(&request, most)).await?;
        Ok(Response::new(answer))
    }

    async fn render_map(
        &self,
        request: Request<v1::RenderMapRequest>,
    ) -> Result<Response<v1::RenderMapResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let request = request.into_inner();
        check_side(&request.as_side, self.limits.request.max_text)?;
        let mut position = self.rendered(&tenant, request.subject.as_ref()).await?;
        if !request.as_side.is_empty() {
            position = Arc::new(position.seen_by(&request.as_side));
        }
        let rules = self.rules_of(&tenant, By::named(&request.ruleset)).await?;
        let service = self.clone();
        Ok(aside(move || service.render(&request, &position, &rules)).await?)
    }
}

/// What a list says of a map.
fn summary(id: Digest, map: &Map) -> v1::MapSummary {
    v1::MapSummary {
        map_id: id.to_string(),
        board: Some(v1::Board {
            columns: map.grid.columns().into(),
            rows: map.grid.rows().into(),
        }),
        layers: map.layers.keys().cloned().collect(),
    }
}

/// Does something on a thread that may be kept busy.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| {
        tracing::error!("{error}");
        let text = "the work on this request broke off";
        Err(Fault::new(v1::ErrorReason::Internal, text))
    })
}
