//! The host against plugins that behave and plugins that do not.
//!
//! The plugin is `tests/fixtures/fog.c`, which needs a C compiler: `cc`, or what `CC` names.

#![allow(clippy::expect_used, reason = "a test that cannot go on says why")]

mod calls;
mod end_to_end;
mod folders;
mod garbage;
mod loading;
mod logs;
mod modes;
mod older;
mod packages;
mod sayings;
mod spy;
mod support;
mod trust;
mod views;
