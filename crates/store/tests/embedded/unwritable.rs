//! Disks that are full, and folders that may not be written.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Child, Command};

use alamein_store::{Embedded, EmbeddedConfig};

use crate::child::{LARGE, as_role, lines, role};
use crate::{is_there, map, put};

/// Lets a child fill its disk, makes room, and sees that it goes on and that all is there afterwards.
async fn fills(mut child: Child, folder: &Path, make_room: impl FnOnce(&Child)) {
    let mut told = lines(&mut child);
    let full = told.next().expect("it does not tell that it is full");
    let (kept, why) = full.strip_prefix("full ").unwrap().split_once(':').unwrap();
    let kept: usize = kept.parse().unwrap();
    assert!(kept > 3 && why.contains("make room"), "{full}");
    make_room(&child);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"there is room\n")
        .unwrap();
    assert_eq!(told.next().as_deref(), Some("goes on"));
    assert!(child.wait().unwrap().success());
    let store = Embedded::open(&EmbeddedConfig::new(folder)).unwrap();
    for number in 0..=kept {
        assert!(is_there(&store, &map(number, LARGE)).await, "{number}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_may_not_grow_is_read_on_and_written_again_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    // In units of 512 or 1024 bytes; only as long as nobody says otherwise.
    command.args(["-c", "trap '' XFSZ; ulimit -S -f 6000; exec \"$@\"", "sh"]);
    command.arg(std::env::current_exe().unwrap());
    as_role(&mut command, "fill", folder.path());
    let child = command.spawn().unwrap();
    fills(child, folder.path(), |child| {
        let pid = child.id().to_string();
        let told = Command::new("prlimit")
            .args(["--pid", &pid, "--fsize=unlimited:"])
            .status();
        assert!(told.expect("prlimit is there").success());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_full_is_read_on_and_written_again_later() {
    let disk = tempfile::tempdir().unwrap();
    let mounted = Mounted::small(disk.path());
    let Some(mounted) = mounted else {
        eprintln!("SKIPPED: no file system can be mounted here, so none is filled");
        return;
    };
    let folder = disk.path().join("store");
    let child = role(&std::env::current_exe().unwrap(), "fill", &folder)
        .spawn()
        .unwrap();
    fills(child, &folder, |_| mounted.grow()).await;
}

/// A file system in memory.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    fn small(at: &'a Path) -> Option<Self> {
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=5m", "tmpfs"])
            .arg(at)
            .output();
        mount
            .is_ok_and(|it| it.status.success())
            .then_some(Self(at))
    }

    fn grow(&self) {
        let more = Command::new("mount")
            .args(["-o", "remount,size=64m"])
            .arg(self.0)
            .status();
        assert!(more.unwrap().success());
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        // What is left of it goes with the machine.
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_may_not_be_written_is_read() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("store");
    let store = Embedded::open(&EmbeddedConfig::new(&folder)).unwrap();
    assert!(put(&store, &map(1, 100)).await.unwrap());
    drop(store);
    let mode =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    // Root may write anywhere, so it becomes nobody, who must reach the program.
    let program = outer.path().join("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    mode(outer.path(), 0o755);
    mode(&program, 0o755);
    for file in fs::read_dir(&folder).unwrap() {
        mode(&file.unwrap().path(), 0o444);
    }
    mode(&folder, 0o555);
    let root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let mut command = if root {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
        command.arg(&program);
        command
    } else {
        Command::new(&program)
    };
    command.current_dir(outer.path());
    as_role(&mut command, "read", &folder);
    let mut child = command.spawn().unwrap();
    let told: Vec<String> = lines(&mut child).collect();
    assert!(child.wait().unwrap().success());
    assert!(told[0].contains("let this process write there"), "{told:?}");
    mode(&folder, 0o755);
}
