//! Figures in a text, including Korean number words.

/// Unit of a figure, which affects the comparison with other figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::atlas) enum Unit {
    /// Time in minutes.
    Minutes,
    /// Time in hours.
    Hours,
    /// Amount in won or dollars.
    Money,
}

/// Figure in a text.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::atlas) struct Number {
    /// Words of the text that express the figure, with the unit.
    pub(in crate::atlas) text: String,
    pub(in crate::atlas) value: f64,
    /// Value of one unit in the last digit, such as 0.1 for 2.5.
    pub(in crate::atlas) step: f64,
    /// Number of digits without leading and trailing zeros.
    pub(in crate::atlas) digits: usize,
    pub(in crate::atlas) unit: Option<Unit>,
}

/// Korean number words with their values, the largest first.
const WORDS: [(char, f64); 4] = [('조', 1e12), ('억', 1e8), ('만', 1e4), ('천', 1e3)];

/// Figures in a text, in order. Digits within a word or a web address are left out.
pub(in crate::atlas) fn numbers(text: &str) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + next;
        let before = text[..start].chars().next_back();
        let (end, mut number) = read(text, start);
        at = end;
        if before.is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '.') {
            continue;
        }
        let mut last = end;
        // 1억 2,965만: each further part is smaller than the one before.
        let mut scale = f64::INFINITY;
        let mut total = 0.0;
        loop {
            let Some((word, length)) = word_at(&text[last..], scale) else {
                total += number.value;
                break;
            };
            total += number.value * word;
            number.step *= word;
            (scale, last) = (word, last + length);
            let gap = text[last..].len() - text[last..].trim_start_matches(' ').len();
            let follows = text[last + gap..].starts_with(|c: char| c.is_ascii_digit());
            if !follows || gap > 1 {
                break;
            }
            let (after, further) = read(text, last + gap);
            if further.value >= word {
                break;
            }
            let (digits, step) = (number.digits + further.digits, further.step);
            number = Number { digits, step, ..further };
            last = after;
        }
        at = last.max(end);
        let (unit, length) = unit_at(&text[at..]);
        let sign = text[..start].ends_with('$');
        numbers.push(Number {
            text: text[start..at + length].to_owned(),
            value: total,
            unit: unit.or(sign.then_some(Unit::Money)),
            ..number
        });
    }
    numbers
}

/// Parses the number that begins at `start`, with thousands separators and a fraction. Also returns
/// the end of the number.
fn read(text: &str, start: usize) -> (usize, Number) {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut end, mut plain, mut decimals, mut point) = (start, String::new(), 0_i32, false);
    loop {
        if digit(end) {
            plain.push(char::from(bytes[end]));
            decimals += i32::from(point);
            end += 1;
        } else if !point
            && bytes.get(end) == Some(&b',')
            && (1..=3).all(|i| digit(end + i))
            && !digit(end + 4)
        {
            end += 1;
        } else if !point && bytes.get(end) == Some(&b'.') && digit(end + 1) {
            (point, end) = (true, end + 1);
            plain.push('.');
        } else {
            break;
        }
    }
    let digits: String = plain.chars().filter(char::is_ascii_digit).collect();
    let significant = digits.trim_start_matches('0').trim_end_matches('0').len();
    let number = Number {
        text: String::new(),
        value: plain.parse().unwrap_or(0.0),
        step: 10_f64.powi(-decimals),
        digits: significant,
        unit: None,
    };
    (end, number)
}

/// Number word at the start of a text with a value below `below`: its value and its length in
/// bytes.
fn word_at(text: &str, below: f64) -> Option<(f64, usize)> {
    let rest = text.trim_start_matches(' ');
    let gap = text.len() - rest.len();
    if gap > 1 {
        return None;
    }
    let first = rest.chars().next()?;
    let (word, value) = WORDS.into_iter().find(|(word, _)| *word == first)?;
    (value < below).then_some((value, gap + word.len_utf8()))
}

fn unit_at(text: &str) -> (Option<Unit>, usize) {
    let rest = text.trim_start_matches([' ', '*']);
    let gap = text.len() - rest.len();
    if gap > 3 {
        return (None, 0);
    }
    let units = [
        ("minutes", Unit::Minutes),
        ("mins", Unit::Minutes),
        ("min", Unit::Minutes),
        ("분", Unit::Minutes),
        ("시간", Unit::Hours),
        ("hours", Unit::Hours),
        ("원", Unit::Money),
        ("won", Unit::Money),
        ("KRW", Unit::Money),
        ("달러", Unit::Money),
        ("USD", Unit::Money),
    ];
    let unit = units.into_iter().find(|(name, _)| rest.starts_with(name));
    // 분 also begins other words: 분기, 분석, 분류.
    let unit = unit.filter(|(name, _)| {
        *name != "분" || !rest["분".len()..].starts_with(['기', '석', '류', '야', '들', '께'])
    });
    unit.map_or((None, 0), |(name, unit)| (Some(unit), gap + name.len()))
}
