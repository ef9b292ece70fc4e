//! Pictures in PNG: those in SVG, painted.

use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

use crate::frame::TooLarge;
use crate::scene::Scene;
use crate::svg::svg;

/// How many pixels wide a picture may be asked to be.
pub const PNG_WIDTHS: RangeInclusive<u32> = 16..=8192;

/// How many pixels a picture has at most: 64 MiB of memory while it is painted.
const MOST_PIXELS: u64 = 16 << 20;

/// How many pixels a unit of the picture in SVG has where no width is asked for.
const USUAL: f32 = 2.0;

/// The letters that are painted, whatever letters the machine has: the same scene gives the same
/// picture everywhere.
static LETTERS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut letters = Database::new();
    letters.load_font_data(dejavu::sans::regular().to_vec());
    letters.load_font_data(dejavu::sans::bold().to_vec());
    letters.set_sans_serif_family("DejaVu Sans");
    Arc::new(letters)
});

/// Why a picture could not be painted.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// More hexes than anybody could look at.
    #[error(transparent)]
    Hexes(#[from] TooLarge),
    /// A width that pictures do not have, or not this one.
    #[error("a picture {width} pixels wide is not made; this one may have {least} to {most}")]
    Width {
        /// What was asked for.
        width: u32,
        /// The least.
        least: u32,
        /// The most for this picture.
        most: u32,
    },
    /// What was drawn could not be painted: a fault of this crate.
    #[error("the picture cannot be painted: {0}")]
    Paint(String),
}

/// Paints a scene in PNG, so many pixels wide; without a width two pixels for each unit of the picture in
/// SVG, or as many as may be. It is [`svg()`]'s picture.
///
/// # Errors
/// More hexes than anybody could look at, or a width that is out of bounds.
///
/// ```
/// use alamein_hex::Grid;
/// use alamein_picture::{Scene, png};
/// use alamein_terrain::{Environment, Map, Position};
///
/// let map = Map::flat(Grid::new(2, 1).unwrap());
/// let position = Position::new(map.into(), vec![], Environment::default()).unwrap();
/// let picture = png(&Scene::of(&position), Some(200)).unwrap();
/// assert!(picture.starts_with(b"\x89PNG\r\n"));
/// ```
pub fn png(scene: &Scene<'_>, width: Option<u32>) -> Result<Vec<u8>, PngError> {
    let tree = tree(&svg(scene)?)?;
    let size = tree.size();
    let most = widest(size.width(), size.height());
    let width = match width {
        Some(width) if !PNG_WIDTHS.contains(&width) || width > most => {
            return Err(PngError::Width {
                width,
                least: *PNG_WIDTHS.start(),
                most,
            });
        }
        Some(width) => width,
        None => ((size.width() * USUAL) as u32).clamp(1, most),
    };
    let scale = width as f32 / size.width();
    let height = (size.height() * scale).ceil() as u32;
    let mut pixels = Pixmap::new(width, height.max(1))
        .ok_or_else(|| PngError::Paint(format!("{width} by {height} pixels")))?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
        .encode_png()
        .map_err(|error| PngError::Paint(error.to_string()))
}

fn tree(picture: &str) -> Result<Tree, PngError> {
    let options = Options {
        fontdb: Arc::clone(&LETTERS),
        font_family: "DejaVu Sans".to_owned(),
        ..Options::default()
    };
    Tree::from_str(picture, &options).map_err(|error| PngError::Paint(error.to_string()))
}

/// How wide a picture of this shape may be.
fn widest(width: f32, height: f32) -> u32 {
    let across = (MOST_PIXELS as f64 * f64::from(width) / f64::from(height)).sqrt();
    // A height is rounded up: one pixel less keeps within the bound.
    (across as u32).saturating_sub(1).min(*PNG_WIDTHS.end())
}

#[cfg(test)]
mod tests {
    use alamein_hex::Grid;
    use alamein_terrain::{Environment, Map, Position};

    use super::*;

    fn position(columns: u16, rows: u16) -> Position {
        let map = Map::flat(Grid::new(columns, rows).unwrap());
        Position::new(map.into(), vec![], Environment::default()).unwrap()
    }

    fn painted(scene: &Scene<'_>, width: Option<u32>) -> Pixmap {
        Pixmap::decode_png(&png(scene, width).unwrap()).unwrap()
    }

    #[test]
    fn it_is_as_wide_as_asked_and_has_the_shape_of_the_drawing() {
        let position = position(4, 3);
        let scene = Scene::of(&position);
        let size = tree(&svg(&scene).unwrap()).unwrap().size();
        for width in [16, 321, 1000] {
            let pixels = painted(&scene, Some(width));
            assert_eq!(pixels.width(), width);
            let height = size.height() * width as f32 / size.width();
            assert_eq!(pixels.height(), height.ceil() as u32);
        }
        assert_eq!(painted(&scene, None).width(), (size.width() * 2.0) as u32);
    }

    #[test]
    fn the_same_scene_gives_the_same_bytes() {
        let position = position(3, 3);
        let scene = Scene::of(&position);
        assert_eq!(png(&scene, None).unwrap(), png(&scene, None).unwrap());
    }

    #[test]
    fn letters_are_painted_whatever_the_machine_has() {
        let position = position(3, 3);
        let mut scene = Scene::of(&position);
        scene.focus = position.map().grid.hexes().collect();
        scene.title = " ".into();
        let without = painted(&scene, Some(600));
        scene.title = "MMM".into();
        assert_ne!(painted(&scene, Some(600)).data(), without.data());
    }

    #[test]
    fn a_width_that_is_out_of_bounds_is_told_with_the_bounds() {
        let position = position(90, 90);
        let scene = Scene::of(&position);
        for width in [0, 15, 8193, u32::MAX] {
            let error = png(&scene, Some(width)).unwrap_err();
            assert!(
                matches!(error, PngError::Width { width: told, least: 16, most } if told == width && most > 1000),
                "{error}"
            );
        }
    }

    #[test]
    fn the_widest_picture_keeps_within_its_memory() {
        for (width, height) in [(1.0, 1.0), (100.0, 1.0), (1.0, 100.0), (412.3, 997.1)] {
            let most = widest(width, height);
            let high = (height * most as f32 / width).ceil() as u64;
            assert!(u64::from(most) * high <= MOST_PIXELS, "{width} {height}");
            assert!(most >= 16, "{most}");
        }
    }
}
