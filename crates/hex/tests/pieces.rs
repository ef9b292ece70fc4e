//! Directions, hexsides and vertices fit together.

use alamein_hex::{Direction, Hex, Hexside, Symmetry, Vertex};

fn some_hexes() -> impl Iterator<Item = Hex> {
    (-4..=4).flat_map(|q| (-4..=4).map(move |r| Hex::new(q, r)))
}

#[test]
fn directions_go_round_clockwise() {
    for (index, direction) in Direction::ALL.into_iter().enumerate() {
        let next = Direction::ALL[(index + 1) % 6];
        assert_eq!(usize::from(direction.index()), index);
        assert_eq!(Direction::from_index(index as u8), Some(direction));
        assert_eq!(Direction::from_name(direction.name()), Some(direction));
        assert_eq!(direction.turned(1), next);
        assert_eq!(next.turned(-1), direction);
        assert_eq!(direction.delta().turned(1), next.delta());
        assert_eq!(-direction.delta(), direction.opposite().delta());
    }
    assert_eq!(Direction::N.turned(i8::MAX), Direction::NE);
    assert_eq!(Direction::N.turned(i8::MIN), Direction::S.turned(1));
    assert_eq!(Direction::from_index(6), None);
    assert_eq!(Direction::from_index(u8::MAX), None);
}

#[test]
fn range_counts_the_steps_of_a_shortest_way() {
    let start = Hex::new(1, -2);
    let mut reached = vec![start];
    let mut edge = vec![start];
    for steps in 0..12 {
        for &hex in &edge {
            assert_eq!(start.range(hex), steps, "{hex:?}");
            assert_eq!(hex.range(start), steps, "{hex:?}");
        }
        let mut next: Vec<Hex> = edge.iter().flat_map(|hex| hex.neighbours()).collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|hex| !reached.contains(hex));
        reached.extend(&next);
        edge = next;
    }
}

#[test]
fn a_hexside_is_one_from_both_hexes() {
    for hex in some_hexes() {
        for direction in Direction::ALL {
            let beyond = hex.neighbour(direction);
            let side = Hexside::of(hex, direction);
            assert_eq!(side, Hexside::of(beyond, direction.opposite()));
            assert_eq!(Hexside::between(hex, beyond), Some(side));
            assert_eq!(Hexside::between(beyond, hex), Some(side));
            assert_eq!(side.beyond(hex), Some(beyond));
            assert_eq!(side.beyond(beyond), Some(hex));
            assert!(side.touches(hex) && side.touches(beyond));
            assert!(side.direction() <= Direction::SE);
            let [one, other] = side.hexes();
            assert_eq!(one.direction_to(other), Some(side.direction()));
            let aside = hex.neighbour(direction.turned(1));
            assert_eq!(side.beyond(aside), None);
            assert!(!side.touches(aside));
        }
        assert_eq!(Hexside::between(hex, hex), None);
        assert_eq!(Hexside::between(hex, hex + Hex::new(1, 1)), None);
    }
}

#[test]
fn hexsides_and_vertices_meet() {
    for hex in some_hexes() {
        for k in 0..6 {
            let vertex = Vertex::of(hex, k).unwrap();
            let direction = Direction::from_index(k).unwrap();
            let (one, other) = (hex.neighbour(direction), hex.neighbour(direction.turned(1)));
            assert_eq!(Vertex::of(one, (k + 2) % 6), Some(vertex));
            assert_eq!(Vertex::of(other, (k + 4) % 6), Some(vertex));
            let mut hexes = [hex, one, other];
            hexes.sort_unstable();
            assert_eq!(vertex.hexes(), hexes);
            let mut sides =
                [(hex, one), (hex, other), (one, other)].map(|(a, b)| Hexside::between(a, b));
            sides.sort_unstable();
            assert_eq!(vertex.hexsides().map(Some), sides);
            // The lattice point, by the definition.
            let delta = direction.delta() + direction.turned(1).delta();
            assert_eq!(vertex.x(), 6 * i32::from(hex.q) + 2 * i32::from(delta.q));
            assert_eq!(vertex.y(), 6 * i32::from(hex.r) + 2 * i32::from(delta.r));
            let shift = Hex::new(7, -9);
            assert_eq!(Some(vertex.shifted(shift)), Vertex::of(hex + shift, k));
        }
        assert_eq!(Vertex::of(hex, 6), None);
        for side in hex.hexsides() {
            let [one, other] = side.vertices();
            assert_ne!(one, other);
            for vertex in [one, other] {
                assert!(vertex.hexsides().contains(&side));
                assert!(side.hexes().iter().all(|hex| vertex.hexes().contains(hex)));
            }
        }
    }
}

#[test]
fn hexside_vertices_go_clockwise_round_the_first_hex() {
    for side in Hex::new(2, 2).hexsides() {
        let [hex, _] = side.hexes();
        let k = side.direction().index();
        let ends = [Vertex::of(hex, (k + 5) % 6), Vertex::of(hex, k)];
        assert_eq!(side.vertices().map(Some), ends);
    }
}

#[test]
fn symmetries_keep_pieces_together() {
    for symmetry in Symmetry::all() {
        for hex in some_hexes() {
            let image = symmetry.hex(hex);
            assert_eq!(symmetry.inverse().hex(image), hex);
            for direction in Direction::ALL {
                let turned = symmetry.direction(direction);
                assert_eq!(
                    symmetry.hex(hex.neighbour(direction)),
                    image.neighbour(turned)
                );
                assert_eq!(symmetry.inverse().direction(turned), direction);
                let side = Hexside::of(hex, direction);
                assert_eq!(symmetry.hexside(side), Hexside::of(image, turned));
                let mut ends = side.vertices().map(|vertex| symmetry.vertex(vertex));
                let mut expected = symmetry.hexside(side).vertices();
                ends.sort_unstable();
                expected.sort_unstable();
                assert_eq!(ends, expected);
            }
            for k in 0..6 {
                let aim = alamein_hex::Aim::corner(hex, k).unwrap();
                let vertex = Vertex::of(hex, k).unwrap();
                assert_eq!(symmetry.aim(aim).vertex(), Some(symmetry.vertex(vertex)));
                assert_eq!(symmetry.aim(aim).hex, image);
            }
        }
    }
}

#[test]
fn there_are_twelve_symmetries() {
    // A hex off every axis of symmetry has twelve images.
    let mut images: Vec<_> = Symmetry::all().map(|s| s.hex(Hex::new(3, 1))).collect();
    images.sort_unstable();
    images.dedup();
    assert_eq!(images.len(), 12);
}

#[test]
fn the_ends_of_i16_wrap_and_do_not_panic() {
    let ends = [i16::MIN, i16::MIN + 1, -1, 0, i16::MAX - 1, i16::MAX];
    for q in ends {
        for r in ends {
            let hex = Hex::new(q, r);
            for direction in Direction::ALL {
                let beyond = hex.neighbour(direction);
                assert_eq!(beyond.neighbour(direction.opposite()), hex);
                assert_eq!(hex.direction_to(beyond), Some(direction));
                let side = Hexside::of(hex, direction);
                assert_eq!(side.beyond(hex), Some(beyond));
            }
            for symmetry in Symmetry::all() {
                assert_eq!(symmetry.inverse().hex(symmetry.hex(hex)), hex);
            }
            for k in 0..6 {
                assert!(Vertex::of(hex, k).unwrap().hexes().contains(&hex));
            }
        }
    }
    let (one, other) = (Hex::new(i16::MIN, i16::MIN), Hex::new(i16::MAX, i16::MAX));
    assert_eq!(one.range(other), u16::MAX);
}

#[test]
fn what_is_lent_to_plugins_has_a_fixed_layout() {
    assert_eq!(size_of::<Hex>(), 4);
    assert_eq!(size_of::<alamein_hex::Crossing>(), 8);
    assert_eq!(size_of::<alamein_hex::Touch>(), 6);
    assert_eq!(align_of::<alamein_hex::Touch>(), 2);
}
