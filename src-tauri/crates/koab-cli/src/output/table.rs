//! Rows as aligned columns that fit the terminal.
//!
//! A pipe or a file gets every column in full. On a terminal long cells go on in the next line; where even that is too wide,
//! columns that a command can spare are left out, and a line below says which.

use super::clean::clean;
use crate::lang::Lang;
use std::borrow::Cow;
use std::sync::OnceLock;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Columns of space between two columns.
const GAP: usize = 2;

/// Cells up to this width, which are mostly numbers and single words, are not folded as long as anything else can be.
const SHORT: usize = 14;

/// A word is broken rather than its column made narrower.
const NARROWEST: usize = 8;

/// Columns that the terminal has; unset without one.
static TERMINAL: OnceLock<usize> = OnceLock::new();

/// Makes tables fit so many columns from now on.
pub(crate) fn fit_to(width: usize) {
    let _ = TERMINAL.set(width);
}

/// Rows as aligned columns. Nothing is left out.
pub(crate) fn columns(header: &[&str], rows: &[Vec<String>]) -> String {
    fitted(header, rows, &[], TERMINAL.get().copied()).0
}

/// The same, where the columns at the places `spare` may be left out, in that order, on a terminal that is too narrow.
pub(crate) fn spared_columns(header: &[&str], rows: &[Vec<String>], spare: &[usize], lang: Lang) -> String {
    let (mut text, left_out) = fitted(header, rows, spare, TERMINAL.get().copied());
    if !left_out.is_empty() {
        let names: Vec<&str> = left_out.iter().map(|place| header[*place]).collect();
        let names = names.join(", ");
        text.push_str(&match lang {
            Lang::Ko => format!("(화면이 좁아 뺀 열: {names}; --wide로 모두 표시)\n"),
            Lang::En => format!("(left out at this width: {names}; --wide shows all)\n"),
        });
    }
    text
}

/// The table, and the places of the columns that were left out.
fn fitted(
    header: &[&str],
    rows: &[Vec<String>],
    spare: &[usize],
    width: Option<usize>,
) -> (String, Vec<usize>) {
    let header: Vec<Cow<'_, str>> = header.iter().map(|title| one_line(title)).collect();
    let rows: Vec<Vec<Cow<'_, str>>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| one_line(cell)).collect())
        .collect();
    let cells = |place: usize| rows.iter().filter_map(move |row| row.get(place));
    let natural: Vec<usize> = (0..header.len())
        .map(|place| widest(cells(place), |cell| cell.width()).max(header[place].width()))
        .collect();
    let mut places: Vec<usize> = (0..header.len()).collect();
    let mut left_out = Vec::new();
    let mut widths = natural.clone();
    if let Some(width) = width {
        let least: Vec<usize> = (0..header.len())
            .map(|place| widest(cells(place), least).max(longest_word(&header[place])))
            .collect();
        for place in spare {
            if total(&places, &least) <= width {
                break;
            }
            places.retain(|kept| kept != place);
            left_out.push(*place);
        }
        for floor in [&least, &vec![NARROWEST; header.len()]] {
            narrow(&mut widths, &places, floor, width);
        }
    }
    let mut text = String::new();
    for row in std::iter::once(&header).chain(&rows) {
        push_row(&mut text, row, &places, &widths);
    }
    (text, left_out)
}

/// Takes from the widest column, again and again, until the table fits or every column is at its floor.
fn narrow(widths: &mut [usize], places: &[usize], floor: &[usize], width: usize) {
    while total(places, widths) > width {
        let above = places.iter().filter(|place| widths[**place] > floor[**place]);
        let Some(place) = above.max_by_key(|place| widths[**place]) else {
            return;
        };
        widths[*place] -= 1;
    }
}

fn total(places: &[usize], widths: &[usize]) -> usize {
    let gaps = places.len().saturating_sub(1) * GAP;
    places.iter().map(|place| widths[*place]).sum::<usize>() + gaps
}

fn push_row(text: &mut String, row: &[Cow<'_, str>], places: &[usize], widths: &[usize]) {
    let folded: Vec<Vec<&str>> = places
        .iter()
        .map(|place| {
            row.get(*place)
                .map_or_else(Vec::new, |cell| fold(cell, widths[*place]))
        })
        .collect();
    let height = folded.iter().map(Vec::len).max().unwrap_or(0).max(1);
    for line in 0..height {
        for (at, (place, lines)) in places.iter().zip(&folded).enumerate() {
            let cell = lines.get(line).copied().unwrap_or_default();
            text.push_str(cell);
            if at + 1 < places.len() {
                text.push_str(&" ".repeat(widths[*place].saturating_sub(cell.width()) + GAP));
            }
        }
        text.push('\n');
    }
}

/// The cell in lines of at most `width` columns, cut at blanks and where there is none in the word.
fn fold(cell: &str, width: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = cell;
    while rest.width() > width {
        let (mut end, mut blank, mut used) = (0, None, 0);
        for (at, letter) in rest.char_indices() {
            if letter == ' ' {
                blank = Some(at);
            }
            used += letter.width().unwrap_or(0);
            if used > width {
                break;
            }
            end = at + letter.len_utf8();
        }
        // A letter that is wider than the column still has to stand somewhere.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let cut = blank.filter(|at| *at > 0).unwrap_or(end.max(first));
        lines.push(rest[..cut].trim_end_matches(' '));
        rest = rest[cut..].trim_start_matches(' ');
    }
    lines.push(rest);
    lines
}

/// The text without line breaks and without what a terminal obeys.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\t', '\r']) {
        let words: Vec<&str> = text.split(['\n', '\t', '\r']).map(str::trim).collect();
        return Cow::Owned(clean(&words.join(" ")).into_owned());
    }
    clean(text)
}

fn widest<'a>(cells: impl Iterator<Item = &'a Cow<'a, str>>, of: impl Fn(&str) -> usize) -> usize {
    cells.map(|cell| of(cell)).max().unwrap_or(0)
}

/// The width that a cell needs when it is folded at blanks.
fn least(cell: &str) -> usize {
    cell.width().min(longest_word(cell).max(SHORT))
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
            assert!(text.lines().all(|line| line.width() <= width), "{text}");
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
                let broken = text.lines().find(|line| line.trim_end().width() > width);
                assert_eq!(broken, None, "{count} columns in {width}");
                let told: String = text.split_whitespace().collect();
                assert!(!told.contains('\u{1b}'));
            }
        }
    }
}
