//! What a request changed, by its ids and names.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use alamein_proto::v1;
use serde_json::Value;
use tonic::Request;

/// How many characters of an id are written: a request may have anything in its place.
const LONGEST: usize = 200;

/// What a request changed. It is in the extensions of a request that is written down in the audit log;
/// handlers put ids and names into it, never what somebody wrote in free text.
///
/// ```
/// use alamein_server::Deed;
/// let deed = Deed::of(&tonic::Request::new(()));
/// deed.note("map_id", "3f2a");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Deed(Arc<Mutex<BTreeMap<&'static str, String>>>);

impl Deed {
    /// That of a request. What is put into one that is not written down is forgotten.
    #[must_use]
    pub fn of<T>(request: &Request<T>) -> Self {
        request.extensions().get().cloned().unwrap_or_default()
    }

    /// Says what was changed, such as `map_id`. What is empty says nothing.
    pub fn note(&self, what: &'static str, id: impl ToString) {
        let id: String = id.to_string().chars().take(LONGEST).collect();
        if id.is_empty() {
            return;
        }
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.insert(what, id);
    }

    /// Says that nothing was to be changed, where a client only wants to know whether it could be.
    pub(crate) fn only_checks(&self, validate_only: bool) {
        if validate_only {
            self.note("validate_only", true);
        }
    }

    /// Says what a game has come to.
    pub(crate) fn game(&self, game: &v1::Game) {
        self.note("game_id", &game.game_id);
        self.note("rules_fingerprint", &game.rules_fingerprint);
        if let Some(head) = &game.head {
            self.note("number", head.number);
            self.note("entry_id", &head.entry_id);
            self.note("position_id", &head.position_id);
        }
    }

    /// All of it, or null.
    pub(crate) fn told(&self) -> Value {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match notes.is_empty() {
            true => Value::Null,
            false => notes
                .iter()
                .map(|(what, id)| (*what, id.as_str()))
                .collect(),
        }
    }
}
