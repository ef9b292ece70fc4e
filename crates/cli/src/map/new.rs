//! `alamein map new`: a map file to begin with.

use anyhow::Result;

use super::write;
use crate::args::MapNew;

/// A map file in which each field is explained.
const TEMPLATE: &str = include_str!("new.toml");

pub(crate) fn run(new: &MapNew) -> Result<()> {
    write(TEMPLATE, new.file.as_deref())
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
