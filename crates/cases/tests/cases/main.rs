//! Case files: reading, writing, comparing.

#![allow(clippy::unwrap_used)]

mod common;
mod judging;
mod reading;
mod writing;
