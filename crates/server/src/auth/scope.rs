//! What a credential lets its bearer do.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use alamein_proto::v1;

/// What a credential lets its bearer do. `proto/alamein/v1/scope.proto` says what each opens, and every
/// method which it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// To ask questions, and to read what one's tenant keeps.
    Adjudicate,
    /// To keep positions.
    PositionsWrite,
    /// To keep maps.
    MapsWrite,
    /// To create and advance games.
    GamesWrite,
    /// To make and tag rulesets.
    RulesetsWrite,
    /// To see, load, replace and retire plugins.
    PluginsAdmin,
}

impl Scope {
    /// All there are.
    pub const ALL: [Self; 6] = [
        Self::Adjudicate,
        Self::PositionsWrite,
        Self::MapsWrite,
        Self::GamesWrite,
        Self::RulesetsWrite,
        Self::PluginsAdmin,
    ];

    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Adjudicate => "adjudicate",
            Self::PositionsWrite => "positions:write",
            Self::MapsWrite => "maps:write",
            Self::GamesWrite => "games:write",
            Self::RulesetsWrite => "rulesets:write",
            Self::PluginsAdmin => "plugins:admin",
        }
    }

    /// Whether what it opens changes something, or concerns the service itself: all but questions.
    #[must_use]
    pub fn is_audited(self) -> bool {
        self != Self::Adjudicate
    }

    /// The scope that the API's definition means.
    #[must_use]
    pub fn of(declared: v1::Scope) -> Option<Self> {
        Some(match declared {
            v1::Scope::Unspecified => return None,
            v1::Scope::Adjudicate => Self::Adjudicate,
            v1::Scope::PositionsWrite => Self::PositionsWrite,
            v1::Scope::MapsWrite => Self::MapsWrite,
            v1::Scope::GamesWrite => Self::GamesWrite,
            v1::Scope::RulesetsWrite => Self::RulesetsWrite,
            v1::Scope::PluginsAdmin => Self::PluginsAdmin,
        })
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no scope; there are {all}", all = Scopes::all())]
pub struct ScopeError(pub String);

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(name: &str) -> Result<Self, ScopeError> {
        let known = Self::ALL.into_iter().find(|scope| scope.name() == name);
        known.ok_or_else(|| ScopeError(name.to_owned()))
    }
}

/// Several scopes. None of them brings another. Clones share them.
///
/// ```
/// use alamein_server::{Scope, Scopes};
/// let scopes: Scopes = [Scope::Adjudicate, Scope::MapsWrite].into_iter().collect();
/// assert!(scopes.have(Scope::MapsWrite) && !scopes.have(Scope::PluginsAdmin));
/// assert_eq!(scopes.to_string(), "adjudicate maps:write");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(Arc<BTreeSet<Scope>>);

impl Scopes {
    /// Every scope.
    #[must_use]
    pub fn all() -> Self {
        static ALL: LazyLock<Scopes> = LazyLock::new(|| Scope::ALL.into_iter().collect());
        ALL.clone()
    }

    /// Whether a scope is among them.
    #[must_use]
    pub fn have(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The scopes, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Scope> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(Arc::new(scopes.into_iter().collect()))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, scope) in self.iter().enumerate() {
            let gap = if at == 0 { "" } else { " " };
            write!(f, "{gap}{scope}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_read_as_it_is_written() {
        for scope in Scope::ALL {
            assert_eq!(scope.name().parse(), Ok(scope));
        }
        let refused = "maps".parse::<Scope>().unwrap_err();
        assert!(refused.to_string().contains("maps:write"), "{refused}");
    }

    #[test]
    fn the_api_and_the_service_have_the_same_scopes() {
        let declared = (1..100).filter_map(|number| v1::Scope::try_from(number).ok());
        let declared: Vec<_> = declared.filter_map(Scope::of).collect();
        let all: BTreeSet<_> = declared.iter().copied().collect();
        assert_eq!((declared.len(), all), (Scope::ALL.len(), Scope::ALL.into()));
    }
}
