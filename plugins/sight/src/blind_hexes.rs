//! Blind Hexes (A6.4, B10.23).
//!
//! A full-level obstacle that is lower than the higher end does not block, but hides hexes behind
//! it from that end: one, and one more for each multiple of five hexes between the higher end and
//! the obstacle, one more for each full level of its height beyond the first above the lower end's
//! level, and one less for each full level beyond the first by which the higher end stands above
//! its top; never less than one.
//!
//! A bare Crest Line, ground with nothing on it, hides one hex less, and maybe none.

/// An obstacle seen from above, by its place on the LOS and in full levels.
#[derive(Clone, Copy, Debug)]
pub struct SeenFromAbove {
    /// How many hexes it is from the higher end.
    pub from_higher: i16,
    /// How far its top is above the lower end, in full levels; at least 1.
    pub above_lower: i16,
    /// How far the higher end is above its top, in full levels; at least 1.
    pub below_higher: i16,
    /// Its top is the ground.
    pub is_bare: bool,
}

impl SeenFromAbove {
    /// How many hexes behind it are blind.
    #[must_use]
    pub fn blind_hexes(self) -> i16 {
        let for_range = self.from_higher / 5;
        let for_height = self.above_lower - 1;
        let for_advantage = self.below_higher - 1;
        let least = i16::from(!self.is_bare);
        (least + for_range + for_height - for_advantage).max(least)
    }

    /// Whether it hides a lower end that is so many hexes behind it.
    #[must_use]
    pub fn hides(self, behind: i16) -> bool {
        behind <= self.blind_hexes()
    }
}

#[cfg(test)]
mod tests {
    use super::SeenFromAbove;

    fn blind(from_higher: i16, above_lower: i16, below_higher: i16) -> i16 {
        SeenFromAbove {
            from_higher,
            above_lower,
            below_higher,
            is_bare: false,
        }
        .blind_hexes()
    }

    #[test]
    fn a6_4_an_obstacle_hides_one_hex_at_least() {
        assert_eq!(blind(1, 1, 1), 1);
        assert_eq!(blind(1, 1, 9), 1);
    }

    #[test]
    fn a6_4_each_five_hexes_from_the_higher_end_hide_one_more() {
        assert_eq!([4, 5, 9, 10].map(|range| blind(range, 1, 1)), [1, 2, 2, 3]);
    }

    #[test]
    fn a6_4_each_further_level_of_height_hides_one_more() {
        assert_eq!([1, 2, 3].map(|height| blind(1, height, 1)), [1, 2, 3]);
    }

    #[test]
    fn a6_42_each_further_level_of_advantage_hides_one_less() {
        assert_eq!([1, 2, 3].map(|levels| blind(10, 1, levels)), [3, 2, 1]);
    }

    #[test]
    fn a6_4_the_hex_behind_the_blind_ones_is_seen() {
        let obstacle = SeenFromAbove {
            from_higher: 5,
            above_lower: 1,
            below_higher: 1,
            is_bare: false,
        };
        assert_eq!(
            [1, 2, 3].map(|behind| obstacle.hides(behind)),
            [true, true, false]
        );
    }

    #[test]
    fn b10_23_a_bare_crest_line_hides_one_hex_less_and_maybe_none() {
        let bare = |from_higher, above_lower, below_higher| {
            SeenFromAbove {
                from_higher,
                above_lower,
                below_higher,
                is_bare: true,
            }
            .blind_hexes()
        };
        assert_eq!([4, 5, 9, 10].map(|range| bare(range, 1, 1)), [0, 1, 1, 2]);
        assert_eq!([1, 2, 3].map(|height| bare(1, height, 1)), [0, 1, 2]);
        assert_eq!([1, 2, 3].map(|levels| bare(5, 1, levels)), [1, 0, 0]);
    }
}
