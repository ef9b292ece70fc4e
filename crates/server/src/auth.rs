//! Who calls, and what they may.

mod caller;
#[cfg(test)]
mod methods;
mod scope;

pub use caller::Caller;
pub use scope::{Scope, ScopeError, Scopes};
