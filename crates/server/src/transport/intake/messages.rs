//! The messages of a request, one after the other, counted as they come in.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use http_body::{Body as _, Frame};
use tonic::Status;
use tonic::body::Body;

use super::Allowed;
use super::shapes::{SHAPES, Shape};
use super::unpack::{Unfit, inflate};
use crate::transport::malformed;
use crate::transport::share::{Held, Short, Taken};

/// The bytes before a message: whether it is packed, and its length.
const HEADER: usize = 5;

/// The messages of a request.
pub(crate) struct Messages {
    body: Body,
    /// What has come in and is not handed on yet.
    raw: BytesMut,
    /// The bytes that are in `raw`.
    counted: Taken,
    /// Those of the message that was handed on last.
    last: Option<Taken>,
    seen: u64,
    shape: Shape,
    gzip: bool,
    allowed: Allowed,
    held: Held,
    ended: bool,
}

/// A message as it is handed on, not packed, and the bytes that it takes.
pub(crate) struct One {
    pub(crate) framed: Bytes,
    pub(crate) taken: Taken,
}

impl Messages {
    pub(crate) fn new(
        body: Body,
        shape: Shape,
        gzip: bool,
        allowed: Allowed,
        held: Held,
    ) -> Result<Self, Status> {
        let counted = allowed.bytes.take(0, &held);
        let counted = counted.map_err(|short| allowed.short(short, 0))?;
        Ok(Self {
            body,
            raw: BytesMut::new(),
            counted,
            last: None,
            seen: 0,
            shape,
            gzip,
            allowed,
            held,
            ended: false,
        })
    }

    /// The one message of a request that may have no more; nothing if it has none.
    pub(crate) async fn only(mut self) -> Result<Option<One>, Status> {
        self.allowed.messages = 1;
        let Some(message) = std::future::poll_fn(|cx| self.poll_message(cx)).await? else {
            return Ok(None);
        };
        // What comes after it is more than there may be.
        std::future::poll_fn(|cx| self.poll_message(cx)).await?;
        Ok(Some(message))
    }

    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<One>, Status>> {
        loop {
            if let Some(message) = self.message()? {
                return Poll::Ready(Ok(Some(message)));
            }
            if self.ended {
                return Poll::Ready(match self.raw.is_empty() {
                    true => Ok(None),
                    false => Err(broken("the request ends in the midst of a message")),
                });
            }
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                None => self.ended = true,
                Some(Err(status)) => return Poll::Ready(Err(status)),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        let more = data.len() as u64;
                        let taken = self.counted.grow(more);
                        taken.map_err(|short| self.allowed.short(short, more))?;
                        self.raw.put(data);
                    }
                }
            }
        }
    }

    /// Takes a message out of what has come in, if it is whole.
    fn message(&mut self) -> Result<Option<One>, Status> {
        let Some((packed, length)) = header(&self.raw) else {
            return Ok(None);
        };
        if self.seen == self.allowed.messages {
            return Err(self.allowed.too_many());
        }
        if length > self.allowed.message {
            return Err(self.allowed.too_large(length));
        }
        if self.raw.len() < HEADER + length {
            return Ok(None);
        }
        self.seen += 1;
        let framed = self.raw.split_to(HEADER + length);
        let taken = self.allowed.bytes.take(0, &self.held);
        let mut taken = taken.map_err(|short| self.allowed.short(short, 0))?;
        let framed = match packed {
            0 => {
                // They change hands; the connection holds as many as before.
                self.counted.shrink(framed.len() as u64);
                self.grow(&mut taken, framed.len() as u64)?;
                framed
            }
            1 if self.gzip => {
                let inflated = self.inflate(&framed, &mut taken)?;
                self.counted.shrink(framed.len() as u64);
                inflated
            }
            1 => return Err(broken("a message is packed, and no grpc-encoding says how")),
            _ => return Err(broken("a message is neither packed nor not")),
        };
        let parts = SHAPES.weigh(self.shape, framed.get(HEADER..).unwrap_or_default());
        if parts > self.allowed.bytes.max() {
            return Err(self.allowed.too_many_parts(parts));
        }
        self.grow(&mut taken, parts)?;
        let framed = framed.freeze();
        Ok(Some(One { framed, taken }))
    }

    fn inflate(&self, framed: &[u8], taken: &mut Taken) -> Result<BytesMut, Status> {
        let mut out = BytesMut::new();
        out.put_bytes(0, HEADER);
        let mut length = 0;
        let leave = |more: usize| {
            length += more;
            if length > self.allowed.message {
                return Err(self.allowed.too_large(length));
            }
            self.grow(taken, more as u64)
        };
        let packed = framed.get(HEADER..).unwrap_or_default();
        let mut out = inflate(packed, out, leave).map_err(|unfit| match unfit {
            Unfit::Stopped(status) => status,
            Unfit::Broken(error) => broken(&format!("a message is no gzip: {error}")),
        })?;
        let length = u32::try_from(out.len() - HEADER).unwrap_or(u32::MAX);
        if let Some(header) = out.get_mut(1..HEADER) {
            header.copy_from_slice(&length.to_be_bytes());
        }
        Ok(out)
    }

    fn grow(&self, taken: &mut Taken, more: u64) -> Result<(), Status> {
        let grown = taken.grow(more);
        grown.map_err(|short: Short| self.allowed.short(short, more))
    }
}

/// Many messages are handed on one by one. The bytes of each count until the next is asked for.
impl http_body::Body for Messages {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        self.last = None;
        let message = ready!(self.poll_message(cx)).transpose();
        Poll::Ready(message.map(|message| {
            let One { framed, taken } = message?;
            self.last = Some(taken);
            Ok(Frame::data(framed))
        }))
    }
}

/// Whether the message at the beginning is packed, and its length.
fn header(mut bytes: &[u8]) -> Option<(u8, usize)> {
    if bytes.len() < HEADER {
        return None;
    }
    Some((bytes.get_u8(), bytes.get_u32() as usize))
}

/// Something that no gRPC client sends.
fn broken(what: &str) -> Status {
    malformed::no_frames(what)
}
