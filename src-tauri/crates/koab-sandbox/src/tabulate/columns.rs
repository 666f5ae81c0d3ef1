//! Text in columns.

use unicode_width::UnicodeWidthStr as _;

/// Where a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Writes rows, the first being the heading, in columns as wide on a terminal as they need to be.
pub(super) fn columns(rows: &[Vec<String>], aligns: &[Align]) -> String {
    let width = |text: &str| text.width();
    let widths: Vec<usize> = (0..aligns.len())
        .map(|at| {
            rows.iter()
                .filter_map(|row| row.get(at))
                .map(|cell| width(cell))
                .max()
                .unwrap_or_default()
        })
        .collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        line(&mut out, &cells, aligns, &widths, width);
    }
    out
}

/// Writes a line of cells, two spaces between columns and none at the end.
pub(super) fn line(
    out: &mut String,
    cells: &[&str],
    aligns: &[Align],
    widths: &[usize],
    width: impl Fn(&str) -> usize,
) {
    let cells = cells.iter().zip(aligns).zip(widths).map(|((cell, align), wide)| {
        let gap = " ".repeat(wide.saturating_sub(width(cell)));
        match align {
            Align::Left => format!("{cell}{gap}"),
            Align::Right => format!("{gap}{cell}"),
        }
    });
    out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
    out.push('\n');
}
