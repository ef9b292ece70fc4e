//! Records of questions with their rulings: a case file on each line.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use alamein_terrain::{Digest, Position, Question, Ruling};
use flate2::read::MultiGzDecoder;

use crate::error::CaseError;
use crate::node::{Node, Wrong};
use crate::source::{GZIP, MOST};

/// What a file says of where its rulings came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The fingerprint of the rules.
    pub rules: Option<Digest>,
    /// The id of the position.
    pub position: Option<Digest>,
    /// The ids of the rulings, by the ids of their questions.
    pub rulings: BTreeMap<String, Digest>,
}

impl Provenance {
    pub(crate) fn read(node: &Node<'_>) -> Result<Self, Wrong> {
        let id = |node: &Node<'_>| node.text()?.parse().map_err(|why: &str| node.wrong(why));
        let optional = |name| node.get(name).map(|node| id(&node)).transpose();
        let mut rulings = BTreeMap::new();
        if let Some(list) = node.get("ruling_ids") {
            for (question, node) in list.fields()? {
                rulings.insert(question.to_owned(), id(&node)?);
            }
        }
        Ok(Self {
            rules: optional("rules_fingerprint")?,
            position: optional("position_id")?,
            rulings,
        })
    }

    /// What of it cannot be so: that the position or a question is another than the one that was ruled on.
    /// Nothing, if it says nothing of it.
    #[must_use]
    pub fn contradicts(
        &self,
        position: &Position,
        id: &str,
        question: &Question,
    ) -> Option<String> {
        let (theirs, ours) = (self.position?, position.id());
        if theirs != ours {
            return Some(format!(
                "the position has the id {ours}, and {theirs} was ruled on"
            ));
        }
        let (rules, theirs) = (self.rules?, *self.rulings.get(id)?);
        let ours = Ruling::id_of(rules, ours, question);
        (ours != theirs).then(|| {
            format!("its ruling has the id {ours} by these rules, and {theirs} is what was given")
        })
    }
}

/// A line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which, counted from 1.
    pub number: u64,
    /// What it says. What is no UTF-8 is replaced, so that it cannot be read as a case.
    pub text: String,
    /// Whether its end is there: of a record that is being written the last one may be cut off.
    pub whole: bool,
}

/// The lines of a record, plain or compressed with gzip, one after the other: a record may be longer than
/// memory.
///
/// # Errors
/// A file that cannot be read. In the place of a line: what keeps it from being read. Nothing comes after
/// that.
pub fn lines(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Line, CaseError>> + use<>, CaseError> {
    let name = path.display().to_string();
    let unreadable = move |error: std::io::Error| CaseError::Unreadable {
        file: name.clone(),
        why: error.to_string(),
    };
    let mut file = BufReader::new(File::open(path).map_err(&unreadable)?);
    let start = file.fill_buf().map_err(&unreadable)?;
    let mut reader: Box<dyn BufRead> = if start.starts_with(&GZIP) {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    };
    let file = path.display().to_string();
    let (mut number, mut over) = (0, false);
    Ok(std::iter::from_fn(move || {
        if over {
            return None;
        }
        let mut bytes = Vec::new();
        let read = reader.by_ref().take(MOST + 1).read_until(b'\n', &mut bytes);
        number += 1;
        match read {
            Err(error) => {
                over = true;
                Some(Err(unreadable(error)))
            }
            Ok(0) => None,
            Ok(length) if length as u64 > MOST => {
                over = true;
                let file = format!("{file} line {number}");
                Some(Err(CaseError::TooLong { file, most: MOST }))
            }
            Ok(_) => Some(Ok(Line {
                number,
                whole: bytes.ends_with(b"\n"),
                text: String::from_utf8_lossy(&bytes).trim_end().to_owned(),
            })),
        }
    }))
}
