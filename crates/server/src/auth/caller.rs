//! The caller of a request.

use std::sync::{Arc, LazyLock};

use alamein_store::Tenant;
use tonic::Request;

use super::scope::Scopes;

/// Who a request comes from. It is put into the request before any handler sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Whose things it sees and keeps.
    pub tenant: Tenant,
    /// The id of its token or certificate, which is no secret. Empty where nobody is asked.
    pub token: Arc<str>,
    /// What it may do.
    pub scopes: Scopes,
}

impl Caller {
    /// Anybody, where nobody is asked who they are.
    #[must_use]
    pub fn anybody() -> Self {
        static ANYBODY: LazyLock<Caller> = LazyLock::new(|| Caller {
            tenant: Tenant::main(),
            token: Arc::default(),
            scopes: Scopes::all(),
        });
        ANYBODY.clone()
    }

    /// The caller of a request.
    #[must_use]
    pub fn of<T>(request: &Request<T>) -> Self {
        let caller = request.extensions().get::<Self>();
        caller.cloned().unwrap_or_else(Self::anybody)
    }
}
