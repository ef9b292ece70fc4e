//! Who may call a whole service, over real sockets.

// A test that cannot go on is to say where.
#![allow(clippy::unwrap_used)]

mod audit;
mod house;
mod methods;
mod tls;
mod tokens;
