//! When something ends, as people write it.

use std::str::FromStr;

use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

/// When a token ends: a moment, or some time from now.
///
/// ```
/// use alamein_server::auth::Expiry;
/// let fixed: Expiry = "2027-01-31T12:00:00+01:00".parse()?;
/// assert_eq!(fixed.time().unix_timestamp(), 1_801_393_200);
/// assert!("90d".parse::<Expiry>()?.time() > "12h".parse::<Expiry>()?.time());
/// assert!("soon".parse::<Expiry>().is_err());
/// # Ok::<(), alamein_server::auth::ExpiryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry(OffsetDateTime);

/// A text that is no time in the future.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time to come; write 90d, 12h, or 2027-01-31T00:00:00Z")]
pub struct ExpiryError(pub String);

impl Expiry {
    /// The moment.
    #[must_use]
    pub fn time(self) -> OffsetDateTime {
        self.0
    }
}

impl FromStr for Expiry {
    type Err = ExpiryError;

    fn from_str(text: &str) -> Result<Self, ExpiryError> {
        let now = OffsetDateTime::now_utc();
        let time = OffsetDateTime::parse(text, &Rfc3339).ok();
        let time = time.or_else(|| now.replace_nanosecond(0).ok()?.checked_add(span(text)?));
        let time = time.ok_or_else(|| ExpiryError(text.to_owned()))?;
        Ok(Self(time))
    }
}

fn span(text: &str) -> Option<Duration> {
    let unit = text.chars().last()?;
    let count: u32 = text.strip_suffix(unit)?.parse().ok()?;
    let hours = match unit {
        'd' => 24,
        'h' => 1,
        _ => return None,
    };
    Some(Duration::hours(hours * i64::from(count))).filter(|it| it.is_positive())
}
