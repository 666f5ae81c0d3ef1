//! Dates in a text, in the forms that occur in answers and results.

/// Calendar day. The year is 0 if the text has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::atlas) struct Date {
    pub(in crate::atlas) year: u16,
    pub(in crate::atlas) month: u8,
    pub(in crate::atlas) day: u8,
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Dates in a text, each with the words that express it: `2025-12-19`, `2025.12.19`, `20251219`,
/// `2025년 12월 19일`, `12월 19일`, `December 19, 2025`, `19 Dec 2025`.
pub(in crate::atlas) fn dates(text: &str) -> Vec<(Date, String)> {
    let words = words(text);
    let mut dates = Vec::new();
    for i in 0..words.len() {
        let Some((date, length)) = at(&words[i..]) else {
            continue;
        };
        let last = &words[i + length - 1];
        let source = text[words[i].start..last.end].to_owned();
        dates.push((date, source));
    }
    dates
}

/// Sequence of digits or of letters, with the characters between it and the next sequence.
struct Word<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    number: Option<u32>,
    /// Characters between this word and the next, or up to the end of the text.
    gap: &'a str,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let kind = |c: char| (c.is_ascii_digit(), c.is_alphabetic());
        if kind(c) == (false, false) {
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some((next, after)) = chars.peek().copied().filter(|(_, after)| kind(*after) == kind(c)) {
            end = next + after.len_utf8();
            chars.next();
        }
        if let Some(last) = words.last_mut() {
            last.gap = &text[last.end..start];
        }
        let word = &text[start..end];
        let number = word.parse().ok().filter(|_| c.is_ascii_digit() && word.len() <= 8);
        words.push(Word { text: word, start, end, number, gap: &text[end..] });
    }
    words
}

fn at(words: &[Word<'_>]) -> Option<(Date, usize)> {
    let number = |i: usize| words.get(i)?.number;
    let follows = |i: usize, marks: &[&str]| words.get(i).is_some_and(|word| marks.contains(&word.gap));
    let starts_with = |i: usize, name: &str| words.get(i).is_some_and(|word| word.text.starts_with(name));
    let first = number(0);
    if let Some(whole) = first.filter(|_| words[0].text.len() == 8) {
        return Some((date(whole / 10_000, whole / 100 % 100, whole % 100)?, 1));
    }
    let marks = ["-", ".", ". ", "/"];
    if let (Some(year), true, Some(month), true, Some(day)) =
        (first, follows(0, &marks), number(1), follows(1, &marks), number(2))
        && words[0].text.len() == 4
    {
        return Some((date(year, month, day)?, 3));
    }
    // 2025 년 12 월 19 일
    if starts_with(1, "년") && starts_with(3, "월") && starts_with(5, "일") {
        return Some((date(first?, number(2)?, number(4)?)?, 6));
    }
    if starts_with(1, "월") && starts_with(3, "일") && words[0].text.len() <= 2 {
        return Some((date(0, first?, number(2)?)?, 4));
    }
    // December 19, 2025
    let month = |i: usize| {
        let word = words.get(i)?.text.get(..3)?.to_ascii_lowercase();
        let full = words.get(i)?.text.chars().all(|c| c.is_ascii_alphabetic());
        let month = MONTHS.iter().position(|name| *name == word)? as u32 + 1;
        full.then_some(month)
    };
    if let (Some(month), Some(day), Some(year)) = (month(0), number(1), number(2))
        && words[2].text.len() == 4
    {
        return Some((date(year, month, day)?, 3));
    }
    // 19 Dec 2025
    if let (Some(day), Some(month), Some(year)) = (first, month(1), number(2))
        && words[2].text.len() == 4
    {
        return Some((date(year, month, day)?, 3));
    }
    None
}

fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    let is_year = year == 0 || (1900..2100).contains(&year);
    (is_year && (1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Date {
        year: year as u16,
        month: month as u8,
        day: day as u8,
    })
}
