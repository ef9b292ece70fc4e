//! Tells the SDK for which target it is built, so that a plugin's descriptor can say so.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=ALAMEIN_TARGET={target}");
}
