use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::rsa::{KeyPairComponents, PublicKeyComponents};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
    RSA_PSS_SHA256, RsaKeyPair,
};
use serde_json::json;

use super::*;

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn decoded(text: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap()
}

/// An RSA key that was made for this test and is for nothing else: to make one takes long.
fn rsa() -> (RsaKeyPair, Value) {
    let it: Value = serde_json::from_str(include_str!("rsa.json")).unwrap();
    let part = |name: &str| decoded(&it[name]);
    let pair = RsaKeyPair::from_components(&KeyPairComponents {
        public_key: PublicKeyComponents {
            n: part("n"),
            e: part("e"),
        },
        d: part("d"),
        p: part("p"),
        q: part("q"),
        dP: part("dp"),
        dQ: part("dq"),
        qInv: part("qi"),
    });
    let public = json!({"kty": "RSA", "kid": "rsa", "n": it["n"], "e": it["e"]});
    (pair.unwrap(), public)
}

/// Three keys, an Ed25519 one, one on P-256 and an RSA one, and a file that holds their public halves.
struct Keys {
    ed: Ed25519KeyPair,
    ec: EcdsaKeyPair,
    rsa: RsaKeyPair,
    folder: tempfile::TempDir,
}

impl Keys {
    fn new() -> Self {
        let random = SystemRandom::new();
        let ed = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
        let ec = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        Self {
            ed: Ed25519KeyPair::from_pkcs8(ed.as_ref()).unwrap(),
            ec: EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, ec.as_ref(), &random)
                .unwrap(),
            rsa: rsa().0,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn public(&self) -> [Value; 3] {
        let point = self.ec.public_key().as_ref();
        [
            json!({"kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": encoded(self.ed.public_key())}),
            json!({"kty": "EC", "crv": "P-256", "kid": "ec", "use": "sig", "x": encoded(&point[1..33]),
                "y": encoded(&point[33..])}),
            rsa().1,
        ]
    }

    fn issuer(&self, keys: &[Value]) -> Result<Issuer, JwksError> {
        let jwks = self.folder.path().join("jwks.json");
        std::fs::write(&jwks, json!({"keys": keys}).to_string()).unwrap();
        Issuer::read(&JwtConfig {
            jwks,
            issuer: "https://id.example.org".into(),
            audience: "alamein".into(),
            tenant_claim: "tenant".into(),
            scope_claim: "scope".into(),
        })
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let message = format!(
            "{}.{}",
            encoded(header.to_string()),
            encoded(claims.to_string())
        );
        let signature = match header["alg"].as_str() {
            Some("EdDSA") => self.ed.sign(message.as_bytes()).as_ref().to_vec(),
            Some("ES256") => self
                .ec
                .sign(&SystemRandom::new(), message.as_bytes())
                .unwrap()
                .as_ref()
                .to_vec(),
            Some("RS256") => self.rsa_signed(&RSA_PKCS1_SHA256, &message),
            Some("PS256") => self.rsa_signed(&RSA_PSS_SHA256, &message),
            _ => Vec::new(),
        };
        format!("{message}.{}", encoded(signature))
    }

    fn rsa_signed(&self, how: &'static dyn ring::signature::RsaEncoding, message: &str) -> Vec<u8> {
        let mut signature = vec![0; self.rsa.public().modulus_len()];
        let random = SystemRandom::new();
        self.rsa
            .sign(how, &random, message.as_bytes(), &mut signature)
            .unwrap();
        signature
    }
}

fn claims() -> Value {
    let now = OffsetDateTime::now_utc().unix_timestamp();
    json!({"iss": "https://id.example.org", "aud": "alamein", "sub": "server-7", "tenant": "club",
        "scope": "openid adjudicate maps:write", "exp": now + 600, "nbf": now - 600})
}

fn changed(field: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[field] = value;
    claims
}

#[test]
fn a_jwt_names_a_tenant_scopes_and_an_end() {
    let keys = Keys::new();
    let issuer = keys.issuer(&keys.public()).unwrap();
    for (kid, alg) in [("ed", "EdDSA"), ("ec", "ES256"), ("rsa", "RS256")] {
        let header = json!({"alg": alg, "kid": kid, "typ": "JWT"});
        let grant = issuer.grant(&keys.token(&header, &claims())).unwrap();
        assert_eq!(
            (grant.caller.tenant.as_str(), &*grant.caller.token),
            ("club", "jwt:club:server-7")
        );
        assert_eq!(grant.caller.scopes.to_string(), "adjudicate maps:write");
        assert!(!grant.is_past_now());
        let listed = changed("scope", json!(["adjudicate", "other"]));
        let grant = issuer.grant(&keys.token(&header, &listed)).unwrap();
        assert_eq!(grant.caller.scopes.to_string(), "adjudicate");
    }
}

#[test]
fn what_is_not_as_it_must_be_opens_nothing() {
    let keys = Keys::new();
    let issuer = keys.issuer(&keys.public()).unwrap();
    let header = json!({"alg": "EdDSA", "kid": "ed"});
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let late = changed("exp", json!(now - 600));
    assert_eq!(
        issuer.grant(&keys.token(&header, &late)),
        Err(Rejected::Past)
    );
    for claims in [
        changed("iss", json!("https://other.example.org")),
        changed("iss", Value::Null),
        changed("aud", json!("other")),
        changed("aud", Value::Null),
        changed("exp", Value::Null),
        changed("nbf", json!(now + 600)),
        changed("tenant", Value::Null),
        changed("tenant", json!("The Club")),
    ] {
        let refused = issuer.grant(&keys.token(&header, &claims));
        assert_eq!(refused, Err(Rejected::Unknown), "{claims}");
    }
    for header in [
        json!({"alg": "EdDSA", "kid": "ec"}),
        json!({"alg": "ES256", "kid": "ed"}),
        json!({"alg": "EdDSA", "kid": "other"}),
        json!({"alg": "EdDSA"}),
        json!({"alg": "none", "kid": "ed"}),
        json!({"alg": "HS256", "kid": "ed"}),
        json!({"alg": "PS256", "kid": "rsa"}),
        json!({"alg": "RS384", "kid": "rsa"}),
        json!({"alg": "EdDSA", "kid": "ed", "crit": ["x"], "x": 1}),
    ] {
        let refused = issuer.grant(&keys.token(&header, &claims()));
        assert_eq!(refused, Err(Rejected::Unknown), "{header}");
    }
    let good = keys.token(&header, &claims());
    let (message, signature) = good.rsplit_once('.').unwrap();
    let forged = format!(
        "{}.{}.{signature}",
        encoded(header.to_string()),
        encoded(changed("tenant", json!("x")).to_string())
    );
    for wrong in [
        forged,
        message.to_owned(),
        format!("{message}."),
        format!("{message}.{}", encoded([0; 64])),
    ] {
        assert_eq!(issuer.grant(&wrong), Err(Rejected::Unknown));
    }
    let strangers = Keys::new().token(&header, &claims());
    assert_eq!(issuer.grant(&strangers), Err(Rejected::Unknown));
}

#[test]
fn a_public_key_is_no_secret_to_sign_with() {
    let keys = Keys::new();
    let issuer = keys.issuer(&keys.public()).unwrap();
    let [ed, _, rsa] = keys.public();
    for (kid, secret) in [
        ("ed", decoded(&ed["x"])),
        ("rsa", decoded(&rsa["n"])),
        ("rsa", rsa.to_string().into_bytes()),
    ] {
        let header = json!({"alg": "HS256", "kid": kid});
        let message = format!(
            "{}.{}",
            encoded(header.to_string()),
            encoded(claims().to_string())
        );
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &secret);
        let signature = ring::hmac::sign(&key, message.as_bytes());
        let forged = format!("{message}.{}", encoded(signature));
        assert_eq!(issuer.grant(&forged), Err(Rejected::Unknown), "{kid}");
    }
}

#[test]
fn keys_that_could_be_mistaken_are_refused() {
    let keys = Keys::new();
    let [ed, ec, rsa] = keys.public();
    let with = |key: &Value, field: &str, value: Value| {
        let mut key = key.clone();
        key[field] = value;
        key
    };
    let secret = json!({"kty": "oct", "kid": "s", "k": encoded([7; 32])});
    for (set, told) in [
        (&[secret][..], "shared secret"),
        (
            &[with(&ec, "alg", json!("ES384"))][..],
            "its alg is not for such a key",
        ),
        (
            &[with(&rsa, "alg", json!("ES256"))],
            "its alg is not for such a key",
        ),
        (&[with(&rsa, "n", json!(encoded([255; 128])))], "1024 bits"),
        (&[ed.clone(), ed.clone()], "same kid"),
        (&[with(&rsa, "use", json!("enc"))], "no key"),
        (&[json!({"kty": "PQ", "kid": "new"})], "no key"),
        (&[with(&rsa, "alg", json!("HS256"))], "no key"),
    ] {
        let Err(refused) = keys.issuer(set) else {
            panic!("{told}");
        };
        assert!(refused.why.contains(told), "{refused}");
    }
    // What is for something else, or of a kind that nobody knows here, is no hindrance.
    let strange = [
        with(&rsa, "use", json!("enc")),
        json!({"kty": "PQ", "kid": "new"}),
        with(&ec, "crv", json!("P-521")),
        ec.clone(),
    ];
    let issuer = keys.issuer(&strange).unwrap();
    let unnamed = keys.token(&json!({"alg": "ES256"}), &claims());
    assert!(issuer.grant(&unnamed).is_ok(), "there is but one key");
    let probabilistic = keys.issuer(&[with(&rsa, "alg", json!("PS256"))]).unwrap();
    for (alg, fits) in [("PS256", true), ("RS256", false)] {
        let token = keys.token(&json!({"alg": alg, "kid": "rsa"}), &claims());
        assert_eq!(probabilistic.grant(&token).is_ok(), fits, "{alg}");
    }
}

#[test]
fn who_may_write_the_keys_lets_in_whom_he_likes() {
    use std::os::unix::fs::PermissionsExt as _;
    let keys = Keys::new();
    keys.issuer(&keys.public()).unwrap();
    let jwks = keys.folder.path().join("jwks.json");
    std::fs::set_permissions(&jwks, std::fs::Permissions::from_mode(0o664)).unwrap();
    let refused = super::super::jwks::read(&jwks).err().unwrap();
    assert!(refused.contains("chmod go-w"), "{refused}");
}

#[test]
fn a_set_without_keys_opens_nothing() {
    let keys = Keys::new();
    let issuer = keys.issuer(&[]).unwrap();
    for header in [
        json!({"alg": "EdDSA", "kid": "ed"}),
        json!({"alg": "EdDSA"}),
    ] {
        let refused = issuer.grant(&keys.token(&header, &claims()));
        assert_eq!(refused, Err(Rejected::Unknown));
    }
}
