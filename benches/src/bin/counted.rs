//! Does one piece of work once, to be counted: `cargo xtask instructions` runs it under callgrind, which
//! collects only while [`counted`] runs.

use std::hint::black_box;

use alamein_benches::works;
use anyhow::{Context, Result};

fn main() -> Result<()> {
    let wanted = std::env::args().nth(1).context("what is to be counted?")?;
    if wanted == "--list" {
        works::ALL.iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    works::work(&wanted, &counted)
}

/// What is counted. Its name is what callgrind looks for.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    black_box(());
}
