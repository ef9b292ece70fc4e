//! Every method of every service asks for its scope, on either listener.

use alamein_proto::FILE_DESCRIPTOR_SET;
use alamein_server::{Quota, Scope};
use prost::Message as _;
use prost_types::FileDescriptorSet;
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::house::{House, channel, knock, reason, was_let_in};

/// The paths of all methods of the API.
fn methods() -> Vec<String> {
    let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
    let mut all = Vec::new();
    for file in &set.file {
        for service in &file.service {
            for method in &service.method {
                all.push(format!(
                    "/{}.{}/{}",
                    file.package(),
                    service.name(),
                    method.name()
                ));
            }
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn no_method_is_open_to_nobody_in_particular() {
    let house = House::start(|_, _| {}).await;
    for address in [&house.main, &house.admin] {
        let channel = channel(address);
        for method in methods() {
            let refused = knock(&channel, &method, None).await.unwrap_err();
            assert_eq!(refused.code(), Code::Unauthenticated, "{method}");
            assert_eq!(reason(&refused), "CREDENTIALS_MISSING", "{method}");
        }
        let other = knock(&channel, "/alamein.v1.MapService/Nothing", None).await;
        assert_eq!(reason(&other.unwrap_err()), "CREDENTIALS_MISSING");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_method_asks_for_its_scope_by_name_and_for_no_other() {
    let house = House::start(|_, _| {}).await;
    let mut tokens = Vec::new();
    for scope in Scope::ALL {
        tokens.push((scope, house.token(&[scope], Quota::default()).await.text));
    }
    let mut asked = std::collections::BTreeSet::new();
    for address in [&house.main, &house.admin] {
        let channel = channel(address);
        for method in methods() {
            let mut fitting = Vec::new();
            let mut named = std::collections::BTreeSet::new();
            for (scope, token) in &tokens {
                let answer = knock(&channel, &method, Some(token)).await;
                if was_let_in(&answer) {
                    fitting.push(scope.name().to_owned());
                    continue;
                }
                let refused = answer.unwrap_err();
                assert_eq!(refused.code(), Code::PermissionDenied, "{method} {scope}");
                let info = refused.get_details_error_info().unwrap();
                assert_eq!(info.reason, "SCOPE_MISSING");
                assert_eq!(format!("/{}", info.metadata["method"]), method);
                named.insert(info.metadata["scope"].clone());
            }
            assert_eq!(fitting.len(), 1, "{method}: {fitting:?}");
            assert_eq!(named.into_iter().collect::<Vec<_>>(), fitting, "{method}");
            asked.extend(fitting);
        }
    }
    assert!(
        asked.contains("plugins:admin") && asked.len() >= 5,
        "{asked:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_open_on_purpose_and_reflection_by_choice() {
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;
    const REFLECTION: &str = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    for open in [false, true] {
        let house = House::start(|_, serving| serving.auth.open_reflection = open).await;
        for address in [&house.main, &house.admin] {
            let mut health = HealthClient::new(channel(address));
            health.check(HealthCheckRequest::default()).await.unwrap();
            let answer = knock(&channel(address), REFLECTION, None).await;
            assert_eq!(was_let_in(&answer), open, "{answer:?}");
        }
    }
}
