//! What games are called.

use std::fmt::Write as _;

use alamein_terrain::Canon;

use crate::error::GameError;

/// What the canonical form begins with of which the id of a game comes that a request did not name.
const OF_REQUEST: &str = "alamein/game-of-request/1";

/// Whether a game may have this id.
pub(crate) fn fits(id: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&id.len()) && id.bytes().all(fits)
}

/// What a new game is called.
pub(crate) struct Named {
    pub(crate) name: String,
    /// Whether the name comes of the request's id.
    pub(crate) of_request: bool,
}

impl Named {
    /// The id that was asked for. Without one: an id that comes of the request's, so that the request may be
    /// sent again; and of a request that has none, a random one.
    pub(crate) fn of(asked: String, does: &str, request: &str) -> Result<Self, GameError> {
        let of_request = asked.is_empty() && !request.is_empty();
        let name = match (fits(&asked), of_request) {
            (true, _) => asked,
            (_, true) => {
                let mut canon = Canon::new(OF_REQUEST);
                canon.text(does).text(request);
                short(&canon.digest().as_bytes()[..12])
            }
            _ if !asked.is_empty() => return Err(GameError::BadId(asked)),
            _ => {
                let mut random = [0; 12];
                let filled = getrandom::fill(&mut random);
                filled.map_err(|error| GameError::NoId(error.to_string()))?;
                short(&random)
            }
        };
        Ok(Self { name, of_request })
    }
}

fn short(bytes: &[u8]) -> String {
    let mut id = String::from("g-");
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(id, "{byte:02x}");
    }
    id
}
