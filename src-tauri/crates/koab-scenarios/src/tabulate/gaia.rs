//! Comparison of GAIA answers (a number, a list, or words) by the rules of GAIA's leaderboard.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::path::Path;

const ANSWER: &str = "FINAL ANSWER:";

/// Expected answer of the trial in `folder`.
pub(super) fn expected(folder: &Path) -> Result<String, Sentence> {
    let text = fs::read(folder.join("expected_answer.txt"))
        .map_err(|error| say!("expected_answer.txt cannot be read: {error}"))?;
    Ok(String::from_utf8_lossy(&text).trim().to_owned())
}

/// Last answer in the output. Earlier matches may be instructions that quote the format of an
/// answer.
pub(super) fn last_answer(output: &str) -> Option<&str> {
    let (_, after) = output.rsplit_once(ANSWER)?;
    after.lines().next().map_or(Some(""), |line| Some(line.trim()))
}

/// First answer that ends with a newline. The original tool reads this answer.
pub(super) fn first_answer(log: &str) -> Option<&str> {
    let mut rest = log;
    while let Some((_, after)) = rest.split_once(ANSWER) {
        if let Some((answer, _)) = after.split_once('\n') {
            return Some(answer.trim());
        }
        rest = after;
    }
    None
}

/// Whether `answer` equals the expected answer. Numbers are compared by value, lists element by
/// element, words without spaces, punctuation and case.
pub(super) fn is_right(expected: &str, answer: &str) -> bool {
    if let Some(number) = python_float(expected) {
        return number == number_in(answer);
    }
    let separators = [',', ';'];
    if expected.contains(separators) {
        let (expected, answer): (Vec<&str>, Vec<&str>) =
            (expected.split(separators).collect(), answer.split(separators).collect());
        return expected.len() == answer.len()
            && expected.iter().zip(answer).all(|(expected, answer)| element(expected, answer));
    }
    let words = |text: &str| squeezed(&text.replace(|c: char| c.is_ascii_punctuation(), ""));
    words(expected) == words(answer)
}

/// Whether `answer` equals the expected answer by older rules, which ignore case, repeated spaces
/// and a final punctuation mark.
pub(super) fn is_right_by_the_second_generation(expected: &str, answer: &str) -> bool {
    let plain = |text: &str| {
        let words: Vec<String> = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
        words.join(" ").trim_end_matches(['.', '!', '?']).to_owned()
    };
    plain(expected) == plain(answer)
}

/// Compares elements of lists. Punctuation is compared too, since it may have a meaning in a list.
fn element(expected: &str, answer: &str) -> bool {
    match python_float(expected) {
        Some(number) => number == number_in(answer),
        None => squeezed(expected) == squeezed(answer),
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<String>().to_lowercase()
}

/// Parses a number without currency symbols, percent signs and thousands separators. A text that is
/// not a number counts as infinite.
fn number_in(answer: &str) -> f64 {
    python_float(&answer.replace(['$', '%', ','], "")).unwrap_or(f64::INFINITY)
}

/// Parses a text like Python's `float()`.
fn python_float(text: &str) -> Option<f64> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let grouped = bytes
        .iter()
        .enumerate()
        .all(|(at, byte)| *byte != b'_' || (at > 0 && digit(at - 1) && digit(at + 1)));
    if !grouped {
        return None;
    }
    text.replace('_', "").parse().ok()
}
