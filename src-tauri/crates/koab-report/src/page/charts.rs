//! Charts of the page: bars with intervals, and a radar chart, as SVG with the page's colours.

use koab_core::shown::NONE;
use maud::{Markup, html};
use std::f64::consts::TAU;

/// Bar of a chart: a value from 0 to 1, with its name and its interval.
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

pub(super) fn bars(bars: &[Bar<'_>], label: &str) -> Markup {
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - value.clamp(0.0, 1.0));
    let slot = (WIDTH - LEFT) / bars.len().max(1) as f64;
    let width = slot * 0.5;
    let drawing = html! {
        @for value in (0..=4).map(|tick| f64::from(tick) / 4.0) {
            line.grid x1=(LEFT) x2=(WIDTH) y1=(px(y(value))) y2=(px(y(value))) {}
            text.tick x=(px(LEFT - 6.0)) y=(px(y(value) + 4.0)) text-anchor="end" { (format!("{value:.2}")) }
        }
        @for (i, bar) in bars.iter().enumerate() {
            @let middle = LEFT + slot * (i as f64 + 0.5);
            text.name x=(px(middle)) y=(px(HEIGHT - 8.0)) text-anchor="middle" { (bar.name) }
            @if let Some(value) = bar.value {
                @let top = y(value);
                rect.bar x=(px(middle - width / 2.0)) y=(px(top)) width=(px(width)) height=(px(y(0.0) - top)) {
                    title { (bar.name) (format!(": {value:.4}")) }
                }
                @if let Some((low, high)) = bar.range { path.range d=(bracket(middle, y(low), y(high))) {} }
            } @else {
                text.tick x=(px(middle)) y=(px(y(0.0) - 6.0)) text-anchor="middle" { (NONE) }
            }
        }
    };
    framed(WIDTH, label, &drawing)
}

fn bracket(middle: f64, low: f64, high: f64) -> String {
    let (left, right) = (middle - 5.0, middle + 5.0);
    format!("M{left:.1} {high:.1}H{right:.1}M{middle:.1} {high:.1}V{low:.1}M{left:.1} {low:.1}H{right:.1}")
}

pub(super) fn radar(bars: &[Bar<'_>], label: &str) -> Markup {
    // Fewer than three axes span no area.
    if bars.len() < 3 {
        return Markup::default();
    }
    const SIZE: f64 = 260.0;
    const RADIUS: f64 = 84.0;
    let at = |i: usize, value: f64| {
        let angle = TAU * i as f64 / bars.len() as f64;
        let x = SIZE / 2.0 + RADIUS * value * angle.sin();
        (x, HEIGHT / 2.0 - RADIUS * value * angle.cos())
    };
    let ring = |values: &dyn Fn(usize) -> f64| {
        let points = (0..bars.len()).map(|i| {
            let (x, y) = at(i, values(i).clamp(0.0, 1.0));
            format!("{x:.1},{y:.1}")
        });
        points.collect::<Vec<_>>().join(" ")
    };
    let drawing = html! {
        @for tick in 1..=4 { polygon.grid points=(ring(&|_| f64::from(tick) / 4.0)) {} }
        @for (i, bar) in bars.iter().enumerate() {
            @let (x, y) = at(i, 1.0);
            @let (name_x, name_y) = at(i, 1.18);
            line.grid x1=(px(SIZE / 2.0)) y1=(px(HEIGHT / 2.0)) x2=(px(x)) y2=(px(y)) {}
            text.name x=(px(name_x)) y=(px(name_y + 4.0)) text-anchor="middle" { (bar.name) }
        }
        // A missing value has no place on an axis, so there is no area around it either.
        @if bars.iter().all(|bar| bar.value.is_some()) {
            polygon.area points=(ring(&|i| bars[i].value.unwrap_or_default())) {}
        }
        @for (i, bar) in bars.iter().enumerate() {
            @if let Some(value) = bar.value {
                @let (x, y) = at(i, value.clamp(0.0, 1.0));
                circle.dot cx=(px(x)) cy=(px(y)) r="3" {}
            }
        }
    };
    framed(SIZE, label, &drawing)
}

fn framed(width: f64, label: &str, drawing: &Markup) -> Markup {
    html! {
        svg role="img" aria-label=(label) viewBox={ "0 0 " (width) " " (HEIGHT) } width=(width) height=(HEIGHT) {
            (drawing)
        }
    }
}

fn px(length: f64) -> String {
    format!("{length:.1}")
}
