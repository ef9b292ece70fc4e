//! The id of a request, by which its answer, its lines in the log and its spans are found.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

use super::span::RequestSpan;

/// The header that bears it, in requests and answers.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("alamein-request-id");

/// The longest id that is taken from a client, in bytes.
const LONGEST: usize = 64;

/// The id of a request: the one that its client gave in the header `alamein-request-id`, if it has 1 to
/// 64 letters, digits, `-`, `_`, `.` and `:`, or one that was made here. Every answer bears it in the same
/// header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The id of a request. A request that did not come through the transport has none.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>) -> Option<Self> {
        RequestSpan::of(request).map(|of| of.id().clone())
    }

    /// The id that a client gave, or a new one.
    pub(crate) fn given(headers: &HeaderMap) -> Self {
        let given = headers.get(REQUEST_ID).filter(|it| fits(it.as_bytes()));
        given.map_or_else(Self::new, |given| Self::alone(given.clone()))
    }

    /// One that nobody has. It tells nothing of who asked, and nothing depends on its being a secret.
    fn new() -> Self {
        /// Two numbers that no other process has.
        static PROCESS: LazyLock<[u64; 2]> =
            LazyLock::new(|| [(); 2].map(|()| RandomState::new().hash_one(())));
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let [high, low] = *PROCESS;
        let low = low.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let id = u128::from(high) << 64 | u128::from(low);
        // By hand: it is done for every request, and a formatter takes five times as long.
        let digit = |at: usize| b"0123456789abcdef"[(id >> (124 - 4 * at)) as usize & 15];
        let id = HeaderValue::from_bytes(&std::array::from_fn::<u8, 32, _>(digit));
        Self::alone(id.unwrap_or(HeaderValue::from_static("none")))
    }

    /// An id that no other request has, and that HTTP/2 is to send as it is: where each is put into the
    /// table of headers that were sent, the table is full of what never comes again, and all of it is looked
    /// through for every answer.
    fn alone(mut id: HeaderValue) -> Self {
        id.set_sensitive(true);
        Self(id)
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// Puts it into the headers of an answer.
    pub(crate) fn put(&self, headers: &mut HeaderMap) {
        headers.insert(REQUEST_ID, self.0.clone());
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn fits(id: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=LONGEST).contains(&id.len()) && id.iter().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(id: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(REQUEST_ID, id.parse().unwrap());
        RequestId::given(&headers).to_string()
    }

    #[test]
    fn a_clients_id_is_kept_if_it_is_fit_for_a_log() {
        assert_eq!(given("turn-7.a:3_b"), "turn-7.a:3_b");
        for unfit in ["", "a b", "a\"b", "{}", &"x".repeat(65)] {
            let made = given(unfit);
            assert_eq!(made.len(), 32, "{unfit}: {made}");
        }
    }

    #[test]
    fn no_two_requests_have_the_same() {
        assert_ne!(RequestId::new(), RequestId::new());
    }
}
