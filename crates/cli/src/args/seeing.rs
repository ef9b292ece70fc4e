//! The command lines of `alamein fov` and `alamein matrix`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::measures::whole;
use super::{RuleArgs, Scenario};

#[derive(Args, Debug)]
pub(crate) struct Fov {
    /// Who looks: a counter's id, or a hex; with `:0` to `:5` behind it, that vertex of the hex
    pub(crate) viewer: String,
    /// To which range, in hexes; left out: the whole map
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0))]
    pub(crate) range: Option<u16>,
    #[command(flatten)]
    pub(crate) scenario: Scenario,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
    /// Draw the part of the map
    #[arg(long, help_heading = "Output")]
    pub(crate) picture: bool,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output", conflicts_with_all = ["picture", "svg", "png"])]
    pub(crate) json: bool,
    /// Write a picture in SVG into this file; `-` writes it to the terminal
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Output",
        conflicts_with = "picture"
    )]
    pub(crate) svg: Option<PathBuf>,
    /// Write a picture in PNG into this file; `-` writes it to the standard output
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["picture", "svg"])]
    pub(crate) png: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Matrix {
    /// The file to write, whatever was there
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// In which form; left out: by how FILE ends
    #[arg(long, value_name = "FORM")]
    pub(crate) format: Option<Form>,
    /// Only pairs within this range, in hexes; left out: the whole map
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0))]
    pub(crate) range: Option<u16>,
    #[command(flatten)]
    pub(crate) scenario: Scenario,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// The forms of a table for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Parquet, which is small
    Parquet,
    /// An Arrow IPC file, also called Feather, which is read without unpacking
    Arrow,
}
