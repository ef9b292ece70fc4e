//! What a service tells of itself: its log and its traces.

use std::time::Duration;

use clap::Args;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;

use super::measures::{duration, whole};

/// What a service tells of itself.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Telemetry")]
pub(crate) struct Telling {
    /// What is logged: `error`, `warn`, `info`, `debug` or `trace`, or that of a part: `info,alamein_engine=debug`
    ///
    /// If it is not given: what `RUST_LOG` says, else `info`. It is read anew on SIGHUP. Of the libraries that this program is made of
    /// nothing below `info` is ever written: they would write down the headers of requests.
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub(crate) log_level: Option<String>,
    /// Which share of all rulings is logged, from 0 to 1: kind, ids, verdict in a word, and time
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(crate) log_rulings: f64,
    /// From when on a request that was answered is logged as slow; streams never are
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = duration)]
    pub(crate) log_slow: Duration,
    /// How often the same warning or error is logged in ten seconds; then it is only counted; 0 sets no limit
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(0))]
    pub(crate) log_repeats: u32,
    /// How many requests that went well are logged in a second; the others are only counted; 0 sets no limit
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(0))]
    pub(crate) log_requests: u32,
    /// Where to send traces by OTLP over gRPC: `http://127.0.0.1:4317`; nowhere if it is not given
    ///
    /// The other variables of OpenTelemetry hold too, such as `OTEL_EXPORTER_OTLP_HEADERS` and
    /// `OTEL_RESOURCE_ATTRIBUTES`.
    #[arg(
        long,
        value_name = "URL",
        env = "OTEL_EXPORTER_OTLP_ENDPOINT",
        value_parser = endpoint
    )]
    pub(crate) otlp_endpoint: Option<String>,
    /// Which share of traces is sent that begin here, from 0 to 1; of others their caller decides
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 1.0,
        env = "OTEL_TRACES_SAMPLER_ARG",
        value_parser = share
    )]
    pub(crate) otlp_sample: f64,
    /// How long the receiver of traces may take
    #[arg(long, value_name = "DURATION", default_value = "3s", value_parser = duration)]
    pub(crate) otlp_timeout: Duration,
    /// What this service is called in traces
    #[arg(
        long,
        value_name = "NAME",
        default_value = "alamein",
        env = "OTEL_SERVICE_NAME"
    )]
    pub(crate) service_name: String,
    /// What this one of several replicas is called in traces; the machine's name and the process's number if
    /// it is not given
    #[arg(long, value_name = "NAME")]
    pub(crate) instance: Option<String>,
}

fn level(text: &str) -> Result<String, String> {
    const HOW: &str = "write info, or info,alamein_engine=debug";
    // A word that is no level would be taken for a part's name, and nothing of any other part be logged.
    let words = text.split(',').map(str::trim);
    let mut words = words.filter(|word| !word.is_empty() && !text.contains('['));
    let odd = words.find(|word| !word.contains('=') && word.parse::<LevelFilter>().is_err());
    if let Some(odd) = odd {
        return Err(format!("{odd:?} is no level; {HOW}"));
    }
    match EnvFilter::builder().parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("{error}; {HOW}")),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.trim().parse::<f64>().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a number from 0 to 1, such as 0.05".to_owned())
}

fn endpoint(text: &str) -> Result<String, String> {
    const HOW: &str = "write http://127.0.0.1:4317 or https://collector.example.org";
    let uri = text.parse::<http::Uri>();
    let uri = uri.map_err(|error| format!("{error}; {HOW}"))?;
    let speaks = matches!(uri.scheme_str(), Some("http" | "https"));
    if speaks && uri.host().is_some_and(|host| !host.is_empty()) {
        Ok(text.to_owned())
    } else {
        Err(format!("is no address to send to; {HOW}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_levels_and_addresses_are_checked() {
        assert_eq!(share("0.05"), Ok(0.05));
        for wrong in ["", "2", "-1", "NaN", "half"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        for good in [
            "WARN",
            "info,alamein_engine=debug",
            "alamein_engine=debug, off",
            "info,alamein_server[rpc{method=Get}]=trace",
        ] {
            assert!(level(good).is_ok(), "{good}");
        }
        for wrong in ["loud", "info,alamein_engine", "info,alamein_engine=loud"] {
            let told = level(wrong).unwrap_err();
            assert!(told.contains("write info"), "{wrong}: {told}");
        }
        assert!(endpoint("http://127.0.0.1:4317").is_ok());
        for wrong in ["", "127.0.0.1:4317", "ftp://it", "http://"] {
            assert!(endpoint(wrong).is_err(), "{wrong}");
        }
    }
}
