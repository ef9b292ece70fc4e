//! What the methods of the API take: one message or many, and of what parts these are made.
//!
//! A message may be small as it is sent and large once it is read: two bytes make a question of
//! some hundred. So its parts are counted before it is read.

use std::collections::HashMap;
use std::sync::LazyLock;

use prost::Message as _;
use prost_types::field_descriptor_proto::Type;
use prost_types::{DescriptorProto, FileDescriptorSet};

/// What a part that is a message of its own takes in memory, about, with the room that a list of them
/// is given in advance.
const PART: u64 = 384;
/// What a text or a number takes beside its bytes.
const TEXT: u64 = 32;
/// What a number takes at most.
const NUMBER: u64 = 8;
/// How deep messages are read.
const DEPTH: u32 = 100;

/// The methods of the API.
pub(crate) static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
    // The set is this crate's own; were it broken, reflection would not start either.
    let set = FileDescriptorSet::decode(alamein_proto::FILE_DESCRIPTOR_SET).unwrap_or_default();
    Shapes::of(&set)
});

/// What methods take.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    methods: HashMap<String, Shape>,
    messages: Vec<Children>,
}

/// What the fields of a message hold, by their numbers: every field of every request is looked up.
type Children = Box<[Option<Child>]>;

/// What a method takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether it takes many messages.
    pub(crate) streams: bool,
    message: Option<usize>,
}

/// What a field holds, where it holds more than a text.
#[derive(Clone, Copy, Debug)]
enum Child {
    Message(usize),
    Numbers,
}

impl Shapes {
    fn of(set: &FileDescriptorSet) -> Self {
        let mut found = Vec::new();
        for file in &set.file {
            let package = format!(".{}", file.package());
            for message in &file.message_type {
                collect(&package, message, &mut found);
            }
        }
        let names = found.iter().map(|(name, _)| name.clone());
        let index: HashMap<String, usize> = names.zip(0..).collect();
        let messages = found.iter().map(|(_, message)| children(message, &index));
        let mut methods = HashMap::new();
        for file in &set.file {
            for service in &file.service {
                for method in &service.method {
                    let (of, name) = (service.name(), method.name());
                    let path = format!("/{}.{of}/{name}", file.package());
                    let shape = Shape {
                        streams: method.client_streaming(),
                        message: index.get(method.input_type()).copied(),
                    };
                    methods.insert(path, shape);
                }
            }
        }
        Self {
            methods,
            messages: messages.collect(),
        }
    }

    /// What the method of this path takes, if there is one.
    pub(crate) fn get(&self, path: &str) -> Option<Shape> {
        self.methods.get(path).copied()
    }

    /// What a message takes in memory once it is read, beside its own bytes, about. Of a broken one it
    /// is what is read until it breaks.
    pub(crate) fn weigh(&self, shape: Shape, bytes: &[u8]) -> u64 {
        self.parts(shape.message, bytes, DEPTH)
    }

    fn parts(&self, message: Option<usize>, mut bytes: &[u8], depth: u32) -> u64 {
        let children = message.and_then(|at| self.messages.get(at));
        let mut sum = 0;
        while let Some((key, rest)) = varint(bytes) {
            let number = usize::try_from(key >> 3).unwrap_or(0);
            let (add, rest) = match key & 7 {
                0 => (NUMBER, varint(rest).map(|(_, rest)| rest)),
                1 => (NUMBER, rest.get(8..)),
                5 => (NUMBER, rest.get(4..)),
                2 => {
                    let Some((field, rest)) = delimited(rest) else {
                        break;
                    };
                    let child = children.and_then(|them| *them.get(number)?);
                    let add = match child {
                        Some(Child::Message(at)) if depth > 0 => {
                            PART + self.parts(Some(at), field, depth - 1)
                        }
                        Some(Child::Numbers) => NUMBER * field.len() as u64,
                        _ => TEXT,
                    };
                    (add, Some(rest))
                }
                // The bounds of a group: what is in it is counted as if it were outside.
                _ => (0, Some(rest)),
            };
            sum += add;
            let Some(rest) = rest else { break };
            bytes = rest;
        }
        sum
    }
}

/// All messages of a file, with their full names.
fn collect<'a>(
    within: &str,
    message: &'a DescriptorProto,
    found: &mut Vec<(String, &'a DescriptorProto)>,
) {
    let name = format!("{within}.{}", message.name());
    for nested in &message.nested_type {
        collect(&name, nested, found);
    }
    found.push((name, message));
}

fn children(message: &DescriptorProto, index: &HashMap<String, usize>) -> Children {
    let child = |field: &prost_types::FieldDescriptorProto| match field.r#type() {
        Type::Message | Type::Group => Some(Child::Message(*index.get(field.type_name())?)),
        Type::String | Type::Bytes => None,
        _ => Some(Child::Numbers),
    };
    let mut children = Vec::new();
    for field in &message.field {
        let Ok(number) = usize::try_from(field.number()) else {
            continue;
        };
        if children.len() <= number {
            children.resize(number + 1, None);
        }
        if let Some(place) = children.get_mut(number) {
            *place = child(field);
        }
    }
    children.into()
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

fn delimited(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = varint(bytes)?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use alamein_proto::v1;

    use super::*;

    const BATCH: &str = "/alamein.v1.AdjudicationService/BatchAdjudicate";

    #[test]
    fn the_methods_of_the_api_are_known() {
        assert!(!SHAPES.get(BATCH).unwrap().streams);
        let compare = SHAPES.get("/alamein.v1.RulesetService/CompareRulesets");
        assert!(compare.unwrap().streams);
        assert_eq!(SHAPES.get("/alamein.v1.AdjudicationService/Nothing"), None);
    }

    #[test]
    fn two_bytes_that_make_a_question_weigh_as_much_as_it_does() {
        let shape = SHAPES.get(BATCH).unwrap();
        let empty = v1::BatchAdjudicateRequest {
            questions: vec![v1::Question::default(); 1000],
            ..Default::default()
        };
        let bytes = empty.encode_to_vec();
        assert_eq!(bytes.len(), 2000);
        let weight = SHAPES.weigh(shape, &bytes);
        assert_eq!(weight, 1000 * PART);
        let takes = size_of::<v1::Question>().max(size_of::<v1::Counter>());
        assert!(takes as u64 <= PART, "{takes}");
        // And so whatever is wrapped in groups, or breaks off.
        let mut grouped = vec![0x7b];
        grouped.extend(&bytes);
        grouped.extend([0x7c, 0xff]);
        assert_eq!(SHAPES.weigh(shape, &grouped), weight);
    }

    #[test]
    fn what_is_deep_or_broken_is_counted_without_end_or_fault() {
        let shape = SHAPES.get(BATCH).unwrap();
        for bytes in [
            &b""[..],
            b"\xff",
            b"\x0a",
            b"\x0a\x05ab",
            &[0xff; 20],
            &[0x0b; 5000],
        ] {
            let weight = SHAPES.weigh(shape, bytes);
            assert!(weight <= 5000 * PART, "{weight}");
        }
    }
}
