//! Rulesets and builds as they are kept: what makes a revision again, and what a name means.
//!
//! A revision is a [`RevisionRecord`], an object of the tenant that made it. It names builds, which are
//! [`BuildRecord`]s of the house: whoever makes a ruleset, the code is the service's. A ref of the kind
//! `Revision` has the fingerprint for its name and the record's id for its value; one of the kind `Tag` has
//! a fingerprint for its value, and one of the kind `Ruleset` a [`NameValue`].

mod build;

use alamein_terrain::{Canon, CanonError, CanonReader, Canonical, Digest, FromCanonical};
use bytes::Bytes;

use crate::object::{Kind, Object};
use crate::refs::{RefKind, RefName};

pub use build::BuildRecord;

const REVISION: &str = "alamein/revision/1";
const SPEC: &str = "alamein/ruleset-spec/1";

/// All that makes a revision of a ruleset again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionRecord {
    /// The fingerprint of its rules.
    pub fingerprint: Digest,
    /// Whether builds count in the fingerprint, as they do for developers.
    pub developer: bool,
    /// The grazing policy, by its name.
    pub policy: String,
    /// Its plugins, sorted by id.
    pub plugins: Vec<PluginRecord>,
}

/// A plugin of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginRecord {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// What the ruleset sets of its options: a JSON object.
    pub options: String,
    /// The builds of it that the revision was made with, sorted.
    pub builds: Vec<BuildName>,
}

/// How a revision names a build of a plugin.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BuildName {
    /// The target triple that it is built for.
    pub target: String,
    /// What tells it from other builds: the SHA-256 of its library, or the build id of one that is part of
    /// a program.
    pub build: String,
    /// Its object, if it is kept.
    pub object: Option<Digest>,
}

/// What the name of a ruleset means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameValue {
    /// The fingerprint of its newest revision.
    pub fingerprint: Digest,
    /// The object that holds its ruleset file: see [`spec_object`].
    pub spec: Digest,
}

impl RevisionRecord {
    /// The object of this record.
    #[must_use]
    pub fn object(&self) -> Object {
        let mut canon = Canon::new(REVISION);
        canon.put(self.fingerprint).put(self.developer);
        canon.text(&self.policy).list(self.plugins.iter());
        Object::new(Kind::Ruleset, canon.into_bytes())
    }

    /// Reads the record of an object.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn read(bytes: &[u8]) -> Result<Self, CanonError> {
        let mut reader = CanonReader::new(bytes, REVISION)?;
        let record = Self {
            fingerprint: reader.get()?,
            developer: reader.get()?,
            policy: reader.get()?,
            plugins: reader.get()?,
        };
        reader.end()?;
        Ok(record)
    }

    /// The objects of its builds, of the house.
    pub fn builds(&self) -> impl Iterator<Item = Digest> + '_ {
        let builds = self.plugins.iter().flat_map(|plugin| &plugin.builds);
        builds.filter_map(|build| build.object)
    }
}

impl Canonical for PluginRecord {
    fn write(&self, canon: &mut Canon) {
        canon.text(&self.id).text(&self.version);
        canon.text(&self.options).list(self.builds.iter());
    }
}

impl FromCanonical for PluginRecord {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        Ok(Self {
            id: reader.get()?,
            version: reader.get()?,
            options: reader.get()?,
            builds: reader.get()?,
        })
    }
}

impl Canonical for BuildName {
    fn write(&self, canon: &mut Canon) {
        canon.text(&self.target).text(&self.build);
        canon.option(self.object);
    }
}

impl FromCanonical for BuildName {
    fn read(reader: &mut CanonReader<'_>) -> Result<Self, CanonError> {
        Ok(Self {
            target: reader.get()?,
            build: reader.get()?,
            object: reader.get()?,
        })
    }
}

impl NameValue {
    /// The value of a ref.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        [*self.fingerprint.as_bytes(), *self.spec.as_bytes()]
            .concat()
            .into()
    }

    /// Reads the value of a ref.
    ///
    /// # Errors
    /// Bytes that are none.
    pub fn read(bytes: &[u8]) -> Result<Self, CanonError> {
        let (fingerprint, spec) = bytes.split_at_checked(32).unwrap_or_default();
        Ok(Self {
            fingerprint: digest(fingerprint)?,
            spec: digest(spec)?,
        })
    }
}

/// The ref of a revision.
#[must_use]
pub fn revision_ref(fingerprint: Digest) -> RefName {
    RefName::new(RefKind::Revision, fingerprint.to_string())
}

/// The value of a ref that is one id: of a tag, or of a revision.
///
/// # Errors
/// Bytes that are none.
pub fn digest(bytes: &[u8]) -> Result<Digest, CanonError> {
    let bytes = bytes.try_into().map(Digest::from_bytes);
    bytes.map_err(|_| CanonError::new("a ref does not hold an id"))
}

/// The object of a ruleset file in JSON.
#[must_use]
pub fn spec_object(json: &str) -> Object {
    let mut canon = Canon::new(SPEC);
    canon.text(json);
    Object::new(Kind::Ruleset, canon.into_bytes())
}

/// Reads a ruleset file out of its object.
///
/// # Errors
/// Bytes that are none.
pub fn read_spec(bytes: &[u8]) -> Result<String, CanonError> {
    let mut reader = CanonReader::new(bytes, SPEC)?;
    let json = reader.get()?;
    reader.end()?;
    Ok(json)
}

/// The ids that the value of a ref of a ruleset, a tag or a revision names: of objects of the kind
/// `Ruleset`, and of revisions by their fingerprints.
///
/// # Errors
/// A value that makes no sense.
pub fn named_by(kind: RefKind, value: &[u8]) -> Result<Named, CanonError> {
    let mut named = Named::default();
    match kind {
        RefKind::Game => {}
        RefKind::Ruleset => {
            let value = NameValue::read(value)?;
            named.objects.push(value.spec);
            named.revisions.push(value.fingerprint);
        }
        RefKind::Tag => named.revisions.push(digest(value)?),
        RefKind::Revision => named.objects.push(digest(value)?),
    }
    Ok(named)
}

/// What a ref names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// Objects of the kind `Ruleset`, of the same tenant.
    pub objects: Vec<Digest>,
    /// Revisions by their fingerprints, of the same tenant.
    pub revisions: Vec<Digest>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> RevisionRecord {
        let build = |object| BuildName {
            target: "x86_64-unknown-linux-gnu".into(),
            build: "ab".repeat(32),
            object,
        };
        RevisionRecord {
            fingerprint: Digest::of(b"rules"),
            developer: false,
            policy: "EITHER".into(),
            plugins: vec![PluginRecord {
                id: "dunes".into(),
                version: "1.2.0".into(),
                options: r#"{"by":2}"#.into(),
                builds: vec![build(None), build(Some(Digest::of(b"build")))],
            }],
        }
    }

    #[test]
    fn a_record_comes_back_as_it_was() {
        let object = record().object();
        assert_eq!(RevisionRecord::read(object.bytes()), Ok(record()));
        let builds: Vec<Digest> = record().builds().collect();
        assert_eq!(builds, [Digest::of(b"build")]);
        for cut in 0..object.bytes().len() {
            assert!(
                RevisionRecord::read(&object.bytes()[..cut]).is_err(),
                "{cut}"
            );
        }
        let longer = [&object.bytes()[..], b"x"].concat();
        assert!(RevisionRecord::read(&longer).is_err());
        let spec = spec_object("{}");
        assert_eq!(read_spec(spec.bytes()), Ok("{}".into()));
        assert!(RevisionRecord::read(spec.bytes()).is_err());
    }

    #[test]
    fn a_ref_names_what_it_stands_for() {
        let (fingerprint, spec) = (Digest::of(b"rules"), Digest::of(b"spec"));
        let value = NameValue { fingerprint, spec };
        assert_eq!(NameValue::read(&value.bytes()), Ok(value));
        let named = named_by(RefKind::Ruleset, &value.bytes()).unwrap();
        assert_eq!(
            (named.objects, named.revisions),
            (vec![spec], vec![fingerprint])
        );
        let named = named_by(RefKind::Tag, fingerprint.as_bytes()).unwrap();
        assert_eq!((named.objects.len(), named.revisions.len()), (0, 1));
        assert!(named_by(RefKind::Revision, b"short").is_err());
        assert!(NameValue::read(fingerprint.as_bytes()).is_err());
    }
}
