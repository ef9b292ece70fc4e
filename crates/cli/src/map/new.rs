//! `alamein map new`: a map file to begin with.

use std::fs::OpenOptions;
use std::io::Write;

use anyhow::{Context, Result};

use crate::args::MapNew;
use crate::output;

/// A map file in which each field is explained.
const TEMPLATE: &str = include_str!("new.toml");

pub(crate) fn run(new: &MapNew) -> Result<()> {
    let Some(path) = &new.file else {
        return output::put(TEMPLATE);
    };
    let name = path.display();
    // Somebody's map is not written over.
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = file.with_context(|| format!("{name} cannot be made"))?;
    file.write_all(TEMPLATE.as_bytes())
        .with_context(|| name.to_string())?;
    eprintln!("written: {name}; look at it with `alamein map show {name}`");
    Ok(())
}

#[cfg(test)]
mod tests {
    use alamein_maps::MapFile;

    use super::TEMPLATE;

    #[test]
    fn it_makes_a_map_with_and_without_what_it_leaves_to_choose() {
        let (_, map) = MapFile::read_toml(TEMPLATE).unwrap();
        assert!(map.layers.contains_key("deir"));
        // Lines that are put aside begin with a hash and no space.
        let whole: Vec<&str> = TEMPLATE
            .lines()
            .map(|line| match line.strip_prefix('#') {
                Some(rest) if !rest.starts_with(' ') => rest,
                _ => line,
            })
            .collect();
        let (file, map) = MapFile::read_toml(&whole.join("\n")).unwrap();
        assert_eq!(file.boards.len(), 2);
        assert!(file.overlays.len() > 1 && !file.changes.is_empty());
        for layer in ["deir", "hillock", "sand", "dune_crest", "track", "scrub"] {
            assert!(map.layers.contains_key(layer), "{layer}");
        }
    }
}
