//! Where a service is to listen, and who does.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::Path;

use alamein_server::transport::Address;

use super::Findings;
use crate::args::Serve;

pub(super) fn look(serve: &Serve, found: &mut Findings) {
    let mut all = vec![("listen", Address::from(serve.listen))];
    all.extend(serve.metrics.map(|it| ("metrics", it.into())));
    all.extend(serve.swapping.admin.clone().map(|it| ("admin", it)));
    for (option, address) in all {
        match address {
            Address::Tcp(address) => port(option, address, found),
            Address::Unix(path) => socket(option, &path, found),
        }
    }
}

fn port(option: &str, address: SocketAddr, found: &mut Findings) {
    let error = match TcpListener::bind(address) {
        Ok(_) => return found.ok("address", format!("{option} {address}: free")),
        Err(error) => error,
    };
    if error.kind() != ErrorKind::AddrInUse {
        let what = format!("{option} {address}: cannot be bound: {error}");
        return found.fail("address", what);
    }
    match holder(address.port()) {
        Some((pid, name)) if name == "alamein" => {
            found.ok("address", format!("{option} {address}: alamein listens there (process {pid})"));
        }
        Some((pid, name)) => found.fail(
            "address",
            format!("{option} {address}: {name} listens there (process {pid}); stop it, or choose another"),
        ),
        None => found.fail(
            "address",
            format!("{option} {address}: something of another user listens there; `ss -ltnp` as root shows it"),
        ),
    }
}

fn socket(option: &str, path: &Path, found: &mut Findings) {
    let shown = path.display();
    let folder = path.parent().unwrap_or(Path::new("/"));
    if UnixStream::connect(path).is_ok() {
        found.ok(
            "address",
            format!("{option} unix:{shown}: something listens there"),
        );
    } else if !folder.is_dir() {
        found.fail(
            "address",
            format!(
                "{option} unix:{shown}: there is no folder {}",
                folder.display()
            ),
        );
    } else {
        found.ok("address", format!("{option} unix:{shown}: free"));
    }
}

/// The process that listens on a port, and its name, if it is one that may be looked at.
fn holder(port: u16) -> Option<(u32, String)> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(std::fs::read_to_string);
    let inodes: Vec<String> = tables
        .iter()
        .flatten()
        .flat_map(|table| {
            table
                .lines()
                .skip(1)
                .filter_map(|line| listener(line, port))
        })
        .collect();
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    for process in processes {
        let Some(pid) = process.file_name().to_str().and_then(|it| it.parse().ok()) else {
            continue;
        };
        let Ok(files) = std::fs::read_dir(process.path().join("fd")) else {
            continue;
        };
        let links = files
            .flatten()
            .filter_map(|file| std::fs::read_link(file.path()).ok());
        let mut names = links.filter_map(|link| link.to_str().map(str::to_owned));
        let holds = |link: &str| {
            inodes
                .iter()
                .any(|inode| link == format!("socket:[{inode}]"))
        };
        if names.any(|link| holds(&link)) {
            let name = std::fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            return Some((pid, name.trim().to_owned()));
        }
    }
    None
}

/// The inode of a socket that listens on a port, of a line of `/proc/net/tcp`.
fn listener(line: &str, port: u16) -> Option<String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let (local, state, inode) = (fields.get(1)?, fields.get(3)?, fields.get(9)?);
    let (_, at) = local.rsplit_once(':')?;
    let listens = *state == "0A" && u16::from_str_radix(at, 16) == Ok(port);
    listens.then(|| (*inode).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_is_found() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (pid, name) = holder(listener.local_addr().unwrap().port()).unwrap();
        assert_eq!(pid, std::process::id());
        assert!(!name.is_empty());
    }
}
