//! The API in Rust: code generated from `proto/`, and its conversions.
//!
//! The messages stop at the edge of the server and the client. Inside, the engine speaks its own
//! domain types: [`decode`] makes these of messages, [`encode`] makes messages of these.

pub mod decode;
pub mod encode;
mod refused;
mod within;
mod words;

pub use refused::{Limits, Refused};

/// Version 1 of the API.
pub mod v1 {
    // Generated: its shape is prost's and tonic's to answer for, its words those of `proto/`.
    #![allow(missing_docs, unreachable_pub, clippy::all)]

    tonic::include_proto!("alamein.v1");
}

/// The encoded `FileDescriptorSet` of the API, imports included: what reflection shows.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use prost::Message as _;
    use prost_types::FileDescriptorSet;

    use super::*;

    #[test]
    fn the_descriptor_set_is_closed_under_import() {
        let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
        let names: BTreeSet<&str> = set.file.iter().map(|file| file.name()).collect();
        assert!(names.contains("alamein/v1/adjudication_service.proto"));
        for file in &set.file {
            for import in &file.dependency {
                assert!(
                    names.contains(import.as_str()),
                    "{} lacks {import}",
                    file.name()
                );
            }
        }
    }

    #[test]
    fn every_field_of_the_api_has_a_comment() {
        let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
        let own = set
            .file
            .iter()
            .filter(|file| file.package() == "alamein.v1");
        for file in own {
            let info = file.source_code_info.as_ref().unwrap();
            let commented: BTreeSet<&[i32]> = info
                .location
                .iter()
                .filter(|location| location.leading_comments.is_some())
                .map(|location| location.path.as_slice())
                .collect();
            for (at, message) in file.message_type.iter().enumerate() {
                for index in 0..message.field.len() {
                    let path = [4, at as i32, 2, index as i32];
                    let field = message.field[index].name();
                    assert!(commented.contains(&path[..]), "{}.{field}", message.name());
                }
            }
        }
    }

    #[test]
    fn every_error_reason_says_its_status_code() {
        use v1::ErrorReason;
        for number in 1..100 {
            let Ok(reason) = ErrorReason::try_from(number) else {
                continue;
            };
            let name = reason.as_str_name();
            assert!(
                name.starts_with("ERROR_REASON_") && name.len() <= 63 + 13,
                "{name}"
            );
        }
        let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
        let errors = set
            .file
            .iter()
            .find(|file| file.name().ends_with("errors.proto"))
            .unwrap();
        let info = errors.source_code_info.as_ref().unwrap();
        let codes = info.location.iter().filter(|location| {
            // A value of the only enum, except the first.
            matches!(location.path[..], [5, 0, 2, value] if value > 0)
        });
        for location in codes {
            let comment = location.leading_comments();
            let code = comment.trim_start().split([';', '.']).next().unwrap();
            assert!(
                !code.is_empty() && code.chars().all(|c| c.is_ascii_uppercase() || c == '_'),
                "a reason's comment begins with its status code: {comment}"
            );
        }
    }
}
