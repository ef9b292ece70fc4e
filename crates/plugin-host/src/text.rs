//! Reading text that a plugin owns.

use alamein_plugin_abi::Bytes;

use crate::limits::TEXT_BYTES;

/// Bytes that a plugin lends.
///
/// # Safety
/// If not null, `bytes.ptr` must be valid for reads of `bytes.len` bytes for `'a`.
pub(crate) unsafe fn bytes<'a>(bytes: Bytes, limit: usize) -> Result<&'a [u8], String> {
    if bytes.len > limit {
        return Err(format!("is {} bytes long, of at most {limit}", bytes.len));
    }
    if bytes.len == 0 {
        return Ok(&[]);
    }
    if bytes.ptr.is_null() {
        return Err(format!("is a null pointer to {} bytes", bytes.len));
    }
    // SAFETY: not null, and valid for its length as the caller says, which is bounded.
    Ok(unsafe { std::slice::from_raw_parts(bytes.ptr, bytes.len) })
}

/// A name that a plugin lends: some UTF-8.
///
/// # Safety
/// As [`bytes`].
pub(crate) unsafe fn name<'a>(name: Bytes, limit: usize) -> Result<&'a str, String> {
    // SAFETY: as the caller says.
    let bytes = unsafe { bytes(name, limit) }?;
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())?;
    if text.is_empty() {
        Err("is empty".to_owned())
    } else {
        Ok(text)
    }
}

/// A text that a plugin lends, made fit for a log or an answer: no longer than it may be, and
/// with nothing in it that is not UTF-8 or that moves a cursor.
///
/// # Safety
/// As [`bytes`].
pub(crate) unsafe fn message(text: Bytes) -> Result<String, String> {
    let shown = Bytes {
        len: text.len.min(TEXT_BYTES),
        ..text
    };
    // SAFETY: as the caller says; shorter is valid too.
    let bytes = unsafe { bytes(shown, TEXT_BYTES) }?;
    let mut clean: String = String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.len > TEXT_BYTES {
        clean.push_str(&format!(" (cut: {} bytes in all)", text.len));
    }
    Ok(clean)
}
