//! Tokens that somebody else issues.

use std::fs;

use alamein_client::ErrorReason;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::{Secured, position, read, until};

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Whoever issues tokens.
struct Issuer {
    kid: &'static str,
    key: Ed25519KeyPair,
}

impl Issuer {
    fn new(kid: &'static str) -> Self {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let key = Ed25519KeyPair::from_pkcs8(made.as_ref()).unwrap();
        Self { kid, key }
    }

    fn public(&self) -> Value {
        let x = encoded(self.key.public_key());
        json!({"kty": "OKP", "crv": "Ed25519", "kid": self.kid, "use": "sig", "x": x})
    }

    /// A token with usual claims, but for some.
    fn token(&self, but: &Value) -> String {
        let message = self.unsigned("EdDSA", but);
        let signature = self.key.sign(message.as_bytes());
        format!("{message}.{}", encoded(signature))
    }

    fn unsigned(&self, alg: &str, but: &Value) -> String {
        let now = OffsetDateTime::now_utc().unix_timestamp();
        let mut claims = json!({"iss": "https://id.example.org", "aud": ["alamein"], "sub": "server-7",
            "org": "club", "scope": "adjudicate positions:write", "exp": now + 600});
        for (claim, value) in but.as_object().unwrap() {
            claims[claim] = value.clone();
        }
        let header = json!({"alg": alg, "kid": self.kid, "typ": "JWT"});
        format!(
            "{}.{}",
            encoded(header.to_string()),
            encoded(claims.to_string())
        )
    }
}

fn set(keys: &[&Issuer]) -> String {
    let keys: Vec<_> = keys.iter().map(|it| it.public()).collect();
    json!({ "keys": keys }).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jwt_opens_what_its_claims_say_until_its_key_is_taken_out() {
    let (first, second) = (Issuer::new("first"), Issuer::new("second"));
    let secured = Secured::start_with(|folder| {
        let at = |name: &str| folder.path().join(name).display().to_string();
        fs::write(at("jwks.json"), set(&[&first])).unwrap();
        let flags = [
            "--jwks",
            &at("jwks.json"),
            "--jwt-issuer",
            "https://id.example.org",
            "--jwt-audience",
            "alamein",
            "--jwt-tenant-claim",
            "org",
            "--audit",
            &at("audit"),
        ];
        flags.map(str::to_owned).into()
    });
    let usual = first.token(&json!({}));
    let client = secured.bearing(&usual, 60).await;
    client.ruleset().await.unwrap();
    let id = client
        .create_position(&position(1))
        .await
        .unwrap()
        .id
        .to_string();
    // It is the tenant that the claim names: a token of that tenant's sees it, another's does not.
    read(&secured.client("club").await, &id).await.unwrap();
    let other = secured
        .bearing(&first.token(&json!({"org": "league"})), 1)
        .await;
    let nobodys = read(&other, &id).await.unwrap_err();
    assert_eq!(nobodys.reason(), Some(ErrorReason::PositionNotFound));
    let audit = fs::read_to_string(secured.file("audit")).unwrap();
    assert!(audit.contains(r#""token":"jwt:club:server-7""#), "{audit}");

    let now = OffsetDateTime::now_utc().unix_timestamp();
    let forged = {
        let message = first.unsigned("HS256", &json!({}));
        let key = hmac::Key::new(hmac::HMAC_SHA256, first.key.public_key().as_ref());
        let signature = hmac::sign(&key, message.as_bytes());
        format!("{message}.{}", encoded(signature))
    };
    for (why, token, reason) in [
        (
            "late",
            first.token(&json!({"exp": now - 60})),
            ErrorReason::TokenExpired,
        ),
        (
            "issuer",
            first.token(&json!({"iss": "https://id.example.com"})),
            ErrorReason::TokenInvalid,
        ),
        (
            "audience",
            first.token(&json!({"aud": "other"})),
            ErrorReason::TokenInvalid,
        ),
        (
            "no tenant",
            first.token(&json!({"org": null})),
            ErrorReason::TokenInvalid,
        ),
        (
            "no end",
            first.token(&json!({"exp": null})),
            ErrorReason::TokenInvalid,
        ),
        (
            "no signature",
            format!("{}.", first.unsigned("none", &json!({}))),
            ErrorReason::TokenInvalid,
        ),
        (
            "signed by the public key",
            forged,
            ErrorReason::TokenInvalid,
        ),
        (
            "another's key",
            second.token(&json!({})),
            ErrorReason::TokenInvalid,
        ),
        (
            "no scope",
            first.token(&json!({"scope": "openid"})),
            ErrorReason::ScopeMissing,
        ),
    ] {
        let refused = read(&secured.bearing(&token, 1).await, &id)
            .await
            .unwrap_err();
        assert_eq!(refused.reason(), Some(reason), "{why}: {refused}");
    }

    // Both keys for a while, then the new one alone. Nothing is started anew.
    let jwks = secured.file("jwks.json");
    let newer = secured.bearing(&second.token(&json!({})), 1).await;
    fs::write(&jwks, set(&[&first, &second])).unwrap();
    until(async || read(&newer, &id).await.is_ok()).await;
    read(&client, &id).await.unwrap();
    fs::write(&jwks, set(&[&second])).unwrap();
    until(async || read(&client, &id).await.is_err()).await;
    read(&newer, &id).await.unwrap();
    // What makes no sense is told, and what was in force stays.
    fs::write(&jwks, "{").unwrap();
    until(async || secured.server.log().contains("jwks.json: is no JWKS")).await;
    read(&newer, &id).await.unwrap();
    assert_eq!(
        read(&client, &id).await.unwrap_err().reason(),
        Some(ErrorReason::TokenInvalid)
    );
    assert!(!secured.server.log().contains(&usual), "a token in the log");
}
