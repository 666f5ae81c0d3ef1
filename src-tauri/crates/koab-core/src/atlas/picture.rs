//! The atlas as a picture: a heat map in SVG, readable in print.

use super::export::names;
use super::{By, SortedAttempt, tally};
use crate::report::Language;
use std::fmt::Write as _;

/// Sizes, in pixels.
const LEFT: usize = 210;
const CELL: usize = 64;
const ROW: usize = 24;

/// Cause by level or by model; a cell's shade is its share of the column's lossy attempts, its figure their number.
pub fn to_svg(attempts: &[SortedAttempt], by: By, language: Language) -> String {
    let tally = tally(attempts, by);
    // Names of models stand slanted above their columns.
    let top = if by == By::Model { 190 } else { 64 };
    let width = LEFT + (tally.columns.len() + 1) * CELL + if by == By::Model { 130 } else { 16 };
    let height = top + tally.rows.len() * ROW + 44;
    let (title, all, legend) = match language {
        Language::Korean => (
            "실패 지도",
            "합계",
            "칸: 첫 원인인 시도 수. 짙을수록 그 열의 잃은 시도에서 차지하는 몫이 큽니다.",
        ),
        Language::English => (
            "Failure atlas",
            "All",
            "Cell: attempts whose first cause it is; the darker, the larger its share of the column’s lossy attempts.",
        ),
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Pretendard, 'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic', sans-serif\" font-size=\"12\" fill=\"#1c1c1c\">\n\
         <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"22\" font-size=\"15\" font-weight=\"600\">{title}</text>\n"
    );
    let columns = tally.columns.iter().map(String::as_str).chain([all]);
    for (place, name) in columns.enumerate() {
        let x = LEFT + place * CELL + CELL / 2;
        let y = top - 10;
        let turn = if by == By::Model {
            format!(" transform=\"rotate(-45 {x} {y})\" text-anchor=\"start\"")
        } else {
            " text-anchor=\"middle\"".to_owned()
        };
        // Writing to a text cannot fail.
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\"{turn}>{}</text>", escape(name));
    }
    for (row, (name, (_, cells))) in names(&tally, language).iter().zip(&tally.rows).enumerate() {
        let y = top + row * ROW;
        let _ = writeln!(svg, "<text x=\"12\" y=\"{}\">{}</text>", y + 16, escape(name));
        for (place, cell) in cells.iter().enumerate() {
            let states = tally.states.get(place).unwrap_or(&tally.total);
            let share = f64::from(cell.first) / f64::from(states.lossy.max(1));
            let x = LEFT + place * CELL;
            let (fill, ink) = shade(share);
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"/>",
                CELL - 2,
                ROW - 2
            );
            if cell.first > 0 {
                let _ = writeln!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                    x + CELL / 2 - 1,
                    y + 15,
                    cell.first
                );
            }
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"12\" y=\"{}\" font-size=\"11\" fill=\"#555555\">{legend}</text>\n</svg>",
        height - 16
    );
    svg
}

/// Fill and ink of a share: from near white to a deep blue.
fn shade(share: f64) -> (String, &'static str) {
    // The root keeps small shares apart from none.
    let depth = share.clamp(0.0, 1.0).sqrt();
    let mix = |from: f64, to: f64| (from + (to - from) * depth).round() as u8;
    let fill = format!(
        "#{:02x}{:02x}{:02x}",
        mix(243.0, 18.0),
        mix(245.0, 64.0),
        mix(248.0, 140.0)
    );
    (fill, if depth > 0.55 { "#ffffff" } else { "#1c1c1c" })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
