//! Rows as aligned columns that fit the terminal.
//!
//! A pipe or a file gets every column in full. On a terminal long cells go on in the next line; where even that is too wide,
//! columns that a command can spare are left out, and a line below says which.

use super::clean::clean;
use comfy_table::presets::NOTHING;
use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use koab_api::shown::NONE;
use koab_core::say;
use koab_core::sentence::Language;
use std::borrow::Cow;
use std::sync::OnceLock;
use unicode_width::UnicodeWidthStr as _;

/// Columns of space between two columns.
const GAP: u16 = 2;

/// Cells up to this width, which are mostly numbers and single words, are not folded as long as anything else can be.
const SHORT: usize = 14;

/// A word is broken rather than its column made narrower.
const NARROWEST: u16 = 8;

/// Columns that the terminal has; unset without one.
static TERMINAL: OnceLock<u16> = OnceLock::new();

/// Makes tables fit so many columns from now on.
pub(crate) fn fit_to(width: u16) {
    let _ = TERMINAL.set(width);
}

/// Rows as aligned columns. Nothing is left out.
pub(crate) fn columns(header: &[&str], rows: &[Vec<String>]) -> String {
    fitted(header, rows, &[], TERMINAL.get().copied()).0
}

/// The same, where the columns at the places `spare` may be left out, in that order, on a terminal that is too narrow.
pub(crate) fn spared_columns(
    header: &[&str],
    rows: &[Vec<String>],
    spare: &[usize],
    lang: Language,
) -> String {
    let (mut text, left_out) = fitted(header, rows, spare, TERMINAL.get().copied());
    if !left_out.is_empty() {
        let names: Vec<&str> = left_out.iter().map(|place| header[*place]).collect();
        let names = names.join(", ");
        text.push_str(&lang.say(&say!("(left out at this width: {names}; --wide shows all)\n")));
    }
    text
}

/// A table of which each column is told at one place: its heading, and the cell that a row has in it.
pub(crate) struct Columns<'a, T> {
    rows: Vec<T>,
    header: Vec<&'a str>,
    cells: Vec<Vec<String>>,
    lang: Language,
}

impl<'a, T: Copy> Columns<'a, T> {
    /// A table of these rows that has no column yet.
    pub(crate) fn of(rows: impl IntoIterator<Item = T>, lang: Language) -> Self {
        let rows: Vec<T> = rows.into_iter().collect();
        let cells = vec![Vec::new(); rows.len()];
        Self {
            rows,
            header: Vec::new(),
            cells,
            lang,
        }
    }

    /// One more column. A heading that is no sentence of the catalogue stands as it is.
    pub(crate) fn column<C: ToString>(mut self, heading: &'a str, mut cell: impl FnMut(T) -> C) -> Self {
        self.header.push(self.lang.text(heading));
        for (cells, row) in self.cells.iter_mut().zip(&self.rows) {
            cells.push(cell(*row).to_string());
        }
        self
    }

    /// All of it.
    pub(crate) fn text(&self) -> String {
        columns(&self.header, &self.cells)
    }

    /// The same, where the columns at the places `spare` may be left out.
    pub(crate) fn spared(&self, spare: &[usize]) -> String {
        spared_columns(&self.header, &self.cells, spare, self.lang)
    }
}

/// The value as it shows itself, else the text.
pub(crate) fn or(value: Option<impl ToString>, text: &str) -> String {
    value.map_or_else(|| text.to_owned(), |value| value.to_string())
}

/// The value as it shows itself, else the dash.
pub(crate) fn or_dash(value: Option<impl ToString>) -> String {
    or(value, NONE)
}

/// The table, and the places of the columns that were left out.
fn fitted(
    header: &[&str],
    rows: &[Vec<String>],
    spare: &[usize],
    width: Option<u16>,
) -> (String, Vec<usize>) {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(header.iter().map(|title| one_line(title)));
    table.add_rows(rows.iter().map(|row| row.iter().map(|cell| one_line(cell))));
    for column in table.column_iter_mut() {
        column.set_padding((0, GAP));
    }
    let mut left_out = Vec::new();
    if let Some(width) = width {
        // The last gap is cut off.
        let width = width.saturating_add(GAP);
        let least: Vec<u16> = (0..header.len())
            .map(|place| least(&table, place).max(longest_word(header[place])))
            .map(|least| u16::try_from(least).unwrap_or(u16::MAX).saturating_add(GAP))
            .collect();
        let mut total: usize = least.iter().copied().map(usize::from).sum();
        for place in spare {
            if total <= width.into() {
                break;
            }
            total -= usize::from(least[*place]);
            left_out.push(*place);
        }
        let floor = if total <= width.into() {
            u16::MAX
        } else {
            NARROWEST + GAP
        };
        for ((place, column), least) in table.column_iter_mut().enumerate().zip(least) {
            column.set_constraint(if left_out.contains(&place) {
                ColumnConstraint::Hidden
            } else {
                ColumnConstraint::LowerBoundary(Width::Fixed(least.min(floor)))
            });
        }
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
    }
    (table.trim_fmt() + "\n", left_out)
}

/// The text without line breaks and without what a terminal obeys.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\t', '\r']) {
        let words: Vec<&str> = text.split(['\n', '\t', '\r']).map(str::trim).collect();
        return Cow::Owned(clean(&words.join(" ")).into_owned());
    }
    clean(text)
}

/// The width that a column's cells need when they are folded at blanks.
fn least(table: &Table, place: usize) -> usize {
    let cells = table
        .column_cells_iter(place)
        .flatten()
        .map(|cell| cell.content());
    let widths = cells.map(|cell| cell.width().min(longest_word(&cell).max(SHORT)));
    widths.max().unwrap_or(0)
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(|word| word.width()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter()
            .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
            .collect()
    }

    #[test]
    fn korean_is_two_columns_wide_and_a_dash_one() {
        let (text, _) = fitted(
            &["이름", "값", "끝"],
            &rows(&[&["a — b", "—", "x"], &["한글", "0.5", "y"]]),
            &[],
            None,
        );
        insta::assert_snapshot!(text, @"
        이름   값   끝
        a — b  —    x
        한글   0.5  y
        ");
    }

    #[test]
    fn long_cells_go_on_in_the_next_line_and_nothing_is_lost() {
        let all = rows(&[&[
            "model_server",
            "no",
            "start one, or give --base-url of the one that runs",
        ]]);
        let (text, left_out) = fitted(&["what", "ok", "remedy"], &all, &[], Some(40));
        insta::assert_snapshot!(text, @"
        what          ok  remedy
        model_server  no  start one, or give
                          --base-url of the one
                          that runs
        ");
        assert!(left_out.is_empty());
    }

    #[test]
    fn what_can_be_spared_is_left_out_where_folding_is_not_enough() {
        let all = rows(&[&["azure_gpt-4o_20251219", "azure/gpt-4o", "0.6566", "documented"]]);
        for (width, lost) in [(60, &[][..]), (46, &[1]), (34, &[1, 3])] {
            let (text, left_out) = fitted(
                &["report", "model", "value", "reading"],
                &all,
                &[1, 3],
                Some(width),
            );
            assert_eq!(left_out, lost, "{width}\n{text}");
            assert!(text.lines().all(|line| line.width() <= width.into()), "{text}");
        }
    }

    #[test]
    fn any_table_fits_any_terminal_that_has_room_for_its_columns() {
        let cells = [
            "",
            "—",
            "한국어로 쓴 긴 문장이 여기에 있습니다",
            "a_word_that_is_longer_than_its_column_can_be",
            "\u{1b}[31mred\nnext",
            "+0.1234",
        ];
        for count in 1..=8 {
            let header = vec!["제목 title"; count];
            let row: Vec<String> = (0..count).map(|at| cells[at % cells.len()].to_owned()).collect();
            for width in [80, 100, 120] {
                let (text, _) = fitted(&header, std::slice::from_ref(&row), &[], Some(width));
                let broken = text.lines().find(|line| line.trim_end().width() > width.into());
                assert_eq!(broken, None, "{count} columns in {width}");
                let told: String = text.split_whitespace().collect();
                assert!(!told.contains('\u{1b}'));
            }
        }
    }
}
