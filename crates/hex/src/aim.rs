//! Where a line starts or ends.

use crate::lattice::Point;
use crate::{Hex, Vertex};

/// An aiming point: the centre of a hex, or a vertex of it for a unit in bypass.
///
/// Which hex the point belongs to matters even where the point is a vertex that three hexes
/// share, so two aims at one vertex may differ.
///
/// ```
/// use alamein_hex::{Aim, Hex};
///
/// let hex = Hex::new(2, 3);
/// assert_eq!(Aim::centre(hex), Aim::from(hex));
/// assert_eq!(Aim::corner(hex, 4).unwrap().corner, Some(4));
/// assert_eq!(Aim::corner(hex, 6), None);
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Aim {
    /// The hex that the unit is in.
    pub hex: Hex,
    /// The corner of that hex that is aimed at, 0 to 5 as in [`Vertex`]; nothing for its
    /// centre. A number above 5, which [`Aim::corner`] never gives, counts round again.
    pub corner: Option<u8>,
}

impl Aim {
    /// The centre of a hex.
    #[must_use]
    #[inline]
    pub const fn centre(hex: Hex) -> Aim {
        Aim { hex, corner: None }
    }

    /// A corner of a hex, 0 to 5; nothing for a number above 5.
    #[must_use]
    #[inline]
    pub const fn corner(hex: Hex, corner: u8) -> Option<Aim> {
        if corner < 6 {
            Some(Aim {
                hex,
                corner: Some(corner),
            })
        } else {
            None
        }
    }

    /// The vertex aimed at; nothing where the aim is at the centre.
    #[must_use]
    #[inline]
    pub fn vertex(self) -> Option<Vertex> {
        self.corner.map(|corner| Vertex::at(self.hex, corner))
    }

    /// The same aim on a map shifted by that offset.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Hex) -> Aim {
        Aim {
            hex: self.hex + by,
            corner: self.corner,
        }
    }

    /// The point aimed at.
    #[inline]
    pub(crate) fn point(self) -> Point {
        match self.vertex() {
            Some(vertex) => vertex.point(),
            None => Point::centre(self.hex),
        }
    }
}

impl From<Hex> for Aim {
    #[inline]
    fn from(hex: Hex) -> Aim {
        Aim::centre(hex)
    }
}
