//! A service whose plugins are replaced, and what it must say by each of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alamein_cases::{Asked, Known};
use alamein_engine::{Ruleset, RulesetConfig, Threads, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{Adjudicated, Digest, Position, Question};
use anyhow::{Context, Result, anyhow};
use tempfile::TempDir;

use crate::serving::Server;
use crate::swapped::{ID, temporary};
use crate::{linked_plugins, plugin_folder, root};

/// The ruleset that has the plugin which is replaced.
pub const CLUB: &str = "club";

/// A service with the seven plugins, a folder for one more, and a ruleset of all eight.
#[derive(Debug)]
pub struct Stage {
    /// The service.
    pub server: Server,
    folder: TempDir,
}

impl Stage {
    /// Starts it with this build of the eighth, and waits until it listens.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn start(first: &Path, flags: &[&str]) -> Result<Self> {
        let folder = temporary()?;
        let house = folder.path().join("house");
        fs::create_dir(&house)?;
        lay_in(&house, "first", first)?;
        let plugins = linked_plugins()?;
        let seven = plugins.iter().map(NativePlugin::id);
        let all: String = seven
            .chain([ID])
            .map(|id| format!("{id} = \"*\"\n"))
            .collect();
        let club = folder.path().join("club.toml");
        fs::write(&club, format!("name = \"{CLUB}\"\n[plugins]\n{all}"))?;
        let text = |path: &Path| path.display().to_string();
        let admin = format!("unix:{}", text(&folder.path().join("admin.sock")));
        let (house, club) = (text(&house), text(&club));
        let mut all = vec![
            "--plugin-dir",
            &house,
            "--rulesets",
            &club,
            "--lame-duck",
            "0",
        ];
        if !flags.contains(&"--admin") {
            all.extend(["--admin", &admin]);
        }
        all.extend(flags);
        let server = Server::start(plugin_folder()?, &all)?;
        Ok(Self { server, folder })
    }

    /// Where its plugins are administered, unless flags said otherwise.
    #[must_use]
    pub fn admin(&self) -> String {
        format!("unix:{}", self.folder.path().join("admin.sock").display())
    }

    /// The folder of the eighth plugin.
    #[must_use]
    pub fn house(&self) -> PathBuf {
        self.folder.path().join("house")
    }

    /// Puts a copy of a build into that folder, at once.
    ///
    /// # Errors
    /// Where it cannot be copied.
    pub fn lay(&self, name: &str, build: &Path) -> Result<PathBuf> {
        lay_in(&self.house(), name, build)
    }
}

fn lay_in(house: &Path, name: &str, build: &Path) -> Result<PathBuf> {
    let (hidden, folder) = (house.join(format!(".{name}")), house.join(name));
    fs::create_dir(&hidden)?;
    for entry in fs::read_dir(build)? {
        let entry = entry?;
        if entry.path().is_file() {
            fs::copy(entry.path(), hidden.join(entry.file_name()))?;
        }
    }
    let cases = build.join("cases");
    if cases.is_dir() {
        fs::create_dir(hidden.join("cases"))?;
        for entry in fs::read_dir(cases)? {
            let entry = entry?;
            fs::copy(entry.path(), hidden.join("cases").join(entry.file_name()))?;
        }
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::rename(&hidden, &folder)?;
    Ok(folder)
}

/// A position, and shots in it.
#[derive(Clone, Debug)]
pub struct Shots {
    /// The position.
    pub position: Arc<Position>,
    /// The shots.
    pub questions: Vec<Question>,
}

/// The shots of the case about a deir's TEM.
///
/// # Errors
/// Where it cannot be read.
pub fn shots() -> Result<Shots> {
    let plugins = linked_plugins()?;
    let known = Known::of(plugins.iter().map(NativePlugin::manifest));
    let case = alamein_cases::load(&root().join("tests/cases/deir-tem.json"), &known)?;
    let asked = case.questions.iter();
    let asked = asked.filter_map(|question| match &question.asked {
        Asked::Question(asked) => Some((**asked).clone()),
        _ => None,
    });
    Ok(Shots {
        questions: asked.collect(),
        position: case.position,
    })
}

/// What must be said of the shots by each of some rules, by their fingerprints.
#[derive(Debug)]
pub struct Expected {
    threads: Threads,
    shots: Shots,
    by: BTreeMap<Digest, By>,
}

/// Rules, and what must be said by them.
#[derive(Debug)]
pub struct By {
    /// The rules.
    pub ruleset: Arc<Ruleset>,
    /// The rulings, in the order of the shots.
    pub rulings: Vec<Adjudicated>,
}

impl Expected {
    /// Nothing is expected yet.
    ///
    /// # Errors
    /// Where no threads can be had.
    pub fn of(shots: Shots) -> Result<Self> {
        Ok(Self {
            threads: Threads::new()?,
            shots,
            by: BTreeMap::new(),
        })
    }

    /// What is ruled in this process with a build of the eighth plugin. Gives the fingerprint.
    ///
    /// # Errors
    /// Where it cannot be loaded, or does not rule.
    pub fn add(&mut self, build: &Path) -> Result<Digest> {
        let mut plugins = linked_plugins()?;
        plugins.push(NativePlugin::load(build)?);
        let ruleset = Arc::new(Ruleset::build(&plugins, &RulesetConfig::default())?);
        let engine = self.threads.engine(Arc::clone(&ruleset));
        let wanted = Wanted {
            other_policies: true,
            ..Wanted::default()
        };
        let position = Arc::clone(&self.shots.position);
        let rulings = engine.adjudicate_here(&ruleset, position, &self.shots.questions, wanted)?;
        let rulings = rulings.into_iter().collect::<Result<_, _>>()?;
        let fingerprint = ruleset.fingerprint();
        self.by.insert(fingerprint, By { ruleset, rulings });
        Ok(fingerprint)
    }

    /// What must be said by the rules of a fingerprint.
    #[must_use]
    pub fn by(&self, fingerprint: Digest) -> Option<&By> {
        self.by.get(&fingerprint)
    }

    /// The fingerprints, in an order.
    pub fn fingerprints(&self) -> impl Iterator<Item = Digest> + '_ {
        self.by.keys().copied()
    }

    /// Checks an answer against the rules that it names: every ruling, to the byte. Gives the
    /// fingerprint of these.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, given: &[Adjudicated]) -> Result<Digest> {
        let named = given
            .first()
            .context("no ruling in the answer")?
            .ruling
            .rules;
        let by = self.by.get(&named);
        let by = by.ok_or_else(|| anyhow!("nobody knows the rules {named}"))?;
        let (there, here) = (bytes(given), bytes(&by.rulings));
        anyhow::ensure!(there.len() == here.len(), "a ruling is missing");
        for (at, (there, here)) in there.iter().zip(&here).enumerate() {
            anyhow::ensure!(there == here, "ruling {at} is not what {named} gives");
        }
        Ok(named)
    }
}

/// The canonical bytes of all that was ruled, ids and rules included.
#[must_use]
pub fn bytes(rulings: &[Adjudicated]) -> Vec<Vec<u8>> {
    let whole = |ruling: &alamein_terrain::Ruling| {
        let ids = [ruling.id, ruling.rules, ruling.position];
        [ruling.canonical(), format!("{ids:?}").into_bytes()].concat()
    };
    let all = rulings.iter().map(|adjudicated| {
        let others = adjudicated.other_policies.iter();
        let others = others.flat_map(|(_, ruling)| whole(ruling));
        [whole(&adjudicated.ruling), others.collect()].concat()
    });
    all.collect()
}
