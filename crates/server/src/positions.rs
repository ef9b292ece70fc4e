//! The position service.

use std::sync::Arc;

use alamein_proto::encode;
use alamein_proto::v1;
use alamein_proto::v1::position_service_server::PositionService;
use tonic::{Request, Response, Status};

use crate::auth::Caller;
use crate::kept::of_store;
use crate::paths::Given;
use crate::rules::By;
use crate::service::{Service, missing};

#[tonic::async_trait]
impl PositionService for Service {
    async fn create_position(
        &self,
        request: Request<v1::CreatePositionRequest>,
    ) -> Result<Response<v1::CreatePositionResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let v1::CreatePositionRequest {
            position,
            ignore_layers,
            ruleset,
        } = request.into_inner();
        let given = position.ok_or_else(|| missing("position", "the position to keep"))?;
        let position = Arc::new(self.position(&tenant, &given, "position.").await?);
        let given = Given::Position(&given, "position.");
        let rules = self.rules_of(&tenant, By::named(&ruleset)).await?;
        self.check(&rules, Arc::clone(&position), &ignore_layers, given)
            .await?;
        let position_id = position.id().to_string();
        let map_id = position.map_id().to_string();
        let created = self.keeper.keep_position(&tenant, position).await;
        let created = created.map_err(|error| of_store(&error))?;
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
        let tenant = Caller::of(&request).tenant;
        let position_id = request.into_inner().position_id;
        let position = self.kept_position(&tenant, &position_id, "position_id");
        let position = position.await?;
        let position = Some(encode::position(&position, true));
        Ok(Response::new(v1::GetPositionResponse {
            position_id,
            position,
        }))
    }
}
