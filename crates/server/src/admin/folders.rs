//! The folders from which plugins are loaded, and no others.

use std::path::{Path, PathBuf};

use alamein_proto::v1::ErrorReason;

use crate::fault::Fault;
use crate::service::missing;

/// The folders that hold plugins' folders.
#[derive(Debug)]
pub(crate) struct Folders(pub(crate) Vec<PathBuf>);

impl Folders {
    /// The folder of a plugin, given as a whole path or as one within one of these, with all links
    /// resolved.
    pub(crate) fn find(&self, path: &str) -> Result<PathBuf, Fault> {
        if path.is_empty() {
            return Err(missing("path", "the plugin's folder"));
        }
        let path = Path::new(path);
        let real = self
            .0
            .iter()
            .filter_map(|folder| folder.canonicalize().ok());
        let allowed: Vec<PathBuf> = real.collect();
        // A whole path takes the place of what it is joined to.
        let meant = allowed
            .iter()
            .map(|folder| folder.join(path).canonicalize());
        let is_plugins = |meant: &PathBuf| {
            let within = meant.parent();
            meant.is_dir() && allowed.iter().any(|folder| within == Some(folder))
        };
        if let Some(found) = meant.flatten().find(is_plugins) {
            return Ok(found);
        }
        Err(self.refusal(path))
    }

    fn refusal(&self, path: &Path) -> Fault {
        let folders: Vec<String> = self.0.iter().map(|it| it.display().to_string()).collect();
        let text = format!(
            "{}: is no plugin's folder in {}; plugins are loaded from there and nowhere else",
            path.display(),
            folders.join(" or ")
        );
        Fault::new(ErrorReason::PathNotAllowed, text)
            .with("path", path.display())
            .field(
                "path",
                "give the folder of a plugin that is in one of these folders",
            )
    }
}

#[cfg(test)]
mod tests {
    use std::fs::create_dir_all;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_what_lies_in_the_folders_is_found() {
        let all = tempfile::tempdir().unwrap();
        let at = |path: &str| all.path().join(path);
        for path in ["one/fog", "two/sun", "two/sun/deep", "else/rogue"] {
            create_dir_all(at(path)).unwrap();
        }
        std::fs::write(at("one/file"), "").unwrap();
        symlink(at("else/rogue"), at("one/link")).unwrap();
        symlink(at("two/sun"), at("one/moon")).unwrap();
        let folders = Folders(vec![at("one"), at("missing"), at("two")]);
        let find = |path: &str| folders.find(path).ok();
        let real = |path: &str| Some(at(path).canonicalize().unwrap());
        assert_eq!(find("fog"), real("one/fog"));
        assert_eq!(find("sun"), real("two/sun"));
        assert_eq!(find(at("two/sun").to_str().unwrap()), real("two/sun"));
        assert_eq!(
            find("../two/sun"),
            real("two/sun"),
            "it leads to where it may"
        );
        for out in [
            "../else/rogue",
            "link",
            "file",
            "sun/deep",
            "..",
            ".",
            "nowhere",
            "",
        ] {
            assert_eq!(find(out), None, "{out}");
        }
        assert_eq!(find(at("else/rogue").to_str().unwrap()), None);
        // A link out of the first folder leads into the second.
        assert_eq!(find("moon"), real("two/sun"));
    }
}
