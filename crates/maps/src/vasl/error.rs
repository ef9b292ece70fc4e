//! What is wrong with a VASL board.

/// What is wrong with a VASL board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VaslError {
    /// A file that cannot be read.
    #[error("{file} cannot be read: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        why: String,
    },
    /// An archive that is no zip archive, or a damaged one.
    #[error("this is no board archive: {why}; a VASL board is a zip archive or a folder")]
    Archive {
        /// What is wrong.
        why: String,
    },
    /// A board without one of the two members.
    #[error("the board has no member {member}; boards without it cannot be imported")]
    NoMember {
        /// The member.
        member: &'static str,
    },
    /// More than is read.
    #[error("{what} is too large: at most {most} {unit} are read")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How much is read.
        most: u64,
        /// Of what.
        unit: &'static str,
    },
    /// A `LOSData` that is not made so, or is damaged.
    #[error("LOSData is damaged: {why}")]
    LosData {
        /// What is wrong.
        why: String,
    },
    /// A `BoardMetadata.xml` that is not made so.
    #[error("BoardMetadata.xml: {why}")]
    Metadata {
        /// What is wrong.
        why: String,
    },
    /// A terrain code that is not known, so that it is not known what the hexes are.
    #[error(
        "pixel ({x}, {y}) has the terrain code {code}, which is not known; the board cannot be \
         imported"
    )]
    Terrain {
        /// The code.
        code: u8,
        /// The pixel's column.
        x: usize,
        /// The pixel's row.
        y: usize,
    },
    /// A board whose hexes do not lie on its picture, or of a kind that is not known.
    #[error("the board's hexes cannot be told: {why}")]
    Geometry {
        /// What is wrong.
        why: String,
    },
}

impl VaslError {
    pub(super) fn los_data(why: impl Into<String>) -> Self {
        Self::LosData { why: why.into() }
    }

    pub(super) fn metadata(why: impl Into<String>) -> Self {
        Self::Metadata { why: why.into() }
    }

    pub(super) fn geometry(why: impl Into<String>) -> Self {
        Self::Geometry { why: why.into() }
    }
}
