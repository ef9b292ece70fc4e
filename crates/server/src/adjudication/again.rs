//! Rulings that may be told again, as they are, to whoever asks the same.

use std::sync::Arc;
use std::time::Duration;

use http::Extensions;

use crate::ruled::{Counted, Ruled, Told};
use crate::rules::{Rules, Same};
use crate::service::Service;
use crate::transport::{Again, Repeatable, RequestSpan};

use super::{Heard, Hearing};

/// What a ruling needs to be told again.
struct Given {
    rules: Rules,
    /// What its rules were asked for by, and what they were.
    same: Same,
    told: Told,
    ruled: Ruled,
    counted: Arc<Counted>,
}

impl Again for Given {
    fn holds(&self, request: &Extensions) -> bool {
        let span = request.get::<RequestSpan>();
        // Whoever follows a request wants to see what is done for it.
        if span.is_some_and(RequestSpan::is_followed) || !self.rules.are_still(&self.same) {
            return false;
        }
        if let Some(span) = span {
            span.rules(self.told.rules);
            span.ruling(self.told.ruling);
        }
        if self.ruled.is_logged(&self.told) {
            RequestSpan::within(span, || self.ruled.log(&self.told, Duration::ZERO));
        }
        self.ruled.given(&self.counted, 1);
        true
    }
}

impl Service {
    /// What a ruling needs to be told again, if it may: not where every question is written down or plugins
    /// are called twice to see whether they differ, nor by rules whose name another process may change.
    pub(super) fn repeatable(
        &self,
        hearing: &Hearing<'_>,
        asked: &str,
        heard: &Heard,
    ) -> Option<Repeatable> {
        let threads = hearing.rules.ready().engine.threads();
        let each_counts = self.record.is_some() || threads.config().verify_every > 0;
        if each_counts || hearing.is_followed() {
            return None;
        }
        Some(Repeatable(Arc::new(Given {
            rules: self.rules.clone(),
            same: self.rules.same(&hearing.rules, asked)?,
            told: Told::of(&heard.question, &heard.adjudicated.ruling),
            ruled: self.ruled.clone(),
            counted: Arc::clone(&hearing.counted),
        })))
    }
}
