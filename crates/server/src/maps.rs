//! The map service.

mod compose;
mod render;
mod validate;

use std::sync::Arc;

use alamein_proto::decode::{self, IdOf};
use alamein_proto::encode;
use alamein_proto::v1;
use alamein_proto::v1::map_service_server::MapService;
use alamein_terrain::{Environment, Map, Position};
use tonic::{Request, Response, Status};

use crate::fault::Fault;
use crate::paths::Given;
use crate::refusal::{self, Context};
use crate::rules::{By, InForce};
use crate::service::{Service, kept, missing, page};

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
            hexes: Vec::new(),
            text: format!("{}: {}", problem.plugin, problem.message),
        };
        Ok(warnings.into_iter().map(warning).collect())
    }
}

#[tonic::async_trait]
impl MapService for Service {
    async fn create_map(
        &self,
        request: Request<v1::CreateMapRequest>,
    ) -> Result<Response<v1::CreateMapResponse>, Status> {
        let v1::CreateMapRequest {
            map,
            ignore_layers,
            ruleset,
        } = request.into_inner();
        let given = map.ok_or_else(|| missing("map", "the map to keep"))?;
        let map: Map = decode::map(&given, &self.limits.request)
            .map_err(|error| refusal::refused(error, "map."))?;
        let map = Arc::new(map);
        let rules = self.rules.find(By::named(&ruleset))?;
        let empty = Position::new(Arc::clone(&map), Vec::new(), Environment::default())
            .map_err(|error| Fault::new(v1::ErrorReason::OutOfRange, error.to_string()))?;
        let warnings = self
            .check(&rules, Arc::new(empty), &ignore_layers, Given::Map(&given))
            .await?;
        let id = map.id();
        let created = self.maps.keep(id, map)?;
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
        let id = request.into_inner().map_id;
        let map = kept(&self.maps, &id, "map_id", IdOf::Map)?;
        Ok(Response::new(v1::GetMapResponse {
            map_id: id,
            map: Some(encode::map(&map)),
        }))
    }

    async fn list_maps(
        &self,
        request: Request<v1::ListMapsRequest>,
    ) -> Result<Response<v1::ListMapsResponse>, Status> {
        let v1::ListMapsRequest {
            page_size,
            page_token,
        } = request.into_inner();
        let (size, after) = page(page_size, &page_token)?;
        let (maps, more) = self.maps.page(after, size);
        let next = maps.last().filter(|_| more).map(|(id, _)| id.to_string());
        let summary = |(id, map): (alamein_terrain::Digest, Arc<Map>)| v1::MapSummary {
            map_id: id.to_string(),
            board: Some(v1::Board {
                columns: map.grid.columns().into(),
                rows: map.grid.rows().into(),
            }),
            layers: map.layers.keys().cloned().collect(),
        };
        Ok(Response::new(v1::ListMapsResponse {
            maps: maps.into_iter().map(summary).collect(),
            next_page_token: next.unwrap_or_default(),
        }))
    }

    async fn validate_map(
        &self,
        request: Request<v1::ValidateMapRequest>,
    ) -> Result<Response<v1::ValidateMapResponse>, Status> {
        Ok(self.validate(request.into_inner()).await?)
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
        let service = self.clone();
        Ok(aside(move || service.render(&request.into_inner())).await?)
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
