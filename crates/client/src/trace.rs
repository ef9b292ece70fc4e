//! The trace that a call belongs to, told to the server.

use opentelemetry::global;
use opentelemetry::propagation::Injector;
use tonic::metadata::{MetadataKey, MetadataMap, MetadataValue};

struct Metadata<'a>(&'a mut MetadataMap);

impl Injector for Metadata<'_> {
    fn set(&mut self, key: &str, value: String) {
        let key = MetadataKey::from_bytes(key.as_bytes());
        if let (Ok(key), Ok(value)) = (key, MetadataValue::try_from(value)) {
            self.0.insert(key, value);
        }
    }
}

/// Puts the trace of whoever calls into what is sent, as `traceparent`. It is the current context of
/// OpenTelemetry; without one, or without a global propagator, nothing is put.
pub(crate) fn join(metadata: &mut MetadataMap) {
    global::get_text_map_propagator(|it| it.inject(&mut Metadata(metadata)));
}

#[cfg(test)]
mod tests {
    use opentelemetry::Context;
    use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId};
    use opentelemetry_sdk::propagation::TraceContextPropagator;

    use super::*;

    #[test]
    fn the_trace_of_who_calls_is_told() {
        let mut metadata = MetadataMap::new();
        join(&mut metadata);
        assert!(metadata.is_empty(), "nobody follows anything yet");
        global::set_text_map_propagator(TraceContextPropagator::new());
        let span = SpanContext::new(
            TraceId::from(0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c),
            SpanId::from(0xb7ad_6b71_6920_3331),
            TraceFlags::SAMPLED,
            true,
            opentelemetry::trace::TraceState::default(),
        );
        let _within = Context::new().with_remote_span_context(span).attach();
        join(&mut metadata);
        let told = metadata.get("traceparent").unwrap();
        assert_eq!(
            told,
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        );
    }
}
