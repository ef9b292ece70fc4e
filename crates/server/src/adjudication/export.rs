//! Questions with their rulings, written as a case file.

use alamein_cases::{Export, Exported};
use alamein_proto::v1::{self, ErrorReason};
use alamein_terrain::Position;
use tonic::{Request, Response};

use crate::fault::Fault;
use crate::rules::By;
use crate::service::{Service, weigh};

impl Service {
    /// Judges questions, and writes them with their rulings.
    pub(super) async fn export(
        &self,
        request: &Request<v1::ExportCaseRequest>,
    ) -> Result<Response<v1::ExportCaseResponse>, Fault> {
        let asked = request.get_ref();
        weigh(request, asked.questions.len())?;
        let subject = asked.subject.as_ref();
        let hearing = self.hear(request, subject, by!(asked), &asked.as_side);
        let mut hearing = hearing.await?;
        // The file of a side is about what it knows, from beginning to end.
        hearing.side = None;
        let id = case_id(&asked.case_id, &hearing.position)?;
        let questions = self.questions(&asked.questions, &hearing.position)?;
        let heard = self.judge(&hearing, questions, true, false).await?;
        let mut told = Vec::new();
        for (at, heard) in heard.into_iter().enumerate() {
            // A file that leaves a question out would not be the one that was asked for.
            let heard = heard.map_err(|fault| fault.within(&format!("questions[{at}].")))?;
            let tag = asked
                .questions
                .get(at)
                .map(|question| question.tag.as_str());
            let tag = tag.filter(|tag| !tag.is_empty()).map(str::to_owned);
            told.push((tag.unwrap_or_else(|| format!("{id}-q{:02}", at + 1)), heard));
        }
        let exported = told.iter().map(|(id, heard)| Exported {
            id,
            question: &heard.question,
            ruled: &heard.adjudicated,
        });
        let rulings: Vec<Exported<'_>> = exported.collect();
        let ready = hearing.rules.ready();
        let export = Export {
            id: &id,
            position: &hearing.position,
            rulings: &rulings,
            settings: &ready.settings,
            fingerprint: hearing.ruleset.fingerprint(),
        };
        Ok(hearing.rules.answer(v1::ExportCaseResponse {
            case_file: alamein_cases::write(&export, &ready.known).into_bytes(),
            file_name: format!("{id}.json"),
        }))
    }
}

/// The name of a case: the one asked for, or one made from the position's id.
fn case_id(asked: &str, position: &Position) -> Result<String, Fault> {
    if asked.is_empty() {
        let id = position.id().to_string();
        return Ok(format!("case-{}", id.get(..12).unwrap_or(&id)));
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if asked.len() <= 64 && asked.chars().all(fits) {
        return Ok(asked.to_owned());
    }
    if asked.len() > 64 {
        let text = format!("case_id: has {} bytes; it may have 64", asked.len());
        return Err(Fault::new(ErrorReason::TooLong, &text)
            .with("field", "case_id")
            .with("max", 64)
            .field("case_id", text));
    }
    let text = "case_id: may have letters, digits, `-` and `_`";
    Err(Fault::new(ErrorReason::InvalidName, text)
        .with("field", "case_id")
        .with("value", asked)
        .field("case_id", text))
}
