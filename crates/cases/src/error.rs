//! What can be wrong with a case file.

use crate::node::Wrong;

/// What is wrong with a case file. Each names the file, and where it can the question and the
/// field's path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// What went wrong.
        why: String,
    },
    /// The file is longer than any case.
    #[error("{file}: is longer than {most} bytes once unpacked; a case file never is")]
    TooLong {
        /// The file.
        file: String,
        /// How long it may be.
        most: u64,
    },
    /// The file is no JSON.
    #[error("{file}: is no JSON: {why}")]
    NotJson {
        /// The file.
        file: String,
        /// What is wrong, with line and column.
        why: String,
    },
    /// A field is wrong.
    #[error("{file}: {}{}{what}", question.as_ref().map(|id| format!("question {id}: "))
        .unwrap_or_default(), prefix(path))]
    Field {
        /// The file.
        file: String,
        /// The id of the question, if it is in one.
        question: Option<String>,
        /// The field's path, from the scenario or from the question.
        path: String,
        /// What is wrong with it.
        what: String,
    },
}

fn prefix(path: &str) -> String {
    if path.is_empty() {
        String::new()
    } else {
        format!("{path}: ")
    }
}

impl CaseError {
    pub(crate) fn of(file: &str, question: Option<&str>, wrong: Wrong) -> Self {
        Self::Field {
            file: file.to_owned(),
            question: question.map(str::to_owned),
            path: wrong.path,
            what: wrong.what,
        }
    }
}
