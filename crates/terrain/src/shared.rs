//! Lists and texts that the rulings of a batch share.
//!
//! A batch of rulings says much that is short: findings, names of hexes, a sentence for each finding.
//! A list of its own for each of them would cost more than the ruling. So a batch has one list of all
//! findings, one of all names and one long text, and each ruling holds its part of them. What is
//! shared is kept as long as anybody holds a part of it: whoever keeps one ruling of a large batch for
//! long had better copy what it wants.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A name: of a hex, a hexside, a counter, a rule, a plugin. Up to 23 bytes of it, and few are longer,
/// are held in the value itself.
pub type Name = smol_str::SmolStr;

/// The observations that a finding rests on, by their place among all that were seen. Most rest on few,
/// which are held in the value itself.
pub type Cites = smallvec::SmallVec<[u32; 4]>;

/// A part of a list that is shared. It reads as a slice.
///
/// ```
/// # use std::sync::Arc;
/// # use alamein_terrain::Part;
/// let all = Arc::new(vec![1, 2, 3]);
/// let part = Part::of(&all, 1..3);
/// assert_eq!(part[..], [2, 3]);
/// assert_eq!(part, Part::from(vec![2, 3]));
/// assert!(Part::of(&all, 2..9).is_empty(), "there is no such part");
/// ```
pub struct Part<T> {
    // Of no elements there is nothing to share.
    all: Option<Arc<Vec<T>>>,
    range: Range<usize>,
}

impl<T> Part<T> {
    /// This part of a list; an empty one if the list has no such part.
    #[must_use]
    pub fn of(all: &Arc<Vec<T>>, range: Range<usize>) -> Self {
        match all.get(range.clone()) {
            None | Some([]) => Self::default(),
            Some(_) => Self {
                all: Some(Arc::clone(all)),
                range,
            },
        }
    }

    /// Its elements.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        let all = self.all.as_deref();
        all.and_then(|all| all.get(self.range.clone()))
            .unwrap_or_default()
    }
}

impl<T> Default for Part<T> {
    fn default() -> Self {
        Self {
            all: None,
            range: 0..0,
        }
    }
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        Self {
            all: self.all.clone(),
            range: self.range.clone(),
        }
    }
}

impl<T> Deref for Part<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> From<Vec<T>> for Part<T> {
    fn from(all: Vec<T>) -> Self {
        let range = 0..all.len();
        Self::of(&Arc::new(all), range)
    }
}

impl<T> FromIterator<T> for Part<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

impl<'a, T> IntoIterator for &'a Part<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Part<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Eq> Eq for Part<T> {}

impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for Part<T> {
    fn eq(&self, other: &[U; N]) -> bool {
        self.as_slice() == other
    }
}

impl<T: PartialEq<U>, U> PartialEq<Vec<U>> for Part<T> {
    fn eq(&self, other: &Vec<U>) -> bool {
        self.as_slice() == other
    }
}

impl<T: fmt::Debug> fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl<T: Serialize> Serialize for Part<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

/// A part of a text that is shared. It reads as a text.
///
/// ```
/// # use std::sync::Arc;
/// # use alamein_terrain::Text;
/// let all = Arc::new("+1 TEM+1 Hindrance".to_owned());
/// let text = Text::of(&all, 6..18);
/// assert_eq!(text, Text::from("+1 Hindrance"));
/// assert!(Text::of(&all, 6..99).is_empty(), "there is no such part");
/// ```
#[derive(Clone, Default)]
pub struct Text {
    // Of no letters there is nothing to share.
    all: Option<Arc<String>>,
    range: Range<usize>,
}

impl Text {
    /// This part of a text, in bytes; an empty one if the text has no such part.
    #[must_use]
    pub fn of(all: &Arc<String>, range: Range<usize>) -> Self {
        match all.get(range.clone()) {
            None | Some("") => Self::default(),
            Some(_) => Self {
                all: Some(Arc::clone(all)),
                range,
            },
        }
    }

    /// Its letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let all = self.all.as_deref();
        all.and_then(|all| all.get(self.range.clone()))
            .unwrap_or_default()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<String> for Text {
    fn from(all: String) -> Self {
        let range = 0..all.len();
        Self::of(&Arc::new(all), range)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}
