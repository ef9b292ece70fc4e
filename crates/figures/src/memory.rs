//! How much memory a process has.

/// How much memory a process of this machine has resident, in bytes, where the system tells.
#[must_use]
pub fn resident(pid: u32) -> Option<u64> {
    of_status(pid, "VmRSS:")
}

/// The most that a process had resident so far, in bytes, where the system tells.
#[must_use]
pub fn peak(pid: u32) -> Option<u64> {
    of_status(pid, "VmHWM:")
}

fn of_status(pid: u32, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_some_and_had_no_less() {
        let pid = std::process::id();
        let (now, most) = (resident(pid).unwrap_or(0), peak(pid).unwrap_or(0));
        assert!(now > 100_000 && most >= now, "{now} of {most}");
    }
}
