//! The page for people who look at maps, as `npm run build` in `web/` made it: it is part of the binary,
//! so that a service needs no folder beside it.
//!
//! ```
//! let names: Vec<String> = alamein_page::files().map(|(name, _)| name).collect();
//! assert!(names.contains(&"index.html".to_owned()));
//! ```

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Built;

/// The page's files: each one's path, without a slash before it, and its bytes.
pub fn files() -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
    Built::iter().filter_map(|name| Some((name.to_string(), Built::get(&name)?.data)))
}
