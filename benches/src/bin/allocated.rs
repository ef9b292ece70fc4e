//! Does one piece of work once and tells how often memory was allocated for it: `cargo xtask instructions`
//! runs it. It is a program of its own, since to count costs instructions.

use std::cell::Cell;

use alamein_benches::works;
use anyhow::{Context, Result};

fn main() -> Result<()> {
    let wanted = std::env::args().nth(1).context("what is to be counted?")?;
    let count = Cell::new(0);
    works::work(&wanted, &|work| {
        count.set(allocation_counter::measure(work).count_total);
    })?;
    println!("{}", count.get());
    Ok(())
}
