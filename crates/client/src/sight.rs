//! Fields of view: in one message, or as the server judges them.

use alamein_hex::{Grid, Hex};
use alamein_proto::v1::field_of_view_response::Part;
use alamein_proto::{decode, encode, v1};
use alamein_terrain::{Digest, FieldOfView, FieldQuestion, Sight};
use tonic::Streaming;

use crate::client::{Client, other_position};
use crate::error::Error;
use crate::subject::Subject;

impl Client {
    /// Asks what somebody sees, and gets it in one message of a byte for each hex of the map. A
    /// Hindrance DRM of more than 63, or of more than 127 where it blocks, is told as that.
    ///
    /// # Errors
    /// Where who looks cannot be asked about.
    pub async fn field_of_view<'a>(
        &self,
        subject: impl Into<Subject<'a>>,
        question: &FieldQuestion,
    ) -> Result<FieldOfView, Error> {
        let subject = subject.into();
        let grid = subject.grid();
        let request = v1::PackedFieldOfViewRequest {
            subject: Some(subject.message()),
            question: Some(encode::field_question(question, &grid)),
            options: encode::field_options(question, &grid),
            rules_fingerprint: self.fingerprint(),
            ruleset: self.ruleset_name(),
            as_side: String::new(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.adjudication();
            async move { stub.packed_field_of_view(request).await }
        });
        let field = answer.await?.field;
        let field = field.ok_or_else(|| Error::Answer("no field of view in it".into()))?;
        let field = decode::packed_field(&field)?;
        about(&field, subject.id(), grid)?;
        Ok(field)
    }

    /// Asks what somebody sees, and gets the hexes as the server judges them.
    ///
    /// # Errors
    /// Where who looks cannot be asked about.
    pub async fn look<'a>(
        &self,
        subject: impl Into<Subject<'a>>,
        question: &FieldQuestion,
    ) -> Result<Looking, Error> {
        let subject = subject.into();
        let grid = subject.grid();
        let request = v1::FieldOfViewRequest {
            subject: Some(subject.message()),
            question: Some(encode::field_question(question, &grid)),
            options: encode::field_options(question, &grid),
            rules_fingerprint: self.fingerprint(),
            ruleset: self.ruleset_name(),
            as_side: String::new(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.adjudication();
            async move { stub.field_of_view(request).await }
        });
        let mut parts = answer.await?;
        let Some(Part::Head(head)) = next(&mut parts).await? else {
            return Err(unexpected());
        };
        let field = decode::field_head(&head)?;
        about(&field, subject.id(), grid)?;
        Ok(Looking { field, parts })
    }
}

/// A field of view on its way, as [`Client::look`] gives it.
#[derive(Debug)]
pub struct Looking {
    field: FieldOfView,
    parts: Streaming<v1::FieldOfViewResponse>,
}

impl Looking {
    /// What is known so far: all but the sights, and before the end without what only that tells.
    #[must_use]
    pub fn field(&self) -> &FieldOfView {
        &self.field
    }

    /// The next hexes, in the order of the grid; nothing after the last.
    ///
    /// # Errors
    /// What breaks the stream off.
    pub async fn judged(&mut self) -> Result<Option<Vec<(Hex, Sight)>>, Error> {
        match next(&mut self.parts).await? {
            Some(Part::Hexes(hexes)) => Ok(Some(decode::sighted(&hexes, self.field.grid)?)),
            Some(Part::Summary(summary)) => {
                decode::field_summary(&summary, &mut self.field)?;
                Ok(None)
            }
            Some(Part::Head(_)) | None => Err(unexpected()),
        }
    }

    /// The whole of it: waits for all hexes.
    ///
    /// # Errors
    /// What breaks the stream off.
    pub async fn whole(mut self) -> Result<FieldOfView, Error> {
        let mut sights = Vec::new();
        while let Some(more) = self.judged().await? {
            sights.extend(more);
        }
        let Self { field, .. } = self;
        Ok(FieldOfView { sights, ..field })
    }
}

async fn next(parts: &mut Streaming<v1::FieldOfViewResponse>) -> Result<Option<Part>, Error> {
    Ok(parts.message().await?.and_then(|answer| answer.part))
}

fn unexpected() -> Error {
    Error::Answer("its parts are not those of a field of view".into())
}

/// That it is about the position that was asked about.
fn about(field: &FieldOfView, id: Digest, grid: Grid) -> Result<(), Error> {
    if field.position != id {
        return Err(other_position(&field.position.to_string(), id));
    }
    if field.grid != grid {
        return Err(Error::Answer("it is of another map".into()));
    }
    Ok(())
}
