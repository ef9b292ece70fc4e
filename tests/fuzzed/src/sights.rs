//! Questions about what somebody sees.

use std::sync::Arc;

use alamein_proto::{decode, encode, v1};

use crate::requests::{accepted, carried};
use crate::world::{LIMITS, world};

/// The furthest that is looked: what takes long is no property.
const FAR: u16 = 4;

/// Looks, where that can be asked. What comes of it can be packed, sent and read.
pub(crate) fn look(
    subject: Option<v1::Subject>,
    question: Option<v1::FieldOfViewQuestion>,
    options: Option<v1::QuestionOptions>,
) {
    let Some(position) = carried(subject.as_ref()) else {
        return;
    };
    let (asked, options) = (question.as_ref(), options.as_ref());
    let read = decode::field_question(asked, options, &position, &LIMITS);
    let Some(mut question) = accepted(read) else {
        return;
    };
    let grid = position.map().grid;
    let written = encode::field_question(&question, &grid);
    let options = encode::field_options(&question, &grid);
    let again = decode::field_question(Some(&written), options.as_ref(), &position, &LIMITS);
    assert_eq!(again.as_ref(), Ok(&question));
    question.range = Some(question.range.map_or(FAR, |range| range.min(FAR)));
    let world = world();
    let (ruleset, at) = (Arc::clone(&world.ruleset), Arc::clone(&position));
    let wanted = alamein_engine::Wanted::default();
    let seen = world
        .engine
        .field_of_view_here(ruleset, at, &question, wanted);
    let Ok(field) = seen else { return };
    let packed = encode::packed_field(&field, &world.book);
    match decode::packed_field(&packed) {
        Ok(again) => assert_eq!(again.packed(), field.packed()),
        Err(error) => panic!("{error}: what was written of {field:?}"),
    }
}
