//! The machine: files that may be open, memory, disk, the clock.

use std::path::Path;
use std::time::{Duration, SystemTime};

use bytesize::ByteSize;
use rustix::fs::statvfs;
use rustix::process::{Resource, getrlimit};

use super::Findings;
use crate::args::Serve;
use crate::serve;

/// How many files are open beside connections: plugins, the store, the log, epoll.
const OTHER_FILES: u64 = 128;
/// How much memory the rest of a process takes.
const OTHER_MEMORY: u64 = 256 << 20;
/// How much of a disk should be free.
const ROOM: u64 = 1 << 30;

pub(super) fn look(serve: &Serve, found: &mut Findings) {
    open_files(serve, found);
    memory(serve, found);
    clock(found);
}

fn open_files(serve: &Serve, found: &mut Findings) {
    let wanted = serve.limits.connections as u64 + OTHER_FILES;
    let connections = serve.limits.connections;
    // Nothing stands for any number.
    let may = getrlimit(Resource::Nofile).current;
    match may {
        Some(may) if may < wanted => found.fail(
            "open files",
            format!(
                "{may} may be open, and max-connections is {connections}: allow {wanted} or more (LimitNOFILE= in \
                 systemd, `ulimit -n` in a shell), or lower max-connections"
            ),
        ),
        Some(may) => found.ok("open files", format!("{may} may be open, {wanted} are needed")),
        None => found.ok("open files", "any number may be open"),
    }
}

fn memory(serve: &Serve, found: &mut Findings) {
    let wanted = serve::most_bytes_in_flight(serve) as u64 + OTHER_MEMORY;
    let (Some(there), wanted) = (available(), ByteSize::b(wanted)) else {
        return found.warn(
            "memory",
            "how much there is cannot be read from /proc/meminfo",
        );
    };
    let there = ByteSize::b(there);
    let told = format!("{there} are there, up to {wanted} may be needed under load");
    match there < wanted {
        true => found.warn(
            "memory",
            format!("{told}: lower the limits, or give it more"),
        ),
        false => found.ok("memory", told),
    }
}

/// How much memory this process may take: what is free, or what its control group leaves it.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free = line
        .trim()
        .strip_suffix(" kB")?
        .trim()
        .parse::<u64>()
        .ok()?
        * 1024;
    let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = limit.and_then(|text| text.trim().parse().ok());
    Some(free.min(limit.unwrap_or(u64::MAX)))
}

/// Whether a folder can be written to, and how much room there is.
pub(super) fn room(folder: &Path, of: &'static str, found: &mut Findings) {
    let shown = folder.display();
    if let Err(error) = tempfile::tempfile_in(folder) {
        return found.fail(of, format!("{shown}: cannot be written to: {error}"));
    }
    match statvfs(folder) {
        Err(error) => found.warn(
            of,
            format!("{shown}: how much room there is cannot be told: {error}"),
        ),
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            let told = format!("{shown}: {} are free", ByteSize::b(free));
            match free < ROOM {
                true => found.warn(of, format!("{told}: make room")),
                false => found.ok(of, told),
            }
        }
    }
}

/// A clock that is behind this very program is wrong: certificates will not be valid yet.
fn clock(found: &mut Findings) {
    let program = std::env::current_exe().and_then(|it| it.metadata()?.modified());
    let now = SystemTime::now();
    let behind = program.ok().and_then(|it| it.duration_since(now).ok());
    if let Some(behind) = behind.filter(|it| *it > Duration::from_secs(24 * 60 * 60)) {
        let days = behind.as_secs() / (24 * 60 * 60);
        return found.fail(
            "clock",
            format!("it is {days} days before this program was made: set it, by NTP if you can"),
        );
    }
    let timesync = Path::new("/run/systemd/timesync");
    if timesync.is_dir() && !timesync.join("synchronized").exists() {
        return found.warn(
            "clock",
            "it is not synchronised yet: `timedatectl` says more",
        );
    }
    found.ok("clock", humantime::format_rfc3339_seconds(now).to_string());
}
