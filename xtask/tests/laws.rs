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
