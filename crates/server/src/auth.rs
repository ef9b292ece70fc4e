//! Who calls.

mod caller;

pub use caller::Caller;
