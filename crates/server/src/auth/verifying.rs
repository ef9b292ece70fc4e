//! Verifying the signatures of JWTs, with the cryptography that TLS uses here anyway.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error as Bad, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature::{
    self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

/// It verifies by public keys, and signs nothing.
static VERIFIER: CryptoProvider = CryptoProvider {
    signer_factory: no_signer,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes it the process's own. Whoever did so before has done the same.
pub(super) fn install() {
    let _ = VERIFIER.install_default();
}

fn no_signer(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    Err(ErrorKind::UnsupportedAlgorithm.into())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let how = how(*algorithm).ok_or(ErrorKind::UnsupportedAlgorithm)?;
    if algorithm.family() != key.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    Ok(Box::new(Signed {
        algorithm: *algorithm,
        how,
        key: key.kind().clone(),
    }))
}

#[derive(Clone, Copy)]
enum How {
    Rsa(&'static RsaParameters),
    Curve(&'static dyn VerificationAlgorithm),
}

/// How a signature is verified. Those by a secret that both sides share are not: who verifies could sign.
fn how(algorithm: Algorithm) -> Option<How> {
    Some(match algorithm {
        Algorithm::RS256 => How::Rsa(&signature::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => How::Rsa(&signature::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => How::Rsa(&signature::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => How::Rsa(&signature::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => How::Rsa(&signature::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => How::Rsa(&signature::RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => How::Curve(&signature::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => How::Curve(&signature::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => How::Curve(&signature::ED25519),
        _ => return None,
    })
}

struct Signed {
    algorithm: Algorithm,
    how: How,
    key: DecodingKeyKind,
}

impl Verifier<Vec<u8>> for Signed {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Bad> {
        let verified = match (self.how, &self.key) {
            (How::Rsa(how), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(how, message, signature)
            }
            (How::Curve(how), DecodingKeyKind::SecretOrDer(point)) => {
                UnparsedPublicKey::new(how, point).verify(message, signature)
            }
            _ => return Err(Bad::new()),
        };
        verified.map_err(|_| Bad::new())
    }
}

impl JwtVerifier for Signed {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
