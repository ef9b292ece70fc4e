//! The C header of the plugins' ABI, written from `crates/plugin-abi`.
//!
//! cbindgen reads the crate. Two things are added to what it makes: constants are spelt in capitals
//! and typed (`ALAMEIN_FACT_OBSTACLE`, `1u`), and a link of Rust's documentation becomes the name
//! that the header has for it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use alamein_plugin_build::files;

/// Where the header lies, seen from the root.
pub const HEADER: &str = "crates/plugin-abi/include/alamein.h";

const ABI: &str = "crates/plugin-abi";

/// Writes the header.
///
/// # Errors
/// As [`text`], and where the header cannot be written.
pub fn write(root: &Path) -> Result<()> {
    let path = root.join(HEADER);
    files::make_folder(path.parent().unwrap_or(root))?;
    files::place(&path, text(root)?.as_bytes(), false)?;
    println!("{HEADER}");
    Ok(())
}

/// Checks that the header is what the ABI says.
///
/// # Errors
/// The first line that differs; or why there is no header to compare.
pub fn check(root: &Path) -> Result<()> {
    let path = root.join(HEADER);
    let held = fs::read_to_string(&path).with_context(|| format!("cannot read {HEADER}"))?;
    let made = text(root)?;
    let same = held.lines().zip(made.lines()).take_while(|(a, b)| a == b);
    let line = same.count();
    let at = |text: &str| text.lines().nth(line).unwrap_or("(its end)").to_owned();
    ensure!(
        held == made,
        "{HEADER}:{}: it is not what crates/plugin-abi says; `cargo xtask header` mends this\n\
         it has: {}\nthe ABI: {}",
        line + 1,
        at(&held),
        at(&made)
    );
    println!("{HEADER} is what the ABI says.");
    Ok(())
}

/// The header, as the ABI is.
///
/// # Errors
/// Where the ABI holds something that C cannot say, or its sources cannot be read.
pub fn text(root: &Path) -> Result<String> {
    let abi = root.join(ABI);
    let sources = sources(&abi.join("src"))?;
    let settings = abi.join("cbindgen.toml");
    let mut config = cbindgen::Config::from_file(&settings).map_err(anyhow::Error::msg)?;
    for source in &sources {
        config.export.include.extend(structs(source)?);
    }
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in sources {
        builder = builder.with_src(source);
    }
    let mut made = Vec::new();
    builder.generate()?.write(&mut made);
    let made = String::from_utf8(made)?;
    let mut lines: Vec<String> = made.lines().map(spelt).collect();
    // A blank line stands between any two things, and no two stand together.
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    Ok(lines.join("\n") + "\n")
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut sources = files::under(folder)?;
    sources.sort();
    Ok(sources)
}

/// The structs of a source. No function of the ABI names them all, so that cbindgen is told of each.
fn structs(source: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(source)?;
    let name = |line: &str| {
        let rest = line.strip_prefix("pub struct ")?;
        let end = rest.find(|c: char| !c.is_alphanumeric())?;
        rest.get(..end).map(str::to_owned)
    };
    Ok(text.lines().filter_map(name).collect())
}

/// A line of cbindgen's with the header's names.
fn spelt(line: &str) -> String {
    if let Some((name, value)) = line
        .strip_prefix("#define Alamein")
        .and_then(|rest| rest.split_once(' '))
        && let Ok(value) = value.parse::<u64>()
    {
        return format!("#define ALAMEIN_{name} {}", number(value));
    }
    match line.trim_start().strip_prefix("//") {
        Some(_) => comment(line),
        None => line.to_owned(),
    }
}

/// A number as C reads it without a sign.
fn number(value: u64) -> String {
    match u32::try_from(value) {
        Ok(u32::MAX) => "0xffffffffu".to_owned(),
        Ok(small) => format!("{small}u"),
        Err(_) => format!("{value:#018x}ull"),
    }
}

/// A comment that names what the header has: ``[`crate::NONE`]`` is `` `ALAMEIN_NONE` ``.
fn comment(line: &str) -> String {
    let line = line.replace("[`", "`").replace("`]", "`");
    let parts: Vec<String> = line
        .split('`')
        .enumerate()
        .map(|(at, part)| match at % 2 {
            0 => part.to_owned(),
            _ => name(part),
        })
        .collect();
    parts.join("`")
}

/// The header's name of what Rust calls so. Most names are the same: those of fields.
fn name(rust: &str) -> String {
    let name = rust.rsplit("::").next().unwrap_or(rust);
    let capital = |c: char| c.is_ascii_uppercase() || matches!(c, '_' | '…');
    match name {
        "i16" => "int16_t".to_owned(),
        "i64" => "int64_t".to_owned(),
        "u32" => "uint32_t".to_owned(),
        _ if name.starts_with("ALAMEIN_") || name.starts_with("Alamein") => name.to_owned(),
        _ if name.len() > 1 && name.chars().all(capital) => format!("ALAMEIN_{name}"),
        _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => format!("Alamein{name}"),
        _ => rust.to_owned(),
    }
}
