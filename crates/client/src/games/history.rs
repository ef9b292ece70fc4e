//! The history of a game, page by page.

use alamein_proto::v1;

use crate::client::Client;
use crate::error::Error;

/// How many entries are asked for at once.
const PAGE: u32 = 200;

/// The history of a game, as [`Client::history`] gives it.
#[derive(Clone, Debug)]
pub struct History {
    client: Client,
    /// The request for the next page, if there is one.
    request: Option<v1::ListEntriesRequest>,
}

impl History {
    pub(super) fn new(client: Client, id: &str, newest_first: bool, side: Option<&str>) -> Self {
        let request = v1::ListEntriesRequest {
            game_id: id.to_owned(),
            page_size: PAGE,
            page_token: String::new(),
            newest_first,
            as_side: side.unwrap_or_default().to_owned(),
        };
        Self {
            client,
            request: Some(request),
        }
    }

    /// The entries of the next page; nothing after the last one. After an error the same page can be asked
    /// for again.
    ///
    /// # Errors
    /// Where the game is not there, or the page cannot be had.
    pub async fn next_page(&mut self) -> Result<Option<Vec<v1::GameEntry>>, Error> {
        let Some(request) = &mut self.request else {
            return Ok(None);
        };
        let page = self
            .client
            .of_games(&*request, |mut stub, request| async move {
                stub.list_entries(request).await
            })
            .await?;
        match page.next_page_token.is_empty() {
            true => self.request = None,
            false => request.page_token = page.next_page_token,
        }
        Ok(Some(page.entries))
    }

    /// All entries that are left.
    ///
    /// # Errors
    /// As [`next_page`](Self::next_page).
    pub async fn all(mut self) -> Result<Vec<v1::GameEntry>, Error> {
        let mut entries = Vec::new();
        while let Some(page) = self.next_page().await? {
            entries.extend(page);
        }
        Ok(entries)
    }
}
