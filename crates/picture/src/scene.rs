//! What is to be drawn.

use std::collections::BTreeMap;

use alamein_hex::{Aim, Hex};
use alamein_terrain::Position;

use crate::content::Content;
use crate::course::Course;
use crate::frame::{Frame, TooLarge};

/// What is to be drawn.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The map and what stands on it.
    pub position: &'a Position,
    /// What the picture is called. Only pictures in SVG show it.
    pub title: String,
    /// The word by which each layer's manifest says how it looks.
    pub looks: BTreeMap<String, String>,
    /// What hexes are called, where that is not by their place on the grid.
    pub names: BTreeMap<Hex, String>,
    /// A line across it.
    pub line: Option<(Aim, Aim)>,
    /// Words to write into hexes.
    pub labels: Vec<Label>,
    /// Hexes to draw dark, such as those that somebody does not see. Only pictures in SVG show it: let
    /// labels say the same.
    pub shaded: Vec<Hex>,
    /// What must be seen. If there is nothing: the line, or else whatever lies or stands there.
    pub focus: Vec<Hex>,
    /// How many hexes to show around that.
    pub margin: u16,
    /// Whether to use colours. Pictures in SVG always do.
    pub colours: bool,
}

/// A word to write into a hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The hex.
    pub hex: Hex,
    /// The word; more than seven letters are cut.
    pub word: String,
}

impl<'a> Scene<'a> {
    /// The plain picture of a position.
    #[must_use]
    pub fn of(position: &'a Position) -> Self {
        Self {
            position,
            title: String::new(),
            looks: BTreeMap::new(),
            names: BTreeMap::new(),
            line: None,
            labels: Vec::new(),
            shaded: Vec::new(),
            focus: Vec::new(),
            margin: 1,
            colours: false,
        }
    }

    /// What to call a hex.
    pub(crate) fn name(&self, hex: Hex) -> String {
        let name = self.names.get(&hex).cloned();
        name.unwrap_or_else(|| self.position.map().grid.label(hex))
    }

    /// The words that stand in each hex: counters' ids, then labels.
    pub(crate) fn words(&self) -> BTreeMap<Hex, Vec<&str>> {
        let mut words: BTreeMap<Hex, Vec<&str>> = BTreeMap::new();
        for counter in self.position.counters() {
            words.entry(counter.hex).or_default().push(&counter.id);
        }
        for label in &self.labels {
            words.entry(label.hex).or_default().push(&label.word);
        }
        words
    }
}

/// What is drawn of a scene, in letters or otherwise.
pub(crate) struct Drawn<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) frame: Frame,
    pub(crate) content: Content<'a>,
    pub(crate) course: Option<Course>,
}

impl<'a> Drawn<'a> {
    pub(crate) fn of(scene: &'a Scene<'_>) -> Result<Self, TooLarge> {
        let map = scene.position.map();
        let course = scene.line.map(Course::between);
        let frame = Frame::around(&map.grid, &seen(scene, course.as_ref()), scene.margin);
        frame.check()?;
        let content = Content::of(map, &scene.looks, &frame);
        Ok(Self {
            scene,
            frame,
            content,
            course,
        })
    }
}

/// The hexes that must be seen.
fn seen(scene: &Scene<'_>, course: Option<&Course>) -> Vec<Hex> {
    let mut seen = scene.focus.clone();
    if let Some(course) = course {
        seen.extend(course.touched().map(|(hex, _)| hex));
    }
    if seen.is_empty() {
        let layers = scene.position.map().layers.values();
        let fields = layers.flat_map(|layer| layer.fields.values());
        seen.extend(fields.flat_map(|field| field.hexes()));
        seen.extend(scene.position.counters().iter().map(|counter| counter.hex));
    }
    seen.extend(scene.labels.iter().map(|label| label.hex));
    seen
}
