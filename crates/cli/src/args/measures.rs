//! Numbers, lengths of time and amounts of memory, as people write them.

use std::any::TypeId;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Arg, Command};

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

/// A reader of whole numbers from this one up. What the standard library says of others tells nobody what is
/// wanted, so every flag that counts is read by this.
pub(crate) fn whole<T: TryFrom<u64>>(
    least: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let text = text.trim();
        let number = text.parse::<u64>().ok().filter(|number| *number >= least);
        if let Some(number) = number {
            return T::try_from(number).map_err(|_| format!("{number} is more than it can be"));
        }
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        Err(match digits && text.parse::<u64>().is_err() {
            true => format!("{text} is more than it can be"),
            false => format!("write a whole number from {least} up"),
        })
    }
}

/// A reader of numbers, with a fraction or without, that lie between two.
pub(crate) fn number(
    between: RangeInclusive<f64>,
    of: impl Display,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    let how = format!("write {of} from {} to {}", between.start(), between.end());
    move |text| {
        let number = text.trim().parse::<f64>().ok();
        let number = number.filter(|number| between.contains(number));
        number.ok_or_else(|| how.clone())
    }
}

/// Whether a flag takes a number, or a time or an amount, which begin with one.
fn is_number(arg: &Arg) -> bool {
    let numbers = [
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
        TypeId::of::<f64>(),
        TypeId::of::<Duration>(),
    ];
    let takes = arg.get_value_parser().type_id();
    numbers.into_iter().any(|number| takes == number)
}

/// The command, with `-1` read as the value of a flag that takes a number: the flag then says what it wants,
/// where clap would say that there is no flag `-1`.
pub(crate) fn with_signs(command: Command) -> Command {
    command
        .mut_args(|arg| match is_number(&arg) {
            true => arg.allow_negative_numbers(true),
            false => arg,
        })
        .mut_subcommands(with_signs)
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
        assert_eq!(some_time("10s"), Ok(Duration::from_secs(10)));
        assert!(some_time("0").is_err() && some_time("0s").is_err());
    }

    #[test]
    fn a_whole_number_is_one_from_the_least_up() {
        assert_eq!(whole::<usize>(1)("1"), Ok(1));
        assert_eq!(whole::<u32>(0)(" 0 "), Ok(0));
        for wrong in ["0", "-1", "abc", "", "1.5", "1e3", "0x10"] {
            let why = whole::<usize>(1)(wrong).unwrap_err();
            assert_eq!(why, "write a whole number from 1 up", "{wrong}");
        }
        for wrong in ["65536", "99999999999999999999999"] {
            let why = whole::<u16>(0)(wrong).unwrap_err();
            assert_eq!(why, format!("{wrong} is more than it can be"));
        }
    }

    #[test]
    fn every_flag_that_takes_a_number_says_what_it_wants() {
        fn wrong(command: &Command, path: &[String], told: &mut Vec<String>) {
            for arg in command.get_arguments().filter(|arg| is_number(arg)) {
                let flag = format!("--{}", arg.get_long().unwrap());
                for value in ["-1", "abc"] {
                    let given = [flag.clone(), value.to_owned()];
                    let line = path.iter().chain(&given);
                    let error = crate::config::shown().try_get_matches_from(line);
                    told.push(error.unwrap_err().to_string());
                }
            }
            for below in command.get_subcommands() {
                let path: Vec<_> = path
                    .iter()
                    .cloned()
                    .chain([below.get_name().to_owned()])
                    .collect();
                wrong(below, &path, told);
            }
        }
        let (shown, mut told) = (crate::config::shown(), Vec::new());
        wrong(&shown, &["alamein".to_owned()], &mut told);
        assert!(told.len() > 100, "{told:#?}");
        for told in told {
            let first = told.lines().next().unwrap();
            let wants = ["write ", "rate is", "to 1000 tons", "number of tons"];
            assert!(first.starts_with("error: invalid value '"), "{told}");
            assert!(wants.iter().any(|it| first.contains(it)), "{told}");
        }
    }

    #[test]
    fn a_number_lies_between_two() {
        let seconds = number(0.1..=3600.0, "a number of seconds");
        assert_eq!(seconds("0.1"), Ok(0.1));
        assert_eq!(seconds("20"), Ok(20.0));
        for wrong in ["0", "-1", "", "soon", "NaN", "inf", "3601"] {
            let why = seconds(wrong).unwrap_err();
            assert_eq!(why, "write a number of seconds from 0.1 to 3600", "{wrong}");
        }
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
