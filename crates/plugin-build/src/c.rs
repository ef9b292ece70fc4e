//! Plugins written in C.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{
    cargo, files,
    layout::{digest_of, id_of},
};

/// The C header of the ABI. It goes with this program, so that no clone is needed to build.
const HEADER: &str = include_str!("../../plugin-abi/include/alamein.h");

/// What every plugin in C is built with: a library that lends out nothing but what it exports, and
/// of which every symbol is found when it is loaded, not when it is first called.
const FLAGS: [&str; 6] = [
    "-std=c11",
    "-shared",
    "-fPIC",
    "-O2",
    "-fvisibility=hidden",
    "-Wl,-z,now",
];

/// Whether `ld` is the one that knows `-z now`.
const KNOWS_NOW: bool = cfg!(target_os = "linux");

/// The C files of a folder: those in it and those in its `src`.
pub(crate) fn files(source: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in [source.to_path_buf(), source.join("src")] {
        if !folder.is_dir() {
            continue;
        }
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_file() && path.extension().is_some_and(|ending| ending == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A digest of all files of the folder.
pub(crate) fn build_id(source: &Path) -> Result<String> {
    digest_of(&files::under(source)?, source)
}

/// How to have the C compiler build a plugin.
pub(crate) struct Build<'a> {
    pub(crate) source: &'a Path,
    pub(crate) files: &'a [PathBuf],
    pub(crate) manifest: &'a str,
    pub(crate) target: &'a str,
    pub(crate) build_id: &'a str,
    /// The folder for what is made on the way.
    pub(crate) work: &'a Path,
}

impl Build<'_> {
    /// Builds the library and returns where it is.
    pub(crate) fn compile(&self) -> Result<PathBuf> {
        let facts = self.work.join("facts.h");
        files::place(&facts, self.facts()?.as_bytes(), false)?;
        let name = id_of(self.manifest)?.replace('-', "_");
        let library = self
            .work
            .join(format!("lib{name}{}", env::consts::DLL_SUFFIX));
        let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command.args(
            FLAGS
                .iter()
                .filter(|flag| KNOWS_NOW || **flag != "-Wl,-z,now"),
        );
        command.arg("-include").arg(&facts);
        let headers = self.work.join("include");
        fs::create_dir_all(&headers)
            .with_context(|| format!("cannot make {}", headers.display()))?;
        files::place(&headers.join("alamein.h"), HEADER.as_bytes(), false)?;
        for folder in [self.source, &self.source.join("include"), &headers] {
            command.arg("-I").arg(folder);
        }
        command.arg("-o").arg(&library).args(self.files);
        cargo::quiet_stdout(&mut command)
            .context("a plugin in C is built by `cc`, or by what CC names")?;
        Ok(library)
    }

    /// What the manifest and this build say, as macros, so that a source need not repeat it.
    fn facts(&self) -> Result<String> {
        let manifest: Value = serde_json::from_str(self.manifest)?;
        let text = |name: &str| manifest[name].as_str().unwrap_or_default();
        let facts = [
            ("ALAMEIN_PLUGIN_ID", text("id")),
            ("ALAMEIN_PLUGIN_VERSION", text("version")),
            ("ALAMEIN_PLUGIN_MANIFEST", self.manifest),
            ("ALAMEIN_TARGET", self.target),
            ("ALAMEIN_BUILD_ID", self.build_id),
        ];
        let define = |(name, text): (&str, &str)| format!("#define {name} {}\n", literal(text));
        Ok(facts.into_iter().map(define).collect())
    }
}

/// A text as a C string literal.
fn literal(text: &str) -> String {
    let escaped = |byte: &u8| match byte {
        b'"' => "\\\"".to_owned(),
        b'\\' => "\\\\".to_owned(),
        // A question mark may begin a trigraph.
        b' '..=b'~' if *byte != b'?' => char::from(*byte).to_string(),
        other => format!("\\{other:03o}"),
    };
    let inside: String = text.as_bytes().iter().map(escaped).collect();
    format!("\"{inside}\"")
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn a_text_becomes_a_literal_whatever_is_in_it() {
        assert_eq!(literal("a \"b\" \\ c"), r#""a \"b\" \\ c""#);
        assert_eq!(literal("é\n??="), r#""\303\251\012\077\077=""#);
    }
}
