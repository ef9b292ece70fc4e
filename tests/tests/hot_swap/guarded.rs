//! Who may replace plugins, and from where.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use alamein_client::{Access, AdminClient, AdminSettings, ErrorReason, v1};
use alamein_tests::stage::Stage;
use alamein_tests::swapped::{Swapped, temporary};
use tonic::Code;

use crate::{admin, client, reason};

const SECRET: &str = "correct-horse-battery-staple";

#[tokio::test(flavor = "multi_thread")]
async fn over_tcp_there_are_tls_and_a_token() {
    let folder = temporary().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    fs::write(at("cert.pem"), made.cert.pem()).unwrap();
    fs::write(at("key.pem"), made.signing_key.serialize_pem()).unwrap();
    fs::write(at("token"), SECRET).unwrap();
    fs::set_permissions(at("token"), fs::Permissions::from_mode(0o600)).unwrap();
    let (cert, key, token) = (at("cert.pem"), at("key.pem"), at("token"));
    // An address that others could reach.
    let flags = [
        "--admin",
        "0.0.0.0:0",
        "--admin-tls-cert",
        &cert,
        "--admin-tls-key",
        &key,
        "--admin-token-file",
        &token,
    ];
    let build = Swapped::new().unwrap();
    let build = build.build("1.0.0", 1).unwrap();
    let stage = Stage::start(&build, &flags).unwrap();
    client(&stage).await;
    let address = stage.server.admin_address().unwrap();
    let port = address.rsplit_once(':').unwrap().1;
    let url = format!("https://localhost:{port}");

    let trusted = || Some(made.cert.pem().into_bytes());
    let connect = |url: String, token: Option<&str>, trusted: Option<Vec<u8>>| {
        let settings = AdminSettings {
            access: Access {
                token: token.map(str::to_owned),
                trusted,
                identity: None,
            },
            ..AdminSettings::default()
        };
        async move { AdminClient::connect(&url, settings).await }
    };
    let known = connect(url.clone(), Some(SECRET), trusted()).await.unwrap();
    assert_eq!(known.list().await.unwrap().libraries_held, 8);
    let nobody = connect(url.clone(), None, trusted()).await.unwrap();
    let refused = nobody.list().await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::CredentialsMissing);
    for token in [Some("correct-horse-battery-stapl"), Some("Bearer")] {
        let stranger = connect(url.clone(), token, trusted()).await.unwrap();
        let refused = stranger.list().await.unwrap_err();
        assert_eq!(reason(&refused), ErrorReason::TokenInvalid, "{token:?}");
        assert_eq!(refused.remote().unwrap().code, Code::Unauthenticated);
        assert!(stranger.load("first").await.is_err());
    }
    assert!(
        connect(url.clone(), Some(SECRET), None).await.is_err(),
        "nobody on this machine vouches for it"
    );
    let other = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let other = Some(other.cert.pem().into_bytes());
    assert!(
        connect(url, Some(SECRET), other).await.is_err(),
        "another's certificate"
    );
    let plain = connect(format!("http://localhost:{port}"), Some(SECRET), None).await;
    if let Ok(plain) = plain {
        assert!(plain.list().await.is_err(), "nothing goes in plain text");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn plugins_are_administered_there_and_nowhere_else() {
    let builds = Swapped::new().unwrap();
    let stage = Stage::start(&builds.build("1.0.0", 1).unwrap(), &[]).unwrap();
    let asker = client(&stage).await;
    let admin = admin(&stage).await;
    admin.list().await.unwrap();
    let socket = stage.admin();
    let socket = socket.strip_prefix("unix:").unwrap();
    let mode = fs::metadata(socket).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let settings = AdminSettings::default();
    let main = AdminClient::connect(stage.server.address(), settings);
    let refused = main.await.unwrap().list().await.unwrap_err();
    assert_eq!(refused.remote().unwrap().code, Code::Unimplemented);
    let settings = alamein_client::Settings::default();
    let there = alamein_client::Client::connect_unix(socket.as_ref(), settings);
    let request = v1::ListRulesetsRequest::default();
    let refused = there.await.unwrap().rulesets().list_rulesets(request).await;
    assert_eq!(refused.unwrap_err().code(), Code::Unimplemented);
    asker.ruleset().await.unwrap();
}
