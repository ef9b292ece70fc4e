//! Sockets of either kind, and what comes in through them.

use std::io;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio_rustls::server::TlsStream;

use super::address::Address;
use super::tls::{Certificate, shown};

/// A bound socket.
#[derive(Debug)]
pub(crate) enum Socket {
    Tcp(TcpListener),
    Unix(UnixListener, #[allow(dead_code)] SocketFile),
}

impl Socket {
    /// Binds a socket. A Unix socket that a server left behind which is no more is removed.
    pub(crate) async fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Tcp(address) => TcpListener::bind(address).await.map(Self::Tcp),
            Address::Unix(path) => {
                let (listener, file) = bind_unix(path).await?;
                Ok(Self::Unix(listener, file))
            }
        }
    }

    /// The address that was bound, with its real port.
    pub(crate) fn address(&self) -> io::Result<Address> {
        Ok(match self {
            Self::Tcp(listener) => Address::Tcp(listener.local_addr()?),
            Self::Unix(_, file) => Address::Unix(file.path.clone()),
        })
    }

    /// Accepts a connection, and says from where it comes.
    pub(crate) async fn accept(&self) -> io::Result<(Stream, String)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                // Answers are small and wanted at once. Without it they only come later.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "TCP_NODELAY could not be set");
                }
                Ok((Stream::Tcp(stream), peer.to_string()))
            }
            Self::Unix(listener, _) => {
                let (stream, _) = listener.accept().await?;
                let of = stream.peer_cred().ok().and_then(|of| of.pid());
                let peer = of.map_or_else(|| "unix".to_owned(), |pid| format!("unix pid {pid}"));
                Ok((Stream::Unix(stream), peer))
            }
        }
    }
}

/// Binds a Unix socket that only this user may connect to.
///
/// It is bound in a folder that nobody else may enter and moved from there, so that there is no
/// moment at which others could connect.
async fn bind_unix(path: &Path) -> io::Result<(UnixListener, SocketFile)> {
    make_way(path).await?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let private = tempfile::Builder::new()
        .prefix(".alamein-")
        .permissions(std::fs::Permissions::from_mode(0o700))
        .tempdir_in(folder)?;
    let first = private.path().join("s");
    let listener = UnixListener::bind(&first)?;
    std::fs::set_permissions(&first, std::fs::Permissions::from_mode(0o600))?;
    let file = SocketFile::of(&first, path)?;
    std::fs::rename(&first, path)?;
    Ok((listener, file))
}

/// Makes sure that nothing of that name is there but a socket at which nobody listens any more.
async fn make_way(path: &Path) -> io::Result<()> {
    let there = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        there => there?,
    };
    if !there.file_type().is_socket() {
        let why = "there is a file of that name, and it is no socket; remove it or choose another";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    match UnixStream::connect(path).await {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            tracing::info!(socket = %path.display(), "a socket that nobody listens at any more is replaced");
            Ok(())
        }
        Err(error) => Err(error),
        Ok(_) => {
            let why = "another server listens there";
            Err(io::Error::new(io::ErrorKind::AddrInUse, why))
        }
    }
}

/// The file of a Unix socket, which is removed when the socket is closed.
#[derive(Debug)]
pub(crate) struct SocketFile {
    path: PathBuf,
    inode: (u64, u64),
}

impl SocketFile {
    fn of(now: &Path, path: &Path) -> io::Result<Self> {
        let file = std::fs::symlink_metadata(now)?;
        Ok(Self {
            path: path.to_owned(),
            inode: (file.dev(), file.ino()),
        })
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // Unless another server has put its own in this place.
        let there = std::fs::symlink_metadata(&self.path);
        if there.is_ok_and(|there| (there.dev(), there.ino()) == self.inode) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// A connection.
#[derive(Debug)]
pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Stream {
    /// Waits until the other side has said something.
    pub(crate) async fn readable(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.readable().await,
            Self::Unix(stream) => stream.readable().await,
            Self::Tls(stream) => stream.get_ref().0.readable().await,
        }
    }

    /// The certificate that its client showed, if it did.
    pub(crate) fn certificate(&self) -> Option<Certificate> {
        match self {
            Self::Tcp(_) | Self::Unix(_) => None,
            Self::Tls(stream) => shown(stream),
        }
    }

    fn write_half(self: Pin<&mut Self>) -> Pin<&mut (dyn AsyncWrite + Unpin)> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream),
            Self::Unix(stream) => Pin::new(stream),
            Self::Tls(stream) => Pin::new(stream),
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Unix(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.write_half().poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.write_half().poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Tcp(stream) => stream.is_write_vectored(),
            Self::Unix(stream) => stream.is_write_vectored(),
            Self::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write_half().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write_half().poll_shutdown(cx)
    }
}
