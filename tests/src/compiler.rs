//! The C compiler: what tests compile against the header of the plugins' ABI.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Where the header lies, seen from the root.
pub const INCLUDE: &str = "crates/plugin-abi/include";

/// In what a source is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C11, without extensions.
    C11,
    /// C++17, without extensions.
    Cpp17,
}

/// Compiles a source with every warning an error. Without `arguments` nothing is made of it;
/// `-shared` and the like come there.
///
/// # Errors
/// Where there is no compiler, or it does not compile: what the compiler says.
pub fn compile(
    language: Language,
    source: &Path,
    include: &Path,
    arguments: &[OsString],
) -> Result<()> {
    let (variable, usual, standard) = match language {
        Language::C11 => ("CC", "cc", "-std=c11"),
        Language::Cpp17 => ("CXX", "c++", "-std=c++17"),
    };
    let compiler = env::var_os(variable).unwrap_or_else(|| usual.into());
    let mut command = Command::new(&compiler);
    command.args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
    command.arg(include).arg(source).args(arguments);
    if arguments.is_empty() {
        command.arg("-fsyntax-only");
    }
    let name = compiler.to_string_lossy();
    let output = command
        .output()
        .with_context(|| format!("these tests need {name}, or {variable} to name another"))?;
    ensure!(
        output.status.success(),
        "{name} {}:\n{}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
