//! A service that does what the request's metadata say.

use std::time::Duration;

use alamein_proto::v1;
use alamein_proto::v1::adjudication_service_server::AdjudicationService;
use alamein_proto::v1::{
    BatchAdjudicateRequest, BatchAdjudicateResponse, ExportCaseRequest, ExportCaseResponse,
    FireLaneRequest, FireLaneResponse, LineOfFireRequest, LineOfFireResponse, LineOfSightRequest,
    LineOfSightResponse, MovementRequest, MovementResponse, PricePathRequest, PricePathResponse,
    ReachableRequest, ReachableResponse, SetUpRequest, SetUpResponse,
};
use alamein_server::transport::{Deadline, RequestSpan};
use alamein_terrain::Digest;
use tonic::{Request, Response, Status};

/// It obeys the metadata `x-do`: `sleep 500` (milliseconds), `panic`, `give 5000000` (bytes),
/// `tell-deadline`.
pub(crate) struct Obedient;

#[tonic::async_trait]
impl AdjudicationService for Obedient {
    async fn line_of_sight(
        &self,
        request: Request<LineOfSightRequest>,
    ) -> Result<Response<LineOfSightResponse>, Status> {
        RequestSpan::of(&request)
            .unwrap()
            .ruling(Digest::of(b"a ruling"));
        let order = order(&request);
        let mut response = Response::new(LineOfSightResponse::default());
        match order.split_once(' ').unwrap_or((&order, "")) {
            ("sleep", ms) => tokio::time::sleep(Duration::from_millis(ms.parse().unwrap())).await,
            ("panic", _) => panic!("a secret of the handler"),
            ("tell-deadline", _) => {
                let left = Deadline::of(&request).unwrap().remaining().as_millis();
                response
                    .metadata_mut()
                    .insert("x-left-ms", left.to_string().parse().unwrap());
            }
            _ => {}
        }
        Ok(response)
    }

    async fn export_case(
        &self,
        request: Request<ExportCaseRequest>,
    ) -> Result<Response<ExportCaseResponse>, Status> {
        let size = order(&request)
            .strip_prefix("give ")
            .unwrap()
            .parse()
            .unwrap();
        let case_file = vec![b'x'; size];
        Ok(Response::new(ExportCaseResponse {
            case_file,
            ..Default::default()
        }))
    }

    async fn line_of_fire(
        &self,
        _: Request<LineOfFireRequest>,
    ) -> Result<Response<LineOfFireResponse>, Status> {
        Err(Status::unimplemented("not for these tests"))
    }

    async fn fire_lane(
        &self,
        _: Request<FireLaneRequest>,
    ) -> Result<Response<FireLaneResponse>, Status> {
        Err(Status::unimplemented("not for these tests"))
    }

    async fn movement(
        &self,
        _: Request<MovementRequest>,
    ) -> Result<Response<MovementResponse>, Status> {
        Err(Status::unimplemented("not for these tests"))
    }

    async fn set_up(&self, _: Request<SetUpRequest>) -> Result<Response<SetUpResponse>, Status> {
        Err(Status::unimplemented("not for these tests"))
    }

    async fn price_path(
        &self,
        _: Request<PricePathRequest>,
    ) -> Result<Response<PricePathResponse>, Status> {
        Err(Status::unimplemented("not for these tests"))
    }

    type AdjudicateStream = tokio_stream::Empty<Result<v1::AdjudicateResponse, Status>>;

    async fn adjudicate(
        &self,
        _: Request<tonic::Streaming<v1::AdjudicateRequest>>,
    ) -> Result<Response<Self::AdjudicateStream>, Status> {
        Ok(Response::new(tokio_stream::empty()))
    }

    type FieldOfViewStream = tokio_stream::Empty<Result<v1::FieldOfViewResponse, Status>>;

    async fn field_of_view(
        &self,
        _: Request<v1::FieldOfViewRequest>,
    ) -> Result<Response<Self::FieldOfViewStream>, Status> {
        Ok(Response::new(tokio_stream::empty()))
    }

    async fn packed_field_of_view(
        &self,
        _: Request<v1::PackedFieldOfViewRequest>,
    ) -> Result<Response<v1::PackedFieldOfViewResponse>, Status> {
        Ok(Response::new(v1::PackedFieldOfViewResponse::default()))
    }

    async fn reachable(
        &self,
        _: Request<ReachableRequest>,
    ) -> Result<Response<ReachableResponse>, Status> {
        Err(Status::unimplemented("not for these tests"))
    }

    async fn batch_adjudicate(
        &self,
        _: Request<BatchAdjudicateRequest>,
    ) -> Result<Response<BatchAdjudicateResponse>, Status> {
        Err(Status::unimplemented("not for these tests"))
    }
}

fn order<T>(request: &Request<T>) -> String {
    let order = request.metadata().get("x-do");
    order
        .map(|order| order.to_str().unwrap().to_owned())
        .unwrap_or_default()
}
