//! What goes through the API comes out the same.

use std::sync::Arc;

use alamein_hex::Grid;
use alamein_proto::encode::RuleBook;
use alamein_proto::v1::{self, View};
use alamein_proto::{Limits, decode, encode};
use alamein_terrain::{Ask, Canon, End, Question};
use proptest::prelude::*;
use prost::Message as _;

use crate::generate::{asked, position};
use crate::rulings::adjudicated;

fn canonical(question: &Question) -> Vec<u8> {
    let mut canon = Canon::default();
    canon.put(question);
    canon.into_bytes()
}

fn simple_question() -> Question {
    let grid = Grid::geomorphic();
    let end = |name: &str| End::Hex(grid.hex(name).unwrap().into());
    Question::new(Ask::LineOfSight {
        from: end("P5"),
        to: end("S10"),
    })
}

proptest! {
    #[test]
    fn a_position_keeps_its_id(position in position()) {
        let message = encode::position(&position, false);
        let bytes = message.encode_to_vec();
        let message = v1::Position::decode(&bytes[..]).unwrap();
        let back = decode::position(&message, &Limits::default(), &|_| None).unwrap();
        prop_assert_eq!(back.id(), position.id());
        prop_assert_eq!(encode::position(&back, false), message);
    }

    #[test]
    fn a_position_may_name_its_map(position in position()) {
        let message = encode::position(&position, true);
        let known = |id| (id == position.map().id()).then(|| Arc::clone(position.map()));
        let back = decode::position(&message, &Limits::default(), &known).unwrap();
        prop_assert_eq!(back, position);
    }

    #[test]
    fn a_map_keeps_its_id(position in position()) {
        let message = encode::map(position.map());
        let back = decode::map(&message, &Limits::default()).unwrap();
        prop_assert_eq!(back.id(), position.map().id());
    }

    #[test]
    fn a_question_stays_the_same((position, question) in asked()) {
        let message = encode::question(&question, &position.map().grid);
        let bytes = message.encode_to_vec();
        let message = v1::Question::decode(&bytes[..]).unwrap();
        let back = decode::question(&message, &position, &Limits::default()).unwrap();
        prop_assert_eq!(canonical(&back), canonical(&question));
        prop_assert_eq!(back, question);
    }

    #[test]
    fn an_explained_ruling_loses_nothing(adjudicated in adjudicated()) {
        let (grid, book) = (Grid::geomorphic(), RuleBook::default());
        let question = simple_question();
        let message = encode::ruling(&adjudicated, &question, &grid, &book, View::Explain);
        let bytes = message.encode_to_vec();
        let message = v1::Ruling::decode(&bytes[..]).unwrap();
        let back = decode::adjudicated(&message).unwrap();
        prop_assert_eq!(back.ruling.canonical(), adjudicated.ruling.canonical());
        prop_assert_eq!(back, adjudicated);
    }
}
