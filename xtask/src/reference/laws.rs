//! What the comments of the API must say.

use std::collections::BTreeSet;

use prost_reflect::{FileDescriptor, MessageDescriptor, MethodDescriptor};

use super::api::{Api, REASON, oneof_of};

/// The codes of gRPC that a method may fail with.
const CODES: [&str; 14] = [
    "ABORTED",
    "ALREADY_EXISTS",
    "CANCELLED",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "FAILED_PRECONDITION",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
];

/// How a comment begins that says whether a client must give something.
const BEHAVIOUR: [&str; 2] = ["Required.", "Optional."];

/// Everything that a comment lacks.
pub(super) fn breaches(api: &Api) -> Vec<String> {
    let mut found = Vec::new();
    let reasons = reasons(api);
    for method in api.methods() {
        fails(api, &method, &reasons, &mut found);
    }
    for message in api.messages() {
        fields(api, &message, &mut found);
    }
    for of_enum in api.enums() {
        let file = of_enum.parent_file();
        for value in of_enum.values() {
            let said = api.comment(&file, value.path());
            says_something(value.full_name(), &said, &mut found);
            let is_reason = value.name().starts_with(REASON) && value.number() != 0;
            if is_reason && !CODES.iter().any(|code| said.starts_with(code)) {
                found.push(format!("{}: its code stands first", value.full_name()));
            }
        }
    }
    found
}

/// The reasons of errors, as comments name them.
fn reasons(api: &Api) -> BTreeSet<String> {
    let values = api.enums().flat_map(|it| it.values().collect::<Vec<_>>());
    values
        .filter_map(|value| Some(value.name().strip_prefix(REASON)?.to_owned()))
        .collect()
}

/// A method says with which codes and reasons it fails, and all that it names there are.
fn fails(
    api: &Api,
    method: &MethodDescriptor,
    reasons: &BTreeSet<String>,
    found: &mut Vec<String>,
) {
    let said = api.comment(&method.parent_file(), method.path());
    let said = said.replace('\n', " ");
    let name = method.full_name();
    let Some((_, fails)) = said.split_once("Fails ") else {
        found.push(format!("{name}: does not say with what it fails"));
        return;
    };
    let mut codes = 0;
    let mut other_methods = false;
    for word in fails.split('`').skip(1).step_by(2) {
        let is_word = word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        if CODES.contains(&word) {
            codes += 1;
        } else if is_word && !reasons.contains(word) {
            found.push(format!("{name}: `{word}` is no code and no reason"));
        }
        other_methods |= api.place(word).is_some() && !is_word;
    }
    if codes == 0 && !other_methods {
        found.push(format!("{name}: names no code with which it fails"));
    }
}

/// Each field says something; and where a client gives it, whether it must.
fn fields(api: &Api, message: &MessageDescriptor, found: &mut Vec<String>) {
    let file = message.parent_file();
    let is_asked = api.is_asked(message);
    let mut must_say = |name: &str, said: &str| {
        let says = BEHAVIOUR.iter().any(|word| said.starts_with(word));
        match (is_asked, says) {
            (true, false) => {
                found.push(format!(
                    "{name}: begins with neither Required. nor Optional."
                ));
            }
            (false, true) => found.push(format!("{name}: no client gives it")),
            _ => {}
        }
    };
    for oneof in message.oneofs().filter(|oneof| !oneof.is_synthetic()) {
        must_say(oneof.full_name(), &comment(api, &file, oneof.path()));
    }
    for field in message.fields() {
        let said = comment(api, &file, field.path());
        if oneof_of(&field).is_none() {
            must_say(field.full_name(), &said);
        }
    }
    for field in message.fields() {
        let said = comment(api, &file, field.path());
        says_something(field.full_name(), &said, found);
    }
}

fn comment(api: &Api, file: &FileDescriptor, path: &[i32]) -> String {
    api.comment(file, path)
}

/// A comment is a sentence at least.
fn says_something(name: &str, said: &str, found: &mut Vec<String>) {
    let rest = BEHAVIOUR.iter().find_map(|word| said.strip_prefix(word));
    let rest = rest.unwrap_or(said).trim();
    if rest.len() < 3 || !rest.ends_with(['.', ':', '?', '!', ')']) {
        found.push(format!("{name}: says nothing, or not in a sentence"));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test may.
mod tests {
    use std::fs;

    use super::*;

    /// What a file of the API lacks.
    fn of(text: &str) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("proto/alamein/v1");
        fs::create_dir_all(&folder).unwrap();
        let head = "syntax = \"proto3\";\npackage alamein.v1;\n";
        fs::write(folder.join("a.proto"), format!("{head}{text}")).unwrap();
        let mut found = breaches(&Api::read(root.path()).unwrap());
        found.sort();
        found
    }

    #[test]
    fn what_a_comment_lacks_is_found() {
        let good = "// Asks.\nservice S {
            // Asks. Fails with `NOT_FOUND`
            // (`GONE`).
            rpc Ask(AskRequest) returns (AskResponse);
            // Asks again. Fails as `Ask` does.
            rpc AskAgain(AskRequest) returns (AskResponse);
        }
        // Asks.
        message AskRequest {
            // Required. What.
            string what = 1;
            // Optional. How.
            optional string how = 2;
            // Required. Which. Exactly one must be set.
            oneof which {
                // This.
                string this = 3;
            }
        }
        // Tells.
        message AskResponse {
            // That.
            string that = 1;
        }
        // Why.
        enum ErrorReason {
            // Never sent.
            ERROR_REASON_UNSPECIFIED = 0;
            // NOT_FOUND. It is gone.
            ERROR_REASON_GONE = 1;
        }";
        assert_eq!(of(good), Vec::<String>::new());
        let broken = [
            (
                "`GONE`",
                "`GOEN`",
                "alamein.v1.S.Ask: `GOEN` is no code and no reason",
            ),
            (
                "Fails as `Ask` does.",
                "It may fail.",
                "alamein.v1.S.AskAgain: does not say with what it fails",
            ),
            (
                "`Ask` does",
                "it does",
                "alamein.v1.S.AskAgain: names no code with which it fails",
            ),
            (
                "Optional. How.",
                "How.",
                "alamein.v1.AskRequest.how: begins with neither Required. nor Optional.",
            ),
            (
                "Required. Which.",
                "Which.",
                "alamein.v1.AskRequest.which: begins with neither Required. nor Optional.",
            ),
            (
                "// This.",
                "",
                "alamein.v1.AskRequest.this: says nothing, or not in a sentence",
            ),
            (
                "Required. What.",
                "Required.",
                "alamein.v1.AskRequest.what: says nothing, or not in a sentence",
            ),
            (
                "That.",
                "Required. That.",
                "alamein.v1.AskResponse.that: no client gives it",
            ),
            (
                "NOT_FOUND. It",
                "It",
                "alamein.v1.ERROR_REASON_GONE: its code stands first",
            ),
        ];
        for (old, new, wanted) in broken {
            assert!(good.contains(old), "{old}");
            assert_eq!(of(&good.replacen(old, new, 1)), [wanted], "{new}");
        }
    }
}
