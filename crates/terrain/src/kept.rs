//! What a feature's host keeps of a batch from one round to the next.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// Room for what a host makes of the batch that one feature is asked about: the lines as the feature sees
/// them, say, which are the same in each round.
///
/// Whatever is kept may point to what the batch borrows: this cannot be used any longer than that, nor
/// together with a batch that borrows something for less long.
pub struct Kept<'a> {
    made: OnceLock<Box<dyn Any + Send + Sync>>,
    // It must not pass for one of a shorter life.
    of: PhantomData<fn(&'a ()) -> &'a ()>,
}

impl Kept<'_> {
    /// Room in which there is nothing.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            made: OnceLock::new(),
            of: PhantomData,
        }
    }

    /// What was made the first time that this was asked; nothing if that is of another type.
    pub fn get_or_make<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.made.get_or_init(|| Box::new(make())).downcast_ref()
    }
}

impl fmt::Debug for Kept<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_made_once() {
        let kept = Kept::nothing();
        assert_eq!(kept.get_or_make(|| 1), Some(&1));
        assert_eq!(kept.get_or_make(|| 2), Some(&1));
        assert_eq!(kept.get_or_make(|| "of another type"), None);
    }
}
