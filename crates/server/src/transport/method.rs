//! Which method a request calls.

/// The service and the method of a request: `/package.Service/Method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Method<'a> {
    /// The service with its package.
    pub(crate) service: &'a str,
    /// The method's own name.
    pub(crate) name: &'a str,
}

impl<'a> Method<'a> {
    /// The method that a path calls. Both parts are empty where it calls none.
    pub(crate) fn of(path: &'a str) -> Self {
        let path = path.strip_prefix('/').unwrap_or_default();
        let (service, name) = path.split_once('/').unwrap_or_default();
        Self { service, name }
    }
}

/// Whether what a path calls asks how the service is.
pub(crate) fn is_health(path: &str) -> bool {
    path.starts_with("/grpc.health.v1.Health/")
}

/// Whether what a path calls is about the service and no part of it: health and reflection. These must answer
/// when all else is turned away, and their streams have no end of their own.
pub(crate) fn is_about_service(path: &str) -> bool {
    is_health(path) || path.starts_with("/grpc.reflection.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_service_and_a_method() {
        let path = "/alamein.v1.MapService/GetMap";
        let method = Method::of(path);
        assert_eq!(
            method,
            Method {
                service: "alamein.v1.MapService",
                name: "GetMap"
            }
        );
        assert!(!is_about_service(path));
    }

    #[test]
    fn other_paths_call_nothing() {
        for path in ["/", "/favicon.ico"] {
            assert_eq!(
                Method::of(path),
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
            assert!(is_about_service(path));
        }
    }
}
