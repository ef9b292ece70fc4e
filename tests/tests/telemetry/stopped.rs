//! What is told of a database that is away for a while.

use std::time::{Duration, Instant};

use alamein_proto::v1;
use alamein_proto::v1::position_service_client::PositionServiceClient;
use alamein_tests::postgres::{End, Postgres};

use crate::scrape::value;
use crate::{position, serve};

const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn what_is_tried_again_is_counted_while_it_is() {
    let Some(mut database) = Postgres::start().unwrap() else {
        return;
    };
    let url = database.url("postgres");
    let flags = [
        "--metrics=127.0.0.1:0",
        "--store-patience=60s",
        "--store",
        &url,
    ];
    let server = serve(&flags).await;
    let at = format!("http://{}", server.address());
    let mut stub = PositionServiceClient::connect(at).await.unwrap();
    let keep = v1::CreatePositionRequest {
        position: Some(position()),
        ..Default::default()
    };
    let again = || {
        value(
            &server,
            "store_retries_total{operation=\"put\",kind=\"position\"}",
        )
    };
    let first = stub.create_position(keep.clone()).await.unwrap();
    assert_eq!(again(), None, "nothing had to be tried again");

    database.end(End::Fast).unwrap();
    let kept = tokio::spawn(async move { stub.create_position(keep).await });
    let start = Instant::now();
    while again().is_none_or(|times| times < 2.0) {
        assert!(start.elapsed() < PATIENCE, "{}", server.log());
        assert!(!kept.is_finished(), "{:?}", kept.await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    database.resume().unwrap();
    let kept = kept.await.unwrap().unwrap();
    assert_eq!(
        kept.into_inner().position_id,
        first.into_inner().position_id
    );
}
