//! Messages that come in gzip, inflated no further than they may be.

use std::io::{self, Write as _};

use bytes::{BufMut as _, BytesMut};
use flate2::write::GzDecoder;

/// How much is inflated between two looks at the limit.
const PIECE: usize = 8 << 10;

/// Why a message is not inflated.
#[derive(Debug)]
pub(crate) enum Unfit<E> {
    /// It is no gzip, or breaks off.
    Broken(io::Error),
    /// There was no leave to go on.
    Stopped(E),
}

/// Inflates a message after the bytes that `out` has already. Asks for leave before each piece that
/// is added, with its length.
pub(crate) fn inflate<E>(
    packed: &[u8],
    out: BytesMut,
    leave: impl FnMut(usize) -> Result<(), E>,
) -> Result<BytesMut, Unfit<E>> {
    let mut decoder = GzDecoder::new(Careful {
        out,
        leave,
        stopped: None,
    });
    for piece in packed.chunks(PIECE) {
        let written = decoder.write_all(piece);
        if let Some(stopped) = decoder.get_mut().stopped.take() {
            return Err(Unfit::Stopped(stopped));
        }
        written.map_err(Unfit::Broken)?;
    }
    let finished = decoder.try_finish();
    if let Some(stopped) = decoder.get_mut().stopped.take() {
        return Err(Unfit::Stopped(stopped));
    }
    finished.map_err(Unfit::Broken)?;
    Ok(std::mem::take(&mut decoder.get_mut().out))
}

/// Takes what is inflated while it has leave to.
struct Careful<F, E> {
    out: BytesMut,
    leave: F,
    stopped: Option<E>,
}

impl<E, F: FnMut(usize) -> Result<(), E>> io::Write for Careful<F, E> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stopped.is_none()
            && let Err(stopped) = (self.leave)(bytes.len())
        {
            self.stopped = Some(stopped);
        }
        if self.stopped.is_some() {
            return Err(io::Error::other("stopped"));
        }
        self.out.put_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_was_packed_comes_out() {
        for length in [0, 1, 100_000] {
            let text: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            let out = inflate(&packed(&text), BytesMut::from(&b"head"[..]), |_| {
                Ok::<_, ()>(())
            });
            assert_eq!(&out.unwrap()[4..], text);
        }
    }

    #[test]
    fn it_goes_no_further_than_it_has_leave_to() {
        // A thousand times as long inflated.
        let bomb = packed(&vec![0; 16 << 20]);
        assert!(bomb.len() < 32 << 10);
        let (mut left, mut asked) = (1 << 20, 0);
        let leave = |more: usize| -> Result<(), usize> {
            asked += more;
            left = usize::checked_sub(left, more).ok_or(asked)?;
            Ok(())
        };
        let stopped = inflate(&bomb, BytesMut::new(), leave);
        assert!(
            matches!(stopped, Err(Unfit::Stopped(at)) if at < 2 << 20),
            "{stopped:?}"
        );
    }

    #[test]
    fn what_is_no_gzip_or_breaks_off_is_told() {
        let whole = packed(b"a message");
        let cut = &whole[..whole.len() - 1];
        for packed in [&b"no gzip at all, this"[..], cut, b""] {
            let out = inflate(packed, BytesMut::new(), |_| Ok::<_, ()>(()));
            assert!(matches!(out, Err(Unfit::Broken(_))), "{packed:?}: {out:?}");
        }
    }
}
