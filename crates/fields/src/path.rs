//! What is wrong with a file, and where.

use std::fmt;

/// What is wrong with a file: the field, the line where that is known, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The path of the field, as in `overlay[0].on[1]`; empty for the file as a whole.
    pub path: String,
    /// The line of the file, counted from 1.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for FieldError {}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To a field.
    Key(String),
    /// To an item of a list, counted from 0.
    At(usize),
}

/// The path of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

impl Path {
    /// A field at the top.
    #[must_use]
    pub fn of(key: &str) -> Self {
        Self::default().key(key)
    }

    /// A field below this one.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.step(Step::Key(key.to_owned()))
    }

    /// An item of this list, counted from 0.
    #[must_use]
    pub fn at(&self, index: usize) -> Self {
        self.step(Step::At(index))
    }

    /// A field below this one, or an item of this list.
    #[must_use]
    pub fn step(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    /// Its steps, from the top.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// What is wrong here.
    #[must_use]
    pub fn wrong(&self, what: impl Into<String>) -> Wrong {
        Wrong {
            path: self.clone(),
            what: what.into(),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if index == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::At(at) => write!(f, "[{at}]")?,
            }
        }
        Ok(())
    }
}

/// A field that is wrong, in a file whose text is not at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The field.
    pub path: Path,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl From<Wrong> for FieldError {
    fn from(wrong: Wrong) -> Self {
        Self {
            path: wrong.path.to_string(),
            line: None,
            what: wrong.what,
        }
    }
}

/// What is wrong with a file: all of it, or as much as anybody will read.
#[derive(Debug)]
pub struct Found {
    wrongs: Vec<Wrong>,
    most: usize,
}

impl Found {
    /// Nothing yet, and never more than so much.
    #[must_use]
    pub fn at_most(most: usize) -> Self {
        Self {
            wrongs: Vec::new(),
            most,
        }
    }

    /// Notes one more.
    pub fn note(&mut self, wrong: Wrong) {
        if !self.is_full() {
            self.wrongs.push(wrong);
        }
    }

    /// Whether there is no use in looking for more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.wrongs.len() >= self.most
    }

    /// What is made, if nothing is wrong with it.
    ///
    /// # Errors
    /// All that is.
    pub fn unless<T>(self, made: T) -> Result<T, Vec<Wrong>> {
        if self.wrongs.is_empty() {
            Ok(made)
        } else {
            Err(self.wrongs)
        }
    }
}
