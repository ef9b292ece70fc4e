//! The methods that there are, from the API's own definition: what is called by another name is
//! nobody's, and must not make labels of its own.

use std::collections::HashMap;
use std::sync::LazyLock;

use prost::Message as _;
use prost_types::FileDescriptorSet;

/// A method that there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The service without its package: `MapService`.
    pub(crate) service: String,
    /// The method's own name.
    pub(crate) method: String,
    /// Whether requests or answers are streams, which may last as long as their client likes.
    pub(crate) streams: bool,
}

/// Every method, by the path that calls it.
static TABLE: LazyLock<HashMap<String, Known>> = LazyLock::new(|| {
    let sets = [
        alamein_proto::FILE_DESCRIPTOR_SET,
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
    ];
    let sets = sets.into_iter().map(FileDescriptorSet::decode);
    let files = sets.flatten().flat_map(|set| set.file);
    files.flat_map(methods).collect()
});

fn methods(file: prost_types::FileDescriptorProto) -> Vec<(String, Known)> {
    let package = file.package().to_owned();
    let mut found = Vec::new();
    for service in file.service {
        let short = service.name().to_owned();
        for method in service.method {
            let path = format!("/{package}.{short}/{}", method.name());
            let known = Known {
                service: short.clone(),
                method: method.name().to_owned(),
                streams: method.client_streaming() || method.server_streaming(),
            };
            found.push((path, known));
        }
    }
    found
}

/// The method that a path calls, if there is such a method, with the path as the table has it.
pub(crate) fn known(path: &str) -> Option<(&'static str, &'static Known)> {
    TABLE
        .get_key_value(path)
        .map(|(path, known)| (path.as_str(), known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_known_and_others_are_not() {
        let los = known("/alamein.v1.AdjudicationService/LineOfSight")
            .unwrap()
            .1;
        assert_eq!(los.service, "AdjudicationService");
        assert!(!los.streams);
        assert!(known("/grpc.health.v1.Health/Watch").unwrap().1.streams);
        assert!(known("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo").is_some());
        assert!(known("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo").is_some());
        assert_eq!(known("/alamein.v1.AdjudicationService/Guess"), None);
        assert_eq!(known("/"), None);
    }
}
