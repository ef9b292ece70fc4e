//! The API's own laws, which buf knows: style, format, and that nothing which clients build on goes away.
//!
//! What was released is kept as an image of the protos, [`RELEASED`]. Whatever is in it must still be there,
//! with its name, its number and its type, in its file: the API only grows.

use std::{path::Path, process::Command};

use anyhow::{Context, Result, bail, ensure};

use alamein_plugin_build::cargo;

/// The API of the last release, as `buf build` writes it, without comments. Seen from the root.
pub const RELEASED: &str = "proto/released.binpb";

const PROTOS: &str = "proto";

/// Checks the style and the format of the protos, and that they break nothing that was released.
///
/// # Errors
/// Where they do, or there is no buf.
pub fn check(root: &Path) -> Result<()> {
    let mut lint = buf(root)?;
    cargo::run(lint.args(["lint", PROTOS]))?;
    let mut format = buf(root)?;
    cargo::run(format.args(["format", "--diff", "--exit-code", PROTOS]))
        .context("`buf format -w proto` mends this")?;
    unbroken(root, &root.join(PROTOS))
}

/// Checks that protos break nothing that was released.
fn unbroken(root: &Path, protos: &Path) -> Result<()> {
    let released = root.join(RELEASED);
    ensure!(released.is_file(), "there is no {RELEASED} to compare with");
    let mut breaking = buf(root)?;
    let breaking = breaking.arg("breaking").arg(protos);
    let output = breaking.arg("--against").arg(&released).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    bail!("the API breaks what was released:\n{}", said.trim_end())
}

/// Makes the protos as they are the ones that later ones are compared with: done at a release.
///
/// # Errors
/// Where they break what was released before, or cannot be written.
pub fn release(root: &Path) -> Result<()> {
    if root.join(RELEASED).exists() {
        unbroken(root, &root.join(PROTOS))?;
    }
    let mut build = buf(root)?;
    let build = build.args(["build", PROTOS, "--exclude-source-info", "-o", RELEASED]);
    cargo::run(build)?;
    println!("{RELEASED}");
    Ok(())
}

fn buf(root: &Path) -> Result<Command> {
    let buf = cargo::tool(root, "buf", "`pip install buf-bin` brings it")?;
    let mut buf = Command::new(buf);
    buf.current_dir(root);
    Ok(buf)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test may.
mod tests {
    use std::{env, fs};

    use alamein_plugin_build::files;

    use super::*;

    /// A copy of the protos with this text in a file replaced by that one, compared with what was released.
    fn with(file: &str, old: &str, new: &str) -> Result<()> {
        let root = crate::root();
        let copy = tempfile::tempdir().unwrap();
        for path in files::under(&root.join(PROTOS)).unwrap() {
            let there = copy
                .path()
                .join(path.strip_prefix(root.join(PROTOS)).unwrap());
            fs::create_dir_all(there.parent().unwrap()).unwrap();
            fs::copy(&path, there).unwrap();
        }
        let path = copy.path().join("alamein/v1").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(old).count(), 1, "{file} has one `{old}`");
        fs::write(path, text.replace(old, new)).unwrap();
        unbroken(&root, copy.path())
    }

    #[test]
    fn what_was_released_may_not_go_away_and_more_may_come() {
        if let Err(error) = buf(&crate::root()) {
            assert!(env::var_os("CI").is_none(), "{error:#}");
            eprintln!("SKIPPED: {error:#}");
            return;
        }
        // What breaks clients, and the words by which buf says so.
        let breaking = [
            // A number.
            (
                "position.proto",
                "string counter_id = 1;",
                "string counter_id = 9;",
                "counter_id",
            ),
            // A type.
            (
                "map.proto",
                "int32 base_level = 2;",
                "uint64 base_level = 2;",
                "base_level",
            ),
            // A name, which JSON has too.
            (
                "map.proto",
                "int32 base_level = 2;",
                "int32 lowest_level = 2;",
                "base_level",
            ),
            // A value of an enum.
            (
                "question.proto",
                "ATTACK_KIND_MORTAR = 2;",
                "ATTACK_KIND_GRENADE = 2;",
                "ATTACK_KIND_MORTAR",
            ),
            // A method.
            (
                "map_service.proto",
                "rpc GetMap(",
                "rpc FetchMap(",
                "GetMap",
            ),
        ];
        for (file, old, new, names) in breaking {
            let error = with(file, old, new).expect_err(new).to_string();
            assert!(error.contains(names), "{new}: {error}");
        }
        let grown = "int32 base_level = 2;\n  // More.\n  string more = 900;";
        with("map.proto", "int32 base_level = 2;", grown).unwrap();
    }
}
