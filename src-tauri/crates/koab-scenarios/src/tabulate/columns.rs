//! Writer of text in columns.

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Writes a line of cells, with two spaces between columns and no spaces at the end.
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
