//! What came of a comparison, in words.

use std::fmt;

use super::difference::Difference;
use super::outcome::{Differing, Outcome};
use super::peer::Look;

/// The outcomes of the tables of some boards, by table.
#[derive(Debug, Default)]
pub struct Report(pub Vec<(String, Outcome)>);

impl Report {
    /// All that nobody can explain, and all that the account of VASL has otherwise than VASL.
    #[must_use]
    pub fn open(&self) -> Vec<&str> {
        let outcomes = self.0.iter().map(|(_, outcome)| outcome);
        let open = outcomes.flat_map(|outcome| outcome.unexplained.iter().chain(&outcome.misread));
        open.map(String::as_str).collect()
    }

    fn sum(&self, of: impl Fn(&Outcome) -> usize) -> usize {
        self.0.iter().map(|(_, outcome)| of(outcome)).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (table, outcome) in &self.0 {
            write_outcome(f, table, outcome)?;
        }
        let open = self.open();
        writeln!(
            f,
            "All: {} lines compared; {} agree; {} do not, {} of them unexplained.",
            self.sum(|outcome| outcome.compared),
            self.sum(|outcome| outcome.agreed.iter().sum()),
            self.sum(|outcome| outcome.compared - outcome.agreed.iter().sum::<usize>()),
            self.sum(|outcome| outcome.unexplained.len()),
        )?;
        open.iter().try_for_each(|line| writeln!(f, "  {line}"))
    }
}

fn write_outcome(f: &mut fmt::Formatter<'_>, table: &str, outcome: &Outcome) -> fmt::Result {
    let Outcome {
        rows,
        compared,
        agreed: [sees, blocked],
        ..
    } = outcome;
    let agreed = sees + blocked;
    writeln!(
        f,
        "{table}: {rows} lines, {compared} compared, {agreed} agree: {sees} with LOS, {blocked} without."
    )?;
    for (rule, lines) in &outcome.refused {
        writeln!(f, "  refused by {rule}: {lines}")?;
    }
    for look in [Look::AS_IT_IS, Look::MENDED] {
        for why in Difference::ALL {
            if let Some(differing) = outcome.differing_from(look).get(&why) {
                write_differing(f, look, why, differing)?;
            }
            if look.fault && why == Difference::HalfLevelTooHigh {
                for (reason, lines) in &outcome.reasons {
                    writeln!(f, "    {lines}: {reason}")?;
                }
            }
        }
    }
    Ok(())
}

fn write_differing(
    f: &mut fmt::Formatter<'_>,
    look: Look,
    why: Difference,
    differing: &Differing,
) -> fmt::Result {
    let from = match look.fault {
        true => "VASL",
        false => "VASL without its fault",
    };
    let (lines, one_way) = (differing.lines, differing.one_way);
    write!(f, "  {from}: {lines} by {}", why.name())?;
    if let Some((_, example)) = &differing.example {
        write!(f, ", as {example}")?;
    }
    if one_way > 0 {
        write!(f, "; {one_way} not the other way round")?;
    }
    for (option, lines) in &differing.options {
        write!(f, "; {lines} settled by {option}")?;
    }
    writeln!(f)
}
