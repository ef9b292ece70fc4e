//! Who calls, and what they may.
//!
//! One step around all services of both listeners ([`Guard`]) finds out who a request comes from: by a token
//! of a file ([`Book`]), by the certificate of the connection, or by the one token that everybody shares. It
//! puts a [`Caller`] into the request. Which scope a method needs, the API's definition declares.

mod audited;
mod book;
mod caller;
mod editing;
mod expiry;
pub(crate) mod exposure;
mod guard;
mod jwks;
mod jwt;
mod methods;
mod quota;
mod scope;
mod secret;
mod settings;
mod shared;
mod verifying;

pub(crate) use audited::Audits;
pub use book::{Book, Grant, TokensError};
pub use caller::Caller;
pub use editing::{Wanted, add, revoke};
pub use expiry::{Expiry, ExpiryError};
pub use guard::Guard;
pub use jwt::{JwksError, JwtConfig};
pub use quota::Quota;
pub use scope::{Scope, ScopeError, Scopes};
pub use secret::NewToken;
pub use settings::{AuthConfig, AuthError};
pub use shared::{Token, TokenError};
