//! Tells the crate which target it is built for: a plugin must be built for the same.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=ALAMEIN_TARGET={target}");
}
