//! The client against a service in this process that answers as it is told.

#![allow(clippy::unwrap_used)] // A test may.

mod answers;
mod retries;
mod stub;
