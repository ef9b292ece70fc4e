//! Fields of view, there and back, and what is refused.

use alamein_hex::{Aim, Grid};
use alamein_proto::encode::RuleBook;
use alamein_proto::v1::{self, ErrorReason as R};
use alamein_proto::{Limits, decode, encode};
use alamein_terrain::{
    Digest, End, FieldOfView, FieldQuestion, GrazingPolicy, IgnoredLayer, MissingRule, Position,
    Sight,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use prost::Message as _;

use crate::generate::{hex, position, probes};
use crate::rulings::{cited, contested, name, place};
use crate::worse::{LIMITS, good_position};

fn policy() -> impl Strategy<Value = GrazingPolicy> {
    select(GrazingPolicy::ALL.to_vec())
}

fn question() -> impl Strategy<Value = (Position, FieldQuestion)> {
    position().prop_flat_map(|position| {
        let grid = position.map().grid;
        let from = (hex(grid), option::of(0_u8..6)).prop_map(|(hex, corner)| Aim { hex, corner });
        let asked = (
            from,
            any::<Option<u16>>(),
            option::of(policy()),
            probes(grid),
        );
        asked.prop_map(move |(aim, range, policy, probes)| {
            let question = FieldQuestion {
                from: End::Hex(aim),
                range,
                policy,
                probes,
                ignore_layers: position.map().layers.keys().cloned().collect(),
            };
            (position.clone(), question)
        })
    })
}

/// Sights that a byte tells apart.
fn sight() -> impl Strategy<Value = Sight> {
    any::<u8>().prop_filter_map("a byte that means something", Sight::from_byte)
}

fn missing() -> impl Strategy<Value = Vec<MissingRule>> {
    let one = (cited(), place(), "[ -~]{0,12}");
    vec(
        one.prop_map(|(by, place, text)| MissingRule { by, place, text }),
        0..3,
    )
}

prop_compose! {
    fn field()(
        id in any::<[u8; 2]>(), policy in policy(), columns in 1_u16..9, rows in 1_u16..9,
    )(
        viewer in hex(Grid::new(columns, rows).unwrap()),
        sights in vec(option::of(sight()), Grid::new(columns, rows).unwrap().len()),
        contested in vec(contested(), 0..3), not_implemented in missing(), not_covered in missing(),
        ignored in vec((name("[a-z]{1,4}"), any::<bool>()), 0..3),
        grid in Just(Grid::new(columns, rows).unwrap()),
        id in Just(id), policy in Just(policy),
    ) -> FieldOfView {
        let sights = grid.hexes().zip(sights).filter_map(|(hex, sight)| Some((hex, sight?)));
        let layer = |(layer, met)| IgnoredLayer { layer, met };
        FieldOfView {
            rules: Digest::of(&id), position: Digest::of(&id[1..]), policy, grid, viewer,
            sights: sights.collect(),
            contested, not_implemented, not_covered,
            ignored: ignored.into_iter().map(layer).collect(),
        }
    }
}

proptest! {
    #[test]
    fn a_question_about_a_field_of_view_stays_the_same((position, question) in question()) {
        let grid = position.map().grid;
        let message = encode::field_question(&question, &grid);
        let message = v1::FieldOfViewQuestion::decode(&message.encode_to_vec()[..]).unwrap();
        let options = encode::field_options(&question, &grid);
        let limits = Limits::default();
        let back = decode::field_question(Some(&message), options.as_ref(), &position, &limits);
        prop_assert_eq!(back.unwrap(), question);
    }

    #[test]
    fn a_packed_field_of_view_loses_nothing(field in field()) {
        let message = encode::packed_field(&field, &RuleBook::default());
        let message = v1::PackedFieldOfView::decode(&message.encode_to_vec()[..]).unwrap();
        prop_assert_eq!(message.sights.len(), field.grid.len());
        prop_assert_eq!(decode::packed_field(&message).unwrap(), field);
    }

    #[test]
    fn a_field_of_view_in_parts_loses_nothing(field in field()) {
        let head = encode::field_head(&field, field.sights.len());
        let mut back = decode::field_head(&head).unwrap();
        for part in field.sights.chunks(7) {
            let part = encode::sighted(part, &field.grid);
            back.sights.extend(decode::sighted(&part, back.grid).unwrap());
        }
        let summary = encode::field_summary(&field, &RuleBook::default());
        decode::field_summary(&summary, &mut back).unwrap();
        prop_assert_eq!(back, field);
    }
}

#[test]
fn each_fault_of_the_question_has_its_field() {
    let position = decode::position(&good_position(), &LIMITS, &|_| None).unwrap();
    let refused = |question: Option<v1::FieldOfViewQuestion>| {
        let asked = question.as_ref();
        let refused = decode::field_question(asked, None, &position, &LIMITS).unwrap_err();
        (refused.reason, refused.field)
    };
    let from = |hex: &str| v1::FieldOfViewQuestion {
        from: Some(v1::End {
            end: Some(v1::end::End::Hex(hex.into())),
            corner: None,
        }),
        range: None,
    };
    let far = v1::FieldOfViewQuestion {
        range: Some(65_536),
        ..from("A1")
    };
    assert_eq!(refused(None), (R::MissingField, "question".into()));
    let nobody = v1::FieldOfViewQuestion::default();
    assert_eq!(
        refused(Some(nobody)),
        (R::MissingField, "question.from".into())
    );
    assert_eq!(
        refused(Some(from("Z99"))),
        (R::HexOffMap, "question.from.hex".into())
    );
    assert_eq!(refused(Some(far)), (R::OutOfRange, "question.range".into()));
}

#[test]
fn an_answer_that_makes_no_sense_is_told_so() {
    let field = v1::PackedFieldOfView {
        head: Some(v1::FieldOfViewHead {
            position_id: Digest::of(b"position").to_string(),
            rules_fingerprint: Digest::of(b"rules").to_string(),
            grazing_policy: v1::GrazingPolicy::Either.into(),
            viewer_hex: "A1".into(),
            columns: 2,
            rows: 1,
            hex_count: 3,
        }),
        sights: vec![1, 5, 200],
        summary: None,
    };
    let read = decode::packed_field(&field).unwrap();
    let sights: Vec<Sight> = read.sights.iter().map(|(_, sight)| *sight).collect();
    // 5 is a byte of a later version.
    let expected = [
        Sight::Clear,
        Sight::NotImplemented,
        Sight::BlockedByHindrances(72),
    ];
    assert_eq!(sights, expected);
    let short = v1::PackedFieldOfView {
        sights: vec![1, 1],
        ..field.clone()
    };
    let error = decode::packed_field(&short).unwrap_err().to_string();
    assert!(error.contains("2 bytes, and 3 hexes"), "{error}");
    let nothing = v1::PackedFieldOfView {
        head: None,
        ..field
    };
    assert!(decode::packed_field(&nothing).is_err());
}
