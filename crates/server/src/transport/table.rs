//! The methods that there are, from the API's own definition: what is called by another name is
//! nobody's, and must not make labels of its own.

use std::collections::HashMap;
use std::sync::LazyLock;

use prost::Message as _;
use prost_types::FileDescriptorSet;

/// A method that there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Its place among all that there are.
    pub(crate) place: usize,
    /// The path that calls it: `/alamein.v1.MapService/GetMap`.
    pub(crate) path: String,
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
    let mut table = HashMap::new();
    for known in files.flat_map(methods) {
        let place = table.len();
        let path = known.path.clone();
        table.entry(path).or_insert(Known { place, ..known });
    }
    table
});

fn methods(file: prost_types::FileDescriptorProto) -> Vec<Known> {
    let package = file.package().to_owned();
    let mut found = Vec::new();
    for service in file.service {
        let short = service.name().to_owned();
        for method in service.method {
            found.push(Known {
                place: 0,
                path: format!("/{package}.{short}/{}", method.name()),
                service: short.clone(),
                method: method.name().to_owned(),
                streams: method.client_streaming() || method.server_streaming(),
            });
        }
    }
    found
}

/// The method that a path calls, if there is such a method.
pub(crate) fn known(path: &str) -> Option<&'static Known> {
    TABLE.get(path)
}

/// How many methods there are.
pub(crate) fn count() -> usize {
    TABLE.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_known_and_others_are_not() {
        let los = known("/alamein.v1.AdjudicationService/LineOfSight").unwrap();
        assert_eq!(los.service, "AdjudicationService");
        assert!(!los.streams);
        assert!(known("/grpc.health.v1.Health/Watch").unwrap().streams);
        assert!(known("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo").is_some());
        assert!(known("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo").is_some());
        assert_eq!(known("/alamein.v1.AdjudicationService/Guess"), None);
        assert_eq!(known("/"), None);
    }
    #[test]
    fn each_has_a_place_of_its_own() {
        let mut places: Vec<usize> = TABLE.values().map(|known| known.place).collect();
        places.sort_unstable();
        assert!(places.into_iter().eq(0..count()));
    }
}
