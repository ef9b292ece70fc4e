//! The configuration file: which it is, and what it says.

use std::path::{Path, PathBuf};

use alamein_fields::{Tree, Value};

use super::fault::{Fault, Place};
use super::options::{self, ServeOption, Takes};

/// Where the file is looked for if none is named.
pub(super) const USUAL: [&str; 2] = ["alamein.toml", "/etc/alamein/alamein.toml"];

/// What a file says of an option.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// The id of the option.
    pub(super) id: String,
    /// Its values, as a flag would have them; none where it says that there are to be none.
    pub(super) values: Vec<String>,
    pub(super) place: Place,
}

/// A configuration file that was read.
#[derive(Clone, Debug)]
pub(super) struct ConfigFile {
    pub(super) path: PathBuf,
    pub(super) said: Vec<Said>,
    /// What is wrong with it.
    pub(super) faults: Vec<Fault>,
}

/// The file that is meant: the one that is named, or the first usual one that is there.
pub(super) fn find(named: Option<PathBuf>) -> Option<PathBuf> {
    let usual = || USUAL.iter().map(PathBuf::from).find(|path| path.exists());
    named.or_else(usual)
}

impl ConfigFile {
    /// Reads a file. What is wrong with what it says is among its faults.
    ///
    /// # Errors
    /// Where it cannot be read, or is no TOML.
    pub(super) fn read(path: PathBuf, options: &[ServeOption]) -> Result<Self, Vec<Fault>> {
        let at = |line| Place::File(path.clone(), line);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let what = format!("the configuration file cannot be read: {error}");
            vec![Fault::new(at(None), "", what)]
        })?;
        let tree = Tree::of_toml(&text).map_err(|errors| {
            let fault =
                |error: alamein_fields::FieldError| Fault::new(at(error.line), "", error.what);
            errors.into_iter().map(fault).collect::<Vec<_>>()
        })?;
        let mut file = Self {
            path,
            said: Vec::new(),
            faults: Vec::new(),
        };
        let Value::Table(fields) = tree.value else {
            return Ok(file);
        };
        for (name, tree) in fields {
            match tree.value {
                Value::Table(fields) if !options.iter().any(|option| option.name == name) => {
                    file.section(&name, fields, tree.line, options);
                }
                _ => file.field("", &name, tree, options),
            }
        }
        Ok(file)
    }

    fn section(
        &mut self,
        section: &str,
        fields: Vec<(String, Tree)>,
        line: Option<usize>,
        options: &[ServeOption],
    ) {
        let sections = || options.iter().map(ServeOption::section);
        if !section.is_empty() && !sections().any(|known| known == section) {
            let what = format!(
                "there is no section [{section}]{}",
                meant(section, sections().collect())
            );
            self.faults.push(Fault::new(self.at(line), section, what));
            return;
        }
        for (name, tree) in fields {
            self.field(section, &name, tree, options);
        }
    }

    fn field(&mut self, section: &str, name: &str, tree: Tree, options: &[ServeOption]) {
        let key = match section {
            "" => name.to_owned(),
            section => format!("{section}.{name}"),
        };
        let place = self.at(tree.line);
        let Some(option) = options.iter().find(|option| option.name == name) else {
            self.faults
                .push(Fault::new(place, key, unknown(name, options)));
            return;
        };
        if option.section() != section {
            let what = match option.section() {
                belongs if belongs.is_empty() => {
                    "belongs to the top, before every [section]".into()
                }
                belongs => format!("belongs into [{belongs}]"),
            };
            self.faults.push(Fault::new(place, key, what));
            return;
        }
        match values(option, tree) {
            Ok(values) => {
                let folder = self.path.parent().unwrap_or(Path::new("")).to_owned();
                let values = values.iter().map(|value| option.in_folder(value, &folder));
                self.said.push(Said {
                    id: option.id.clone(),
                    values: values.collect(),
                    place,
                });
            }
            Err(what) => self.faults.push(Fault::new(place, key, what)),
        }
    }

    fn at(&self, line: Option<usize>) -> Place {
        Place::File(self.path.clone(), line)
    }
}

fn unknown(name: &str, options: &[ServeOption]) -> String {
    if name == options::CONFIG {
        return "a configuration file names no other".into();
    }
    let names = options.iter().map(|option| option.name.clone()).collect();
    format!("there is no such option{}", meant(name, names))
}

/// A guess at what was meant, as the end of a sentence.
fn meant(name: &str, known: Vec<String>) -> String {
    match near(name, known) {
        Some(known) => format!("; did you mean {known}?"),
        None => "; `alamein config init` lists all".into(),
    }
}

/// What is known by a name that is much like this one.
pub(super) fn near(name: &str, known: Vec<String>) -> Option<String> {
    let known = known.into_iter().filter(|known| !known.is_empty());
    let known = known.map(|known| (strsim::jaro_winkler(name, &known), known));
    let best = known.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (best.0 > 0.85).then_some(best.1)
}

/// The values of an option, as a flag would have them. An empty text is none.
fn values(option: &ServeOption, tree: Tree) -> Result<Vec<String>, String> {
    let items = match (tree.value, option.takes) {
        (Value::List(items), Takes::Many) => items,
        (Value::List(_), Takes::One) => return Err("takes one value and no list".into()),
        (Value::Flag(flag), Takes::Switch) => return Ok(vec![flag.to_string()]),
        (_, Takes::Switch) => return Err("is either true or false, without quotes".into()),
        (Value::Text(text), _) if text.is_empty() => return Ok(Vec::new()),
        (value, _) => vec![Tree { line: None, value }],
    };
    let text = |tree: Tree| match tree.value {
        Value::Text(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Flag(flag) => Ok(flag.to_string()),
        _ => Err(format!("is {}; write a text or a number", tree.kind())),
    };
    items.into_iter().map(text).collect()
}
