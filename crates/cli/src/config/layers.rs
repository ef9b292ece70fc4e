//! Flags over the environment over the file over the defaults.
//!
//! What the environment and the file say is put before the flags that were given, unless a flag or the
//! environment says otherwise, and then clap reads the whole. So all has one meaning and one check,
//! wherever it was said.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches as _};

use super::check;
use super::fault::{Fault, Place};
use super::file::{self, ConfigFile, Said};
use super::options::{self, SERVE, ServeOption, Takes};
use crate::args::{Cli, Command, Serve};
use crate::exit::Exit;

/// The options that are read anew on SIGHUP; all others hold from the next start.
const AT_ONCE: [&str; 1] = ["log-level"];

/// An option as it is in force.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) option: ServeOption,
    /// Its values; none where it is not set.
    pub(crate) values: Vec<String>,
    pub(crate) place: Place,
}

/// How a service is to be, and where each part of that was said.
#[derive(Debug)]
pub(crate) struct Configured {
    pub(crate) serve: Box<Serve>,
    pub(crate) sources: Sources,
}

/// Where each part of a configuration was said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    /// The file that was read, if there is one.
    pub(crate) file: Option<PathBuf>,
    pub(crate) settings: Vec<Setting>,
}

/// Why there is no configuration.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// The flags are not as they should be, or ask for help.
    Usage(Box<clap::Error>),
    /// What the file or the environment says is not.
    Faults(Vec<Fault>),
}

/// What is said of an option in the place that counts.
struct Given {
    values: Vec<String>,
    place: Place,
}

/// What the environment says by a name.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Configured {
    /// Reads a configuration: these flags of `alamein serve`, this environment, and the file that they
    /// name, or that is there.
    pub(crate) fn of(flags: &[OsString], env: Environment<'_>) -> Result<Self, Unfit> {
        match Self::survey(flags, env)? {
            (Some(configured), faults) if faults.is_empty() => Ok(configured),
            (_, faults) => Err(Unfit::Faults(faults)),
        }
    }

    /// The same, with all that is wrong with it. If there is one in spite of that, it is made of the
    /// rest.
    ///
    /// # Errors
    /// Flags that are not as they should be.
    pub(super) fn survey(
        flags: &[OsString],
        env: Environment<'_>,
    ) -> Result<(Option<Self>, Vec<Fault>), Unfit> {
        let options = options::all();
        let seen = look(flags)?;
        let by_flag = |id: &str| {
            seen.try_contains_id(id).unwrap_or(false)
                && seen.value_source(id) == Some(ValueSource::CommandLine)
        };
        let named = match by_flag(options::CONFIG) {
            true => seen.get_one::<PathBuf>(options::CONFIG).cloned(),
            false => env(options::CONFIG_ENV)
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
        };
        let (mut said, mut faults) = (Vec::new(), Vec::new());
        let path = file::find(named);
        if let Some(path) = path.clone() {
            match ConfigFile::read(path, &options) {
                Ok(file) => {
                    faults.extend(file.faults);
                    said.extend(file.said);
                }
                Err(unreadable) => faults.extend(unreadable),
            }
        }
        // The environment comes last, and so counts.
        said.extend(
            options
                .iter()
                .filter_map(|option| of_environment(option, env)),
        );
        let deaf = options::deaf();
        let mut given = BTreeMap::new();
        for Said { id, values, place } in said {
            match wrong(&id, &values, &place, &options, &deaf) {
                Some(fault) => faults.push(fault),
                None if by_flag(&id) => {}
                None => {
                    given.insert(id, Given { values, place });
                }
            }
        }
        let line = whole(flags, &options, &given);
        let matches = match deaf.clone().try_get_matches_from(line) {
            Ok(matches) => matches,
            Err(error) => {
                faults.push(unfit(error, &options, &given, &deaf)?);
                return Ok((None, faults));
            }
        };
        let cli = Cli::from_arg_matches(&matches);
        let cli = cli.map_err(|error| Unfit::Usage(Box::new(error)))?;
        let Command::Serve(serve) = cli.command else {
            return Ok((None, faults));
        };
        let sources = Sources {
            file: path,
            settings: settings(options, &matches, &given),
        };
        faults.extend(sources.settings.iter().filter_map(check::password_for_all));
        Ok((Some(Self { serve, sources }), faults))
    }
}

impl Configured {
    /// What a process with the flags of this one would find now.
    ///
    /// # Errors
    /// Where it could not be started, and why.
    pub(crate) fn again() -> Result<Self, String> {
        let flags: Vec<OsString> = std::env::args_os().skip(2).collect();
        Self::of(&flags, &environment).map_err(|unfit| match unfit {
            Unfit::Usage(error) => error.to_string(),
            Unfit::Faults(faults) => {
                let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
                faults.join("; ")
            }
        })
    }
}

impl Unfit {
    /// Tells why, and gives the status to end with.
    pub(crate) fn tell(self) -> ExitCode {
        match self {
            Self::Usage(error) => error.exit(),
            Self::Faults(faults) => {
                for fault in faults {
                    eprintln!("alamein: {fault}");
                }
                Exit::Configuration.into()
            }
        }
    }
}

impl Sources {
    /// What would be in force otherwise if this process were started now, in words.
    ///
    /// # Errors
    /// Where it could not be started, and why.
    pub(crate) fn changes(&self) -> Result<String, String> {
        let now = Configured::again()?;
        let pairs = self.settings.iter().zip(&now.sources.settings);
        let changed = pairs.filter(|(before, now)| {
            let later = !AT_ONCE.contains(&&*now.option.name);
            later && before.values != now.values
        });
        let changed: Vec<_> = changed.map(|(_, now)| now.option.key()).collect();
        Ok(match changed.is_empty() {
            true => "nothing has changed".to_owned(),
            false => format!(
                "{} will be in force after the next start",
                changed.join(", ")
            ),
        })
    }

    /// What is wrong, said of flags, as it is to be told where they were set elsewhere.
    pub(crate) fn fault(&self, told: &str) -> Fault {
        let mut what = told.to_owned();
        let mut first: Option<(usize, &Setting)> = None;
        for setting in self.settings.iter().filter(|it| it.is_elsewhere()) {
            let flag = format!("--{}", setting.option.name);
            if let Some(at) = word_at(told, &flag)
                && first.is_none_or(|(before, _)| at < before)
            {
                first = Some((at, setting));
            }
            what = replace_word(&what, &flag, &setting.option.key());
        }
        let Some((_, setting)) = first else {
            return Fault::new(Place::Flag, "", told);
        };
        let key = setting.option.key();
        let rest = what.strip_prefix(&format!("{key}: ")).unwrap_or(&what);
        Fault::new(setting.place.clone(), &*key, rest)
    }
}

impl Setting {
    /// Whether it is set, and not by a flag.
    fn is_elsewhere(&self) -> bool {
        matches!(self.place, Place::File(..) | Place::Environment(_))
    }
}

/// Where a flag stands whole: not `--lock` in `--lock-file`.
fn word_at(text: &str, flag: &str) -> Option<usize> {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut places = text.match_indices(flag);
    let whole = places.find(|(at, _)| !text[at + flag.len()..].starts_with(goes_on));
    whole.map(|(at, _)| at)
}

/// Replaces a flag wherever it stands whole.
fn replace_word(text: &str, flag: &str, by: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = word_at(rest, flag) {
        out.push_str(&rest[..at]);
        out.push_str(by);
        rest = &rest[at + flag.len()..];
    }
    out + rest
}

/// What the flags alone say. Only what was given counts; whether it makes sense is seen later.
fn look(flags: &[OsString]) -> Result<ArgMatches, Unfit> {
    let line = ["alamein".into(), SERVE.into()];
    let line = line.into_iter().chain(flags.iter().cloned());
    let matches = options::shown()
        .ignore_errors(true)
        .try_get_matches_from(line);
    let mut matches = matches.map_err(|error| Unfit::Usage(Box::new(error)))?;
    Ok(matches
        .remove_subcommand()
        .map(|(_, it)| it)
        .unwrap_or_default())
}

/// What the environment says of an option. An empty value says nothing; a list is parted by lines if it
/// has any, else by commas.
fn of_environment(option: &ServeOption, env: &dyn Fn(&str) -> Option<String>) -> Option<Said> {
    let value = env(&option.env).filter(|value| !value.is_empty())?;
    let values = match option.takes {
        Takes::Many => {
            let by = if value.contains('\n') { '\n' } else { ',' };
            let items = value
                .split(by)
                .map(str::trim)
                .filter(|item| !item.is_empty());
            items.map(str::to_owned).collect()
        }
        Takes::Switch | Takes::One => vec![value],
    };
    Some(Said {
        id: option.id.clone(),
        values,
        place: Place::Environment(option.env.clone()),
    })
}

/// What is wrong with the values of an option, each for itself.
fn wrong(
    id: &str,
    values: &[String],
    place: &Place,
    options: &[ServeOption],
    command: &clap::Command,
) -> Option<Fault> {
    let option = options.iter().find(|option| option.id == id)?;
    values.iter().find_map(|value| {
        let flag = format!("--{}={value}", option.name);
        let line = ["alamein", SERVE, &flag];
        let error = command.clone().try_get_matches_from(line).err()?;
        let what = match error.kind() {
            // It needs others beside it, which is seen when all are there.
            ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict => return None,
            _ => why(&error),
        };
        let what = format!("{:?}: {what}", redacted(value));
        Some(Fault::new(place.clone(), option.key(), what))
    })
}

/// What clap holds against a value, without the flag that nobody gave.
fn why(error: &clap::Error) -> String {
    if let Some(source) = std::error::Error::source(error) {
        return source.to_string();
    }
    let words = |kind| match error.get(kind) {
        Some(ContextValue::Strings(words)) => Some(words.join(", ")),
        _ => None,
    };
    match words(ContextKind::ValidValue) {
        Some(words) => format!("is none of {words}"),
        None => error.to_string(),
    }
}

/// The whole command line: what is given elsewhere, then the flags.
fn whole(
    flags: &[OsString],
    options: &[ServeOption],
    given: &BTreeMap<String, Given>,
) -> Vec<OsString> {
    let mut line: Vec<OsString> = vec!["alamein".into(), SERVE.into()];
    for option in options {
        let values = given.get(&option.id).map(|given| &given.values);
        for value in values.into_iter().flatten() {
            // A switch that is not set asks for nothing else beside it.
            let off = option.takes == Takes::Switch && !is_on(value);
            if !off {
                line.push(format!("--{}={value}", option.name).into());
            }
        }
    }
    line.extend(flags.iter().cloned());
    line
}

/// Whether a switch is on, by a word that clap takes for one.
pub(super) fn is_on(value: &str) -> bool {
    let off = ["false", "f", "no", "n", "off", "0"];
    !off.contains(&value.to_lowercase().as_str())
}

/// Options that do not go together, or lack one. Those that were not given as flags are named as they
/// were given.
fn unfit(
    error: clap::Error,
    options: &[ServeOption],
    given: &BTreeMap<String, Given>,
    command: &clap::Command,
) -> Result<Fault, Unfit> {
    let told = error.to_string();
    let what = told.split("\n\n").next().unwrap_or_default();
    let is_at_fault = |option: &ServeOption, values: &[String]| {
        if word_at(what, &format!("--{}", option.name)).is_some() {
            return true;
        }
        // It may be what needs that which is missing.
        let alone = values.iter().map(|it| format!("--{}={it}", option.name));
        let alone = ["alamein".into(), SERVE.into()].into_iter().chain(alone);
        let lacks = command.clone().try_get_matches_from(alone).err();
        lacks.is_some_and(|lacks| {
            missing(&lacks)
                .iter()
                .any(|it| missing(&error).contains(it))
        })
    };
    let all = options
        .iter()
        .filter_map(|it| Some((it, given.get(&it.id)?)));
    let elsewhere: Vec<_> = all
        .filter(|(option, it)| is_at_fault(option, &it.values))
        .collect();
    let Some((first, place)) = elsewhere
        .first()
        .map(|(option, it)| (*option, it.place.clone()))
    else {
        return Err(Unfit::Usage(Box::new(error)));
    };
    let words: Vec<_> = what.split_whitespace().collect();
    let what = words.join(" ").trim_start_matches("error: ").to_owned();
    let places = elsewhere.iter().map(|(option, given)| {
        let (name, place) = (&option.name, &given.place);
        format!("--{name} is set by {place}")
    });
    let places: Vec<_> = places.collect();
    let what = format!("{what} ({})", places.join("; "));
    Ok(Fault::new(place, first.key(), what))
}

/// The flags that an error misses.
fn missing(error: &clap::Error) -> Vec<String> {
    match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(flags))) => flags.clone(),
        _ => Vec::new(),
    }
}

fn settings(
    options: Vec<ServeOption>,
    matches: &ArgMatches,
    given: &BTreeMap<String, Given>,
) -> Vec<Setting> {
    let matches = matches.subcommand().map(|(_, matches)| matches);
    let setting = |option: ServeOption| {
        let raw = matches.and_then(|it| it.get_raw(&option.id));
        let values = raw.into_iter().flatten();
        let values = values.map(|it| it.to_string_lossy().into_owned()).collect();
        let source = matches.and_then(|it| it.value_source(&option.id));
        let place = match (given.get(&option.id), source) {
            (Some(given), _) => given.place.clone(),
            (None, Some(ValueSource::CommandLine)) => Place::Flag,
            _ => Place::Default,
        };
        Setting {
            option,
            values,
            place,
        }
    };
    options.into_iter().map(setting).collect()
}

/// The environment of this process.
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// A value that may be shown: of a URL, without its password.
pub(super) fn redacted(value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://") else {
        return value.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    match authority.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((user, _)) => format!("{scheme}://{user}:***@{host}{path}"),
            None => value.to_owned(),
        },
        None => value.to_owned(),
    }
}

/// The flags of a service, with the file that it is to read.
pub(super) fn with_file(file: Option<&Path>, flags: &[String]) -> Vec<OsString> {
    let file = file.map(|file| {
        let mut flag = OsString::from("--config=");
        flag.push(file);
        flag
    });
    let flags = flags.iter().map(OsString::from);
    file.into_iter().chain(flags).collect()
}
