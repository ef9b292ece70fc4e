//! A look at a library's bytes before the system opens it.
//!
//! The system's loader trusts what a library's header says: one that is cut short it maps beyond
//! its end, and the process dies at the first touch.

/// The parts of a header that are looked at, by where they lie.
const CLASS: usize = 4;
const ORDER: usize = 5;
const KIND: usize = 16;
const MACHINE: usize = 18;
const SEGMENTS_AT: usize = 32;
const SEGMENT_SIZE: usize = 54;
const SEGMENT_COUNT: usize = 56;
/// And of a segment.
const OFFSET: usize = 8;
const FILE_SIZE: usize = 32;

const CLASS_64: u8 = 2;
const LITTLE_ENDIAN: u8 = 1;
const BIG_ENDIAN: u8 = 2;
const SHARED_LIBRARY: u16 = 3;

/// Checks that bytes are a whole library for this machine, as far as a look can tell.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    if !cfg!(target_os = "linux") || !cfg!(target_pointer_width = "64") {
        return Ok(());
    }
    if !bytes.starts_with(b"\x7fELF") {
        return Err("it is no library: it does not begin with the letters ELF".into());
    }
    let order = if cfg!(target_endian = "little") {
        LITTLE_ENDIAN
    } else {
        BIG_ENDIAN
    };
    if bytes.get(CLASS) != Some(&CLASS_64) || bytes.get(ORDER) != Some(&order) {
        return Err("it is for a machine of another word size or byte order".into());
    }
    segments(bytes).ok_or("it is cut short")?
}

/// Nothing, if the bytes end before something that they speak of.
fn segments(bytes: &[u8]) -> Option<Result<(), String>> {
    if short(bytes, KIND)? != SHARED_LIBRARY {
        return Some(Err("it is no shared library".into()));
    }
    let machine = short(bytes, MACHINE)?;
    if this_machine().is_some_and(|this| this != machine) {
        return Some(Err(format!(
            "it is for another machine (number {machine} of the ELF list)"
        )));
    }
    let at = usize::try_from(long(bytes, SEGMENTS_AT)?).ok()?;
    let size = usize::from(short(bytes, SEGMENT_SIZE)?);
    for index in 0..usize::from(short(bytes, SEGMENT_COUNT)?) {
        let segment = bytes.get(at.checked_add(index * size)?..)?;
        let end = long(segment, OFFSET)?.checked_add(long(segment, FILE_SIZE)?)?;
        if end > bytes.len() as u64 {
            return None;
        }
    }
    Some(Ok(()))
}

/// The number of this machine in the list of the ELF standard, if it is one of the usual.
fn this_machine() -> Option<u16> {
    match std::env::consts::ARCH {
        "x86_64" => Some(62),
        "aarch64" => Some(183),
        "riscv64" => Some(243),
        _ => None,
    }
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes
        .get(at..)?
        .first_chunk()
        .map(|chunk| u16::from_ne_bytes(*chunk))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes
        .get(at..)?
        .first_chunk()
        .map(|chunk| u64::from_ne_bytes(*chunk))
}
