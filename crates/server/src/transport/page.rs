//! The page: files that are given to browsers, beside the service.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use ring::digest::{SHA256, digest};
use tonic::body::Body;

use super::around::{Answers, Around, Next};

/// What is shown where no file is named.
const INDEX: &str = "index.html";

/// The folder of files whose names change with their content.
const NAMED_BY_CONTENT: &str = "assets/";

/// What a page may do: run its own scripts, call its own service, show pictures that it made. Nothing
/// comes from elsewhere, and nobody puts it into a frame.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
                      object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Files for browsers, in memory.
#[derive(Clone, Debug)]
pub struct Page {
    files: Arc<BTreeMap<String, File>>,
}

#[derive(Debug)]
struct File {
    plain: Bytes,
    /// The same in gzip, where that is shorter.
    packed: Option<Bytes>,
    kind: &'static str,
    etag: String,
    caching: &'static str,
}

impl Page {
    /// A page of these files: each one's path, without a slash before it, and its bytes. `index.html` is
    /// what is shown first; files in `assets` have names that change with their content.
    pub fn new(files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>) -> Self {
        let files = files.into_iter().map(|(name, bytes)| {
            let file = File::new(&name, bytes);
            (name, file)
        });
        Self {
            files: Arc::new(files.collect()),
        }
    }

    fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<Body> {
        let name = match path.trim_start_matches('/') {
            "" => INDEX,
            name => name,
        };
        let Some(file) = self.files.get(name) else {
            return words(StatusCode::NOT_FOUND, "There is no such page here.\n");
        };
        let mut response = file.answer(headers);
        if method == Method::HEAD {
            *response.body_mut() = Body::empty();
        }
        response
    }
}

impl File {
    fn new(name: &str, bytes: Cow<'static, [u8]>) -> Self {
        let plain = match bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        let hash = digest(&SHA256, &plain);
        let hash = hash.as_ref().iter().take(16);
        let etag: String = hash.map(|byte| format!("{byte:02x}")).collect();
        Self {
            packed: packed(&plain).filter(|packed| packed.len() < plain.len()),
            kind: kind(name),
            etag: format!("\"{etag}\""),
            caching: match name.starts_with(NAMED_BY_CONTENT) {
                true => "public, max-age=31536000, immutable",
                false => "no-cache",
            },
            plain,
        }
    }

    fn answer(&self, asked: &HeaderMap) -> Response<Body> {
        let known = asked.get(IF_NONE_MATCH).and_then(|it| it.to_str().ok());
        let known = known.is_some_and(|known| {
            let mut tags = known
                .split(',')
                .map(|tag| tag.trim().trim_start_matches("W/"));
            tags.any(|tag| tag == self.etag || tag == "*")
        });
        let (bytes, encoding) = match &self.packed {
            Some(packed) if takes_gzip(asked) => (packed, Some("gzip")),
            _ => (&self.plain, None),
        };
        let mut response = Response::new(match known {
            true => Body::empty(),
            false => whole(bytes.clone()),
        });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        let set = |name, text: &str, headers: &mut HeaderMap| {
            headers.extend(HeaderValue::from_str(text).ok().map(|value| (name, value)));
        };
        set(ETAG, &self.etag, headers);
        set(CACHE_CONTROL, self.caching, headers);
        set(VARY, "accept-encoding", headers);
        set(CONTENT_SECURITY_POLICY, POLICY, headers);
        set(X_CONTENT_TYPE_OPTIONS, "nosniff", headers);
        set(REFERRER_POLICY, "no-referrer", headers);
        if !known {
            set(CONTENT_TYPE, self.kind, headers);
            headers.insert(CONTENT_LENGTH, bytes.len().into());
            if let Some(encoding) = encoding {
                set(CONTENT_ENCODING, encoding, headers);
            }
        }
        response
    }
}

/// Whether a browser takes gzip.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let values = asked.get_all(ACCEPT_ENCODING).iter();
    let mut words = values
        .filter_map(|it| it.to_str().ok())
        .flat_map(|it| it.split(','));
    words.any(|word| {
        let mut parts = word.split(';').map(str::trim);
        let gzip = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        gzip && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

fn packed(plain: &[u8]) -> Option<Bytes> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(plain).ok()?;
    Some(packer.finish().ok()?.into())
}

/// What a file is, by how its name ends.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// An answer of some words.
fn words(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(whole(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response
}

fn whole(bytes: Bytes) -> Body {
    Body::new(http_body_util::Full::new(bytes))
}

/// The step that answers browsers. All calls of the service are POSTs, so that whatever is read is
/// the page's.
impl Around for Page {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        match *request.method() {
            Method::GET | Method::HEAD => {
                self.answer(request.method(), request.uri().path(), request.headers())
            }
            Method::POST | Method::OPTIONS => next.run(request).await,
            _ => {
                let mut answer = words(StatusCode::METHOD_NOT_ALLOWED, "The page is only read.\n");
                let allowed = HeaderValue::from_static("GET, HEAD, POST, OPTIONS");
                answer.headers_mut().insert(ALLOW, allowed);
                answer
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let long = "x".repeat(2000);
        Page::new([
            (
                INDEX.to_owned(),
                Cow::Borrowed(b"<!doctype html>".as_slice()),
            ),
            ("assets/a-1.js".to_owned(), Cow::Owned(long.into_bytes())),
        ])
    }

    fn ask(path: &str, headers: &[(&'static str, &'static str)]) -> Response<Body> {
        let headers = headers.iter();
        let headers = headers.map(|(name, value)| {
            let name: http::HeaderName = name.parse().unwrap();
            (name, HeaderValue::from_static(value))
        });
        page().answer(&Method::GET, path, &headers.collect())
    }

    fn header(response: &Response<Body>, name: &str) -> String {
        let value = response.headers().get(name);
        value.map_or_else(String::new, |it| it.to_str().unwrap().to_owned())
    }

    #[test]
    fn the_root_is_the_index_and_is_asked_for_anew() {
        let response = ask("/", &[]);
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(
            header(&response, "content-type"),
            "text/html; charset=utf-8"
        );
        assert_eq!(header(&response, "cache-control"), "no-cache");
        assert!(header(&response, "content-security-policy").contains("default-src 'self'"));
        assert_eq!(ask("/nothing", &[]).status(), StatusCode::NOT_FOUND);
        assert_eq!(ask("/../Cargo.toml", &[]).status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn what_is_named_by_its_content_is_kept_and_comes_packed() {
        let response = ask("/assets/a-1.js", &[("accept-encoding", "br, gzip;q=0.8")]);
        assert_eq!(header(&response, "content-encoding"), "gzip");
        assert!(header(&response, "cache-control").contains("immutable"));
        for refused in ["gzip;q=0", "identity", "br"] {
            let response = ask("/assets/a-1.js", &[("accept-encoding", refused)]);
            assert_eq!(header(&response, "content-encoding"), "");
            assert_eq!(header(&response, "content-length"), "2000");
        }
    }

    #[test]
    fn what_a_browser_has_is_not_sent_again() {
        let etag = header(&ask("/", &[]), "etag");
        let tags: &'static str = Box::leak(format!("\"other\", W/{etag}").into_boxed_str());
        let response = ask("/", &[("if-none-match", tags)]);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        let response = ask("/", &[("if-none-match", "\"other\"")]);
        assert_eq!(response.status(), StatusCode::OK);
    }
}
