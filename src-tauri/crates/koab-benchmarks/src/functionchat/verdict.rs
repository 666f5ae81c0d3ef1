//! Parsing of a judge's reply in the published way and in a corrected way, where "not passed" is
//! not a pass.

use crate::python::strip;

/// Verdict in a judge's reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Pass,
    Fail,
    /// The reply is neither a pass nor a fail.
    Other(String),
}

impl Label {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Other(text) => text,
        }
    }
}

/// Korean words for a pass.
const PASS_WORDS: [&str; 5] = ["패스", "패쓰", "통과", "합격", "성공"];

/// Published parsing: searches the last two lines for `pass`, then for `fail`, then for Korean
/// words that mean a pass.
pub(super) fn published(reply: &str) -> Label {
    let lines: Vec<&str> = strip(reply).split('\n').collect();
    let joined = lines[lines.len().saturating_sub(2)..].concat();
    if joined == "입니다." {
        return contained(lines[lines.len().saturating_sub(4)..].concat());
    }
    contained(joined)
}

fn contained(text: String) -> Label {
    let lower = text.to_lowercase();
    if lower.contains("pass") {
        Label::Pass
    } else if lower.contains("fail") {
        Label::Fail
    } else if PASS_WORDS.iter().any(|word| text.contains(word)) {
        Label::Pass
    } else {
        Label::Other(text)
    }
}

/// Corrected parsing: takes the last line that consists only of a verdict. Punctuation around the
/// verdict is ignored.
pub(super) fn corrected(reply: &str) -> Label {
    let read = reply.lines().rev().find_map(alone);
    read.unwrap_or_else(|| Label::Other(strip(reply).lines().last().unwrap_or_default().to_owned()))
}

/// English words for a pass.
const PASS: [&str; 3] = ["pass", "passes", "passed"];
/// English words for a fail.
const FAIL: [&str; 4] = ["fail", "fails", "failed", "failure"];
/// English prefixes that turn a pass into a fail.
const NOT: [&str; 9] =
    ["not ", "no ", "does not ", "did not ", "do not ", "doesn't ", "didn't ", "cannot ", "can't "];

/// Korean words at the beginning of a fail.
const FAIL_WORDS: [&str; 6] = ["실패", "페일", "불통과", "미통과", "불합격", "탈락"];
/// Korean endings that do not change the meaning of a verdict word.
const ENDINGS: [&str; 6] = ["", "함", "됨", "입니다", "합니다", "했습니다"];
/// Korean endings that turn a pass into a fail.
const TURNS: [&str; 6] = ["하지 못", "하지 않", "되지 못", "되지 않", "못", "불가"];

fn alone(line: &str) -> Option<Label> {
    let line = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if PASS.contains(&words.as_str()) {
        return Some(Label::Pass);
    }
    let negated = NOT.iter().find_map(|not| words.strip_prefix(not));
    if FAIL.contains(&words.as_str()) || negated.is_some_and(|word| PASS.contains(&word)) {
        return Some(Label::Fail);
    }
    let after = |known: &[&str]| {
        let ending = known.iter().find_map(|word| words.strip_prefix(word));
        ending.map(str::trim_start)
    };
    if after(&FAIL_WORDS).is_some_and(|ending| ENDINGS.contains(&ending)) {
        return Some(Label::Fail);
    }
    let ending = after(&PASS_WORDS)?;
    if ENDINGS.contains(&ending) {
        Some(Label::Pass)
    } else {
        TURNS.iter().any(|turn| ending.starts_with(turn)).then_some(Label::Fail)
    }
}

#[cfg(test)]
mod tests {
    use super::{Label, corrected, published};

    fn other(text: &str) -> Label {
        Label::Other(text.to_owned())
    }

    #[test]
    fn published_reading_takes_any_of_some_words_in_the_last_two_lines() {
        for (reply, label) in [
            ("생각\n\nPass\nPASS\n", Label::Pass),
            ("**fail**", Label::Fail),
            ("fail or pass", Label::Pass),
            ("it does not pass", Label::Pass),
            ("here is the passport", Label::Pass),
            ("불통과", Label::Pass),
            ("통과하지 못함", Label::Pass),
            ("실패", other("실패")),
            ("pass\n가\n나", other("가나")),
            ("pass\n\n입니다.", Label::Pass),
            ("fail\n\n\n\n입니다.", other("입니다.")),
            ("\u{1f}fail\u{1f}", Label::Fail),
            ("", other("")),
        ] {
            assert_eq!(published(reply), label, "{reply:?}");
        }
    }

    #[test]
    fn corrected_reading_takes_the_last_line_that_is_a_verdict_alone() {
        for (reply, label) in [
            ("reasons\n\n**pass**\n\n**pass**", Label::Pass),
            ("reasons\npass\n\nfail", Label::Fail),
            ("pass\n가\n나", Label::Pass),
            ("불통과", Label::Fail),
            ("\"실패\".", Label::Fail),
            ("통과하지 못함", Label::Fail),
            ("It does  not pass.", other("It does  not pass.")),
            ("Does not pass.", Label::Fail),
            ("1. fail", other("1. fail")),
            ("실패했습니다.", Label::Fail),
            ("통과하지 않습니다.", Label::Fail),
            ("통과하기 어렵습니다", other("통과하기 어렵습니다")),
            ("통과입니다.", Label::Pass),
            ("here is the passport", other("here is the passport")),
            ("the answer fails\nso I say pass", other("so I say pass")),
            ("", other("")),
        ] {
            assert_eq!(corrected(reply), label, "{reply:?}");
        }
    }
}
