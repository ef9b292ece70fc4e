//! Deir hexes, Lip hexes and Lip Hexsides (4.1).
//!
//! The art of an overlay decides. A map may give it in full, or give the deir hexes alone: then
//! every hexside between a deir and what is not that deir is a Lip Hexside, and a deir hex that has
//! one is a Lip hex.

use std::collections::{BTreeMap, BTreeSet};

use alamein_plugin_sdk::prelude::*;

/// The fields of the layer `deir`, in the manifest's order.
pub const FIELDS: [&str; 6] = [
    "hexes",
    "deir_of",
    "lip_hexes",
    "lip_hexsides",
    "lip_hexsides_add",
    "lip_hexsides_remove",
];

/// The deirs of a map.
#[derive(Clone, Debug)]
pub struct Deirs {
    deir_of: HexMap<Option<i64>>,
    lip_hexes: HexMap<bool>,
    lip_hexsides: HexsideSet,
}

impl Deirs {
    /// A hex of any deir, Lip hexes included.
    #[must_use]
    pub fn is_deir_hex(&self, hex: Hex) -> bool {
        self.deir_of[hex].is_some()
    }

    /// The deir to which a hex belongs.
    #[must_use]
    pub fn deir_of(&self, hex: Hex) -> Option<i64> {
        self.deir_of[hex]
    }

    /// A deir hex without any Lip.
    #[must_use]
    pub fn is_non_lip_hex(&self, hex: Hex) -> bool {
        self.is_deir_hex(hex) && !self.lip_hexes[hex]
    }

    /// A Lip Hexside of any deir. It forms part of both hexes that share it.
    #[must_use]
    pub fn is_lip_hexside(&self, hexside: Hexside) -> bool {
        self.lip_hexsides.contains(hexside)
    }

    /// Every deir hex.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        self.deir_of
            .iter()
            .filter(|(_, deir)| deir.is_some())
            .map(|(hex, _)| hex)
    }

    /// The hexes on either side belong to two separate deirs.
    #[must_use]
    pub fn are_separate(&self, one: Hex, other: Hex) -> bool {
        match (self.deir_of(one), self.deir_of(other)) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        }
    }
}

/// What a map says of its deirs. What it does not say is derived.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The deir hexes.
    pub hexes: BTreeSet<Hex>,
    /// To which deir each belongs.
    pub deir_of: Option<BTreeMap<Hex, i64>>,
    /// Which of them are Lip hexes.
    pub lip_hexes: Option<BTreeSet<Hex>>,
    /// The Lip Hexsides.
    pub lip_hexsides: Option<BTreeSet<Hexside>>,
    /// Lip Hexsides besides those.
    pub lip_hexsides_add: BTreeSet<Hexside>,
    /// Hexsides among those that are none.
    pub lip_hexsides_remove: BTreeSet<Hexside>,
}

impl Drawn {
    fn of(layer: LayerView<'_>) -> Self {
        let given = |field: &str| layer.has(field);
        let numbers: BTreeMap<Hex, i64> = layer.hex_values("deir_of").collect();
        Self {
            hexes: layer.hexes("hexes").collect(),
            deir_of: (!numbers.is_empty()).then_some(numbers),
            lip_hexes: given("lip_hexes").then(|| layer.hexes("lip_hexes").collect()),
            lip_hexsides: given("lip_hexsides").then(|| layer.hexsides("lip_hexsides").collect()),
            lip_hexsides_add: layer.hexsides("lip_hexsides_add").collect(),
            lip_hexsides_remove: layer.hexsides("lip_hexsides_remove").collect(),
        }
    }

    /// The number of each deir hex: as given, or each connected set of deir hexes is one deir.
    fn numbers(&self) -> BTreeMap<Hex, i64> {
        if let Some(given) = &self.deir_of {
            return given.clone();
        }
        let mut numbers = BTreeMap::new();
        for (number, start) in (1..).zip(&self.hexes) {
            let mut next = vec![*start];
            while let Some(hex) = next.pop() {
                if self.hexes.contains(&hex) && !numbers.contains_key(&hex) {
                    numbers.insert(hex, number);
                    next.extend(hex.neighbours());
                }
            }
        }
        numbers
    }

    /// The Lip Hexsides: as given, or every hexside of a deir hex (of a Lip hex, if the map says
    /// which those are) beyond which that deir ends; then what is added and removed.
    fn lip_hexsides(&self, numbers: &BTreeMap<Hex, i64>) -> BTreeSet<Hexside> {
        let derived = || {
            let lip = |hex: &&Hex| {
                self.lip_hexes
                    .as_ref()
                    .is_none_or(|lips| lips.contains(hex))
            };
            let ends = |hex: Hex, beyond: Hex| numbers.get(&hex) != numbers.get(&beyond);
            let of = |hex: &Hex| {
                let hex = *hex;
                let beyond = hex
                    .neighbours()
                    .into_iter()
                    .filter(move |beyond| ends(hex, *beyond));
                beyond
                    .filter_map(move |beyond| Hexside::between(hex, beyond))
                    .collect::<Vec<_>>()
            };
            self.hexes.iter().filter(lip).flat_map(of).collect()
        };
        let mut hexsides = self.lip_hexsides.clone().unwrap_or_else(derived);
        hexsides.extend(&self.lip_hexsides_add);
        hexsides.retain(|hexside| !self.lip_hexsides_remove.contains(hexside));
        hexsides
    }

    /// The Lip hexes: as given, or the deir hexes that have a Lip Hexside.
    fn lip_hexes(&self, hexsides: &BTreeSet<Hexside>) -> BTreeSet<Hex> {
        let has_lip = |hex: &Hex| hex.hexsides().iter().any(|side| hexsides.contains(side));
        let derived = || self.hexes.iter().copied().filter(has_lip).collect();
        self.lip_hexes.clone().unwrap_or_else(derived)
    }
}

/// What is wrong with the drawing of a deir.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A hex is called something that only a deir hex can be.
    NoDeirHex(Hex, &'static str),
    /// The map numbers its deirs, but not this hex.
    NoNumber(Hex),
    /// A Lip Hexside that belongs to no Lip hex.
    StrayLipHexside(Hexside),
    /// A deir hex at the edge of its deir without a Lip Hexside. The art may have it so.
    OpenEdge(Hex),
}

/// Makes deirs of what a map says, and lists what is wrong with it.
#[must_use]
pub fn draw(grid: Grid, drawn: &Drawn) -> (Deirs, Vec<Flaw>) {
    let numbers = drawn.numbers();
    let hexsides = drawn.lip_hexsides(&numbers);
    let lips = drawn.lip_hexes(&hexsides);
    let flaws = flaws(grid, drawn, &numbers, &hexsides, &lips);

    let mut deirs = Deirs {
        deir_of: HexMap::new(grid, None),
        lip_hexes: HexMap::new(grid, false),
        lip_hexsides: HexsideSet::new(grid),
    };
    for (hex, number) in numbers {
        deirs.deir_of.set(hex, Some(number));
    }
    for hex in lips {
        deirs.lip_hexes.set(hex, true);
    }
    for hexside in hexsides {
        deirs.lip_hexsides.insert(hexside);
    }
    (deirs, flaws)
}

fn flaws(
    grid: Grid,
    drawn: &Drawn,
    numbers: &BTreeMap<Hex, i64>,
    hexsides: &BTreeSet<Hexside>,
    lips: &BTreeSet<Hex>,
) -> Vec<Flaw> {
    let outside = |hexes: &[Hex], called: &'static str| {
        let outside = hexes.iter().filter(|hex| !drawn.hexes.contains(hex));
        outside
            .map(|hex| Flaw::NoDeirHex(*hex, called))
            .collect::<Vec<_>>()
    };
    let mut flaws = outside(&numbers.keys().copied().collect::<Vec<_>>(), "deir_of");
    flaws.extend(outside(
        &lips.iter().copied().collect::<Vec<_>>(),
        "lip_hexes",
    ));
    let no_number = drawn.hexes.iter().filter(|hex| !numbers.contains_key(hex));
    flaws.extend(no_number.map(|hex| Flaw::NoNumber(*hex)));
    let stray = |side: &&Hexside| !side.hexes().iter().any(|hex| lips.contains(hex));
    flaws.extend(
        hexsides
            .iter()
            .filter(stray)
            .map(|side| Flaw::StrayLipHexside(*side)),
    );
    let open = |hex: &&Hex| {
        let leaves =
            |beyond: &Hex| grid.contains(*beyond) && numbers.get(hex) != numbers.get(beyond);
        let at_edge = hex.neighbours().iter().any(leaves);
        at_edge && !hex.hexsides().iter().any(|side| hexsides.contains(side))
    };
    flaws.extend(
        drawn
            .hexes
            .iter()
            .filter(open)
            .map(|hex| Flaw::OpenEdge(*hex)),
    );
    flaws
}

/// Reads the deirs off a map and tells what is wrong with them.
#[must_use]
pub fn read(map: &MapView<'_>, problems: &mut Problems) -> Deirs {
    let drawn = map.layer("deir").map(Drawn::of).unwrap_or_default();
    let (deirs, flaws) = draw(map.grid(), &drawn);
    for flaw in flaws {
        match flaw {
            Flaw::NoDeirHex(hex, field) => problems.error(format!(
                "deir.{field}: {} is not among deir.hexes",
                map.name(hex)
            )),
            Flaw::NoNumber(hex) => problems.error(format!(
                "deir.deir_of: {} has no number; number every deir hex, or none",
                map.name(hex)
            )),
            Flaw::StrayLipHexside(hexside) => problems.error(format!(
                "deir.lip_hexsides: {} is a Lip Hexside that belongs to no Lip hex",
                map.hexside_name(hexside)
            )),
            Flaw::OpenEdge(hex) => problems.warn(format!(
                "deir.lip_hexsides: {} lies at the edge of its deir and has no Lip Hexside",
                map.name(hex)
            )),
        }
    }
    deirs
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn grid() -> Grid {
        Grid::geomorphic()
    }

    pub(crate) fn hex(name: &str) -> Hex {
        grid().hex(name).unwrap()
    }

    pub(crate) fn hexside(name: &str) -> Hexside {
        grid().hexside(name).unwrap()
    }

    fn drawn(hexes: &str) -> Drawn {
        Drawn {
            hexes: hexes.split(' ').map(hex).collect(),
            ..Drawn::default()
        }
    }

    pub(crate) fn deirs(hexes: &str) -> Deirs {
        draw(grid(), &drawn(hexes)).0
    }

    /// Two deirs that touch: each hex of a group belongs to the deir of that group.
    pub(crate) fn separate_deirs(groups: &[&str]) -> Deirs {
        let numbered = (1..)
            .zip(groups)
            .flat_map(|(number, group)| group.split(' ').map(move |name| (hex(name), number)));
        let mut drawn = drawn(&groups.join(" "));
        drawn.deir_of = Some(numbered.collect());
        draw(grid(), &drawn).0
    }

    /// The deir of the example after 4.52: overlay D2. R6, R7 and S8 are its non-Lip hexes.
    pub(crate) fn example() -> Deirs {
        deirs("P6 Q6 Q7 Q8 Q9 R5 R6 R7 R8 S6 S7 S8 S9 T7 T8")
    }

    #[test]
    fn f4_1_the_examples_lip_follows_from_its_hexes() {
        let example = example();
        let non_lip: Vec<Hex> = example
            .hexes()
            .filter(|hex| example.is_non_lip_hex(*hex))
            .collect();
        assert_eq!(non_lip, [hex("R6"), hex("R7"), hex("S8")]);
        assert!(example.is_lip_hexside(hexside("P5|P6")));
        assert!(example.is_lip_hexside(hexside("P7|Q7")));
        assert!(!example.is_lip_hexside(hexside("Q7|R7")));
    }

    #[test]
    fn f4_1_a_shared_hexside_of_separate_deirs_is_a_lip_hexside_of_both() {
        let two = separate_deirs(&["J4 J5", "K4 K5"]);
        assert!(two.are_separate(hex("J4"), hex("K5")));
        assert!(two.is_lip_hexside(hexside("J4|K4")));
        assert!(!two.is_lip_hexside(hexside("J4|J5")));
    }

    #[test]
    fn f4_1_deirs_without_numbers_are_told_apart_by_where_they_are() {
        let two = deirs("J4 J5 M4 M5");
        assert!(two.are_separate(hex("J4"), hex("M5")));
        assert!(!two.are_separate(hex("J4"), hex("J5")));
        assert!(!two.are_separate(hex("J4"), hex("K9")));
    }

    #[test]
    fn f4_1_the_art_may_move_the_lip() {
        let mut moved = drawn("J4 J5");
        moved.lip_hexsides_add = [hexside("J4|J5")].into();
        moved.lip_hexsides_remove = [hexside("J4|K4"), hexside("J3|J4")].into();
        let (moved, flaws) = draw(grid(), &moved);
        assert!(moved.is_lip_hexside(hexside("J4|J5")));
        assert!(!moved.is_lip_hexside(hexside("J4|K4")));
        assert!(moved.is_lip_hexside(hexside("J4|K5")));
        assert_eq!(flaws, []);
    }

    #[test]
    fn f4_1_given_lip_hexes_alone_have_lip_hexsides() {
        let mut given = drawn("J4 J5 J6");
        given.lip_hexes = Some([hex("J4"), hex("J6")].into());
        let (given, flaws) = draw(grid(), &given);
        assert!(given.is_non_lip_hex(hex("J5")));
        assert!(!given.is_lip_hexside(hexside("I5|J5")));
        assert_eq!(flaws, [Flaw::OpenEdge(hex("J5"))]);
    }

    #[test]
    fn f4_1_what_does_not_belong_to_a_deir_is_refused() {
        let mut wrong = drawn("J4 J5");
        wrong.deir_of = Some([(hex("J4"), 1), (hex("A1"), 1)].into());
        wrong.lip_hexes = Some([hex("B1"), hex("J4"), hex("J5")].into());
        wrong.lip_hexsides_add = [hexside("C5|C6")].into();
        let flaws = draw(grid(), &wrong).1;
        assert_eq!(
            flaws,
            [
                Flaw::NoDeirHex(hex("A1"), "deir_of"),
                Flaw::NoDeirHex(hex("B1"), "lip_hexes"),
                Flaw::NoNumber(hex("J5")),
                Flaw::StrayLipHexside(hexside("C5|C6")),
            ]
        );
    }

    #[test]
    fn f4_1_a_lip_at_the_maps_edge_does_no_harm() {
        let (edge, flaws) = draw(grid(), &drawn("A1 A2"));
        assert_eq!(flaws, []);
        assert!(edge.is_lip_hexside(hexside("A1|N")));
    }
}
