//! Errors that know the path of the field that they are about.

/// An error about a field.
pub(crate) trait At {
    /// Puts something before the field's path.
    fn at(self, prefix: &str) -> Self;
}

/// Paths are put together only where something is wrong: from the inside out.
pub(crate) trait Within {
    /// Puts something before the path of the field at fault.
    fn within(self, prefix: impl FnOnce() -> String) -> Self;
}

impl<T, E: At> Within for Result<T, E> {
    fn within(self, prefix: impl FnOnce() -> String) -> Self {
        self.map_err(|error| error.at(&prefix()))
    }
}

/// Reads each item of a list; paths get the list's name and the item's place in it, and what
/// `then` says comes after: a dot where the item has fields of its own.
pub(crate) fn each<'a, W, D, E: At>(
    items: &'a [W],
    list: &str,
    then: &str,
    mut read: impl FnMut(&'a W) -> Result<D, E>,
) -> Result<Vec<D>, E> {
    let mut one = |(index, item)| read(item).within(|| format!("{list}[{index}]{then}"));
    items.iter().enumerate().map(&mut one).collect()
}
