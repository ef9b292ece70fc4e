//! TLS: certificates that are replaced while the service runs, and those of clients.

use std::fs;
use std::path::Path;
use std::time::Duration;

use alamein_server::{Quota, Scope};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, SanType};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

use crate::house::{House, knock, reason, tls, until, was_let_in};

const LINE: &str = "/alamein.v1.AdjudicationService/LineOfSight";

type Issuer = CertifiedIssuer<'static, KeyPair>;

/// Somebody who vouches for certificates.
fn issuer(name: &str) -> Issuer {
    let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A certificate and its key, in PEM.
fn certificate(issuer: &Issuer, names: Vec<SanType>, common: &str) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
    params.subject_alt_names = names;
    params.distinguished_name.push(DnType::CommonName, common);
    let certificate = params.signed_by(&key, issuer).unwrap();
    (certificate.pem(), key.serialize_pem())
}

fn put(folder: &Path, (certificate, key): &(String, String)) {
    fs::write(folder.join("cert.pem"), certificate).unwrap();
    fs::write(folder.join("key.pem"), key).unwrap();
}

fn localhost() -> Vec<SanType> {
    vec![SanType::DnsName("localhost".try_into().unwrap())]
}

/// A new connection, which trusts one issuer.
async fn connect(
    house: &House,
    trusted: &Issuer,
    identity: Option<&(String, String)>,
) -> Result<Channel, tonic::transport::Error> {
    let port = house.main.rsplit_once(':').unwrap().1;
    let mut tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(trusted.pem()));
    if let Some((certificate, key)) = identity {
        tls = tls.identity(Identity::from_pem(certificate, key));
    }
    let endpoint = Endpoint::from_shared(format!("https://localhost:{port}")).unwrap();
    endpoint.tls_config(tls).unwrap().connect().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_replaced_under_open_connections_and_a_broken_one_is_not_taken() {
    let (old, new) = (issuer("old"), issuer("new"));
    let house = House::start(|folder, serving| {
        put(folder, &certificate(&old, localhost(), "old"));
        serving.tls = Some(tls(folder, None, false));
        serving.auth = alamein_server::AuthConfig::default();
    })
    .await;
    let folder = house.folder.path();
    let open = connect(&house, &old, None).await.unwrap();
    assert!(was_let_in(&knock(&open, LINE, None).await));
    assert!(connect(&house, &new, None).await.is_err());
    assert!(
        knock(&house.channel(), LINE, None).await.is_err(),
        "nothing goes in plain text"
    );

    // A key that belongs to another certificate, and then no certificate at all.
    let next = certificate(&new, localhost(), "new");
    fs::write(folder.join("key.pem"), &next.1).unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    connect(&house, &old, None).await.unwrap();
    fs::write(folder.join("cert.pem"), "no certificate").unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    connect(&house, &old, None).await.unwrap();

    put(folder, &next);
    until(async || connect(&house, &new, None).await.is_ok()).await;
    assert!(connect(&house, &old, None).await.is_err());
    assert!(
        was_let_in(&knock(&open, LINE, None).await),
        "what is open stays"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clients_certificate_is_a_credential_like_a_token() {
    let (ours, others) = (issuer("ours"), issuer("others"));
    let entry = "[[certificate]]\nid = \"gateway\"\nname = \"uri:spiffe://club/gateway\"\ntenant = \"club\"\n\
                 scopes = [\"adjudicate\"]\n";
    let house = House::start(|folder, serving| {
        put(folder, &certificate(&ours, localhost(), "server"));
        fs::write(folder.join("ca.pem"), ours.pem()).unwrap();
        fs::write(folder.join("tokens.toml"), entry).unwrap();
        serving.tls = Some(tls(folder, Some(folder.join("ca.pem")), false));
    })
    .await;
    let uri = |name: &str| vec![SanType::URI(name.try_into().unwrap())];
    let gateway = certificate(&ours, uri("spiffe://club/gateway"), "x");
    let stranger = certificate(&ours, uri("spiffe://club/other"), "x");
    let forged = certificate(&others, uri("spiffe://club/gateway"), "x");

    let known = connect(&house, &ours, Some(&gateway)).await.unwrap();
    assert!(was_let_in(&knock(&known, LINE, None).await));
    let out = knock(&known, "/alamein.v1.MapService/CreateMap", None)
        .await
        .unwrap_err();
    assert_eq!(reason(&out), "SCOPE_MISSING");
    let wrong = knock(&known, LINE, Some("alm_wrong")).await.unwrap_err();
    assert_eq!(
        reason(&wrong),
        "TOKEN_INVALID",
        "a token that is given counts"
    );

    let unknown = connect(&house, &ours, Some(&stranger)).await.unwrap();
    let refused = knock(&unknown, LINE, None).await.unwrap_err();
    assert_eq!(reason(&refused), "TOKEN_INVALID");
    let nobody = connect(&house, &ours, None).await.unwrap();
    let refused = knock(&nobody, LINE, None).await.unwrap_err();
    assert_eq!(reason(&refused), "CREDENTIALS_MISSING");
    assert!(
        !answers(&house, &ours, Some(&forged), None).await,
        "nobody vouches for it"
    );

    fs::write(house.tokens(), "").unwrap();
    until(async || {
        let answer = knock(&known, LINE, None).await;
        answer.is_err_and(|status| reason(&status) == "TOKEN_INVALID")
    })
    .await;
}

/// Whether the service says anything to a client, if only that it is refused.
async fn answers(
    house: &House,
    trusted: &Issuer,
    identity: Option<&(String, String)>,
    token: Option<&str>,
) -> bool {
    // In TLS 1.3 a client hears only after the handshake that its certificate is refused.
    let Ok(channel) = connect(house, trusted, identity).await else {
        return false;
    };
    match knock(&channel, LINE, token).await {
        Ok(()) => true,
        Err(status) => !reason(&status).is_empty(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_a_certificate_is_turned_away_where_one_is_required() {
    let ours = issuer("ours");
    let house = House::start(|folder, serving| {
        put(folder, &certificate(&ours, localhost(), "server"));
        fs::write(folder.join("ca.pem"), ours.pem()).unwrap();
        serving.tls = Some(tls(folder, Some(folder.join("ca.pem")), true));
    })
    .await;
    let token = alamein_server::auth::add(
        &house.tokens(),
        &crate::house::wanted("club", &[Scope::Adjudicate], Quota::default()),
    )
    .unwrap();
    let with = certificate(&ours, localhost(), "anybody");
    let known = connect(&house, &ours, Some(&with)).await.unwrap();
    until(async || was_let_in(&knock(&known, LINE, Some(&token.text)).await)).await;
    let token = Some(&*token.text);
    assert!(answers(&house, &ours, Some(&with), token).await);
    let without = answers(&house, &ours, None, token).await;
    assert!(!without, "a token does not stand in for the certificate");
}
