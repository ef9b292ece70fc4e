//! Runs the Python scripts.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

/// A script, and the Python to run it.
pub(crate) struct Script {
    python: OsString,
    file: PathBuf,
}

impl Script {
    /// The script of this name, unless there is no Python to run it.
    pub(crate) fn find(name: &str) -> Option<Self> {
        let Some(python) = env::var_os("ALAMEIN_PYTHON").filter(|python| !python.is_empty()) else {
            eprintln!("SKIPPED: set ALAMEIN_PYTHON to a Python with grpcio to run {name}");
            return None;
        };
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/python")
            .join(name);
        Some(Self { python, file })
    }

    /// Runs the script with the server's address. It asks for something to be done by a line
    /// `cue: ...` and goes on once it is answered. Fails where the script fails.
    pub(crate) async fn run(&self, address: &str, mut cue: impl AsyncFnMut(&str)) {
        let mut child = Command::new(&self.python)
            .arg(&self.file)
            .arg(address)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut answers = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let play = async {
            while let Some(line) = lines.next_line().await.unwrap() {
                println!("{line}");
                if let Some(wanted) = line.strip_prefix("cue: ") {
                    cue(wanted).await;
                    answers.write_all(b"done\n").await.unwrap();
                }
            }
            child.wait().await.unwrap()
        };
        let status = tokio::time::timeout(Duration::from_secs(60), play)
            .await
            .unwrap();
        assert!(status.success(), "{} failed: {status}", self.file.display());
    }
}
