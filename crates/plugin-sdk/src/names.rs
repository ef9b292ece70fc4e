//! Names of rules and kinds, as indices into a plugin's own tables.

/// A rule of the plugin; [`crate::rules!`] makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule(u32);

impl Rule {
    #[doc(hidden)]
    #[must_use]
    pub const fn from_index(index: u32) -> Self {
        Self(index)
    }

    pub(crate) const fn index(self) -> u32 {
        self.0
    }

    /// Its number among the plugin's rules, for [`SightAnswer::contesting`](crate::SightAnswer::contesting).
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0 as u16
    }
}

/// A kind (of Hindrance, obstacle, mark or TEM group) that the plugin says or knows;
/// [`crate::kinds!`] makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind(u32);

impl Kind {
    #[doc(hidden)]
    #[must_use]
    pub const fn from_index(index: u32) -> Self {
        Self(index)
    }

    pub(crate) const fn index(self) -> u32 {
        self.0
    }
}

/// Names the plugin's rules: a constant for each, and `RULES`, the table of all.
///
/// ```
/// alamein_plugin_sdk::rules! {
///     LOS = "X4.4/los";
///     TEM = "X4.5/tem";
/// }
/// assert_ne!(LOS, TEM);
/// assert_eq!(RULES.len(), 2);
/// ```
#[macro_export]
macro_rules! rules {
    ($($name:ident = $id:literal;)*) => {
        $crate::names!(RULES: $crate::Rule; $($name = $id;)*);
    };
}

/// Names the kinds that the plugin says or knows: a constant for each, and `KINDS`, the table of
/// all.
#[macro_export]
macro_rules! kinds {
    ($($name:ident = $id:literal;)*) => {
        $crate::names!(KINDS: $crate::Kind; $($name = $id;)*);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! names {
    ($table:ident: $type:ty; $($name:ident = $id:literal;)*) => {
        $crate::names!(@each $type; 0; $($name = $id;)*);
        /// The table of all of these, in their order.
        pub const $table: &[$crate::abi::Bytes] = &[$($crate::abi::Bytes::of($id)),*];
    };
    (@each $type:ty; $index:expr;) => {};
    (@each $type:ty; $index:expr; $name:ident = $id:literal; $($rest:tt)*) => {
        #[doc = $id]
        pub const $name: $type = <$type>::from_index($index);
        $crate::names!(@each $type; $index + 1; $($rest)*);
    };
}
