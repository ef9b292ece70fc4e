//! The gRPC service.
//!
//! [`transport`] is all that gRPC and HTTP ask of a service that others rely on: deadlines,
//! limits, health, an orderly end. It knows nothing of the game. [`fault`] makes the errors of the
//! API. [`Rules`] are what is judged by, and [`Service`] is what answers.

mod adjudication;
mod admin;
mod audit;
pub mod auth;
mod carried;
pub mod fault;
mod games;
mod kept;
mod maps;
mod metrics;
mod paths;
mod pins;
mod positions;
mod record;
mod refusal;
mod reload;
mod ruled;
mod rules;
mod rulesets;
mod running;
mod serve;
mod service;
pub mod transport;

pub use admin::AdminConfig;
pub use audit::Deed;
pub use auth::{AuthConfig, Caller, Guard, Quota, Scope, ScopeError, Scopes};
pub use metrics::MoreMetrics;
pub use record::{Ending, Record};
pub use ruled::Ruled;
pub use rules::{InForce, Ready, Refused, Rules, RulesSource};
pub use running::{Readiness, Reloads};
pub use serve::{Ended, Served, Serving, serve, start};
pub use service::{Service, ServiceLimits};
