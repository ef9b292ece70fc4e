//! How the process is, as Linux tells it. Elsewhere nothing is told.

use std::fmt::Error;
use std::fs;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

/// The numbers of the auxiliary vector that tell how large a page is, and how many ticks a second has.
const AT_PAGESZ: u64 = 6;
const AT_CLKTCK: u64 = 17;

/// Reads how the process is, by the names that all exporters use.
#[derive(Debug)]
pub(super) struct Process;

/// What is told.
#[derive(Debug, PartialEq)]
struct Told {
    cpu_seconds: f64,
    threads: i64,
    start_seconds: f64,
    virtual_bytes: i64,
    resident_bytes: i64,
    open_fds: Option<i64>,
    most_fds: Option<i64>,
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let Some(told) = Told::read() else {
            return Ok(());
        };
        let help = "Time of processors that was used";
        let seconds = Some(&Unit::Seconds);
        let cpu = encoder.encode_descriptor("process_cpu", help, seconds, MetricType::Counter)?;
        ConstCounter::new(told.cpu_seconds).encode(cpu)?;
        let help = "When the process began, in seconds after 1970 began";
        let start =
            encoder.encode_descriptor("process_start_time", help, seconds, MetricType::Gauge)?;
        ConstGauge::new(told.start_seconds).encode(start)?;
        let bytes = Some(&Unit::Bytes);
        let gauges = [
            (
                "process_virtual_memory",
                "Memory that has addresses",
                bytes,
                Some(told.virtual_bytes),
            ),
            (
                "process_resident_memory",
                "Memory that is in use",
                bytes,
                Some(told.resident_bytes),
            ),
            ("process_threads", "Threads", None, Some(told.threads)),
            (
                "process_open_fds",
                "Open file descriptors",
                None,
                told.open_fds,
            ),
            (
                "process_max_fds",
                "How many file descriptors may be open",
                None,
                told.most_fds,
            ),
        ];
        for (name, help, unit, value) in gauges {
            let Some(value) = value else { continue };
            let gauge = encoder.encode_descriptor(name, help, unit, MetricType::Gauge)?;
            ConstGauge::new(value).encode(gauge)?;
        }
        Ok(())
    }
}

impl Told {
    fn read() -> Option<Self> {
        let of = |file: &str| fs::read_to_string(format!("/proc/self/{file}")).ok();
        let ticks = auxiliary(AT_CLKTCK).unwrap_or(100.0);
        let page = auxiliary(AT_PAGESZ).unwrap_or(4096.0);
        let boot = fs::read_to_string("/proc/stat").ok();
        let boot = boot.as_deref().and_then(|it| field(it, "btime "))?;
        // The folder itself is open while it is read.
        let open = fs::read_dir("/proc/self/fd")
            .ok()
            .map(|it| it.count() as i64 - 1);
        let limits = of("limits");
        let most = limits.as_deref().and_then(|it| field(it, "Max open files"));
        Some(Self {
            open_fds: open,
            most_fds: most.map(|it| it as i64),
            ..Self::of(&of("stat")?, ticks, page, boot)?
        })
    }

    /// What `/proc/self/stat` tells. The name of the command is in it, and may hold anything.
    fn of(stat: &str, ticks: f64, page: f64, boot: f64) -> Option<Self> {
        let (_, rest) = stat.rsplit_once(')')?;
        let fields: Vec<f64> = rest
            .split_whitespace()
            .skip(1)
            .map(|field| field.parse().unwrap_or_default())
            .collect();
        // The first of them is the fourth of all.
        let field = |number: usize| fields.get(number - 4).copied();
        Some(Self {
            cpu_seconds: (field(14)? + field(15)?) / ticks,
            threads: field(20)? as i64,
            start_seconds: boot + field(22)? / ticks,
            virtual_bytes: field(23)? as i64,
            resident_bytes: (field(24)? * page) as i64,
            open_fds: None,
            most_fds: None,
        })
    }
}

/// The first number after a name that begins a line.
fn field(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A value of the auxiliary vector.
fn auxiliary(wanted: u64) -> Option<f64> {
    let vector = fs::read("/proc/self/auxv").ok()?;
    let (words, _) = vector.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_ne_bytes(*word)).collect();
    let found = words.chunks_exact(2).find(|pair| pair[0] == wanted)?;
    Some(found[1] as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_may_have_any_name() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 1 2 3 4 150 50 0 0 20 0 9 0 1000 8192 2 18446744073709551615";
        let told = Told::of(stat, 100.0, 4096.0, 5.0).unwrap();
        let expected = Told {
            cpu_seconds: 2.0,
            threads: 9,
            start_seconds: 15.0,
            virtual_bytes: 8192,
            resident_bytes: 8192,
            open_fds: None,
            most_fds: None,
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn this_process_is_told() {
        let told = Told::read().unwrap();
        assert!(told.resident_bytes > 1 << 20, "{told:?}");
        assert!(told.open_fds.unwrap() > 2, "{told:?}");
        assert!(told.most_fds.unwrap() > told.open_fds.unwrap(), "{told:?}");
        assert!(told.start_seconds > 1.6e9, "{told:?}");
    }
}
