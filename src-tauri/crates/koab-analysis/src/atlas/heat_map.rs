//! Heat map of the atlas as SVG, which is also readable in print.

use super::export::names;
use super::{By, SortedAttempt, tally};
use koab_core::sentence::Language;
use koab_core::text;
use maud::html;

/// Width of the row names, in pixels.
const LEFT: usize = 290;
/// Width of a cell, in pixels.
const CELL: usize = 64;
/// Height of a row, in pixels.
const ROW: usize = 24;

const FONTS: &str =
    "Pretendard, 'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic', sans-serif";

/// Heat map of causes by level or by model. A cell shows the number of lossy attempts with this
/// first cause. Its shade shows the share of the column's lossy attempts.
pub fn to_svg(attempts: &[SortedAttempt], by: By, language: Language) -> String {
    let tally = tally(attempts, by);
    // Names of models are slanted above their columns.
    let top = if by == By::Model { 190 } else { 64 };
    let width = LEFT + (tally.columns.len() + 1) * CELL + if by == By::Model { 130 } else { 16 };
    let height = top + tally.rows.len() * ROW + 44;
    let title = language.text(text!("Failure atlas"));
    let all = language.text(text!("All", "a sum"));
    let legend = language.text(text!(
        "Cell: attempts with this first cause; the darker the cell, the larger its share of the column’s lossy attempts."
    ));
    let columns = tally.columns.iter().map(String::as_str).chain([all]);
    let names = names(&tally, language);
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) }
            font-family=(FONTS) font-size="12" fill="#1c1c1c" {
            title { (title) }
            rect width=(width) height=(height) fill="#ffffff" {}
            text x="12" y="22" font-size="15" font-weight="600" { (title) }
            @for (place, name) in columns.enumerate() {
                @let (x, y) = (LEFT + place * CELL + CELL / 2, top - 10);
                @if by == By::Model {
                    text x=(x) y=(y) transform={ "rotate(-45 " (x) " " (y) ")" } text-anchor="start" { (name) }
                } @else {
                    text x=(x) y=(y) text-anchor="middle" { (name) }
                }
            }
            @for (row, (name, (_, cells))) in names.iter().zip(&tally.rows).enumerate() {
                @let y = top + row * ROW;
                text x="12" y=(y + 16) { (name) }
                @for (place, cell) in cells.iter().enumerate() {
                    @let states = tally.states.get(place).unwrap_or(&tally.total);
                    @let (fill, ink) = shade(f64::from(cell.first) / f64::from(states.lossy.max(1)));
                    @let x = LEFT + place * CELL;
                    rect x=(x) y=(y) width=(CELL - 2) height=(ROW - 2) fill=(fill) {}
                    @if cell.first > 0 {
                        text x=(x + CELL / 2 - 1) y=(y + 15) text-anchor="middle" fill=(ink) { (cell.first) }
                    }
                }
            }
            text x="12" y=(height - 16) font-size="11" fill="#555555" { (legend) }
        }
    };
    svg.into_string() + "\n"
}

/// Fill and text colour for a share. The fill ranges from near white to a deep blue.
fn shade(share: f64) -> (String, &'static str) {
    // The root makes small shares visible.
    let depth = share.clamp(0.0, 1.0).sqrt();
    let mix = |from: f64, to: f64| (from + (to - from) * depth).round() as u8;
    let fill = format!("#{:02x}{:02x}{:02x}", mix(243.0, 18.0), mix(245.0, 64.0), mix(248.0, 140.0));
    (fill, if depth > 0.55 { "#ffffff" } else { "#1c1c1c" })
}
