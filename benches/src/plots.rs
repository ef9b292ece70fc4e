//! Curves as plots, in SVG.

use alamein_figures::Unit;
use alamein_figures::curve::{Curve, Series};
use alamein_figures::telling::amount;
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

/// How wide and how high a panel is, in pixels.
const PANEL: (u32, u32) = (420, 300);

/// How many panels are beside each other.
const ACROSS: usize = 2;

/// A plot of a curve: a panel for each quantity, both axes in powers of ten, so that what grows as a
/// power of the size is a straight line and its slope is that power.
///
/// # Errors
/// Where nothing was measured.
pub fn svg(curve: &Curve) -> Result<String> {
    let rows = curve.series.len().div_ceil(ACROSS);
    let size = (PANEL.0 * ACROSS as u32, PANEL.1 * rows as u32);
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE).map_err(told)?;
        let panels = root.split_evenly((rows, ACROSS));
        for (series, panel) in curve.series.iter().zip(&panels) {
            draw(series, &curve.across, panel)?;
        }
        root.present().map_err(told)?;
    }
    Ok(text)
}

fn told(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("{error}")
}

fn draw(series: &Series, across: &str, panel: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<()> {
    let points: Vec<(f64, f64)> = series
        .points
        .iter()
        .copied()
        .filter(|(size, value)| *size > 0.0 && *value > 0.0)
        .collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Err(anyhow!("{}: nothing was measured", series.name));
    };
    let values = points.iter().map(|point| point.1);
    let least = values.clone().fold(f64::INFINITY, f64::min) / 2.0;
    let most = values.fold(0.0, f64::max) * 2.0;
    let slope = series.slope();
    let slope = slope.map_or(String::new(), |slope| format!(" (power {slope:.2})"));
    let title = format!("{}, {}{slope}", series.name, unit(series.unit));
    let mut chart = ChartBuilder::on(panel)
        .caption(title, ("sans-serif", 15))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(78)
        .build_cartesian_2d(
            (first.0 * 0.8..last.0 * 1.25).log_scale(),
            (least..most).log_scale(),
        )
        .map_err(told)?;
    chart
        .configure_mesh()
        .x_desc(across)
        .x_label_formatter(&|size| format!("{size:.0}"))
        .y_label_formatter(&|value| amount(*value, series.unit))
        .light_line_style(RGBColor(240, 240, 240))
        .label_style(("sans-serif", 12))
        .draw()
        .map_err(told)?;
    let line = LineSeries::new(points.iter().copied(), BLUE.stroke_width(2));
    chart.draw_series(line).map_err(told)?;
    let dots = points
        .iter()
        .map(|point| Circle::new(*point, 3, BLUE.filled()));
    chart.draw_series(dots).map_err(told)?;
    Ok(())
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Bytes => "in bytes",
        Unit::Milliseconds => "in ms",
        Unit::Microseconds => "in µs",
        rate => rate.words(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_becomes_a_plot_with_a_panel_for_each_quantity() {
        let mut series = Series::new("a thing", Unit::Milliseconds);
        series.points = vec![(1.0, 2.0), (10.0, 20.0), (100.0, 200.0)];
        let curve = Curve {
            name: "things".to_owned(),
            across: "things".to_owned(),
            series: vec![
                series.clone(),
                Series {
                    name: "another".to_owned(),
                    ..series
                },
            ],
        };
        let plot = svg(&curve).unwrap_or_default();
        assert!(plot.starts_with("<svg") && plot.trim_end().ends_with("</svg>"));
        assert!(plot.contains("a thing, in ms (power 1.00)") && plot.contains("another"));
        let empty = Curve {
            series: vec![Series::new("none", Unit::Bytes)],
            ..curve
        };
        assert!(svg(&empty).is_err());
    }
}
