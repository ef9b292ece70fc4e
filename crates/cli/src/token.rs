//! `alamein token`: the file of tokens that a service reads.

use alamein_server::Quota;
use alamein_server::auth::{Book, Expiry, Grant, Wanted, add, revoke};
use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::args::{TokenCommand, TokenList, TokenNew};
use crate::output;

pub(crate) fn run(command: &TokenCommand) -> Result<()> {
    match command {
        TokenCommand::New(new) => make(new),
        TokenCommand::List(list) => show(list),
        TokenCommand::Revoke(it) => {
            revoke(&it.file.path, &it.id)?;
            let (id, file) = (&it.id, it.file.path.display());
            output::line(&format!(
                "{id} is revoked: a service that reads {file} refuses it within a second"
            ))
        }
    }
}

fn make(new: &TokenNew) -> Result<()> {
    let expires = new.expires.as_deref().map(str::parse::<Expiry>);
    let expires = expires.transpose().context("--expires")?;
    let wanted = Wanted {
        tenant: new.tenant.clone(),
        scopes: new.scopes.iter().copied().collect(),
        expires: expires.map(Expiry::time),
        quota: Quota {
            requests_per_second: new.requests_per_second,
            burst: new.burst,
            concurrent_requests: new.concurrent_requests,
        },
        note: new.note.clone(),
    };
    let token = add(&new.file.path, &wanted)?;
    // The token alone goes where a script reads it.
    eprintln!(
        "{}: added {}. The token is shown this once:",
        new.file.path.display(),
        token.id
    );
    output::line(&token.text)
}

fn show(list: &TokenList) -> Result<()> {
    let book = Book::read(&list.file.path)?;
    let tokens = book.tokens().into_iter().map(|it| ("token", it));
    let certificates = book
        .certificates()
        .into_iter()
        .map(|it| ("certificate", it));
    let all: Vec<_> = tokens.chain(certificates).collect();
    if list.json {
        let told = all
            .iter()
            .map(|(kind, (id, grant))| as_json(kind, id, grant));
        return output::line(&format!("{:#}", told.collect::<Value>()));
    }
    if all.is_empty() {
        return output::line("there are no tokens; `alamein token new` makes one");
    }
    for (kind, (id, grant)) in all {
        output::line(&as_text(kind, id, grant))?;
    }
    Ok(())
}

fn as_text(kind: &str, id: &str, grant: &Grant) -> String {
    let (tenant, scopes) = (&grant.caller.tenant, &grant.caller.scopes);
    let mut text = format!("{id}  {kind} of {tenant}: {scopes}");
    if let Some(expires) = grant.expires_text() {
        let verb = if grant.is_past_now() { "ended" } else { "ends" };
        text.push_str(&format!("; {verb} {expires}"));
    }
    let Quota {
        requests_per_second,
        burst,
        concurrent_requests,
    } = grant.quota;
    if let Some(rate) = requests_per_second {
        text.push_str(&format!("; {rate} requests in a second"));
    }
    if let Some(burst) = burst {
        text.push_str(&format!(", {burst} in a burst"));
    }
    if let Some(most) = concurrent_requests {
        text.push_str(&format!("; {most} requests at once"));
    }
    if !grant.note.is_empty() {
        text.push_str(&format!("; {}", grant.note));
    }
    text
}

fn as_json(kind: &str, id: &str, grant: &Grant) -> Value {
    json!({
        "kind": kind,
        "id": id,
        "tenant": grant.caller.tenant.as_str(),
        "scopes": grant.caller.scopes.iter().map(alamein_server::Scope::name).collect::<Vec<_>>(),
        "expires": grant.expires_text(),
        "expired": grant.is_past_now(),
        "requests_per_second": grant.quota.requests_per_second,
        "burst": grant.quota.burst,
        "concurrent_requests": grant.quota.concurrent_requests,
        "note": grant.note,
    })
}
