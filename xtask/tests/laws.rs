//! The laws of this repository hold.

use anyhow::Result;

#[test]
fn the_laws_hold() -> Result<()> {
    let breaches = xtask::tidy::breaches(&xtask::root())?;
    let lines: Vec<_> = breaches.iter().map(ToString::to_string).collect();
    assert!(
        breaches.is_empty(),
        "laws are broken:\n{}",
        lines.join("\n")
    );
    Ok(())
}

#[test]
fn the_c_header_is_what_the_abi_says() -> Result<()> {
    xtask::header::check(&xtask::root())
}
