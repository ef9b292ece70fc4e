//! Turns `proto/` into Rust, without a protoc to install.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let files = own_files(&root.join("alamein/v1"))?;
    println!("cargo::rerun-if-changed={}", root.display());

    // With their imports: a server's reflection fails on a set that lacks one.
    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(&files)?;
    // As protox writes it: prost's own form of it has no room for the options that methods have.
    let set = compiler.encode_file_descriptor_set();
    fs::write(out.join("descriptors.bin"), set)?;
    tonic_prost_build::configure()
        .extern_path(".google.rpc", "::tonic_types")
        .compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}

/// The `.proto` files of a folder, sorted so that builds are the same everywhere.
fn own_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "proto")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
