//! The public keys of a file, a JWKS.

use std::path::Path;

use jsonwebtoken::jwk::{
    AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, KeyOperations, PublicKeyUse,
};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind};

use super::book::check_owner;
use super::verifying;

/// How long the number of an RSA key must be, in bytes.
const SHORTEST_RSA: usize = 2048 / 8;

/// A key, and the one algorithm that it is used with.
pub(super) struct Key {
    /// Its `kid`.
    pub(super) id: Option<String>,
    pub(super) key: DecodingKey,
    pub(super) algorithm: Algorithm,
}

/// What is found in the place of a key.
enum Found {
    Key(Key),
    /// One for something else, or of a kind that is not used here.
    Other(&'static str),
}

/// Reads the keys of a file. One without any says that no token is to be let in; one with none that could
/// be used is a mistake.
pub(super) fn read(file: &Path) -> Result<Vec<Key>, String> {
    verifying::install();
    check_owner(file)?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot be read: {error}"))?;
    let set: JwkSet =
        serde_json::from_str(&text).map_err(|error| format!("is no JWKS: {error}"))?;
    let mut keys: Vec<Key> = Vec::new();
    for (at, key) in set.keys.iter().enumerate() {
        let of = |why: String| format!("keys[{at}]: {why}");
        match find(key).map_err(of)? {
            Found::Key(key) if keys.iter().any(|other| other.id == key.id) => {
                return Err(of("another key has the same kid, or has none either".into()));
            }
            Found::Key(key) => keys.push(key),
            Found::Other(why) => {
                let (file, kid) = (file.display(), key.common.key_id.as_deref());
                tracing::info!(%file, at, kid, "a key is passed over: {why}");
            }
        }
    }
    if keys.is_empty() && !set.keys.is_empty() {
        return Err("there is no key in it to verify signatures by".into());
    }
    if keys.is_empty() {
        let file = file.display();
        tracing::warn!(%file, "there is no key in it, so no JWT opens anything");
    }
    Ok(keys)
}

fn find(key: &Jwk) -> Result<Found, String> {
    let signs = |it: &PublicKeyUse| *it == PublicKeyUse::Signature;
    let verifies = |it: &Vec<KeyOperations>| it.contains(&KeyOperations::Verify);
    let common = &key.common;
    if !common.public_key_use.as_ref().is_none_or(signs)
        || !common.key_operations.as_ref().is_none_or(verifies)
    {
        return Ok(Found::Other("it is not for signatures"));
    }
    let (usual, others): (Algorithm, &[Algorithm]) = match &key.algorithm {
        AlgorithmParameters::EllipticCurve(it) if it.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, &[])
        }
        AlgorithmParameters::EllipticCurve(it) if it.curve == EllipticCurve::P384 => {
            (Algorithm::ES384, &[])
        }
        AlgorithmParameters::OctetKeyPair(it) if it.curve == EllipticCurve::Ed25519 => {
            (Algorithm::EdDSA, &[])
        }
        // The one that everybody has who issues tokens by OpenID Connect.
        AlgorithmParameters::RSA(_) => (
            Algorithm::RS256,
            &[
                Algorithm::RS384,
                Algorithm::RS512,
                Algorithm::PS256,
                Algorithm::PS384,
                Algorithm::PS512,
            ],
        ),
        AlgorithmParameters::OctetKey(_) => {
            return Err("is a shared secret; whoever verifies by it could sign with it".into());
        }
        _ => {
            return Ok(Found::Other(
                "RSA, P-256, P-384 and Ed25519 are used here, and nothing else",
            ));
        }
    };
    let algorithm = match &common.key_algorithm {
        None => usual,
        Some(said) => match algorithm(said) {
            Some(said) if said == usual || others.contains(&said) => said,
            Some(_) => return Err("its alg is not for such a key".into()),
            None => return Ok(Found::Other("its alg is not used here")),
        },
    };
    let decoding = DecodingKey::from_jwk(key).map_err(|error| error.to_string())?;
    check(&decoding)?;
    Ok(Found::Key(Key {
        id: common.key_id.clone(),
        key: decoding,
        algorithm,
    }))
}

fn check(key: &DecodingKey) -> Result<(), String> {
    match (key.family(), key.kind()) {
        (AlgorithmFamily::Rsa, DecodingKeyKind::RsaModulusExponent { n, .. })
            if n.len() < SHORTEST_RSA =>
        {
            Err(format!(
                "is an RSA key of {} bits; those of fewer than 2048 are not used",
                n.len() * 8
            ))
        }
        _ => Ok(()),
    }
}

fn algorithm(said: &KeyAlgorithm) -> Option<Algorithm> {
    Some(match said {
        KeyAlgorithm::RS256 => Algorithm::RS256,
        KeyAlgorithm::RS384 => Algorithm::RS384,
        KeyAlgorithm::RS512 => Algorithm::RS512,
        KeyAlgorithm::PS256 => Algorithm::PS256,
        KeyAlgorithm::PS384 => Algorithm::PS384,
        KeyAlgorithm::PS512 => Algorithm::PS512,
        KeyAlgorithm::ES256 => Algorithm::ES256,
        KeyAlgorithm::ES384 => Algorithm::ES384,
        KeyAlgorithm::EdDSA => Algorithm::EdDSA,
        _ => return None,
    })
}
