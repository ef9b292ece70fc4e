//! The command line of `alamein map`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::RuleArgs;
use super::measures::whole;
use crate::help;

#[derive(Debug, Subcommand)]
pub(crate) enum MapCommand {
    /// Write a map file to begin with, each field explained
    #[command(after_long_help = help::MAP_NEW)]
    New(MapNew),
    /// Tell all that is wrong with map files, each with its line and field
    #[command(after_long_help = help::MAP_CHECK)]
    Check(MapCheck),
    /// Draw a map with its counters, in the terminal, in SVG or in PNG
    #[command(after_long_help = help::MAP_SHOW)]
    Show(MapShow),
    /// Write a map in another form: a map file in TOML or JSON, or a case file
    #[command(after_long_help = help::MAP_CONVERT)]
    Convert(MapConvert),
    /// Make a map file of a board of VASL, and tell what of it no layer holds
    #[command(after_long_help = help::MAP_IMPORT)]
    Import(MapImport),
    /// List the desert overlays, or show some
    #[command(after_long_help = help::MAP_OVERLAYS)]
    Overlays(MapOverlays),
}

#[derive(Args, Debug)]
pub(crate) struct MapNew {
    /// Where to write it, unless that is there already; left out: to the terminal
    pub(crate) file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct MapCheck {
    /// Map files (TOML or JSON) and case files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

#[derive(Args, Debug)]
pub(crate) struct MapShow {
    /// A map file (TOML or JSON) or a case file
    #[arg(required_unless_present = "example")]
    pub(crate) file: Option<PathBuf>,
    /// The built-in worked example, with units A to M around a deir
    #[arg(long, conflicts_with = "file")]
    pub(crate) example: bool,
    /// Write a picture in SVG into this file; `-` writes it to the terminal
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    /// Write a picture in PNG into this file; `-` writes it to the standard output
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Output",
        conflicts_with = "svg"
    )]
    pub(crate) png: Option<PathBuf>,
    /// How many pixels wide the picture in PNG is; left out: twice as many as the one in SVG has units
    #[arg(long, value_name = "PIXELS", help_heading = "Output", requires = "png", value_parser = whole::<u32>(1))]
    pub(crate) width: Option<u32>,
    /// Draw this part: hexes, and blocks from one corner to the other, as in `P5,R3-T8`
    ///
    /// On a map of several boards a block is written with two dots: `25P5..26C8`.
    #[arg(long, value_name = "REGION", conflicts_with = "around")]
    pub(crate) hexes: Option<String>,
    /// Draw the part around this hex or counter; may be given more than once
    #[arg(long, value_name = "HEX")]
    pub(crate) around: Vec<String>,
    /// Draw a line between these two hexes or counters
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    pub(crate) line: Vec<String>,
    /// How many hexes to draw beyond what must be seen; 1, and with --hexes 0
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0))]
    pub(crate) margin: Option<u16>,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

#[derive(Args, Debug)]
pub(crate) struct MapConvert {
    /// A map file (TOML or JSON) or a case file
    #[arg(value_name = "IN")]
    pub(crate) from: PathBuf,
    /// Where to write it, unless that is there already; left out, or `-`: to the terminal
    #[arg(value_name = "OUT")]
    pub(crate) to: Option<PathBuf>,
    /// In which form; left out: by how OUT ends, `.toml` or `.json`
    #[arg(long = "to", value_name = "FORM")]
    pub(crate) form: Option<Written>,
}

/// The forms in which a map is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Written {
    /// A map file in TOML
    Toml,
    /// A map file in JSON
    Json,
    /// A case file with the map as layers, overlays laid and boards joined, and nothing on it
    Case,
}

#[derive(Args, Debug)]
pub(crate) struct MapImport {
    /// The board: its folder, or its archive such as `bd26`
    #[arg(long, value_name = "BOARD")]
    pub(crate) vasl: PathBuf,
    /// Where to write the map file, unless that is there already, in JSON if it ends so; left out: to
    /// the terminal
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct MapOverlays {
    /// Show these overlays; left out: list all
    #[arg(value_name = "OVERLAY")]
    pub(crate) only: Vec<String>,
    /// Write a picture of the overlay in SVG into this file; `-` writes it to the terminal
    #[arg(long, value_name = "FILE", help_heading = "Output", requires = "only")]
    pub(crate) svg: Option<PathBuf>,
}
