//! The caller of a request.

use alamein_store::Tenant;
use tonic::Request;

/// Who a request comes from. It is put into the request before any handler sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Whose things it sees and keeps.
    pub tenant: Tenant,
}

impl Caller {
    /// Anybody, where nobody is asked who they are.
    #[must_use]
    pub fn anybody() -> Self {
        Self {
            tenant: Tenant::main(),
        }
    }

    /// The caller of a request.
    #[must_use]
    pub fn of<T>(request: &Request<T>) -> Self {
        let caller = request.extensions().get::<Self>();
        caller.cloned().unwrap_or_else(Self::anybody)
    }
}
