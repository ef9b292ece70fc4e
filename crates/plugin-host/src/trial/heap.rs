//! What of this process a plugin may use up.

/// How many bytes of the C library's heap are in use, by this program and by every plugin in it.
/// Nothing where the C library does not tell.
#[must_use]
pub fn heap_in_use() -> Option<u64> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: it takes nothing, and gives numbers.
        let heap = unsafe { libc::mallinfo2() };
        Some((heap.uordblks as u64).saturating_add(heap.hblkhd as u64))
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}

/// How many threads this process has. Nothing where the system does not tell.
#[must_use]
pub fn thread_count() -> Option<usize> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    Some(tasks.count())
}
