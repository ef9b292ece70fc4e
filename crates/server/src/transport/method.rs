//! Which method a request calls.

use http::Uri;

/// The service and the method of a request: `/package.Service/Method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Method<'a> {
    /// The service with its package.
    pub(crate) service: &'a str,
    /// The method's own name.
    pub(crate) name: &'a str,
}

impl<'a> Method<'a> {
    /// The method that a request for this address calls. Both parts are empty where it calls none.
    pub(crate) fn of(uri: &'a Uri) -> Self {
        let path = uri.path().strip_prefix('/').unwrap_or_default();
        let (service, name) = path.split_once('/').unwrap_or_default();
        Self { service, name }
    }

    /// Whether it asks how the service is.
    pub(crate) fn is_health(self) -> bool {
        self.service == "grpc.health.v1.Health"
    }

    /// Whether it is about the service and no part of it: health and reflection. These must answer
    /// when all else is turned away, and their streams have no end of their own.
    pub(crate) fn is_about_service(self) -> bool {
        self.is_health() || self.service.starts_with("grpc.reflection.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_service_and_a_method() {
        let uri = Uri::from_static("http://host:1/alamein.v1.MapService/GetMap");
        let method = Method::of(&uri);
        assert_eq!(
            method,
            Method {
                service: "alamein.v1.MapService",
                name: "GetMap"
            }
        );
        assert!(!method.is_about_service());
    }

    #[test]
    fn other_paths_call_nothing() {
        for path in ["/", "/favicon.ico"] {
            let uri = Uri::from_static(path);
            assert_eq!(
                Method::of(&uri),
                Method {
                    service: "",
                    name: ""
                }
            );
        }
    }

    #[test]
    fn health_and_reflection_are_about_the_service() {
        for path in [
            "/grpc.health.v1.Health/Check",
            "/grpc.reflection.v1alpha.ServerReflection/X",
        ] {
            assert!(Method::of(&Uri::from_static(path)).is_about_service());
        }
    }
}
