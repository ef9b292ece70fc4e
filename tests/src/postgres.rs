//! A PostgreSQL for tests: a real one, in a folder of its own, gone when the test is, however that ends.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long it may take to start or to end.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whom it runs as where this is root, which it refuses to be: nobody.
const NOBODY: u32 = 65_534;

/// Waits for the end of this process, or for a word; then ends the server. What nobody wants to keep is
/// removed.
const WATCH: &str = r#"folder=$1; shift
"$@" >>"$folder/log" 2>&1 &
server=$!
read -r word
kill -QUIT $server 2>/dev/null
wait $server
[ "$word" = keep ] || rm -rf "$folder""#;

/// How a server is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// In order; whoever is connected is thrown out.
    Fast,
    /// As if the machine had lost its power.
    Killed,
}

/// A PostgreSQL that runs.
#[derive(Debug)]
pub struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
    watch: Option<Child>,
}

impl Postgres {
    /// Starts one, if there is one on this machine. Where there is none that is said, and where `CI` is set
    /// it is an error.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn start() -> Result<Option<Self>, String> {
        let Some(programs) = programs() else {
            if std::env::var_os("CI").is_some() {
                return Err("there is no PostgreSQL: install it (initdb)".into());
            }
            eprintln!("SKIPPED: install PostgreSQL (initdb in PATH) to run this");
            return Ok(None);
        };
        let folder = tempfile::Builder::new().prefix("alamein-pg-").tempdir();
        let folder = folder.map_err(text)?;
        if is_root(folder.path())? {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).map_err(text)?;
        }
        let mut this = Self {
            folder,
            programs,
            port: 0,
            watch: None,
        };
        this.initialize()?;
        this.resume()?;
        Ok(Some(this))
    }

    fn initialize(&self) -> Result<(), String> {
        let made = self
            .as_somebody(self.programs.join("initdb"))
            .args([
                "--no-sync",
                "--auth=trust",
                "--username=postgres",
                "--encoding=UTF8",
            ])
            .args(["--locale=C", "-D"])
            .arg(self.data())
            .output()
            .map_err(text)?;
        if made.status.success() {
            return Ok(());
        }
        Err(format!("initdb: {}", String::from_utf8_lossy(&made.stderr)))
    }

    /// Starts it again, at the same place.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn resume(&mut self) -> Result<(), String> {
        let mut tries = 0;
        loop {
            if self.port == 0 {
                let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(text)?;
                self.port = free.local_addr().map_err(text)?.port();
            }
            match self.start_once() {
                Ok(()) => return Ok(()),
                Err(error) if tries == 5 => return Err(error),
                Err(_) => tries += 1,
            }
            // Somebody else may have taken the port.
            self.end(End::Killed)?;
            if tries > 2 && !self.data().join("PG_VERSION").exists() {
                return Err("its folder is gone".into());
            }
        }
    }

    fn start_once(&mut self) -> Result<(), String> {
        let mut watch = self
            .as_somebody("sh")
            .args(["-c", WATCH, "sh"])
            .arg(self.folder.path())
            .arg(self.programs.join("postgres"))
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-c", "listen_addresses=127.0.0.1"])
            .arg("-p")
            .arg(self.port.to_string())
            // What is tested is never the machine's own end.
            .args([
                "-c",
                "fsync=off",
                "-c",
                "shared_buffers=16MB",
                "-c",
                "max_connections=100",
            ])
            .stdin(Stdio::piped())
            .spawn()
            .map_err(text)?;
        let start = Instant::now();
        while !self.is_ready() {
            let ended = watch.try_wait().map_err(text)?.is_some();
            if ended || start.elapsed() > PATIENCE {
                let log = fs::read_to_string(self.folder.path().join("log"));
                return Err(format!(
                    "PostgreSQL does not start: {}",
                    log.unwrap_or_default()
                ));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.watch = Some(watch);
        Ok(())
    }

    /// The server says in a file of its own how far it is.
    fn is_ready(&self) -> bool {
        let about = fs::read_to_string(self.data().join("postmaster.pid"));
        about.is_ok_and(|about| about.lines().nth(7).is_some_and(|it| it.trim() == "ready"))
    }

    /// Ends it. It can be started again.
    ///
    /// # Errors
    /// Where it does not end.
    pub fn end(&mut self, how: End) -> Result<(), String> {
        let Some(mut watch) = self.watch.take() else {
            return Ok(());
        };
        let signal = match how {
            End::Fast => "-INT",
            End::Killed => "-QUIT",
        };
        let about = fs::read_to_string(self.data().join("postmaster.pid"));
        if let Some(pid) = about.unwrap_or_default().lines().next() {
            let told = Command::new("kill").args([signal, pid]).status();
            told.map_err(text)?;
            let start = Instant::now();
            while Path::new("/proc").join(pid).exists() && !is_zombie(pid) {
                if start.elapsed() > PATIENCE {
                    return Err("PostgreSQL does not end".into());
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        if let Some(mut stdin) = watch.stdin.take() {
            // It may be gone by now.
            let _ = stdin.write_all(b"keep\n");
        }
        watch.wait().map_err(text)?;
        Ok(())
    }

    /// The URL of one of its databases; `postgres` is always there.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Where it listens, on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn as_somebody(&self, program: impl AsRef<OsStr>) -> Command {
        if !is_root_here() {
            return Command::new(program);
        }
        let id = NOBODY.to_string();
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid", &id, "--regid", &id, "--clear-groups"])
            .arg(program)
            .current_dir(self.folder.path());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Whatever happens to it, its folder goes.
        let _ = self.end(End::Killed);
    }
}

fn is_root(made: &Path) -> Result<bool, String> {
    Ok(fs::metadata(made).map_err(text)?.uid() == 0)
}

fn is_root_here() -> bool {
    fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}

fn is_zombie(pid: &str) -> bool {
    let about = fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
    about.is_ok_and(|about| {
        about
            .rsplit(')')
            .next()
            .is_some_and(|rest| rest.starts_with(" Z"))
    })
}

fn text(error: std::io::Error) -> String {
    error.to_string()
}

/// The folder of PostgreSQL's programs, which Debian keeps out of PATH.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::var_os("ALAMEIN_POSTGRES_BIN")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    folders.extend(std::env::split_paths(&path));
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    folders.extend(debian.flatten().map(|version| version.path().join("bin")));
    let found = folders
        .into_iter()
        .map(|folder| folder.join("initdb"))
        .find(|it| it.exists())?;
    // A link in PATH leads to where the others are.
    let real = found.canonicalize().ok()?;
    real.parent().map(Path::to_path_buf)
}
