//! A case: what a file holds.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use alamein_terrain::{GrazingPolicy, Position, Question};
use serde_json::{Map, Value};

use crate::error::CaseError;
use crate::known::Known;
use crate::node::{Node, Wrong};
use crate::question::POLICIES;
use crate::record::Provenance;
use crate::settings::Settings;
use crate::source::read_text;
use crate::{position, question};

/// What a case file holds.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// Where everything stands.
    pub position: Arc<Position>,
    /// The layers of its map that no loaded plugin owns. Every question ignores them.
    pub unowned_layers: Vec<String>,
    /// What it asks.
    pub questions: Vec<CaseQuestion>,
    /// Under which rules it wants to be ruled on.
    pub settings: Settings,
    /// Where the rulings that it expects came from, as far as it says.
    pub provenance: Provenance,
    /// Fields that mean nothing here; a word may be misspelt.
    pub strangers: Vec<String>,
}

impl Case {
    /// The question of this id.
    #[must_use]
    pub fn question(&self, id: &str) -> Option<&CaseQuestion> {
        self.questions.iter().find(|question| question.id == id)
    }
}

/// A question of a case.
#[derive(Clone, Debug)]
pub struct CaseQuestion {
    /// Its id.
    pub id: String,
    /// Its kind, as the file has it.
    pub kind: String,
    /// What it asks.
    pub asked: Asked,
    /// What the file expects, if it does.
    pub expected: Option<Expected>,
    /// The rules leave it open, and why.
    pub contested: Option<String>,
    /// What the ruling that the file expects rested on, a line for each, as far as it says.
    pub grounds: Vec<String>,
}

/// What a question of a case asks.
#[derive(Clone, Debug)]
pub enum Asked {
    /// This.
    Question(Box<Question>),
    /// Something of a kind that nothing answers.
    Unanswered,
    /// Something that cannot be read.
    Unreadable(CaseError),
}

/// The answers that a file expects of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// The answer.
    pub usual: Map<String, Value>,
    /// The answers under grazing policies that change it. Empty if the file says nothing of them.
    pub others: BTreeMap<GrazingPolicy, Map<String, Value>>,
}

impl Expected {
    /// The answer expected under a policy.
    #[must_use]
    pub fn under(&self, policy: GrazingPolicy) -> &Map<String, Value> {
        self.others.get(&policy).unwrap_or(&self.usual)
    }
}

/// Reads a case file, plain or compressed with gzip.
///
/// # Errors
/// What is wrong with it, with the file's name and the field's path. What is wrong with one of its
/// questions is in that question's place.
pub fn load(path: &Path, known: &Known) -> Result<Case, CaseError> {
    parse(&path.display().to_string(), &read_text(path)?, known)
}

/// Reads a case out of a text; `file` is how to call it in messages.
///
/// # Errors
/// As [`load`].
pub fn parse(file: &str, text: &str, known: &Known) -> Result<Case, CaseError> {
    let value: Value = serde_json::from_str(text).map_err(|error| CaseError::NotJson {
        file: file.to_owned(),
        why: error.to_string(),
    })?;
    scenario(file, &Node::top(&value), known)
}

fn scenario(file: &str, node: &Node<'_>, known: &Known) -> Result<Case, CaseError> {
    let wrong = |wrong: Wrong| CaseError::of(file, None, wrong);
    node.object().map_err(wrong)?;
    let mut strangers = node.strangers(&[
        "id",
        "title",
        "comment",
        "map",
        "counters",
        "ec",
        "fire_lanes",
        "questions",
        "alamein",
    ]);
    let id = match node.get("id") {
        Some(id) => id.text().map_err(wrong)?.to_owned(),
        None => String::new(),
    };
    let (settings, provenance) = match node.get("alamein") {
        Some(node) => (
            Settings::read(&node).map_err(wrong)?,
            Provenance::read(&node).map_err(wrong)?,
        ),
        None => (Settings::default(), Provenance::default()),
    };
    let position = position::read(node, known, &mut strangers).map_err(wrong)?;
    let layers = position.map().layers.keys();
    let unowned: Vec<String> = layers
        .filter(|layer| known.layer(layer).is_none())
        .cloned()
        .collect();
    let mut questions = Vec::new();
    if let Some(list) = node.get("questions") {
        for (at, item) in list.items().map_err(wrong)?.enumerate() {
            let reader = QuestionReader {
                file,
                position: &position,
                unowned: &unowned,
                known,
            };
            questions.push(reader.read(at, item.value, &mut strangers)?);
        }
    }
    Ok(Case {
        id,
        position: Arc::new(position),
        unowned_layers: unowned,
        questions,
        settings,
        provenance,
        strangers,
    })
}

struct QuestionReader<'a> {
    file: &'a str,
    position: &'a Position,
    unowned: &'a [String],
    known: &'a Known,
}

impl QuestionReader<'_> {
    fn read(
        &self,
        at: usize,
        value: &Value,
        strangers: &mut Vec<String>,
    ) -> Result<CaseQuestion, CaseError> {
        // Paths begin at the question: its id says where it is.
        let node = Node::top(value);
        let id = match node.get("id").map(|id| id.text().map(str::to_owned)) {
            Some(Ok(id)) => id,
            _ => format!("questions[{at}]"),
        };
        let wrong = |wrong: Wrong| CaseError::of(self.file, Some(&id), wrong);
        let mut unknown = Vec::new();
        let asked = match self.ask(&node, &mut unknown) {
            Ok(Some(question)) => Asked::Question(Box::new(question)),
            Ok(None) => Asked::Unanswered,
            Err(error) => Asked::Unreadable(wrong(error)),
        };
        strangers.extend(unknown.iter().map(|name| format!("question {id}: {name}")));
        let kind = node.get("kind").and_then(|kind| kind.text().ok());
        Ok(CaseQuestion {
            kind: kind.unwrap_or_default().to_owned(),
            asked,
            expected: expected(&node).map_err(wrong)?,
            contested: contested(&node).map_err(wrong)?,
            grounds: grounds(&node).map_err(wrong)?,
            id,
        })
    }
}

impl QuestionReader<'_> {
    fn ask(&self, node: &Node<'_>, unknown: &mut Vec<String>) -> Result<Option<Question>, Wrong> {
        question::read(node, self.position, self.unowned, self.known, unknown)
    }
}

fn expected(node: &Node<'_>) -> Result<Option<Expected>, Wrong> {
    let Some(usual) = node.get("expect") else {
        return Ok(None);
    };
    let mut expected = Expected {
        usual: usual.object()?.clone(),
        others: BTreeMap::new(),
    };
    if let Some(others) = node.get("expect_other_policies") {
        for (name, other) in others.fields()? {
            let policy = POLICIES.iter().find(|(known, _)| *known == name);
            let Some((_, policy)) = policy else {
                return Err(other.wrong("is no grazing policy"));
            };
            expected.others.insert(*policy, other.object()?.clone());
        }
    }
    Ok(Some(expected))
}

fn grounds(node: &Node<'_>) -> Result<Vec<String>, Wrong> {
    let Some(grounds) = node.get("grounds") else {
        return Ok(Vec::new());
    };
    let text = |item: Node<'_>| Ok(item.text()?.to_owned());
    grounds.items()?.map(text).collect()
}

fn contested(node: &Node<'_>) -> Result<Option<String>, Wrong> {
    match node.get("contested") {
        Some(contested) if contested.flag()? => {}
        _ => return Ok(None),
    }
    let Some(why) = node.get("contested_why") else {
        return Ok(Some(String::new()));
    };
    if why.value.is_string() {
        return Ok(Some(why.text()?.to_owned()));
    }
    let why = why
        .items()?
        .map(|item| item.text().map(str::to_owned))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Some(why.join("; ")))
}
