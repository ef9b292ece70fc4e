//! A Rust client of the rules service: domain types in, domain types out, over gRPC.
//!
//! Every call has a deadline, and is tried again where that may help: when the server is not
//! there, and when it is at its limits and says how long to wait. This is safe, since no call
//! changes anything that trying it twice would change again. Waits grow and differ, and of all
//! calls only a part is tried again: a server in trouble is not asked several times as much.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use alamein_client::{Client, View};
//! use alamein_hex::{Aim, Grid};
//! use alamein_terrain::{Ask, Counter, CounterClass, End, Environment, Map, Position, Question};
//!
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let grid = Grid::geomorphic();
//! let wreck = Counter::new("wreck", CounterClass::Wreck, grid.hex("Q7")?);
//! let map = Arc::new(Map::flat(grid));
//! let position = Position::new(map, vec![wreck], Environment::default())?;
//! let sight = Question::new(Ask::LineOfSight {
//!     from: End::Hex(Aim::centre(grid.hex("P6")?)),
//!     to: End::Hex(Aim::centre(grid.hex("S8")?)),
//! });
//!
//! let client = Client::connect("http://localhost:50051").await?;
//! for answer in client.adjudicate(&position, &[sight], View::Full).await? {
//!     println!("{:?}", answer?.ruling.verdict);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What has no method here is reached by the generated stubs, such as [`Client::maps`].

mod access;
mod admin;
mod asking;
mod budget;
mod client;
mod error;
mod games;
mod moves;
mod positions;
mod settings;
mod sight;
mod subject;
mod trace;

pub use access::{Access, Bearer};
pub use admin::{AdminClient, AdminSettings, Stock, Swapped};
pub use alamein_proto::v1::{self, AnswerOrder, ErrorReason, View};
pub use asking::{Answered, Answers, Asker};
pub use client::{CaseFile, Client};
pub use error::{Error, FieldFault, RemoteError};
pub use games::{GameWatch, History, MovedOn, NewGame, Next, Said};
pub use positions::Applied;
pub use settings::Settings;
pub use sight::Looking;
pub use subject::{Kept, Subject};
