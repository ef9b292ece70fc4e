//! The options of `alamein serve`, as clap knows them. Everything else that speaks of options is made
//! of these: keys of the file, names in the environment, the documentation.

use std::path::PathBuf;

use clap::builder::{BoolishValueParser, Resettable};
use clap::{Arg, ArgAction, Command, CommandFactory as _};

use crate::args::{Cli, with_signs};

/// The subcommand whose options these are.
pub(super) const SERVE: &str = "serve";
/// The option that names the file. It is none of the file's own.
pub(super) const CONFIG: &str = "config";
/// Its name in the environment.
pub(super) const CONFIG_ENV: &str = "ALAMEIN_CONFIG";
/// What the names in the environment begin with.
pub(super) const PREFIX: &str = "ALAMEIN_";

/// How many values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// None: it is given or not.
    Switch,
    /// One.
    One,
    /// Any number.
    Many,
}

/// An option of `alamein serve`.
#[derive(Clone, Debug)]
pub(crate) struct ServeOption {
    /// By what clap knows it.
    pub(super) id: String,
    /// The long name of its flag, which is its key in the file.
    pub(crate) name: String,
    /// The heading under which help lists it; empty for none.
    pub(super) heading: String,
    /// Its name in the environment.
    pub(crate) env: String,
    pub(super) takes: Takes,
    /// What its value is, in a word.
    pub(super) value_name: String,
    /// Its value if it is not given.
    pub(super) default: Vec<String>,
    /// The words that it takes, if it takes but some.
    pub(super) words: Vec<String>,
    /// What it is for, whole.
    pub(super) help: String,
    is_path: bool,
}

impl ServeOption {
    fn of(arg: &Arg) -> Option<Self> {
        let name = arg.get_long().filter(|_| !arg.is_hide_set())?.to_owned();
        let takes = match arg.get_action() {
            ArgAction::SetTrue => Takes::Switch,
            ArgAction::Append => Takes::Many,
            _ => Takes::One,
        };
        let env = match arg.get_env() {
            Some(env) => env.to_string_lossy().into_owned(),
            None => format!("{PREFIX}{}", name.to_uppercase().replace('-', "_")),
        };
        let value_name = arg.get_value_names().and_then(|names| names.first());
        let help = arg.get_long_help().or(arg.get_help());
        let values = arg.get_default_values().iter();
        let words = arg.get_possible_values();
        Some(Self {
            id: arg.get_id().to_string(),
            heading: arg.get_help_heading().unwrap_or_default().to_owned(),
            env,
            takes,
            value_name: match takes {
                Takes::Switch => String::new(),
                _ => value_name.map(ToString::to_string).unwrap_or_default(),
            },
            default: match takes {
                Takes::Switch => vec!["false".to_owned()],
                _ => values.map(|it| it.to_string_lossy().into_owned()).collect(),
            },
            words: match takes {
                Takes::Switch => Vec::new(),
                _ => words.iter().map(|it| it.get_name().to_owned()).collect(),
            },
            help: help.map(ToString::to_string).unwrap_or_default(),
            is_path: arg.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>(),
            name,
        })
    }

    /// Its section in the file: the heading in lower case, with hyphens; empty for none.
    pub(super) fn section(&self) -> String {
        self.heading.to_lowercase().replace(' ', "-")
    }

    /// Its key in the file, with its section.
    pub(super) fn key(&self) -> String {
        match self.section() {
            section if section.is_empty() => self.name.clone(),
            section => format!("{section}.{}", self.name),
        }
    }

    /// A value as it is meant in a file that lies in `folder`: paths are relative to that.
    pub(super) fn in_folder(&self, value: &str, folder: &std::path::Path) -> String {
        let joined = folder.join(value);
        let mut kinds = self.value_name.split('|');
        // Some options take a path or something else: a word that they name, a URL, a key.
        let is_word = self.value_name.split('|').any(|kind| kind == value);
        let may_be_path = kinds.any(|kind| match kind {
            "DIR" => !is_word && !value.contains("://"),
            "FILE" => joined.exists(),
            _ => false,
        });
        if self.is_path || may_be_path {
            return joined.to_string_lossy().into_owned();
        }
        value.to_owned()
    }
}

/// All options that can be configured, in the order of the documentation.
pub(crate) fn all() -> Vec<ServeOption> {
    let cli = Cli::command();
    let args = cli.find_subcommand(SERVE).into_iter();
    let args = args.flat_map(Command::get_arguments);
    let mut options: Vec<_> = args.filter_map(ServeOption::of).collect();
    options.retain(|option| option.id != CONFIG);
    // What stands under one heading stands together, in the order in which the headings come first.
    let mut headings = vec![String::new()];
    for option in &options {
        if !headings.contains(&option.heading) {
            headings.push(option.heading.clone());
        }
    }
    options.sort_by_key(|option| headings.iter().position(|it| *it == option.heading));
    options
}

/// The command line as people see it: every option has its name in the environment, and a switch that
/// is set elsewhere can be taken back (`--watch=false`).
pub(crate) fn shown() -> Command {
    adapted(|option, arg| match arg.get_env() {
        Some(_) => arg.hide_env_values(true),
        None => arg.env(option.env.clone()).hide_env(true),
    })
}

/// The same, deaf to the environment.
pub(super) fn deaf() -> Command {
    adapted(|_, arg| arg.env(Resettable::Reset)).mut_subcommand(SERVE, |serve| {
        serve.mut_arg(CONFIG, |arg| arg.env(Resettable::Reset))
    })
}

fn adapted(adapt: impl Fn(&ServeOption, Arg) -> Arg) -> Command {
    let options = all();
    with_signs(Cli::command()).mut_subcommand(SERVE, |serve| {
        serve.mut_args(|arg| {
            let Some(option) = options
                .iter()
                .find(|option| arg.get_id() == option.id.as_str())
            else {
                return arg;
            };
            let arg = match option.takes {
                Takes::Switch => switch(arg),
                _ => arg,
            };
            adapt(option, arg)
        })
    })
}

fn switch(arg: Arg) -> Arg {
    arg.action(ArgAction::Set)
        .num_args(0..=1)
        .require_equals(true)
        .default_value("false")
        .default_missing_value("true")
        .value_parser(BoolishValueParser::new())
        .value_name("true|false")
        .hide_default_value(true)
        .hide_possible_values(true)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_options_have_one_name() {
        let options = all();
        for names in [
            options.iter().map(|it| it.env.clone()).collect::<Vec<_>>(),
            options.iter().map(|it| it.name.clone()).collect(),
        ] {
            let once: BTreeSet<_> = names.iter().collect();
            assert_eq!(once.len(), names.len(), "{names:?}");
        }
        // A key of the top would be taken for a section.
        for option in &options {
            assert!(
                options.iter().all(|it| it.section() != option.name),
                "{option:?}"
            );
        }
    }

    #[test]
    fn every_option_is_explained_and_says_what_it_takes() {
        for option in all() {
            assert!(!option.help.is_empty(), "{option:?}");
            assert!(
                option.takes == Takes::Switch || !option.value_name.is_empty(),
                "{option:?}"
            );
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        shown().debug_assert();
        deaf().debug_assert();
    }
}
