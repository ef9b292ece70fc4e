//! Requests as bytes: every message that a client may send.

use std::fmt::Debug;
use std::sync::Arc;

use alamein_proto::v1::{
    self, ErrorReason, create_ruleset_request as of_ruleset, render_map_request as of_picture,
    subject, validate_map_request as of_map,
};
use alamein_proto::{Limits, Refused, decode, encode};
use alamein_terrain::{Map, Position, Question, diff};
use prost::Message;

use crate::chosen;
use crate::sights;
use crate::world::{LIMITS, canonical, world};

/// Bytes become a request, which the first of them chooses.
pub(crate) fn run(bytes: &[u8]) {
    let (which, bytes) = chosen(bytes);
    if let Some((_, read)) = READERS.get(usize::from(which) % READERS.len()) {
        read(bytes);
    }
}

type Reader = fn(&[u8]);

/// A reader of a message of which no more is read here than that it is one.
macro_rules! plain {
    ($name:ident) => {
        (stringify!($name), |bytes| drop(message::<v1::$name>(bytes)))
    };
}

/// A reader of a question that is asked alone.
macro_rules! alone {
    ($name:ident, $read:ident) => {
        (stringify!($name), |bytes| {
            let read = |it: &v1::$name, position: &Position| {
                decode::$read(it.question.as_ref(), it.options.as_ref(), position, &LIMITS)
            };
            of_question(message::<v1::$name>(bytes), |it| it.subject.as_ref(), read);
        })
    };
}

/// By the first byte; new ones come last, so that a corpus goes on meaning what it meant.
const READERS: [(&str, Reader); 44] = [
    alone!(LineOfSightRequest, line_of_sight),
    alone!(LineOfFireRequest, line_of_fire),
    alone!(FireLaneRequest, fire_lane),
    alone!(MovementRequest, movement),
    alone!(SetUpRequest, set_up),
    ("BatchAdjudicateRequest", |bytes| {
        if let Some(asked) = message::<v1::BatchAdjudicateRequest>(bytes) {
            batch(asked.subject.as_ref(), &asked.questions);
        }
    }),
    ("ExportCaseRequest", |bytes| {
        if let Some(asked) = message::<v1::ExportCaseRequest>(bytes) {
            batch(asked.subject.as_ref(), &asked.questions);
        }
    }),
    ("PricePathRequest", |bytes| {
        if let Some(asked) = message::<v1::PricePathRequest>(bytes) {
            price(&asked);
        }
    }),
    ("ReachableRequest", |bytes| {
        if let Some(asked) = message::<v1::ReachableRequest>(bytes) {
            reach(&asked);
        }
    }),
    ("CreatePositionRequest", |bytes| {
        let asked = message::<v1::CreatePositionRequest>(bytes);
        let position = asked.and_then(|asked| read_position(&asked.position?));
        if let Some(position) = position {
            world().judge(&position, &[]);
        }
    }),
    ("CreateMapRequest", |bytes| {
        if let Some(map) = message::<v1::CreateMapRequest>(bytes).and_then(|asked| asked.map) {
            read_map(&map);
        }
    }),
    ("ValidateMapRequest", |bytes| {
        let asked = message::<v1::ValidateMapRequest>(bytes);
        if let Some(of_map::Source::Map(map)) = asked.and_then(|asked| asked.source) {
            read_map(&map);
        }
    }),
    plain!(ComposeMapRequest),
    ("RenderMapRequest", |bytes| {
        if let Some(asked) = message::<v1::RenderMapRequest>(bytes) {
            picture(&asked);
        }
    }),
    ("CreateRulesetRequest", |bytes| {
        let asked = message::<v1::CreateRulesetRequest>(bytes);
        if let Some(of_ruleset::Source::Spec(spec)) = asked.and_then(|asked| asked.source) {
            ruleset(&spec);
        }
    }),
    plain!(GetMapRequest),
    plain!(ListMapsRequest),
    plain!(GetPositionRequest),
    plain!(GetRulesetRequest),
    plain!(ListRulesetsRequest),
    plain!(TagRulesetRequest),
    plain!(DiffRulesetsRequest),
    plain!(CompareRulesetsRequest),
    plain!(ListConflictsRequest),
    plain!(LoadPluginRequest),
    plain!(ReplacePluginRequest),
    plain!(RetirePluginRequest),
    plain!(ListPluginsRequest),
    plain!(Question),
    ("ApplyChangesRequest", |bytes| {
        if let Some(asked) = message::<v1::ApplyChangesRequest>(bytes) {
            apply(&asked);
        }
    }),
    ("DiffPositionsRequest", |bytes| {
        if let Some(asked) = message::<v1::DiffPositionsRequest>(bytes) {
            let both = [asked.before, asked.after].map(|it| carried(it.as_ref()));
            if let [Some(before), Some(after)] = both {
                leads(&before, &after);
            }
        }
    }),
    plain!(CreateGameRequest),
    plain!(GetGameRequest),
    plain!(ListGamesRequest),
    plain!(AdvanceGameRequest),
    plain!(UndoGameRequest),
    plain!(ForkGameRequest),
    plain!(ChangeGameRulesetRequest),
    plain!(DeleteGameRequest),
    plain!(ListEntriesRequest),
    plain!(WatchGameRequest),
    ("AdjudicateRequest", |bytes| {
        if let Some(asked) = message::<v1::AdjudicateRequest>(bytes) {
            let context = asked.context.as_ref();
            batch(context.and_then(|it| it.subject.as_ref()), &asked.questions);
        }
    }),
    ("FieldOfViewRequest", |bytes| {
        if let Some(asked) = message::<v1::FieldOfViewRequest>(bytes) {
            sights::look(asked.subject, asked.question, asked.options);
        }
    }),
    ("PackedFieldOfViewRequest", |bytes| {
        if let Some(asked) = message::<v1::PackedFieldOfViewRequest>(bytes) {
            sights::look(asked.subject, asked.question, asked.options);
        }
    }),
];

/// Bytes as a message, if they are one. It writes back to bytes that are the same message.
pub(crate) fn message<M: Message + Default + Debug>(bytes: &[u8]) -> Option<M> {
    let message = M::decode(bytes).ok()?;
    let written = message.encode_to_vec();
    match M::decode(&*written) {
        // Not by `==`: a number that is none does not even equal itself.
        Ok(again) => assert_eq!(again.encode_to_vec(), written, "{message:?}"),
        Err(error) => panic!("{error}: what was written of {message:?}"),
    }
    Some(message)
}

/// What is refused is refused for a reason, in words, and by a field.
fn refused(refused: &Refused) {
    assert_ne!(refused.reason, ErrorReason::Unspecified, "{refused}");
    assert!(!refused.message.is_empty(), "{refused:?}");
    assert!(!refused.field.is_empty(), "{refused:?}");
    let doubled = refused.field.contains("..") || refused.field.ends_with('.');
    assert!(!doubled, "{refused:?}");
}

pub(crate) fn accepted<T>(read: Result<T, Refused>) -> Option<T> {
    read.inspect_err(refused).ok()
}

/// A position, which writes back to one of the same id.
pub(crate) fn read_position(given: &v1::Position) -> Option<Arc<Position>> {
    let read = |given: &v1::Position| decode::position(given, &LIMITS, &|_| None);
    let position = accepted(read(given))?;
    let written = encode::position(&position, false);
    let again = match read(&written) {
        Ok(again) => again,
        Err(error) => panic!("{error}: what was written of {position:?}"),
    };
    assert_eq!(again.id(), position.id());
    assert_eq!(encode::position(&again, false), written);
    let by_id = encode::position(&position, true);
    let map = |id| (id == position.map_id()).then(|| Arc::clone(position.map()));
    let found = accepted(decode::position(&by_id, &LIMITS, &map));
    assert_eq!(found.map(|found| found.id()), Some(position.id()));
    Some(Arc::new(position))
}

/// A map. One at a time or all at once, the same is wrong with it.
fn read_map(given: &v1::Map) -> Option<Map> {
    let all = decode::survey_map(given, &LIMITS, 50);
    let first = decode::map(given, &LIMITS);
    match (first, all) {
        (Ok(map), Ok(same)) => {
            assert_eq!(map, same);
            let back = decode::map(&encode::map(&map), &LIMITS);
            assert_eq!(back.map(|map| map.id()), Ok(map.id()));
            Some(map)
        }
        (Err(first), Err(all)) => {
            assert!(all.len() <= 50);
            all.iter().for_each(refused);
            assert_eq!(Some(&first), all.first());
            None
        }
        (first, all) => panic!("{first:?}, and surveyed {all:?}"),
    }
}

pub(crate) fn carried(subject: Option<&v1::Subject>) -> Option<Arc<Position>> {
    match subject?.subject.as_ref()? {
        subject::Subject::Position(given) => read_position(given),
        subject::Subject::PositionId(_) => None,
    }
}

/// A question as it was read: it writes back the same.
fn same_again(question: &Question, position: &Position) {
    let written = encode::question(question, &position.map().grid);
    match decode::question(&written, position, &LIMITS) {
        Ok(again) => assert_eq!(canonical(&again), canonical(question)),
        Err(error) => panic!("{error}: what was written of {question:?}"),
    }
}

fn of_question<M: Debug>(
    asked: Option<M>,
    subject: fn(&M) -> Option<&v1::Subject>,
    read: fn(&M, &Position) -> Result<Question, Refused>,
) {
    let Some(asked) = asked else { return };
    let Some(position) = carried(subject(&asked)) else {
        return;
    };
    if let Some(question) = accepted(read(&asked, &position)) {
        same_again(&question, &position);
        world().judge(&position, &[question]);
    }
}

pub(crate) fn batch(subject: Option<&v1::Subject>, questions: &[v1::Question]) {
    let Some(position) = carried(subject) else {
        return;
    };
    let read = |given| accepted(decode::question(given, &position, &LIMITS));
    let questions: Vec<Question> = questions.iter().take(64).filter_map(read).collect();
    for question in &questions {
        same_again(question, &position);
    }
    world().judge(&position, &questions);
}

fn price(asked: &v1::PricePathRequest) {
    let Some(position) = carried(asked.subject.as_ref()) else {
        return;
    };
    let (question, options) = (asked.question.as_ref(), asked.options.as_ref());
    let read = decode::path_question(question, options, &position, &LIMITS);
    let Some(question) = accepted(read) else {
        return;
    };
    let world = world();
    let ask = || {
        let (ruleset, position) = (&world.ruleset, Arc::clone(&position));
        let wanted = alamein_engine::Wanted::default();
        world
            .engine
            .price_path_here(ruleset, position, &question, wanted)
    };
    let priced = ask();
    assert_eq!(priced, ask());
    let Ok(priced) = priced else { return };
    let grid = &position.map().grid;
    let view = v1::View::Explain;
    let written = encode::priced_path(&priced, &question, grid, &world.book, view);
    match decode::priced_path(&written) {
        Ok(again) => assert_eq!(again, priced),
        Err(error) => panic!("{error}: what was written of {priced:?}"),
    }
}

fn reach(asked: &v1::ReachableRequest) {
    let Some(position) = carried(asked.subject.as_ref()) else {
        return;
    };
    let (question, options) = (asked.question.as_ref(), asked.options.as_ref());
    let read = decode::reach_question(question, options, &position, &LIMITS);
    let Some(mut question) = accepted(read) else {
        return;
    };
    // What takes long is no property.
    question.allowance = question.allowance.min(3);
    let world = world();
    let (ruleset, at) = (&world.ruleset, Arc::clone(&position));
    let wanted = alamein_engine::Wanted::default();
    let Ok(reached) = world.engine.reachable_here(ruleset, at, &question, wanted) else {
        return;
    };
    let written = encode::reach(&reached, &position.map().grid, &world.book);
    match decode::reach(&written, &position.map().grid) {
        Ok(again) => assert_eq!(again, reached),
        Err(error) => panic!("{error}: what was written of {reached:?}"),
    }
}

fn picture(asked: &v1::RenderMapRequest) {
    let position = match &asked.subject {
        Some(of_picture::Subject::Position(given)) => read_position(given),
        Some(of_picture::Subject::Map(given)) => {
            read_map(given);
            None
        }
        _ => None,
    };
    let Some(position) = position else { return };
    let grid = &position.map().grid;
    accepted(decode::hexes(&asked.hexes, "hexes", grid, &LIMITS));
    if let Some(line) = &asked.line {
        let read = decode::render_line(line, &position, &LIMITS);
        accepted(read.map_err(|error| error.at("line.")));
    }
}

/// Changes, and what differs then.
fn apply(asked: &v1::ApplyChangesRequest) {
    let Some(before) = carried(asked.subject.as_ref()) else {
        return;
    };
    let grid = &before.map().grid;
    let Some(changes) = accepted(decode::changes(&asked.changes, grid, &LIMITS)) else {
        return;
    };
    let written: Vec<v1::Change> = changes.iter().map(|it| encode::change(it, grid)).collect();
    assert_eq!(
        decode::changes(&written, grid, &LIMITS).as_ref(),
        Ok(&changes)
    );
    match before.apply(&changes) {
        Ok((after, changed)) => {
            assert_eq!(changed.is_empty(), after.id() == before.id(), "{changed:?}");
            leads(&before, &after);
        }
        Err(error) => refused(&decode::applied(error, grid)),
    }
}

/// What leads from one position to another on its map does, also when it went over the wire.
pub(crate) fn leads(a: &Position, b: &Position) {
    let Ok(changes) = diff(a, b) else {
        assert_ne!(a.map_id(), b.map_id());
        return;
    };
    let grid = &a.map().grid;
    let written: Vec<v1::Change> = changes.iter().map(|it| encode::change(it, grid)).collect();
    let read = decode::changes(&written, grid, &Limits::default());
    assert_eq!(read.as_ref(), Ok(&changes));
    match a.apply(&changes) {
        Ok((position, changed)) => {
            assert_eq!(position.id(), b.id(), "{changes:?}");
            assert_eq!(changed.is_empty(), a.id() == b.id(), "{changed:?}");
        }
        Err(error) => panic!("{error}: {changes:?}"),
    }
}

fn ruleset(given: &v1::RulesetSpec) {
    let Some(spec) = accepted(decode::ruleset_spec(given, &LIMITS)) else {
        return;
    };
    let written = encode::ruleset_spec(&spec);
    match decode::ruleset_spec(&written, &LIMITS) {
        Ok(again) => assert_eq!(again, spec),
        Err(error) => panic!("{error}: what was written of {spec:?}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use alamein_proto::FILE_DESCRIPTOR_SET;
    use prost_types::FileDescriptorSet;

    use super::*;

    #[test]
    fn every_request_of_the_api_is_read() {
        let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
        let services = set.file.iter().flat_map(|file| &file.service);
        for method in services.flat_map(|service| &service.method) {
            let request = method.input_type().rsplit('.').next().unwrap();
            let known = READERS.iter().any(|(name, _)| *name == request);
            assert!(
                known,
                "{request} has no reader: put one at the end of the table"
            );
        }
    }

    #[test]
    fn what_is_judged_is_among_the_seeds() {
        let seeds = crate::seeds::requests().unwrap();
        let seeded: BTreeSet<u8> = seeds.iter().map(|seed| seed[0]).collect();
        let lacks = |name: &str| {
            let place = READERS.iter().position(|(reader, _)| *reader == name);
            !seeded.contains(&u8::try_from(place.unwrap()).unwrap())
        };
        let judged = [
            "LineOfSightRequest",
            "LineOfFireRequest",
            "FireLaneRequest",
            "MovementRequest",
            "SetUpRequest",
            "BatchAdjudicateRequest",
            "PricePathRequest",
            "ReachableRequest",
            "AdjudicateRequest",
            "FieldOfViewRequest",
            "PackedFieldOfViewRequest",
        ];
        let lacking: Vec<_> = judged.into_iter().filter(|name| lacks(name)).collect();
        assert!(lacking.is_empty(), "no seeds of {lacking:?}");
        // Each carries a position, and a question that can be asked about it.
        let mut looks = seeds.iter().filter(|seed| seed[0] == 42);
        assert!(looks.any(|seed| {
            let asked: v1::FieldOfViewRequest = message(&seed[1..]).unwrap();
            let position = carried(asked.subject.as_ref());
            let read = |position: &Arc<Position>| {
                decode::field_question(asked.question.as_ref(), None, position, &LIMITS).is_ok()
            };
            position.as_ref().is_some_and(read)
        }));
    }
}
