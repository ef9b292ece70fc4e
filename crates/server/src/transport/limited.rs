//! Limits on messages, for every service there is.

use std::convert::Infallible;

use alamein_proto::v1::adjudication_service_server as adjudication;
use alamein_proto::v1::game_service_server as game;
use alamein_proto::v1::map_service_server as map;
use alamein_proto::v1::plugin_admin_service_server as plugin_admin;
use alamein_proto::v1::position_service_server as position;
use alamein_proto::v1::ruleset_service_server as ruleset;
use futures::future::BoxFuture;
use http::{Request, Response};
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::server::NamedService;
use tonic_health::pb::health_server as health;
use tonic_reflection::pb::v1::server_reflection_server as reflection_v1;
use tonic_reflection::pb::v1alpha::server_reflection_server as reflection_v1alpha;
use tower::Service;

use super::config::ServerConfig;

/// How large messages may be, and whether they may be compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageLimits {
    /// The greatest message that is read, decompressed, in bytes.
    pub max_request_bytes: usize,
    /// The greatest message that is written, as it is sent, in bytes.
    pub max_response_bytes: usize,
    /// Whether to answer in gzip where the client takes it. Requests may always come in gzip.
    pub gzip_responses: bool,
}

impl From<&ServerConfig> for MessageLimits {
    fn from(config: &ServerConfig) -> Self {
        Self {
            max_request_bytes: config.max_request_bytes,
            max_response_bytes: config.max_response_bytes,
            gzip_responses: config.gzip_responses,
        }
    }
}

/// How a generated service answers.
type Answer = BoxFuture<'static, Result<Response<Body>, Infallible>>;

/// A generated service that takes limits. Only such a service can be added to a server, so none
/// is ever without.
pub trait Limited:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future = Answer>
    + NamedService
    + Clone
    + Send
    + Sync
    + 'static
{
    /// The service with these limits.
    #[must_use]
    fn limited(self, limits: MessageLimits) -> Self;
}

/// Every server that tonic generates has the same methods, and no trait for them.
macro_rules! limited {
    ($($module:ident :: $server:ident <$handler:ident>),+ $(,)?) => {$(
        impl<T: $module::$handler> Limited for $module::$server<T> {
            fn limited(self, limits: MessageLimits) -> Self {
                limited!(@set self, limits)
            }
        }
    )+};
    (@set $server:expr, $limits:expr) => {{
        let server = $server
            .max_decoding_message_size($limits.max_request_bytes)
            .max_encoding_message_size($limits.max_response_bytes)
            .accept_compressed(CompressionEncoding::Gzip);
        if $limits.gzip_responses {
            server.send_compressed(CompressionEncoding::Gzip)
        } else {
            server
        }
    }};
}

limited! {
    adjudication::AdjudicationServiceServer<AdjudicationService>,
    game::GameServiceServer<GameService>,
    map::MapServiceServer<MapService>,
    plugin_admin::PluginAdminServiceServer<PluginAdminService>,
    position::PositionServiceServer<PositionService>,
    ruleset::RulesetServiceServer<RulesetService>,
    health::HealthServer<Health>,
    reflection_v1::ServerReflectionServer<ServerReflection>,
    reflection_v1alpha::ServerReflectionServer<ServerReflection>,
}
