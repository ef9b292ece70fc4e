//! Tokens: made, changed and revoked while the service runs; their quotas.

use std::time::Duration;

use alamein_server::auth::{add, revoke};
use alamein_server::{Quota, Scope};
use tonic::{Code, Request};
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_types::StatusExt as _;

use crate::house::{House, knock, reason, until, wanted, was_let_in};

const LINE: &str = "/alamein.v1.AdjudicationService/LineOfSight";

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_revoked_is_refused_soon_and_a_broken_file_changes_nothing() {
    let house = House::start(|_, _| {}).await;
    let token = house.token(&[Scope::Adjudicate], Quota::default()).await;
    let other = house.token(&[Scope::Adjudicate], Quota::default()).await;
    let channel = house.channel();
    assert!(was_let_in(&knock(&channel, LINE, Some(&token.text)).await));
    for wrong in [
        format!("{}0", &token.text[..token.text.len() - 1]),
        token.text.replace(&token.id, &other.id),
        token.text.to_uppercase(),
        token.sha256(),
    ] {
        // One in sixteen ends with a 0 anyway.
        if wrong != token.text {
            let refused = knock(&channel, LINE, Some(&wrong)).await.unwrap_err();
            assert_eq!(
                (refused.code(), &*reason(&refused)),
                (Code::Unauthenticated, "TOKEN_INVALID")
            );
            assert!(!refused.message().contains(&wrong));
        }
    }
    let good = std::fs::read_to_string(house.tokens()).unwrap();
    std::fs::write(house.tokens(), "[[token]]\nid = 7\n").unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(was_let_in(&knock(&channel, LINE, Some(&token.text)).await));
    std::fs::write(house.tokens(), good).unwrap();
    revoke(&house.tokens(), &token.id).unwrap();
    until(async || {
        let answer = knock(&channel, LINE, Some(&token.text)).await;
        answer.is_err_and(|status| reason(&status) == "TOKEN_INVALID")
    })
    .await;
    assert!(was_let_in(&knock(&channel, LINE, Some(&other.text)).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_past_its_time_says_so() {
    let house = House::start(|_, _| {}).await;
    let mut past = wanted("club", &[Scope::Adjudicate], Quota::default());
    past.expires = Some(time::OffsetDateTime::UNIX_EPOCH);
    let token = add(&house.tokens(), &past).unwrap();
    let channel = house.channel();
    until(async || {
        let answer = knock(&channel, LINE, Some(&token.text)).await;
        answer.is_err_and(|status| reason(&status) == "TOKEN_EXPIRED")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quota_is_each_tokens_own_and_says_when_to_come_back() {
    let slow = Quota {
        requests_per_second: Some(0.001),
        burst: Some(2),
        concurrent_requests: None,
    };
    // By default two requests; a token that says otherwise has what it says.
    let house = House::start(|_, serving| serving.auth.quota = slow).await;
    let generous = Quota {
        requests_per_second: Some(1000.0),
        ..Quota::default()
    };
    let rich = house.token(&[Scope::Adjudicate], generous).await;
    let poor = add(
        &house.tokens(),
        &wanted("club", &[Scope::Adjudicate], Quota::default()),
    )
    .unwrap();
    let other = add(
        &house.tokens(),
        &wanted("club", &[Scope::Adjudicate], Quota::default()),
    )
    .unwrap();
    let channel = house.channel();
    until(async || was_let_in(&knock(&channel, LINE, Some(&other.text)).await)).await;
    for _ in 0..2 {
        assert!(was_let_in(&knock(&channel, LINE, Some(&poor.text)).await));
    }
    let refused = knock(&channel, LINE, Some(&poor.text)).await.unwrap_err();
    assert_eq!(
        (refused.code(), &*reason(&refused)),
        (Code::ResourceExhausted, "QUOTA_EXCEEDED")
    );
    let details = refused.get_error_details();
    let wait = details.retry_info().unwrap().retry_delay.unwrap();
    assert!(
        wait > Duration::from_secs(600) && wait <= Duration::from_secs(1000),
        "{wait:?}"
    );
    let failure = &details.quota_failure().unwrap().violations[0];
    assert_eq!(failure.subject, format!("token:{}", poor.id));
    assert!(was_let_in(&knock(&channel, LINE, Some(&other.text)).await));
    for _ in 0..20 {
        assert!(was_let_in(&knock(&channel, LINE, Some(&rich.text)).await));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_token_is_revoked_and_keeps_its_place_until_then() {
    let house = House::start(|_, _| {}).await;
    let one = Quota {
        concurrent_requests: Some(1),
        ..Quota::default()
    };
    let token = house.token(&[Scope::Adjudicate], one).await;
    let channel = house.channel();
    let (ask, questions) = tokio::sync::mpsc::channel(1);
    let questions =
        tokio_stream::wrappers::ReceiverStream::<ServerReflectionRequest>::new(questions);
    let mut request = Request::new(questions);
    let header = format!("Bearer {}", token.text).parse().unwrap();
    request.metadata_mut().insert("authorization", header);
    let mut reflection = ServerReflectionClient::new(channel.clone());
    let mut answers = reflection
        .server_reflection_info(request)
        .await
        .unwrap()
        .into_inner();

    let refused = knock(&channel, LINE, Some(&token.text)).await.unwrap_err();
    let info = refused.get_details_error_info().unwrap();
    assert_eq!(
        (&*info.reason, &*info.metadata["quota"]),
        ("QUOTA_EXCEEDED", "concurrent_requests")
    );

    revoke(&house.tokens(), &token.id).unwrap();
    let end = tokio::time::timeout(Duration::from_secs(60), answers.message())
        .await
        .unwrap();
    assert_eq!(reason(&end.unwrap_err()), "TOKEN_INVALID");
    drop(ask);
}
