//! Which scope each method of the API needs, as its definition declares it.

use std::collections::HashMap;

use alamein_proto::{FILE_DESCRIPTOR_SET, v1};
use prost::Message;

use super::scope::Scope;

/// What a caller needs to call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// The scope. Without one nobody may call it where it is asked who calls.
    pub(crate) scope: Option<Scope>,
    /// Whether its answer is a stream, which may outlive the credential.
    pub(crate) streams: bool,
}

/// The methods of the API, by their paths: `/alamein.v1.MapService/GetMap`.
#[derive(Debug)]
pub(crate) struct Methods(HashMap<String, Need>);

impl Methods {
    /// Those of this build's API. It was compiled by this build too, so it can be read; if it could not,
    /// no method would be open to anybody.
    pub(crate) fn of_the_api() -> Self {
        let set = Set::decode(FILE_DESCRIPTOR_SET).unwrap_or_default();
        Self(set.file.into_iter().flat_map(methods).collect())
    }

    /// What a method needs. A path that is no method's gives nothing: there is nothing behind it.
    pub(crate) fn need(&self, path: &str) -> Option<Need> {
        self.0.get(path).copied()
    }
}

fn methods(file: File) -> Vec<(String, Need)> {
    let mut all = Vec::new();
    for service in file.service {
        for method in service.method {
            let path = format!("/{}.{}/{}", file.package, service.name, method.name);
            let declared = method.options.unwrap_or_default().scope();
            let need = Need {
                scope: Scope::of(declared),
                streams: method.server_streaming,
            };
            all.push((path, need));
        }
    }
    all
}

// What this needs of `google/protobuf/descriptor.proto`. prost's own types have no room for options that
// somebody else declared.

#[derive(Clone, PartialEq, Message)]
struct Set {
    #[prost(message, repeated, tag = "1")]
    file: Vec<File>,
}

#[derive(Clone, PartialEq, Message)]
struct File {
    #[prost(string, tag = "2")]
    package: String,
    #[prost(message, repeated, tag = "6")]
    service: Vec<Service>,
}

#[derive(Clone, PartialEq, Message)]
struct Service {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, repeated, tag = "2")]
    method: Vec<Method>,
}

#[derive(Clone, PartialEq, Message)]
struct Method {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "4")]
    options: Option<Options>,
    #[prost(bool, tag = "6")]
    server_streaming: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Options {
    /// `alamein.v1.scope`, of `scope.proto`.
    #[prost(enumeration = "v1::Scope", tag = "50051")]
    scope: i32,
}

#[cfg(test)]
mod tests {
    use prost_types::FileDescriptorSet;

    use super::*;

    /// All methods, found another way than [`Methods`] does.
    fn all() -> Vec<(String, bool)> {
        let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
        let mut all = Vec::new();
        for file in set.file {
            for service in &file.service {
                for method in &service.method {
                    let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                    all.push((path, method.server_streaming()));
                }
            }
        }
        all
    }

    #[test]
    fn every_method_declares_its_scope() {
        let methods = Methods::of_the_api();
        let all = all();
        assert!(all.len() > 25, "{}", all.len());
        assert_eq!(all.len(), methods.0.len());
        for (path, streams) in all {
            let need = methods.need(&path).expect(&path);
            assert!(
                need.scope.is_some(),
                "{path} declares no scope: give it `option (alamein.v1.scope) = SCOPE_...;` in its proto"
            );
            assert_eq!(need.streams, streams, "{path}");
        }
    }

    #[test]
    fn what_changes_something_is_never_open_to_who_only_asks() {
        let methods = Methods::of_the_api();
        for (path, need) in &methods.0 {
            let (_, name) = path.rsplit_once('/').unwrap();
            let changes = [
                "Create", "Apply", "Tag", "Advance", "Undo", "Fork", "Change", "Delete", "Load",
                "Replace", "Retire",
            ];
            let changes = changes.iter().any(|verb| name.starts_with(verb));
            let admin = path.contains("Admin");
            let audited = need.scope.unwrap().is_audited();
            assert_eq!(audited, changes || admin, "{path}");
        }
    }

    #[test]
    fn a_method_without_an_option_is_open_to_nobody() {
        let file = File {
            package: "p".into(),
            service: vec![Service {
                name: "S".into(),
                method: vec![Method {
                    name: "M".into(),
                    ..Method::default()
                }],
            }],
        };
        let closed = Need {
            scope: None,
            streams: false,
        };
        assert_eq!(methods(file), [("/p.S/M".to_owned(), closed)]);
    }
}
