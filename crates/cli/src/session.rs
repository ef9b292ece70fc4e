//! A case and someone to judge it, and what is shown of a ruling.

use alamein_cases::{Export, Exported, Said, write};
use alamein_terrain::{Adjudicated, Ask, Digest, Question};
use anyhow::{Context, Result, bail};

use crate::args::{Asking, Output, RuleArgs, Scenario};
use crate::bench::{Bench, Judge};
use crate::paint::Paint;
use crate::saying::Speaker;
use crate::scenario::Stage;
use crate::{json, mapping, output, scenario};

/// A case, and someone to judge it.
pub(crate) struct Session {
    pub(crate) bench: Bench,
    pub(crate) judge: Judge,
    pub(crate) case: Stage,
}

impl Session {
    /// Reads the case, and gets someone who judges by the rules.
    pub(crate) fn open(scenario: &Scenario, rules: &RuleArgs) -> Result<Self> {
        let bench = Bench::open(rules)?;
        let case = scenario::read(scenario, &bench.facts().known)?;
        let judge = bench.judge(rules, &case.settings)?;
        Ok(Self { bench, judge, case })
    }

    /// Asks what a command asks, and shows the ruling.
    pub(crate) fn rule(
        asking: &Asking,
        id: &str,
        ask: impl FnOnce(&Stage) -> Result<Ask>,
    ) -> Result<()> {
        let session = Self::open(&asking.scenario, &asking.rules)?;
        let question = scenario::question(&session.case, ask(&session.case)?);
        session.show(&asking.output, id, &question)
    }

    /// Asks a question and shows the ruling.
    pub(crate) fn show(&self, wanted: &Output, id: &str, question: &Question) -> Result<()> {
        let one = std::slice::from_ref(question);
        let said = self.judge.ask(&self.case.position, one, true)?;
        let ruled = match said.into_iter().next().context("there is no answer")? {
            Said::Ruled(ruled) => *ruled,
            Said::NotImplemented { plugin, rule } => bail!(
                "plugin {plugin} does not implement its rule {rule}, on which this turns; there is \
                 no ruling"
            ),
            Said::Refused(why) => bail!("{why}"),
        };
        self.tell_names();
        if wanted.json {
            output::line(&format!("{:#}", json::adjudicated(&ruled, wanted.explain)))?;
        } else {
            if wanted.picture {
                let facts = self.bench.facts();
                output::line(&mapping::of_question(&self.case, question, facts))?;
            }
            output::put(&self.speaker(wanted.explain).ruling(question, &ruled))?;
        }
        let ruled = &ruled;
        let exported = Exported {
            id,
            question,
            ruled,
        };
        self.save(wanted, &[exported], ruled.ruling.rules)
    }

    /// Tells what hexes are called that were named otherwise.
    pub(crate) fn tell_names(&self) {
        if let Some(renamed) = self.case.renamed() {
            eprintln!("alamein: note: {renamed}");
        }
    }

    /// Who puts rulings into words.
    pub(crate) fn speaker(&self, explain: bool) -> Speaker<'_> {
        Speaker {
            position: &self.case.position,
            facts: self.bench.facts(),
            paint: Paint::of_terminal(),
            explain,
        }
    }

    /// Saves rulings if that is wanted.
    pub(crate) fn save(
        &self,
        wanted: &Output,
        rulings: &[Exported<'_>],
        fingerprint: Digest,
    ) -> Result<()> {
        let Some(file) = &wanted.save else {
            return Ok(());
        };
        let name = file.file_stem().map(|stem| stem.to_string_lossy());
        let export = Export {
            id: name.as_deref().unwrap_or("case"),
            position: &self.case.position,
            rulings,
            settings: &self.judge.settings(),
            fingerprint,
        };
        let text = write(&export, &self.bench.facts().known);
        // Never over a file that is there: it may be the one that the question came from.
        let written = std::fs::File::create_new(file)
            .and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
        written.with_context(|| format!("--save {}", file.display()))?;
        eprintln!("saved; `alamein check {}` replays it", file.display());
        Ok(())
    }
}

/// A ruling that no other policy would change.
pub(crate) fn alone(ruling: &alamein_terrain::Ruling) -> Adjudicated {
    Adjudicated {
        ruling: ruling.clone(),
        other_policies: Vec::new(),
    }
}
