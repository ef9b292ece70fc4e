//! What games name, for whoever looks after a store.

use alamein_store::care::{KnownLinks, Link, Links, Unread};
use alamein_store::{Kind, RefKind};
use bytes::Bytes;

use crate::entry::Entry;
use crate::standing::Game;

/// Knows what entries and games name, and whatever else a store has.
///
/// The rules that a game is played by are no link: they may be those of the service's own folder, and
/// revisions stay in any case.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameLinks;

impl Links for GameLinks {
    fn of_object(&self, kind: Kind, bytes: &Bytes) -> Result<Vec<Link>, Unread> {
        match kind {
            Kind::Entry => Ok(named_by(&Entry::from_canonical(bytes)?)),
            _ => KnownLinks.of_object(kind, bytes),
        }
    }

    fn of_ref(&self, kind: RefKind, value: &[u8]) -> Result<Vec<Link>, Unread> {
        match kind {
            RefKind::Game => {
                let head = Game::from_canonical(value)?.head;
                let mut links = named_by(&head);
                links.push(Link::Own(Kind::Entry, head.id()));
                Ok(links)
            }
            _ => KnownLinks.of_ref(kind, value),
        }
    }
}

/// What an entry names: its position, and the entry before it.
fn named_by(entry: &Entry) -> Vec<Link> {
    let position = Link::Own(Kind::Position, entry.position);
    let parent = entry.parent.map(|parent| Link::Own(Kind::Entry, parent));
    [Some(position), parent].into_iter().flatten().collect()
}
