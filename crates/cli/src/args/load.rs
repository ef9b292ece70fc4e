//! The command line of `alamein load`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::AccessArgs;
use super::measures::{number, whole};

/// What to ask of a service, and how often.
#[derive(Args, Clone, Debug)]
pub(crate) struct Load {
    /// The service, such as `http://localhost:50051`
    #[arg(long, value_name = "URL")]
    pub(crate) server: String,
    /// How many calls to make in a second: from the first to the last; or only so many
    #[arg(long, value_name = "FROM..TO", default_value = "250..16000", value_parser = rates)]
    pub(crate) rate: Rates,
    /// How many seconds to make calls at each rate
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 5.0, value_parser = number(0.1..=3600.0, "a number of seconds"))]
    pub(crate) seconds: f64,
    /// The deadline of each call
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64>(1))]
    pub(crate) deadline: u64,
    /// Up to where 99 of 100 calls must be answered for a rate to count as borne
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = whole::<u64>(1))]
    pub(crate) bound: u64,
    /// How many questions each call asks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<usize>(1))]
    pub(crate) questions: usize,
    /// Over how many connections
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole::<usize>(1))]
    pub(crate) connections: usize,
    /// Ask the questions of this case file, and not those of the example
    #[arg(long, value_name = "FILE")]
    pub(crate) case: Option<PathBuf>,
    /// The id of the service's process on this machine, whose memory is to be told
    #[arg(long, value_name = "PID", value_parser = whole::<u32>(1))]
    pub(crate) pid: Option<u32>,
    /// Tell it as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

impl Load {
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds.clamp(0.1, 3600.0))
    }
}

/// Calls in a second: one rate, or those between two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rates {
    /// Only so many.
    One(f64),
    /// From so many to so many.
    Between(f64, f64),
}

fn rates(text: &str) -> Result<Rates, String> {
    let rate = |text: &str| {
        let rate: f64 = text
            .parse()
            .map_err(|_| format!("{text:?} is no number; write 500..8000, or 500"))?;
        let fits = (1.0..=1e6).contains(&rate);
        fits.then_some(rate)
            .ok_or_else(|| format!("{text}: a rate is 1 to 1000000 calls in a second"))
    };
    match text.split_once("..") {
        None => Ok(Rates::One(rate(text)?)),
        Some((from, to)) => {
            let (from, to) = (rate(from)?, rate(to)?);
            if from >= to {
                return Err(format!("{from} is not less than {to}"));
            }
            Ok(Rates::Between(from, to))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_one_or_from_one_to_another() {
        assert_eq!(rates("500"), Ok(Rates::One(500.0)));
        assert_eq!(rates("500..8000"), Ok(Rates::Between(500.0, 8000.0)));
        for text in ["", "..", "0", "8..5", "1..x", "-3", "inf", "NaN"] {
            assert!(rates(text).is_err(), "{text:?}");
        }
    }
}
