//! Running a part of the trials in a process of its own, and making sense of how it ended.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use crate::check::Check;
use crate::notes::{self, Note};
use crate::part::Part;
use crate::trials::ENDING;

/// How a child is started.
pub(crate) struct Start<'a> {
    /// The program, which is to call [`crate::try_part`] with what follows its own arguments.
    pub(crate) program: &'a Path,
    pub(crate) arguments: &'a [String],
    pub(crate) folder: &'a Path,
    pub(crate) options: &'a Map<String, Value>,
    /// How long it may take.
    pub(crate) limit: Duration,
}

/// What a part left.
pub(crate) struct Left {
    pub(crate) notes: Vec<Note>,
    /// How the plugin ended the process, or kept it from ending; nothing if it ran to its end.
    pub(crate) death: Option<(Check, String)>,
}

impl Start<'_> {
    /// Runs a part to its end, or to that of its time.
    pub(crate) fn run(&self, part: Part) -> Result<Left> {
        let work = tempfile::Builder::new()
            .prefix("alamein-check-")
            .tempdir()?;
        let (noted, said) = (work.path().join("notes"), work.path().join("stderr"));
        let mut command = Command::new(self.program);
        command
            .args(self.arguments)
            .arg(part.name())
            .arg(self.folder)
            .arg(Value::Object(self.options.clone()).to_string())
            .arg(&noted)
            // What the plugin stages or leaves about goes with the rest.
            .env("TMPDIR", work.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&said)?);
        if part == Part::Memory {
            // What is kept for the next to ask for it is not in use, and must not count as if it were.
            command.env("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0");
        }
        let child = command
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let status = wait(child, self.limit)?;
        let notes = notes::read(&noted);
        let death = self.death(part, status, &notes, &said);
        Ok(Left { notes, death })
    }

    fn death(
        &self,
        part: Part,
        status: Option<ExitStatus>,
        notes: &[Note],
        said: &PathBuf,
    ) -> Option<(Check, String)> {
        let ended = status.is_some_and(|status| status.success());
        if ended && notes.contains(&Note::Done) {
            return None;
        }
        let doing = notes.iter().rev().find_map(|note| match note {
            Note::Doing(doing) => Some(doing.as_str()),
            _ => None,
        });
        let doing = doing.unwrap_or("starting");
        let last_words = last_words(said);
        let (check, what) = match status {
            None => {
                let check = if part == Part::Calls {
                    Check::Budget
                } else {
                    check_of(part, doing)
                };
                let limit = self.limit.as_secs_f32();
                let what = format!(
                    "a call had not come back after {limit} s, while {doing}. A plugin must answer; long \
                     work asks whether its time is up, and returns"
                );
                (check, what)
            }
            Some(status) => {
                let how = how(status);
                (
                    check_of(part, doing),
                    format!("it ended the process: {how}, while {doing}"),
                )
            }
        };
        Some((check, format!("{what}{}{last_words}", advice(check))))
    }
}

/// What to do where a plugin ended the process under a check's conditions.
fn advice(check: Check) -> &'static str {
    match check {
        Check::StalePointers => {
            ". What a plugin is lent may be read during the call and never after it: copy what you \
             want to keep"
        }
        Check::ThreadEnd => {
            ". Something of it runs when a thread ends: a thread-local value with a destructor. Keep \
             no thread-local values"
        }
        _ => "",
    }
}

/// Which check a plugin fails that ends the process in this part.
fn check_of(part: Part, doing: &str) -> Check {
    match part {
        Part::Load => Check::Loads,
        Part::Calls => Check::Alive,
        Part::Same => Check::Determinism,
        Part::Sink => Check::Sink,
        Part::Budget => Check::Budget,
        Part::Memory => Check::Memory,
        Part::Guarded => Check::StalePointers,
        Part::Sight => Check::Sight,
        Part::Threads if doing == ENDING => Check::ThreadEnd,
        Part::Threads => Check::Threads,
    }
}

/// Waits for a child. Nothing if its time was up: it is ended then.
fn wait(mut child: Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            // It may have ended just now.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How a process ended.
fn how(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return match signal {
                4 => "signal 4 (an instruction that there is not)".into(),
                6 => "signal 6 (abort)".into(),
                7 => "signal 7 (memory that is not there)".into(),
                8 => "signal 8 (a division by zero)".into(),
                11 => "signal 11 (it touched memory that is not its own)".into(),
                signal => format!("signal {signal}"),
            };
        }
    }
    match status.code() {
        Some(code) => format!("exit with status {code}"),
        None => "in an unknown way".into(),
    }
}

/// The last of what was written to standard error.
fn last_words(said: &PathBuf) -> String {
    const MOST: usize = 300;
    let said = fs::read(said).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let mut lines = said.lines().map(str::trim).filter(|line| {
        // A panicking Rust plugin tells how to see more, of which nobody here knows.
        !line.is_empty() && !line.starts_with("note: run with `RUST_BACKTRACE")
    });
    let last: String = lines
        .next_back()
        .unwrap_or_default()
        .chars()
        .take(MOST)
        .collect();
    if last.is_empty() {
        String::new()
    } else {
        format!(". It wrote: {last}")
    }
}
