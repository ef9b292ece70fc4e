//! The overlays that there are: which hexes each has, and what they show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use alamein_hex::{Direction, Hex, Hexside, Symmetry};
use serde::Deserialize;

use crate::error::{MapError, Path, Wrong};

/// The families of desert overlays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Depressions with a Lip.
    Deir,
    /// Rises of half a level.
    Hillock,
    /// Sand.
    Sand,
    /// Sand with Dune Crests.
    Dune,
}

/// What an overlay shows, as it lies: an offset from hex 1 for each hex in a [`Catalogue`], hexes
/// of the map in what [`Art::laid`] gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// Every hex of the overlay.
    pub hexes: BTreeSet<Hex>,
    /// Those that show the terrain of its family.
    pub terrain: BTreeSet<Hex>,
    /// Summit hexes.
    pub summit: BTreeSet<Hex>,
    /// Hexes that show scrub.
    pub scrub: BTreeSet<Hex>,
    /// Hexes that show hammada.
    pub hammada: BTreeSet<Hex>,
    /// Hexsides along which a Dune Crest runs.
    pub crest: BTreeSet<Hexside>,
}

impl Laid {
    /// The hexsides at which its terrain ends. Those of a deir are its Lip Hexsides.
    #[must_use]
    pub fn rim(&self) -> BTreeSet<Hexside> {
        let ends = |side: &Hexside| !side.hexes().iter().all(|hex| self.terrain.contains(hex));
        self.terrain
            .iter()
            .flat_map(|hex| hex.hexsides())
            .filter(ends)
            .collect()
    }

    /// The hexes that have a hexside at which its terrain ends. Those of a deir are its Lip hexes.
    #[must_use]
    pub fn rim_hexes(&self) -> BTreeSet<Hex> {
        let rim = self.rim();
        let on_rim = |hex: &Hex| hex.hexsides().iter().any(|side| rim.contains(side));
        self.terrain.iter().copied().filter(on_rim).collect()
    }

    /// The hexes on either side of a Dune Crest.
    #[must_use]
    pub fn dunes(&self) -> BTreeSet<Hex> {
        let beside = self.crest.iter().flat_map(|side| side.hexes());
        beside.filter(|hex| self.terrain.contains(hex)).collect()
    }
}

/// An overlay of a catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Art {
    /// Its id, as in `D2`.
    pub id: String,
    /// Its family.
    pub family: Family,
    /// What it shows when hex 2 is north of hex 1; hex 1 is hex (0, 0).
    pub shows: Laid,
    /// Where what it shows is open to doubt, for people.
    pub doubts: Vec<String>,
}

impl Art {
    /// What it shows where hex 1 lies on `one` and hex 2 on the neighbour in direction `two`.
    ///
    /// ```
    /// use alamein_hex::{Direction, Grid};
    /// use alamein_maps::Catalogue;
    ///
    /// let p6 = Grid::geomorphic().hex("P6")?;
    /// let art = Catalogue::bundled().get("D2").unwrap();
    /// let laid = art.laid(p6, Direction::NE);
    /// assert!(laid.terrain.contains(&p6) && laid.terrain.contains(&p6.neighbour(Direction::NE)));
    /// # Ok::<(), alamein_hex::NameError>(())
    /// ```
    #[must_use]
    pub fn laid(&self, one: Hex, two: Direction) -> Laid {
        let turn = Symmetry::new(two.index(), false);
        let hexes = |set: &BTreeSet<Hex>| set.iter().map(|hex| turn.hex(*hex) + one).collect();
        let sides = self.shows.crest.iter();
        Laid {
            hexes: hexes(&self.shows.hexes),
            terrain: hexes(&self.shows.terrain),
            summit: hexes(&self.shows.summit),
            scrub: hexes(&self.shows.scrub),
            hammada: hexes(&self.shows.hammada),
            crest: sides.map(|side| turn.hexside(*side).shifted(one)).collect(),
        }
    }
}

/// Overlays, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    arts: BTreeMap<String, Art>,
}

/// The tables of the bundled catalogue.
const TABLES: [&str; 4] = [
    include_str!("../catalogue/deirs.toml"),
    include_str!("../catalogue/hillocks.toml"),
    include_str!("../catalogue/sand.toml"),
    include_str!("../catalogue/dunes.toml"),
];

/// The farthest that a hex of an overlay may lie from its hex 1, in columns or rows.
const FARTHEST: i16 = 64;

impl Catalogue {
    /// The desert overlays that come with this crate: D1 to D6, H1 to H6, S1 to S8, SD1 to SD8.
    #[must_use]
    pub fn bundled() -> &'static Self {
        // The tables are part of this crate, and its tests read them: nothing is lost here.
        static BUNDLED: LazyLock<Catalogue> = LazyLock::new(|| {
            let mut whole = Catalogue::default();
            for table in TABLES
                .iter()
                .filter_map(|table| Catalogue::parse(table).ok())
            {
                whole.arts.extend(table.arts);
            }
            whole
        });
        &BUNDLED
    }

    /// Reads a table of overlays of one family. The bundled ones, in `catalogue/`, say how it is
    /// written.
    ///
    /// # Errors
    /// A table that is not written so.
    pub fn parse(toml: &str) -> Result<Self, MapError> {
        let table: Table = crate::text::read_toml(toml)?;
        let mut arts = BTreeMap::new();
        for (index, row) in table.overlay.into_iter().enumerate() {
            let path = Path::of("overlay").at(index);
            let art = row.art(table.family, &path)?;
            let id = art.id.to_ascii_uppercase();
            if arts.insert(id, art).is_some() {
                return Err(path.key("id").wrong("stands there twice").into());
            }
        }
        Ok(Self { arts })
    }

    /// This catalogue with another's overlays, which take the place of those of the same id.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.arts.extend(other.arts);
        self
    }

    /// The overlay of that id, in upper or lower case.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Art> {
        self.arts.get(&id.to_ascii_uppercase())
    }

    /// Every overlay, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Art> {
        self.arts.values()
    }
}

// === How a table is written ===

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    family: Family,
    overlay: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    hexes: Vec<String>,
    #[serde(default)]
    bare: Vec<String>,
    #[serde(default)]
    summit: Vec<String>,
    #[serde(default)]
    scrub: Vec<String>,
    #[serde(default)]
    hammada: Vec<String>,
    #[serde(default)]
    crest: Vec<String>,
    #[serde(default)]
    doubts: Vec<String>,
}

impl Row {
    fn art(self, family: Family, path: &Path) -> Result<Art, Wrong> {
        let hexes = strips(&self.hexes, &path.key("hexes"))?;
        let within = |list: &[String], name: &str| {
            let path = path.key(name);
            let set = strips(list, &path)?;
            match set.is_subset(&hexes) {
                true => Ok(set),
                false => Err(path.wrong("names a hex that is none of the overlay's")),
            }
        };
        let bare = within(&self.bare, "bare")?;
        let shows = Laid {
            terrain: hexes.difference(&bare).copied().collect(),
            summit: within(&self.summit, "summit")?,
            scrub: within(&self.scrub, "scrub")?,
            hammada: within(&self.hammada, "hammada")?,
            crest: crest(&self.crest, &path.key("crest"))?,
            hexes,
        };
        if ![Hex::new(0, 0), Hex::new(0, -1)]
            .iter()
            .all(|hex| shows.hexes.contains(hex))
        {
            return Err(path.key("hexes").wrong("lacks hex 1 (0,0) or hex 2 (0,-1)"));
        }
        Ok(Art {
            id: self.id,
            family,
            shows,
            doubts: self.doubts,
        })
    }
}

/// Hexes written as strips: `"2: -1..1 4"` is column 2, rows -1 to 1 and row 4.
fn strips(list: &[String], path: &Path) -> Result<BTreeSet<Hex>, Wrong> {
    let mut hexes = BTreeSet::new();
    for (index, text) in list.iter().enumerate() {
        let strip = strip(text).ok_or_else(|| {
            path.at(index).wrong(format!(
                "{text:?} is no strip of hexes: write a column and its rows, as in \"2: -1..1 4\""
            ))
        })?;
        hexes.extend(strip);
    }
    Ok(hexes)
}

fn strip(text: &str) -> Option<Vec<Hex>> {
    let (column, rows) = text.split_once(':')?;
    let column = number(column)?;
    let mut hexes = Vec::new();
    for rows in rows.split_whitespace() {
        let (first, last) = rows.split_once("..").unwrap_or((rows, rows));
        let rows = number(first)?..=number(last)?;
        hexes.extend(rows.map(|row| Hex::new(column, row)));
    }
    Some(hexes)
}

/// Hexsides written as `"0,-1 NE SE"`: a hex and some of its hexsides.
fn crest(list: &[String], path: &Path) -> Result<BTreeSet<Hexside>, Wrong> {
    let mut hexsides = BTreeSet::new();
    for (index, text) in list.iter().enumerate() {
        let some = hexsides_of(text).ok_or_else(|| {
            path.at(index).wrong(format!(
                "{text:?} names no hexsides: write a hex and directions, as in \"0,-1 NE SE\""
            ))
        })?;
        hexsides.extend(some);
    }
    Ok(hexsides)
}

fn hexsides_of(text: &str) -> Option<Vec<Hexside>> {
    let mut words = text.split_whitespace();
    let (column, row) = words.next()?.split_once(',')?;
    let hex = Hex::new(number(column)?, number(row)?);
    let side = |word| Some(Hexside::of(hex, Direction::from_name(word)?));
    words.map(side).collect()
}

fn number(text: &str) -> Option<i16> {
    let number = text.trim().parse::<i16>().ok()?;
    (-FARTHEST..=FARTHEST).contains(&number).then_some(number)
}
