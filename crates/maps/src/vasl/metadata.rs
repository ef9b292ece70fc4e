//! What `BoardMetadata.xml` says of where hexes lie.

use roxmltree::{Document, Node, ParsingOptions};

use super::{MOST_HEXES, MOST_NODES, VaslError};

/// The number that stands for none.
const ABSENT: f64 = -999.0;

/// The longest name of a board that is kept.
const LONGEST_NAME: usize = 24;

/// What `BoardMetadata.xml` says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metadata {
    pub(super) name: String,
    pub(super) columns: i32,
    pub(super) rows: i32,
    /// The centre of the first hex, where given.
    pub(super) a1_x: Option<f64>,
    pub(super) a1_y: Option<f64>,
    /// The distance from column to column and from row to row, where given.
    pub(super) hex_width: Option<f64>,
    pub(super) hex_height: Option<f64>,
    pub(super) slopes: Vec<Edge>,
    pub(super) embankments: Vec<Edge>,
}

/// Some hexsides of a hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// The hex, as it is called on the board.
    pub(super) hex: String,
    /// Which hexsides: 0 is north, and so on clockwise.
    pub(super) hexsides: Vec<u8>,
}

/// Reads a `BoardMetadata.xml`.
pub(super) fn read(bytes: &[u8]) -> Result<Metadata, VaslError> {
    // Old boards have authors' names in other encodings; nothing that is read here is beyond ASCII.
    let text = String::from_utf8_lossy(bytes);
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options);
    let document = document.map_err(|error| VaslError::metadata(format!("no XML: {error}")))?;
    let root = document.root_element();
    if root.tag_name().name() != "boardMetadata" {
        return Err(VaslError::metadata(
            "the outermost element is no boardMetadata",
        ));
    }
    for (attribute, usual) in [("altHexGrain", "false"), ("HexGridConfig", "normal")] {
        let value = root.attribute(attribute).unwrap_or(usual);
        if !value.trim().eq_ignore_ascii_case(usual) {
            let what = format!("{attribute} is not {usual}: hexes that lie so are not known");
            return Err(VaslError::metadata(what));
        }
    }
    Ok(Metadata {
        name: name(root.attribute("name").unwrap_or_default()),
        columns: size(root, "width")?,
        rows: size(root, "height")?,
        a1_x: number(root, "A1CenterX")?,
        a1_y: number(root, "A1CenterY")?,
        hex_width: number(root, "hexWidth")?,
        hex_height: number(root, "hexHeight")?,
        slopes: edges(root, "slopes", "slope")?,
        embankments: edges(root, "rrembankments", "rrembankment")?,
    })
}

/// The board's name, of what the name of a board may be made of.
fn name(text: &str) -> String {
    let fit = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
    text.chars().filter(fit).take(LONGEST_NAME).collect()
}

fn size(root: Node<'_, '_>, attribute: &str) -> Result<i32, VaslError> {
    let text = root.attribute(attribute);
    let text = text.ok_or_else(|| VaslError::metadata(format!("{attribute} is missing")))?;
    let size = text.trim().parse::<i32>().ok();
    size.filter(|size| (1..=MOST_HEXES).contains(size))
        .ok_or_else(|| {
            VaslError::metadata(format!(
                "{attribute} is no number of hexes from 1 to {MOST_HEXES}"
            ))
        })
}

fn number(root: Node<'_, '_>, attribute: &str) -> Result<Option<f64>, VaslError> {
    let Some(text) = root.attribute(attribute) else {
        return Ok(None);
    };
    let number = text
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite());
    match number {
        Some(ABSENT) => Ok(None),
        Some(number) => Ok(Some(number)),
        None => Err(VaslError::metadata(format!("{attribute} is no number"))),
    }
}

fn edges(root: Node<'_, '_>, list: &str, item: &str) -> Result<Vec<Edge>, VaslError> {
    let lists = root.children().filter(|node| node.has_tag_name(list));
    let items = lists
        .flat_map(|node| node.children())
        .filter(|node| node.has_tag_name(item));
    let edge = |node: Node<'_, '_>| {
        let hexsides = node.attribute("hexsides").unwrap_or_default().trim();
        let side = |c: char| c.to_digit(6).and_then(|side| u8::try_from(side).ok());
        let hexsides: Option<Vec<u8>> = hexsides.chars().map(side).collect();
        Ok(Edge {
            hex: node.attribute("hex").unwrap_or_default().trim().to_owned(),
            hexsides: hexsides.ok_or_else(|| {
                VaslError::metadata(format!("{item}: hexsides are digits from 0 to 5"))
            })?,
        })
    };
    items.map(edge).collect()
}
