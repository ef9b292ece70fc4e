//! The command lines of `alamein move` and `alamein reach`.

use alamein_terrain::{EnvironmentCondition, GroundPressure, Way};
use clap::Args;

use super::measures::whole;
use super::{Asking, RuleArgs, Scenario, condition, kilograms, pressure, words};

#[derive(Args, Debug)]
pub(crate) struct Move {
    /// What moves: a class such as `tank`, or the id of a counter
    pub(crate) mover: String,
    /// The hexes of its way, the first being the one that it leaves; `R6:2` also turns by 2
    /// hexsides in R6
    #[arg(value_name = "HEX", required = true)]
    pub(crate) hexes: Vec<String>,
    /// The MF or MP that it has: names the step with which it would spend more
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0))]
    pub(crate) allowance: Option<u16>,
    #[command(flatten)]
    pub(crate) how: How,
    #[command(flatten)]
    pub(crate) asking: Asking,
}

#[derive(Args, Debug)]
pub(crate) struct Reach {
    /// What moves: a class such as `tank`, or the id of a counter
    pub(crate) mover: String,
    /// The hex that it leaves
    pub(crate) hex: String,
    /// The MF or MP that it has
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0))]
    pub(crate) allowance: u16,
    #[command(flatten)]
    pub(crate) how: How,
    #[command(flatten)]
    pub(crate) scenario: Scenario,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// How something moves, and what is known of it beside its class.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct How {
    /// What every step follows, whatever the map shows
    #[arg(long, value_name = "WAY", value_parser = way())]
    pub(crate) along: Option<Way>,
    /// Environmental Conditions, where they differ from the scenario's
    #[arg(long, value_parser = condition())]
    pub(crate) ec: Option<EnvironmentCondition>,
    /// The mover's Ground Pressure
    #[arg(long, value_parser = pressure())]
    pub(crate) ground_pressure: Option<GroundPressure>,
    /// The mover's weight in tons
    #[arg(long, value_name = "TONS", value_parser = kilograms)]
    pub(crate) weight: Option<u32>,
    /// The mover was built in Britain
    #[arg(long)]
    pub(crate) british_built: bool,
}

fn way() -> impl clap::builder::TypedValueParser<Value = Way> {
    words(&[("track", Way::Track), ("road", Way::Road)])
}
