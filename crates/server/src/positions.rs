//! The position service.

use std::sync::Arc;

use alamein_proto::encode;
use alamein_proto::v1;
use alamein_proto::v1::position_service_server::PositionService;
use tonic::{Request, Response, Status};

use crate::paths::Given;
use crate::rules::By;
use crate::service::{Service, missing};

#[tonic::async_trait]
impl PositionService for Service {
    async fn create_position(
        &self,
        request: Request<v1::CreatePositionRequest>,
    ) -> Result<Response<v1::CreatePositionResponse>, Status> {
        let v1::CreatePositionRequest {
            position,
            ignore_layers,
            ruleset,
        } = request.into_inner();
        let given = position.ok_or_else(|| missing("position", "the position to keep"))?;
        let position = Arc::new(self.position(&given, "position.")?);
        let given = Given::Position(&given, "position.");
        let rules = self.rules.find(By::named(&ruleset))?;
        self.check(&rules, Arc::clone(&position), &ignore_layers, given)
            .await?;
        let (id, map) = (position.id(), Arc::clone(position.map()));
        let map_id = position.map_id();
        // The map first: a position that is kept names it.
        self.maps.keep(map_id, map)?;
        let created = self.positions.keep(id, position)?;
        let (position_id, map_id) = (id.to_string(), map_id.to_string());
        Ok(rules.answer(v1::CreatePositionResponse {
            position_id,
            map_id,
            created,
            rules_fingerprint: rules.fingerprint(),
        }))
    }

    async fn get_position(
        &self,
        request: Request<v1::GetPositionRequest>,
    ) -> Result<Response<v1::GetPositionResponse>, Status> {
        let position_id = request.into_inner().position_id;
        let position = self.kept_position(&position_id, "position_id")?;
        let position = Some(encode::position(&position, true));
        Ok(Response::new(v1::GetPositionResponse {
            position_id,
            position,
        }))
    }
}
