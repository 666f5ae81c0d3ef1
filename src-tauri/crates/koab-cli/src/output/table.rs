//! Rows as aligned columns that fit the terminal.
//!
//! A pipe or a file gets every column in full. On a terminal, long cells are wrapped. If the table
//! is still too wide, columns are dropped. A line below the table names the dropped columns and the
//! option that shows them.

mod fold;
mod layout;

use super::clean::clean;
use fold::{cut, fold, hang};
use koab_api::shown::NONE;
use koab_core::say;
use koab_core::sentence::Language;
use layout::{GAP, Kind, Measure, widths};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::OnceLock;
use unicode_width::UnicodeWidthStr as _;

/// Maximum number of lines of a cell. A longer cell would hide the rows around it.
const MAX_CELL_LINES: usize = 8;

/// Width of the terminal in columns; unset if it is unknown.
static TERMINAL: OnceLock<u16> = OnceLock::new();

thread_local! {
    /// Whether this thread writes tables for a file, which have their full width.
    static FOR_FILE: Cell<bool> = const { Cell::new(false) };
}

/// Sets the width that all later tables must fit.
pub(crate) fn fit_to(width: u16) {
    let _ = TERMINAL.set(width);
}

/// Calls `text` and returns its tables in full width, even if the terminal is narrower.
pub(crate) fn for_file(text: impl FnOnce() -> String) -> String {
    FOR_FILE.set(true);
    let text = text();
    FOR_FILE.set(false);
    text
}

/// Wraps those lines of a text that are wider than the terminal.
pub(crate) fn fitted(text: &str) -> Cow<'_, str> {
    let Some(room) = room() else {
        return Cow::Borrowed(text);
    };
    let lines: Vec<String> = text.split('\n').map(|line| hang(line, room)).collect();
    Cow::Owned(lines.join("\n"))
}

fn room() -> Option<usize> {
    TERMINAL.get().copied().filter(|_| !FOR_FILE.get()).map(usize::from)
}

/// Text of a table with these headings and cells. The first column is an id.
pub(crate) fn columns(header: &[&str], rows: &[Vec<String>], lang: Language) -> String {
    Columns::grid(header, rows, lang).text()
}

/// A table that is built column by column. Each column has a heading and a function that returns
/// the cell of a row.
pub(crate) struct Columns<'a, T> {
    rows: Vec<T>,
    header: Vec<&'a str>,
    kinds: Vec<Kind>,
    cells: Vec<Vec<String>>,
    spare: Vec<usize>,
    lang: Language,
}

impl<'a, T: Copy> Columns<'a, T> {
    /// Creates a table of these rows without columns.
    pub(crate) fn new(rows: impl IntoIterator<Item = T>, lang: Language) -> Self {
        let rows: Vec<T> = rows.into_iter().collect();
        let cells = vec![Vec::new(); rows.len()];
        Self { rows, header: Vec::new(), kinds: Vec::new(), cells, spare: Vec::new(), lang }
    }

    /// Adds a column of numbers or single words. A heading that the catalogue of translations lacks
    /// is printed unchanged.
    ///
    /// The first column becomes an id if the table has no other id.
    pub(crate) fn column<C: ToString>(self, heading: &'a str, cell: impl FnMut(T) -> C) -> Self {
        self.more(Kind::Value, heading, cell)
    }

    /// Adds a column of ids, which the user types into other commands. The column is never dropped.
    pub(crate) fn id<C: ToString>(self, heading: &'a str, cell: impl FnMut(T) -> C) -> Self {
        self.more(Kind::Id, heading, cell)
    }

    /// Adds a column of sentences, paths or addresses, which may be wrapped anywhere.
    pub(crate) fn prose<C: ToString>(self, heading: &'a str, cell: impl FnMut(T) -> C) -> Self {
        self.more(Kind::Prose, heading, cell)
    }

    /// Adds a column of pictures made of characters, which are never wrapped but may be dropped.
    pub(crate) fn picture<C: ToString>(self, heading: &'a str, cell: impl FnMut(T) -> C) -> Self {
        self.more(Kind::Picture, heading, cell)
    }

    /// Sets the order of columns to drop in a narrow terminal. These columns are dropped before all
    /// others.
    pub(crate) fn spare(mut self, places: impl IntoIterator<Item = usize>) -> Self {
        self.spare = places.into_iter().collect();
        self
    }

    fn more<C: ToString>(mut self, kind: Kind, heading: &'a str, mut cell: impl FnMut(T) -> C) -> Self {
        self.header.push(self.lang.text(heading));
        self.kinds.push(kind);
        for (cells, row) in self.cells.iter_mut().zip(&self.rows) {
            cells.push(cell(*row).to_string());
        }
        self
    }

    /// Text of the table, which fits the width of the terminal.
    pub(crate) fn text(&self) -> String {
        let text = self.fitted(room());
        debug_assert!(
            text.lines().all(|line| line.width() <= room().unwrap_or(usize::MAX)),
            "a row is wider than the terminal:\n{text}"
        );
        text
    }

    fn fitted(&self, room: Option<usize>) -> String {
        let header = self.header.iter().map(|title| one_line(title)).collect();
        let rows = self.cells.iter();
        let rows = rows.map(|row| row.iter().map(|cell| one_line(cell)).collect());
        let lines: Vec<Vec<Cow<'_, str>>> = std::iter::once(header).chain(rows).collect();
        let measures: Vec<Measure> = (0..self.header.len())
            .map(|place| Measure::new(self.kind(place), lines.iter().map(|line| &*line[place])))
            .collect();
        let widths = widths(&measures, &self.spare, room.unwrap_or(usize::MAX));
        let max_lines = if room.is_some() { MAX_CELL_LINES } else { usize::MAX };
        let mut text = String::new();
        let mut is_cut = false;
        for line in &lines {
            is_cut |= row(line, &widths, max_lines, &mut text);
        }
        if let Some(room) = room {
            text.push_str(&self.note(&widths, is_cut, room));
        }
        text
    }

    fn kind(&self, place: usize) -> Kind {
        if place == 0 && !self.kinds.contains(&Kind::Id) {
            return Kind::Id;
        }
        self.kinds[place]
    }

    /// Lines below the table that name the dropped columns, report cut cells, and name the option
    /// that shows everything. They are wrapped at `room` columns.
    fn note(&self, widths: &[Option<usize>], is_cut: bool, room: usize) -> String {
        let left_out = self.header.iter().zip(widths);
        let left_out = left_out.filter(|(_, width)| width.is_none());
        let names: Vec<Cow<'_, str>> = left_out.map(|(name, _)| one_line(name)).collect();
        let mut notes = Vec::new();
        if !names.is_empty() {
            let names = names.join(", ");
            notes.push(say!("(left out at this width: {names}; --wide shows all)"));
        }
        if is_cut {
            notes.push(say!("(… long cells are cut at this width; --wide shows all)"));
        }
        let lines = notes.iter().flat_map(|note| fold(&self.lang.say(note), room));
        lines.map(|line| line + "\n").collect()
    }
}

impl<'a> Columns<'a, &'a Vec<String>> {
    /// Creates a table from rows of finished cells.
    pub(crate) fn grid(header: &[&'a str], rows: &'a [Vec<String>], lang: Language) -> Self {
        let mut table = Self::new(rows, lang);
        for (place, heading) in header.iter().enumerate() {
            table = table.column(heading, |row| row.get(place).map_or("", String::as_str));
        }
        table
    }
}

/// Text of the value, or `text` if there is no value.
pub(crate) fn or(value: Option<impl ToString>, text: &str) -> String {
    value.map_or_else(|| text.to_owned(), |value| value.to_string())
}

/// Text of the value, or a dash if there is no value.
pub(crate) fn or_dash(value: Option<impl ToString>) -> String {
    or(value, NONE)
}

/// Appends a row to the text. The row has as many lines as its longest cell needs. Returns whether
/// a cell was cut.
fn row(cells: &[Cow<'_, str>], widths: &[Option<usize>], max_lines: usize, text: &mut String) -> bool {
    let mut is_cut = false;
    let folded: Vec<(Vec<String>, usize)> = cells
        .iter()
        .zip(widths)
        .filter_map(|(cell, width)| {
            let width = (*width)?;
            let mut lines = fold(cell, width);
            is_cut |= cut(&mut lines, max_lines, width);
            Some((lines, width))
        })
        .collect();
    let height = folded.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0);
    for at in 0..height {
        let mut line = String::new();
        for (lines, width) in &folded {
            let cell = lines.get(at).map_or("", String::as_str);
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.width()) + GAP));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    is_cut
}

/// Text without line breaks, cleaned for a terminal.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\t', '\r']) {
        let words: Vec<&str> = text.split(['\n', '\t', '\r']).map(str::trim).collect();
        return Cow::Owned(clean(&words.join(" ")).into_owned());
    }
    clean(text)
}

#[cfg(test)]
mod tests;
