//! HTTP/2 by hand: frames that no library would send.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// How long a read may wait.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PING: u8 = 6;
pub(crate) const GOAWAY: u8 = 7;
pub(crate) const CONTINUATION: u8 = 9;

pub(crate) const END_STREAM: u8 = 1;
pub(crate) const END_HEADERS: u8 = 4;

/// The setting of a stream's first window.
pub(crate) const INITIAL_WINDOW: u16 = 4;

/// A connection.
pub(crate) struct Raw(TcpStream);

/// A frame that was read.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) kind: u8,
    pub(crate) flags: u8,
}

impl Raw {
    /// Connects, and says nothing.
    pub(crate) fn silent(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self(stream)
    }

    /// Connects, and begins to speak HTTP/2 with these settings.
    pub(crate) fn greet(address: &str, settings: &[(u16, u32)]) -> Self {
        let mut raw = Self::silent(address);
        let mut text = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        let mut payload = Vec::new();
        for (name, value) in settings {
            payload.extend(name.to_be_bytes());
            payload.extend(value.to_be_bytes());
        }
        text.extend(frame(SETTINGS, 0, 0, &payload));
        assert!(raw.send(&text));
        raw
    }

    /// Sends bytes. Whether the other side still takes them.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> bool {
        match self.0.write_all(bytes) {
            Ok(()) => true,
            Err(error) => {
                let stalls = [ErrorKind::WouldBlock, ErrorKind::TimedOut];
                assert!(!stalls.contains(&error.kind()), "it takes nothing any more");
                false
            }
        }
    }

    /// Waits no longer than a moment for the other side to take something.
    pub(crate) fn no_patience(&mut self) {
        let moment = Some(Duration::from_millis(500));
        self.0.set_write_timeout(moment).unwrap();
    }

    /// Sends bytes. Whether the other side took them.
    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> bool {
        self.0.write_all(bytes).is_ok()
    }

    /// Reads a frame; nothing where the connection has ended.
    pub(crate) fn read(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.0.read_exact(&mut head).map_err(ended).ok()?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        self.0.read_exact(&mut payload).map_err(ended).ok()?;
        let [kind, flags] = [head[3], head[4]];
        Some(Frame { kind, flags })
    }

    /// Reads until the connection ends. Gives the kinds of frames that came.
    pub(crate) fn read_to_end(&mut self) -> Vec<u8> {
        std::iter::from_fn(|| self.read().map(|frame| frame.kind)).collect()
    }

    /// Whether there is something to read, or an end, within a moment.
    pub(crate) fn ended_within(&mut self, time: Duration) -> bool {
        self.0.set_read_timeout(Some(time)).unwrap();
        let mut rest = [0; 4096];
        let ended = loop {
            match self.0.read(&mut rest) {
                Ok(0) => break true,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let waits = [ErrorKind::WouldBlock, ErrorKind::TimedOut];
                    break !waits.contains(&error.kind());
                }
            }
        };
        self.0.set_read_timeout(Some(PATIENCE)).unwrap();
        ended
    }
}

/// Fails where it is not the end, but nothing that comes.
fn ended(error: std::io::Error) {
    let waits = [ErrorKind::WouldBlock, ErrorKind::TimedOut];
    assert!(!waits.contains(&error.kind()), "nothing comes, and no end");
}

/// A frame.
pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut bytes = vec![length[1], length[2], length[3], kind, flags];
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// The head of a call, as HPACK writes it at its plainest.
pub(crate) fn head(method: &str) -> Vec<u8> {
    let path = match method.starts_with('/') {
        true => method.to_owned(),
        false => format!("/alamein.v1.{method}"),
    };
    let fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":authority", "localhost"),
        (":path", &path),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
    ];
    fields
        .iter()
        .flat_map(|(name, value)| field(name, value))
        .collect()
}

/// A field of a head.
pub(crate) fn field(name: &str, value: &str) -> Vec<u8> {
    let mut bytes = vec![0];
    for text in [name, value] {
        let length = text.len();
        match u8::try_from(length) {
            Ok(short) if short < 127 => bytes.push(short),
            _ => {
                let mut rest = length - 127;
                bytes.push(127);
                while rest >= 128 {
                    bytes.push((rest % 128) as u8 | 128);
                    rest /= 128;
                }
                bytes.push(rest as u8);
            }
        }
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// A call: its head, and a message.
pub(crate) fn call(stream: u32, method: &str, message: &[u8]) -> Vec<u8> {
    let mut bytes = frame(HEADERS, END_HEADERS, stream, &head(method));
    let mut framed = vec![0];
    framed.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    framed.extend(message);
    bytes.extend(frame(DATA, END_STREAM, stream, &framed));
    bytes
}
