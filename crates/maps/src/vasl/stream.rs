//! The layers around what `LOSData` holds: gzip, and in it a Java object stream that has nothing
//! but blocks of primitive data.

use std::io::{self, ErrorKind, Read, Take};

use flate2::bufread::GzDecoder;

use super::VaslError;

/// How a Java object stream begins: its magic number and its version.
const HEADER: [u8; 4] = [0xac, 0xed, 0x00, 0x05];

/// The tag of a block whose length is one byte.
const SHORT_BLOCK: u8 = 0x77;

/// The tag of a block whose length is four bytes.
const LONG_BLOCK: u8 = 0x7a;

/// How much is unpacked before the sizes are known.
const START: u64 = 64 * 1024;

/// Reads what the blocks hold, joined.
pub(super) struct Blocks<'a> {
    stream: Take<GzDecoder<&'a [u8]>>,
    /// What is left of the block that is being read.
    left: u32,
}

impl<'a> Blocks<'a> {
    /// Begins to read a `LOSData`.
    pub(super) fn new(los_data: &'a [u8]) -> Result<Self, VaslError> {
        let mut stream = GzDecoder::new(los_data).take(START);
        let mut header = [0; HEADER.len()];
        stream
            .read_exact(&mut header)
            .map_err(|error| wrong(&error))?;
        if header != HEADER {
            return Err(VaslError::los_data("it holds no Java object stream"));
        }
        Ok(Self { stream, left: 0 })
    }

    /// Allows for so many bytes more in blocks. The blocks' own tags may be as much again: no writer
    /// makes blocks of a byte or two.
    pub(super) fn expect(&mut self, bytes: usize) {
        self.stream.set_limit(START + 2 * bytes as u64);
    }

    /// Fills a buffer.
    pub(super) fn fill(&mut self, buffer: &mut [u8]) -> Result<(), VaslError> {
        self.read_exact(buffer).map_err(|error| wrong(&error))
    }

    /// Checks that nothing follows: no byte in a block, no block, no second gzip member.
    pub(super) fn finish(mut self) -> Result<(), VaslError> {
        let more = self.read(&mut [0]).map_err(|error| wrong(&error))?;
        let rest = self.stream.into_inner().into_inner();
        if more > 0 || !rest.is_empty() {
            return Err(VaslError::los_data("it goes on after its last hex"));
        }
        Ok(())
    }

    /// Reads the tag and length of the next block; false at the end of the stream.
    fn next_block(&mut self) -> io::Result<bool> {
        let mut tag = [0];
        if self.stream.read(&mut tag)? == 0 {
            return if self.stream.limit() == 0 {
                Err(too_long())
            } else {
                Ok(false)
            };
        }
        self.left = match tag {
            [SHORT_BLOCK] => {
                let mut length = [0];
                self.stream.read_exact(&mut length)?;
                u32::from(length[0])
            }
            [LONG_BLOCK] => {
                let mut length = [0; 4];
                self.stream.read_exact(&mut length)?;
                let length = i32::from_be_bytes(length);
                u32::try_from(length).map_err(|_| io::Error::other("a block of negative length"))?
            }
            [tag] => {
                let why = format!("tag {tag:#04x} where a block of data should begin");
                return Err(io::Error::other(why));
            }
        };
        if self.left == 0 {
            return Err(io::Error::other("a block of no bytes"));
        }
        Ok(true)
    }
}

impl Read for Blocks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.next_block()? {
            return Ok(0);
        }
        let most = buffer.len().min(self.left as usize);
        let read = match buffer.get_mut(..most) {
            Some(part) => self.stream.read(part)?,
            None => 0,
        };
        if read == 0 && most > 0 {
            if self.stream.limit() == 0 {
                return Err(too_long());
            }
            return Err(io::Error::new(
                ErrorKind::UnexpectedEof,
                "a block breaks off",
            ));
        }
        self.left -= u32::try_from(read).unwrap_or(self.left);
        Ok(read)
    }
}

fn too_long() -> io::Error {
    io::Error::other("it unpacks to more than its own sizes say")
}

fn wrong(error: &io::Error) -> VaslError {
    VaslError::los_data(match error.kind() {
        ErrorKind::UnexpectedEof => "it breaks off".to_owned(),
        _ => error.to_string(),
    })
}
