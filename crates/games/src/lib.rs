//! Games: their history, and the rules that each is played by.
//!
//! A position is a state; a game is a chain of [`Entry`]s, each of which names the position that the game
//! came to. Its newest entry is its head, and a [`Standing`] is a game as it stands: [`Games`] moves it on
//! by compare-and-swap, so that of two who know the same head one goes on and the other is told.

mod entry;
mod error;
mod games;
mod links;
mod named;
mod standing;

pub use entry::{Act, Entry};
pub use error::GameError;
pub use games::{Begin, Fork, Games, Said, Turn};
pub use links::GameLinks;
pub use standing::{Game, Standing};
