//! A build of a plugin, as it is kept.

use alamein_terrain::{Canon, CanonError, CanonReader};
use bytes::Bytes;

use crate::object::{Kind, Object};

const BUILD: &str = "alamein/build/1";
/// How many bytes tell how long the head is.
const LENGTH: usize = 8;

/// A build of a plugin: all of its folder that counts.
///
/// In its object stand the length of the head, the head in canonical form, and the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildRecord {
    /// The target triple that it is built for, as its manifest has it.
    pub target: String,
    /// The text of its `plugin.json`, to the byte.
    pub manifest: String,
    /// The text of its signature, if it has one.
    pub signature: Option<String>,
    /// Its own cases, by the names of their files, sorted.
    pub cases: Vec<(String, String)>,
    /// Its library.
    pub library: Bytes,
}

impl BuildRecord {
    /// The object of this build.
    #[must_use]
    pub fn object(&self) -> Object {
        let mut head = Canon::new(BUILD);
        head.text(&self.target).text(&self.manifest);
        head.option(self.signature.as_ref());
        let cases = self.cases.iter();
        head.list(cases.map(|(name, text)| (name, text)));
        let head = head.into_bytes();
        let length = (head.len() as u64).to_be_bytes();
        let bytes = [&length[..], &head, &self.library].concat();
        Object::new(Kind::Build, bytes)
    }

    /// Reads the build of an object.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn read(bytes: &Bytes) -> Result<Self, CanonError> {
        let broken = || CanonError::new("they break off within the head of a build");
        let length = bytes.first_chunk::<LENGTH>().ok_or_else(broken)?;
        let length = usize::try_from(u64::from_be_bytes(*length)).map_err(|_| broken())?;
        let end = length.checked_add(LENGTH).ok_or_else(broken)?;
        let head = bytes.get(LENGTH..end).ok_or_else(broken)?;
        let mut reader = CanonReader::new(head, BUILD)?;
        let build = Self {
            target: reader.get()?,
            manifest: reader.get()?,
            signature: reader.get()?,
            cases: reader.get()?,
            library: bytes.slice(end..),
        };
        reader.end()?;
        Ok(build)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_comes_back_as_it_was() {
        let build = BuildRecord {
            target: "x86_64-unknown-linux-gnu".into(),
            manifest: "{\"id\": \"dunes\"}".into(),
            signature: Some("untrusted comment: none".into()),
            cases: vec![("one.json".into(), "{}".into())],
            library: Bytes::from_static(b"\x7fELF and more"),
        };
        let object = build.object();
        assert_eq!(BuildRecord::read(object.bytes()), Ok(build.clone()));
        let other = BuildRecord {
            signature: None,
            ..build.clone()
        };
        assert_ne!(other.object().id(), object.id());
        // What is cut off is a shorter library, which its manifest does not fit; or none.
        let head = object.bytes().len() - build.library.len();
        for cut in 0..head {
            assert!(BuildRecord::read(&object.bytes().slice(..cut)).is_err());
        }
        let huge = Bytes::from_static(&[0xff; 16]);
        assert!(BuildRecord::read(&huge).is_err());
    }
}
