//! The gRPC service.
//!
//! [`transport`] is all that gRPC and HTTP ask of a service that others rely on: deadlines,
//! limits, health, an orderly end. It knows nothing of the game. [`fault`] makes the errors of the
//! API.

pub mod fault;
pub mod transport;
