//! Bars with intervals and a radar, as SVG that takes its colours from the page.

use super::escape::esc;
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// One value from 0 to 1.
pub(super) struct Bar<'a> {
    pub(super) name: &'a str,
    pub(super) value: Option<f64>,
    pub(super) range: Option<(f64, f64)>,
}

const HEIGHT: f64 = 240.0;
const WIDTH: f64 = 420.0;
const LEFT: f64 = 36.0;
const BOTTOM: f64 = 24.0;
const TOP: f64 = 10.0;

pub(super) fn bars(bars: &[Bar<'_>], label: &str) -> String {
    let mut svg = open(WIDTH, label);
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - value.clamp(0.0, 1.0));
    for tick in 0..=4 {
        let value = f64::from(tick) / 4.0;
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>\
             <text class=\"tick\" x=\"{1:.1}\" y=\"{2:.1}\" text-anchor=\"end\">{value:.2}</text>",
            y(value),
            LEFT - 6.0,
            y(value) + 4.0
        );
    }
    let slot = (WIDTH - LEFT) / bars.len().max(1) as f64;
    for (i, bar) in bars.iter().enumerate() {
        let middle = LEFT + slot * (i as f64 + 0.5);
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - 8.0,
            esc(bar.name)
        );
        let Some(value) = bar.value else {
            let _ = write!(
                svg,
                "<text class=\"tick\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">—</text>",
                y(0.0) - 6.0
            );
            continue;
        };
        let (top, width) = (y(value), slot * 0.5);
        let _ = write!(
            svg,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\"><title>{}: {value:.4}</title></rect>",
            middle - width / 2.0,
            y(0.0) - top,
            esc(bar.name)
        );
        if let Some((low, high)) = bar.range {
            let (high, low) = (y(high), y(low));
            let _ = write!(
                svg,
                "<path class=\"range\" d=\"M{0:.1} {high:.1}H{1:.1}M{middle:.1} {high:.1}V{low:.1}M{0:.1} {low:.1}H{1:.1}\"/>",
                middle - 5.0,
                middle + 5.0
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

pub(super) fn radar(bars: &[Bar<'_>], label: &str) -> String {
    // Fewer than three directions span no area.
    if bars.len() < 3 {
        return String::new();
    }
    const SIZE: f64 = 260.0;
    const RADIUS: f64 = 84.0;
    let mut svg = open(SIZE, label);
    let at = |i: usize, value: f64| {
        let angle = TAU * i as f64 / bars.len() as f64;
        let (x, y) = (
            SIZE / 2.0 + RADIUS * value * angle.sin(),
            HEIGHT / 2.0 - RADIUS * value * angle.cos(),
        );
        (x, y)
    };
    let ring = |values: &dyn Fn(usize) -> f64| {
        let points = (0..bars.len()).map(|i| {
            let (x, y) = at(i, values(i).clamp(0.0, 1.0));
            format!("{x:.1},{y:.1}")
        });
        points.collect::<Vec<_>>().join(" ")
    };
    for tick in 1..=4 {
        let share = f64::from(tick) / 4.0;
        let _ = write!(svg, "<polygon class=\"grid\" points=\"{}\"/>", ring(&|_| share));
    }
    for (i, bar) in bars.iter().enumerate() {
        let (x, y) = at(i, 1.0);
        let (name_x, name_y) = at(i, 1.18);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"name\" x=\"{name_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            SIZE / 2.0,
            HEIGHT / 2.0,
            name_y + 4.0,
            esc(bar.name)
        );
    }
    // A missing value has no place on an axis, so there is no area around it either.
    if bars.iter().all(|bar| bar.value.is_some()) {
        let points = ring(&|i| bars[i].value.unwrap_or_default());
        let _ = write!(svg, "<polygon class=\"area\" points=\"{points}\"/>");
    }
    for (i, bar) in bars.iter().enumerate() {
        if let Some(value) = bar.value {
            let (x, y) = at(i, value.clamp(0.0, 1.0));
            let _ = write!(svg, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn open(width: f64, label: &str) -> String {
    format!(
        "<svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" height=\"{HEIGHT}\">",
        esc(label)
    )
}
