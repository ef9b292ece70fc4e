//! Lengths of time and amounts of memory, as people write them.

use std::time::Duration;

use bytesize::ByteSize;

/// A length of time: `250ms`, `3s`, `1m 30s`. A bare number is milliseconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(milliseconds) = text.trim().parse() {
        return Ok(Duration::from_millis(milliseconds));
    }
    humantime::parse_duration(text).map_err(|error| {
        format!("{error}; write 250ms, 3s or 1m 30s (a bare number is milliseconds)")
    })
}

/// A length of time that is not none.
pub(crate) fn some_time(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("it must be more than nothing".to_owned()),
        time => Ok(time),
    }
}

/// How long ago: with its unit, for a bare number might be meant as days.
pub(crate) fn age(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| format!("{error}; write 30d, 12h or 0s"))
}

/// A number that is not 0.
pub(crate) fn some(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(0) => Err("it must be at least 1".to_owned()),
        read => read.map_err(|error| error.to_string()),
    }
}

/// An amount of memory or of disk: `64KiB`, `4MiB`, `2GB`. A bare number is bytes.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    const HOW: &str = "write 64KiB, 4MiB or 2GB (a bare number is bytes)";
    let size: ByteSize = text.parse().map_err(|why| format!("{why}; {HOW}"))?;
    usize::try_from(size.as_u64())
        .map_err(|_| format!("is more than this machine can count; {HOW}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_something_is_not_nothing() {
        assert_eq!(some("1"), Ok(1));
        assert!(some("0").is_err() && some("-1").is_err());
        assert_eq!(some_time("10s"), Ok(Duration::from_secs(10)));
        assert!(some_time("0").is_err() && some_time("0s").is_err());
    }

    #[test]
    fn an_age_has_a_unit() {
        assert_eq!(age("30d"), Ok(Duration::from_secs(30 * 86_400)));
        assert_eq!(age("0s"), Ok(Duration::ZERO));
        assert!(age("30").is_err());
    }

    #[test]
    fn lengths_of_time_are_read_as_people_write_them() {
        for (text, milliseconds) in [
            ("3000", 3_000),
            ("0", 0),
            ("250ms", 250),
            ("3s", 3_000),
            ("1m 30s", 90_000),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for wrong in ["", "soon", "-1", "3 parsecs", "1.5"] {
            let why = duration(wrong).unwrap_err();
            assert!(why.contains("write 250ms"), "{wrong}: {why}");
        }
    }

    #[test]
    fn amounts_are_read_as_people_write_them() {
        for (text, amount) in [
            ("4194304", 4 << 20),
            ("4MiB", 4 << 20),
            ("64 KiB", 64 << 10),
            ("2GB", 2_000_000_000),
            ("2gib", 2 << 30),
        ] {
            assert_eq!(bytes(text), Ok(amount), "{text}");
        }
        for wrong in ["", "much", "-1", "4 acres"] {
            let why = bytes(wrong).unwrap_err();
            assert!(why.contains("write 64KiB"), "{wrong}: {why}");
        }
    }
}
