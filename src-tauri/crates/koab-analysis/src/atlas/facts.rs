//! Checkable facts in an answer: figures, dates and names, and whether they occur in the texts that
//! the model was shown.
//!
//! The checks avoid false findings. A figure also counts as known if it occurs in another unit of
//! Korean counting, rounded, or as the sum or difference of two known figures. A name also counts
//! as known if it occurs with other spaces, punctuation or letter case.

mod dates;
mod names;
mod numbers;

pub(super) use dates::{Date, dates};
pub(super) use names::{names, plain, stated};
pub(super) use numbers::{Number, Unit, numbers};

use std::collections::HashSet;

/// Text that the model received, prepared for look-ups.
pub(super) struct ShownText {
    plain: String,
    /// Values of all figures in the text, in ascending order.
    numbers: Vec<f64>,
    dates: HashSet<Date>,
    days: HashSet<(u8, u8)>,
}

impl ShownText {
    pub(super) fn new(text: &str) -> Self {
        let mut values: Vec<f64> = numbers(text).iter().map(|number| number.value).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let dates = dates(text);
        Self {
            plain: plain(text),
            numbers: values,
            days: dates.iter().map(|(date, _)| (date.month, date.day)).collect(),
            dates: dates.into_iter().map(|(date, _)| date).collect(),
        }
    }

    /// Whether the name occurs in the text.
    pub(super) fn has_name(&self, name: &str) -> bool {
        let name = plain(name);
        self.plain.contains(&name)
    }

    /// Whether the date occurs in the text. For a date without a year, only month and day are
    /// compared.
    pub(super) fn has_date(&self, date: Date) -> bool {
        if date.year == 0 {
            return self.days.contains(&(date.month, date.day));
        }
        let no_year = Date { year: 0, ..date };
        self.dates.contains(&date) || self.dates.contains(&no_year)
    }

    /// Number of dates with a year.
    pub(super) fn full_dates(&self) -> usize {
        self.dates.iter().filter(|date| date.year > 0).count()
    }

    /// Whether the figure occurs in the text: unchanged, rounded to the answer's digits, or in a
    /// related unit (thousands, hundreds, minutes, hours, or fractions of these).
    pub(super) fn has_number(&self, number: &Number) -> bool {
        [1.0, 1000.0, 0.001, 100.0, 0.01, 60.0, 1.0 / 60.0, 60_000.0, 1.0 / 60_000.0, 3600.0]
            .iter()
            .any(|scale| self.near(number.value * scale, number.step * scale))
    }

    /// Whether the figure is the sum or the difference of two figures in the text.
    pub(super) fn derives(&self, number: &Number) -> bool {
        // With many thousands of figures, any figure would be the sum of two.
        let near = |target: f64| self.near(target, number.step);
        self.numbers.iter().take(4000).any(|one| near(number.value - one) || near(number.value + one))
    }

    fn near(&self, value: f64, step: f64) -> bool {
        let slack = (step / 2.0).max(value.abs() * 1e-9) * 1.000_001;
        let from = self.numbers.partition_point(|known| *known < value - slack);
        self.numbers.get(from).is_some_and(|known| *known <= value + slack)
    }
}

/// Text without the HTML tags and entities of search results, and without JSON's escapes.
pub(super) fn strip_markup(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&', '\\']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let replacements = [
            ("<b>", ""),
            ("</b>", ""),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&amp;", "&"),
            ("&quot;", "\""),
            ("&#39;", "'"),
            ("&apos;", "'"),
            ("&nbsp;", " "),
            ("\\n", "\n"),
            ("\\\"", "\""),
            ("\\\\", "\\"),
        ];
        match replacements.iter().find(|(mark, _)| rest.starts_with(mark)) {
            Some((mark, instead)) => {
                plain.push_str(instead);
                rest = &rest[mark.len()..];
            }
            None => {
                let first = rest.chars().next().map_or(1, char::len_utf8);
                plain.push_str(&rest[..first]);
                rest = &rest[first..];
            }
        }
    }
    plain.push_str(rest);
    plain
}
