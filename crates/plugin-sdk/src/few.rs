//! Short lists.

/// A list of which most are short: up to eight elements, or `N`, are held in the value itself, so that such a
/// list takes no memory of its own. On a line there are few of anything: a plugin that gathers what it finds there
/// in such a list is faster than with a `Vec`.
///
/// ```
/// use alamein_plugin_sdk::prelude::*;
/// let few: Few<i16> = [1, 2, 3].into_iter().filter(|drm| *drm > 1).collect();
/// assert_eq!(few[..], [2, 3]);
/// ```
pub type Few<T, const N: usize = 8> = smallvec::SmallVec<[T; N]>;

/// Notes something in a short list, unless it is there. Whether it was not.
///
/// ```
/// use alamein_plugin_sdk::prelude::*;
/// let mut kinds: Few<i16> = Few::new();
/// assert!(note(&mut kinds, 1));
/// assert!(!note(&mut kinds, 1));
/// ```
pub fn note<T: PartialEq, const N: usize>(noted: &mut Few<T, N>, what: T) -> bool {
    let is_new = !noted.contains(&what);
    if is_new {
        noted.push(what);
    }
    is_new
}
