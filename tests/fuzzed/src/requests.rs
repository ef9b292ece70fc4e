//! Requests as bytes: every message that a client may send.

use std::fmt::Debug;
use std::sync::Arc;

use alamein_proto::v1::{
    self, ErrorReason, create_ruleset_request as of_ruleset, render_map_request as of_picture,
    subject, validate_map_request as of_map,
};
use alamein_proto::{Refused, decode, encode};
use alamein_terrain::{Map, Position, Question};
use prost::Message;

use crate::chosen;
use crate::world::{LIMITS, canonical, world};

/// Bytes become a request, which the first of them chooses.
pub(crate) fn run(bytes: &[u8]) {
    let (which, bytes) = chosen(bytes);
    if let Some(read) = READERS.get(usize::from(which) % READERS.len()) {
        read(bytes);
    }
}

type Reader = fn(&[u8]);

/// By the first byte; new ones come last, so that a corpus goes on meaning what it meant.
const READERS: [Reader; 29] = [
    |bytes| {
        let asked = message::<v1::LineOfSightRequest>(bytes);
        of_question(
            asked,
            |it| it.subject.as_ref(),
            |it, position| {
                decode::line_of_sight(it.question.as_ref(), it.options.as_ref(), position, &LIMITS)
            },
        );
    },
    |bytes| {
        let asked = message::<v1::LineOfFireRequest>(bytes);
        of_question(
            asked,
            |it| it.subject.as_ref(),
            |it, position| {
                decode::line_of_fire(it.question.as_ref(), it.options.as_ref(), position, &LIMITS)
            },
        );
    },
    |bytes| {
        let asked = message::<v1::FireLaneRequest>(bytes);
        of_question(
            asked,
            |it| it.subject.as_ref(),
            |it, position| {
                decode::fire_lane(it.question.as_ref(), it.options.as_ref(), position, &LIMITS)
            },
        );
    },
    |bytes| {
        let asked = message::<v1::MovementRequest>(bytes);
        of_question(
            asked,
            |it| it.subject.as_ref(),
            |it, position| {
                decode::movement(it.question.as_ref(), it.options.as_ref(), position, &LIMITS)
            },
        );
    },
    |bytes| {
        let asked = message::<v1::SetUpRequest>(bytes);
        of_question(
            asked,
            |it| it.subject.as_ref(),
            |it, position| {
                decode::set_up(it.question.as_ref(), it.options.as_ref(), position, &LIMITS)
            },
        );
    },
    |bytes| {
        if let Some(asked) = message::<v1::BatchAdjudicateRequest>(bytes) {
            batch(asked.subject.as_ref(), &asked.questions);
        }
    },
    |bytes| {
        if let Some(asked) = message::<v1::ExportCaseRequest>(bytes) {
            batch(asked.subject.as_ref(), &asked.questions);
        }
    },
    |bytes| {
        if let Some(asked) = message::<v1::PricePathRequest>(bytes) {
            price(&asked);
        }
    },
    |bytes| {
        if let Some(asked) = message::<v1::ReachableRequest>(bytes) {
            reach(&asked);
        }
    },
    |bytes| {
        let asked = message::<v1::CreatePositionRequest>(bytes);
        if let Some(given) = asked.and_then(|asked| asked.position) {
            let position = read_position(&given);
            if let Some(position) = position {
                world().judge(&position, &[]);
            }
        }
    },
    |bytes| {
        if let Some(map) = message::<v1::CreateMapRequest>(bytes).and_then(|asked| asked.map) {
            read_map(&map);
        }
    },
    |bytes| {
        let asked = message::<v1::ValidateMapRequest>(bytes);
        if let Some(of_map::Source::Map(map)) = asked.and_then(|asked| asked.source) {
            read_map(&map);
        }
    },
    |bytes| {
        message::<v1::ComposeMapRequest>(bytes);
    },
    |bytes| {
        if let Some(asked) = message::<v1::RenderMapRequest>(bytes) {
            picture(&asked);
        }
    },
    |bytes| {
        let asked = message::<v1::CreateRulesetRequest>(bytes);
        if let Some(of_ruleset::Source::Spec(spec)) = asked.and_then(|asked| asked.source) {
            ruleset(&spec);
        }
    },
    |bytes| {
        message::<v1::GetMapRequest>(bytes);
    },
    |bytes| {
        message::<v1::ListMapsRequest>(bytes);
    },
    |bytes| {
        message::<v1::GetPositionRequest>(bytes);
    },
    |bytes| {
        message::<v1::GetRulesetRequest>(bytes);
    },
    |bytes| {
        message::<v1::ListRulesetsRequest>(bytes);
    },
    |bytes| {
        message::<v1::TagRulesetRequest>(bytes);
    },
    |bytes| {
        message::<v1::DiffRulesetsRequest>(bytes);
    },
    |bytes| {
        message::<v1::CompareRulesetsRequest>(bytes);
    },
    |bytes| {
        message::<v1::ListConflictsRequest>(bytes);
    },
    |bytes| {
        message::<v1::LoadPluginRequest>(bytes);
    },
    |bytes| {
        message::<v1::ReplacePluginRequest>(bytes);
    },
    |bytes| {
        message::<v1::RetirePluginRequest>(bytes);
    },
    |bytes| {
        message::<v1::ListPluginsRequest>(bytes);
    },
    |bytes| {
        message::<v1::Question>(bytes);
    },
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

fn accepted<T>(read: Result<T, Refused>) -> Option<T> {
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

fn carried(subject: Option<&v1::Subject>) -> Option<Arc<Position>> {
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
