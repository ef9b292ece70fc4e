//! A ruling that changes, in words and as JSON.

use std::sync::Arc;

use alamein_client::v1::{self, compared_answer::Answer};
use alamein_hex::Grid;
use alamein_proto::decode;
use alamein_terrain::{Environment, Map, Position, Ruling};
use anyhow::Result;
use serde_json::{Value, json};

use crate::facts::Facts;
use crate::json;
use crate::paint::Paint;
use crate::saying::Speaker;

/// Tells of changes.
pub(super) struct Teller {
    facts: Facts,
    /// Of no consequence: rulings say themselves what they rest on.
    nowhere: Position,
    paint: Paint,
    explain: bool,
}

impl Teller {
    pub(super) fn new(facts: Facts, explain: bool) -> Result<Self> {
        let map = Arc::new(Map::flat(Grid::geomorphic()));
        Ok(Self {
            facts,
            nowhere: Position::new(map, Vec::new(), Environment::default())?,
            paint: Paint::of_terminal(),
            explain,
        })
    }

    /// A change: what was asked, and both answers with their reasons.
    pub(super) fn text(&self, change: &v1::RulingChange) -> Result<String> {
        let (case, id) = (&change.case_id, &change.question_id);
        let id = match id == case {
            true => case.clone(),
            false => format!("{case} {id}"),
        };
        let asked = asked(change);
        let what = match change.verdict_changes {
            true => self.paint.bad("changes"),
            false => self.paint.middling("same verdict, other grounds"),
        };
        let mut text = format!("{}{asked}: {what}\n", self.paint.bold(&id));
        let said = |answer: &Option<v1::ComparedAnswer>| {
            self.said(answer.as_ref().and_then(|it| it.answer.as_ref()))
        };
        let (before, after) = (said(&change.before)?, said(&change.after)?);
        text.push_str(&format!("  before: {before}"));
        if before == after && !self.explain {
            text.push_str("  after: the same, but for what was considered; --explain shows it\n");
        } else {
            text.push_str(&format!("  after: {after}"));
        }
        Ok(text)
    }

    fn said(&self, answer: Option<&Answer>) -> Result<String> {
        let speaker = Speaker {
            position: &self.nowhere,
            facts: &self.facts,
            paint: self.paint,
            explain: self.explain,
        };
        Ok(match answer {
            Some(Answer::Ruling(told)) => {
                let ruling = decode::ruling(told)?;
                let verdict = speaker.verdict(&ruling);
                format!("{verdict}\n{}", indented(&speaker.grounds(&ruling)))
            }
            Some(Answer::Error(status)) => format!("no ruling: {}\n", status.message),
            None => "no answer\n".into(),
        })
    }

    /// The same as JSON.
    pub(super) fn json(&self, change: &v1::RulingChange) -> Result<Value> {
        let side = |answer: &Option<v1::ComparedAnswer>| -> Result<Value> {
            Ok(match answer.as_ref().and_then(|it| it.answer.as_ref()) {
                Some(Answer::Ruling(told)) => {
                    let ruling: Ruling = decode::ruling(told)?;
                    json::ruling(&ruling, self.explain)
                }
                Some(Answer::Error(status)) => json!({"error": status.message}),
                None => Value::Null,
            })
        };
        Ok(json!({
            "case": change.case_id,
            "question": change.question_id,
            "verdict_changes": change.verdict_changes,
            "before": side(&change.before)?,
            "after": side(&change.after)?,
        }))
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// From where to where, as far as an answer says it.
fn asked(change: &v1::RulingChange) -> String {
    let sides = [&change.before, &change.after].into_iter().flatten();
    let question = sides.filter_map(|side| match side.answer.as_ref()? {
        Answer::Ruling(ruling) => ruling.question.as_ref()?.question.as_ref(),
        Answer::Error(_) => None,
    });
    let end = |end: &Option<v1::End>| match end.clone().and_then(|end| end.end) {
        Some(v1::end::End::Hex(name) | v1::end::End::CounterId(name)) => name,
        None => String::new(),
    };
    use v1::question::Question as Q;
    match question.into_iter().next() {
        Some(Q::LineOfSight(it)) => format!("  LOS {} to {}", end(&it.from), end(&it.to)),
        Some(Q::LineOfFire(it)) => format!("  fire {} at {}", end(&it.from), end(&it.to)),
        Some(Q::FireLane(it)) => format!("  Fire Lane of {} in {}", end(&it.mg), it.mover_hex),
        Some(Q::Movement(_)) => "  a step".into(),
        Some(Q::SetUp(it)) => format!("  set-up in {}", it.hex),
        None => String::new(),
    }
}
