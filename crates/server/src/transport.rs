//! What stands between a socket and the handlers of a service.
//!
//! ```text
//! socket -> TLS -> HTTP -> page -> cors -> gRPC-Web -> turnstile -> span -> panics -> guard -> drain
//!        -> deadline -> malformed -> intake -> load -> repeats -> size -> the handler
//! ```
//!
//! Each step is a file here. Together they repair what a bare tonic server gets wrong: a deadline
//! is DEADLINE_EXCEEDED and not CANCELLED, a panic is INTERNAL and not a broken stream, overload
//! is RESOURCE_EXHAUSTED with a time to come back, and shutting down ends in bounded time.
//!
//! ```no_run
//! # use alamein_proto::v1::map_service_server::{MapService, MapServiceServer};
//! # async fn run(maps: impl MapService) -> Result<(), Box<dyn std::error::Error>> {
//! use alamein_server::transport::{ServerBuilder, ServerConfig};
//!
//! let server = ServerBuilder::new(ServerConfig::default())
//!     .service(MapServiceServer::new(maps))
//!     .bind()
//!     .await?;
//! println!("listening on {}", server.local_addr());
//! let control = server.control();
//! control.set_ready(true).await;
//! tokio::spawn(async move {
//!     if tokio::signal::ctrl_c().await.is_ok() {
//!         control.shutdown();
//!     }
//! });
//! server.serve().await;
//! # Ok(())
//! # }
//! ```

mod address;
mod around;
mod body;
mod config;
mod connections;
mod control;
mod counted;
mod deadline;
mod drain;
mod intake;
mod limited;
mod lines;
mod load;
mod malformed;
mod method;
mod metrics;
mod outcome;
mod page;
mod panics;
mod repeats;
mod request_id;
mod server;
mod services;
mod share;
mod size;
mod sockets;
mod span;
mod standing;
mod table;
mod tls;
mod trace;
mod turnstile;
mod web;

pub use address::Address;
pub use config::{ConfigError, ServerConfig};
pub use control::Control;
pub use deadline::Deadline;
pub use drain::Drain;
pub use limited::{Limited, MessageLimits};
pub use load::Place;
pub use metrics::TransportMetrics;
pub use page::Page;
pub use request_id::RequestId;
pub use server::{BoundServer, ServerBuilder, Shutdown, StartError};
pub use span::RequestSpan;
pub use tls::{Tls, TlsError, TlsFiles};

pub(crate) use around::{Answers, Around, Next};
pub(crate) use body::{Hook, Hooked};
pub(crate) use connections::{Connection, Pulse};
pub(crate) use method::{is_about_service, is_health};
pub(crate) use metrics::code_name;
pub(crate) use repeats::{Again, Repeatable};
pub(crate) use tls::Certificate;
