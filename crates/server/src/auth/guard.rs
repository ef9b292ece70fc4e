//! The step before which every request says who it comes from.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Request, Response};
use subtle::ConstantTimeEq as _;
use time::OffsetDateTime;
use tokio::sync::watch;
use tonic::body::Body;
use tonic::{Code, Status};

use super::audited::{line, outcome};
use super::book::{Book, Grant};
use super::caller::Caller;
use super::jwt::{Issuer, Rejected};
use super::methods::{Methods, Need};
use super::quota::{Meters, Place, Quota};
use super::scope::Scope;
use super::secret::{hash, id_of};
use super::shared::Token;
use crate::audit::Audit;
use crate::fault::Fault;
use crate::reload::Reloaded;
use crate::transport::{
    Answers, Around, Certificate, Hook, Hooked, Next, RequestSpan, is_about_service, is_health,
};

/// The longest that a stream goes on before it is asked again whether its credential holds.
const AT_MOST: Duration = Duration::from_secs(3600);

/// Asks every request who it comes from, and what it may. Clones share what they remember.
#[derive(Clone, Debug)]
pub struct Guard {
    inner: Arc<Inner>,
    audit: Option<Audit>,
}

#[derive(Debug)]
struct Inner {
    methods: Methods,
    doors: Doors,
    meters: Meters,
    usual: Quota,
    open_reflection: bool,
}

/// What lets callers in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doors {
    pub(crate) book: Option<Arc<Reloaded<Book>>>,
    pub(crate) jwt: Option<Arc<Reloaded<Issuer>>>,
    pub(crate) shared: Option<Token>,
    /// Tells that what opens them may have changed.
    pub(crate) changed: watch::Sender<()>,
}

/// What a request, or its connection, says of who it comes from.
struct Credential {
    /// What stands behind `Bearer` in its header, and nothing where there are several such headers.
    bearer: Option<Result<Vec<u8>, ()>>,
    certificate: Option<Certificate>,
}

impl Guard {
    /// Lets everybody in as the main tenant, with every scope.
    #[must_use]
    pub fn open() -> Self {
        Self::of(Doors::default(), Quota::default(), false)
    }

    /// Lets in who bears this token, and nobody else.
    #[must_use]
    pub fn shared(token: Token) -> Self {
        Self::open().or_shared(Some(token))
    }

    pub(crate) fn of(doors: Doors, usual: Quota, open_reflection: bool) -> Self {
        let inner = Inner {
            methods: Methods::of_the_api(),
            doors,
            meters: Meters::default(),
            usual,
            open_reflection,
        };
        Self {
            inner: Arc::new(inner),
            audit: None,
        }
    }

    /// The same, which has what is asked of it written down.
    pub(crate) fn audited(self, audit: Option<Audit>) -> Self {
        Self { audit, ..self }
    }

    /// Where a request is written down that calls this: it changes something, or concerns the service.
    pub(crate) fn audit(&self, path: &str) -> Option<&Audit> {
        let scope = self.inner.methods.need(path)?.scope?;
        self.audit.as_ref().filter(|_| scope.is_audited())
    }

    /// The same, which lets in also who bears this token, with every scope.
    #[must_use]
    pub(crate) fn or_shared(&self, token: Option<Token>) -> Self {
        let Inner {
            doors,
            usual,
            open_reflection,
            ..
        } = &*self.inner;
        let doors = Doors {
            shared: token.or_else(|| doors.shared.clone()),
            ..doors.clone()
        };
        Self::of(doors, *usual, *open_reflection).audited(self.audit.clone())
    }

    /// Whether anybody is asked who they are.
    #[must_use]
    pub fn asks(&self) -> bool {
        let Doors {
            book, jwt, shared, ..
        } = &self.inner.doors;
        book.is_some() || jwt.is_some() || shared.is_some()
    }

    /// Whether a method is open to everybody, on purpose: load balancers ask for health.
    fn is_open(&self, path: &str) -> bool {
        is_health(path) || (is_about_service(path) && self.inner.open_reflection)
    }

    /// What a credential stands for, if it lets its bearer call such a method.
    fn judge(
        &self,
        credential: &Credential,
        path: &str,
        need: Option<Need>,
    ) -> Result<Grant, Refused> {
        let grant = self.inner.doors.open(credential)?;
        match need {
            // Reflection, or nothing: there is nothing behind such a path.
            None => Ok(grant),
            Some(need) => match need.scope {
                Some(scope) if grant.caller.scopes.have(scope) => Ok(grant),
                scope => Err(Refused::known(grant, out_of_scope(scope, path))),
            },
        }
    }

    /// The same, if the bearer's quota allows one more.
    fn admit(
        &self,
        credential: &Credential,
        path: &str,
        need: Option<Need>,
    ) -> Result<(Grant, Place), Refused> {
        let grant = self.judge(credential, path, need)?;
        let quota = grant.quota.or(self.inner.usual);
        match self.inner.meters.admit(&grant.caller.token, quota) {
            Ok(place) => Ok((grant, place)),
            Err(fault) => Err(Refused::known(grant, fault)),
        }
    }
}

/// Why somebody is turned away, and who it is, if that is known.
#[derive(Debug)]
struct Refused {
    caller: Option<Caller>,
    fault: Fault,
}

impl Refused {
    fn known(grant: Grant, fault: Fault) -> Self {
        Self {
            caller: Some(grant.caller),
            fault,
        }
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self {
            caller: None,
            fault,
        }
    }
}

impl Doors {
    fn open(&self, credential: &Credential) -> Result<Grant, Refused> {
        let grant = match credential {
            Credential {
                bearer: Some(Ok(secret)),
                ..
            } => self.bearer(secret)?,
            Credential {
                bearer: Some(Err(())),
                ..
            } => None,
            Credential {
                certificate: Some(certificate),
                ..
            } => self.certificate(certificate),
            _ => return Err(nothing().into()),
        };
        let grant = grant.ok_or_else(unknown)?;
        match grant.is_past_now() {
            true => Err(Refused::known(grant, past())),
            false => Ok(grant),
        }
    }

    fn bearer(&self, secret: &[u8]) -> Result<Option<Grant>, Fault> {
        if self.shared.as_ref().is_some_and(|token| token.is(secret)) {
            return Ok(Some(of_shared()));
        }
        let text = std::str::from_utf8(secret).unwrap_or_default();
        match (id_of(text), &self.jwt) {
            (Some(id), _) => Ok(self.of_book(id, secret)),
            (None, Some(jwt)) => match jwt.now().grant(text) {
                Ok(grant) => Ok(Some(grant)),
                Err(Rejected::Past) => Err(past()),
                Err(Rejected::Unknown) => Ok(None),
            },
            (None, None) => Ok(None),
        }
    }

    fn of_book(&self, id: &str, secret: &[u8]) -> Option<Grant> {
        let book = self.book.as_ref()?.now();
        let given = hash(secret);
        // An id that is not there is compared with something all the same.
        let (known, grant) = match book.token(id) {
            Some((known, grant)) => (*known, Some(grant)),
            None => ([0; 32], None),
        };
        let same: bool = known.ct_eq(&given).into();
        grant.filter(|_| same).cloned()
    }

    fn certificate(&self, certificate: &Certificate) -> Option<Grant> {
        let book = self.book.as_ref()?.now();
        let mut grant = book
            .certificate(&certificate.sha256, &certificate.names)?
            .clone();
        let ends = certificate.not_after;
        grant.expires = Some(grant.expires.map_or(ends, |expires| expires.min(ends)));
        Some(grant)
    }
}

impl Credential {
    fn of(request: &Request<Body>) -> Self {
        Self {
            bearer: bearer(request.headers()),
            certificate: request.extensions().get().cloned(),
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<Result<Vec<u8>, ()>> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let one = given.next()?;
    if given.next().is_some() {
        return Some(Err(()));
    }
    let value = one.as_bytes();
    let space = value.iter().position(|byte| *byte == b' ');
    let (scheme, secret) = value.split_at(space.unwrap_or(value.len()));
    let fits = scheme.eq_ignore_ascii_case(b"bearer") && secret.len() > 1;
    Some(fits.then(|| secret[1..].to_vec()).ok_or(()))
}

/// Who bears the token that one file holds.
fn of_shared() -> Grant {
    Grant {
        caller: Caller {
            token: "shared".into(),
            ..Caller::anybody()
        },
        expires: None,
        quota: Quota::default(),
        note: String::new(),
    }
}

impl Around for Guard {
    async fn around<S: Answers>(
        &self,
        mut request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        if !self.asks() || self.is_open(request.uri().path()) {
            request.extensions_mut().insert(Caller::anybody());
            return next.run(request).await;
        }
        let path = request.uri().path().to_owned();
        let need = self.inner.methods.need(&path);
        let credential = Credential::of(&request);
        let (grant, place) = match self.admit(&credential, &path, need) {
            Ok(admitted) => admitted,
            Err(refused) => return self.refuse(&request, refused).into_http(),
        };
        request.extensions_mut().insert(grant.caller.clone());
        // It is for this service and goes no further.
        request.headers_mut().remove(AUTHORIZATION);
        let response = next.run(request).await;
        let lapses = need.is_none_or(|need| need.streams).then(|| {
            let guard = self.clone();
            Box::pin(async move { guard.lapse(&credential, &path, need).await }) as Lapse
        });
        response.map(|body| {
            Hooked::wrap(
                body,
                Admitted {
                    lapses,
                    _place: place,
                },
            )
        })
    }
}

impl Guard {
    /// Turns a request away, and writes that down; a question that was only one too many is not written.
    fn refuse(&self, request: &Request<Body>, refused: Refused) -> Status {
        let Refused { caller, fault } = refused;
        let status = Status::from(fault);
        let code = status.code();
        let concerns = matches!(code, Code::Unauthenticated | Code::PermissionDenied)
            || self.audit(request.uri().path()).is_some();
        if let Some(audit) = self.audit.as_ref().filter(|_| concerns) {
            let line = outcome(line(request, caller.as_ref()), Some(&status));
            let span = request.extensions().get();
            RequestSpan::within(span, || audit.refused(line, caller.is_some()));
        }
        status
    }

    /// Waits until a credential opens a method no more: it was revoked, or its time is past.
    async fn lapse(&self, credential: &Credential, path: &str, need: Option<Need>) -> Status {
        let mut changes = self.inner.doors.changed.subscribe();
        loop {
            // Whatever changed before it listened is seen here.
            let grant = match self.judge(credential, path, need) {
                Ok(grant) => grant,
                Err(refused) => return refused.fault.into(),
            };
            let left = grant
                .expires
                .map(|expires| expires - OffsetDateTime::now_utc());
            let left = left.and_then(|left| Duration::try_from(left).ok());
            tokio::select! {
                _ = changes.changed() => {}
                () = tokio::time::sleep(left.unwrap_or(AT_MOST).min(AT_MOST)) => {}
            }
        }
    }
}

type Lapse = Pin<Box<dyn Future<Output = Status> + Send>>;

/// An answer to who was let in.
struct Admitted {
    lapses: Option<Lapse>,
    _place: Place,
}

impl Hook for Admitted {
    fn poll_cut(&mut self, cx: &mut Context<'_>) -> Poll<Status> {
        match &mut self.lapses {
            Some(lapses) => lapses.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

fn nothing() -> Fault {
    let text = "this service asks who calls: send `authorization: Bearer TOKEN`";
    Fault::new(ErrorReason::CredentialsMissing, text)
}

fn unknown() -> Fault {
    let text = "the token or certificate of this request is none that this service knows";
    Fault::new(ErrorReason::TokenInvalid, text)
}

fn past() -> Fault {
    Fault::new(
        ErrorReason::TokenExpired,
        "the token or certificate of this request is past its time",
    )
}

fn out_of_scope(scope: Option<Scope>, path: &str) -> Fault {
    let method = path.trim_start_matches('/');
    let text = match scope {
        Some(scope) => format!("{method} needs the scope {scope}, which this token has not"),
        None => format!("{method} is open to nobody"),
    };
    Fault::new(ErrorReason::ScopeMissing, text)
        .with("scope", scope.map(Scope::name).unwrap_or_default())
        .with("method", method)
}

#[cfg(test)]
mod tests {
    use super::super::scope::Scopes;
    use super::*;

    fn given(values: &[&str]) -> Option<Result<Vec<u8>, ()>> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, value.parse().unwrap());
        }
        bearer(&headers)
    }

    #[test]
    fn a_bearer_is_named_once_and_by_that_word() {
        assert_eq!(given(&[]), None);
        for fine in ["Bearer secret", "bearer secret"] {
            assert_eq!(given(&[fine]), Some(Ok(b"secret".to_vec())));
        }
        for wrong in [
            &["Bearer"][..],
            &["Bearer "],
            &["secret"],
            &["Basic secret"],
            &["Bearer a", "Bearer a"],
        ] {
            assert_eq!(given(wrong), Some(Err(())), "{wrong:?}");
        }
    }

    #[test]
    fn a_header_that_is_wrong_is_not_made_good_by_a_certificate() {
        let book = "[[certificate]]\nid = \"c\"\nname = \"cn:c\"\ntenant = \"t\"\nscopes = [\"adjudicate\"]";
        let read = move || Book::parse(book);
        let doors = Doors {
            book: Some(Arc::new(Reloaded::open("book", Vec::new(), read).unwrap())),
            ..Doors::default()
        };
        let open = |bearer, not_after| {
            let certificate = Some(Certificate {
                sha256: [0; 32],
                names: vec!["cn:c".into()].into(),
                not_after,
            });
            doors.open(&Credential {
                bearer,
                certificate,
            })
        };
        let now = OffsetDateTime::now_utc();
        let later = now + time::Duration::HOUR;
        assert_eq!(&*open(None, later).unwrap().caller.token, "c");
        assert!(open(Some(Err(())), later).is_err());
        assert!(open(Some(Ok(b"wrong".to_vec())), later).is_err());
        assert!(
            open(None, now).is_err(),
            "a certificate that ended on an open connection"
        );
    }

    #[test]
    fn the_scopes_of_a_shared_token_are_all() {
        assert_eq!(of_shared().caller.scopes, Scopes::all());
    }
}
