//! Korean particles that depend on the sound before them.
//!
//! A translation has both forms of a particle behind a placeholder, such as `{name}은(는)`. Which
//! one is right depends on the last sound of the value: 은 after a consonant, 는 after a vowel.
//! The page has the same rules in `ui/src/shared/particle.ts`.

/// Ending of the word before a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Vowel,
    /// The consonant ㄹ, after which 로 is used instead of 으로.
    Rieul,
    Consonant,
}

/// Both forms as a translation has them, then the form after a consonant and after a vowel.
const PAIRS: [(&str, &str, &str); 7] = [
    ("은(는)", "은", "는"),
    ("이(가)", "이", "가"),
    ("을(를)", "을", "를"),
    ("와(과)", "과", "와"),
    ("과(와)", "과", "와"),
    ("(으)로", "으로", "로"),
    ("(이)", "이", ""),
];

/// Marks that may be between a value and its particle.
const CLOSING: [char; 7] = ['`', '\'', '"', '’', '”', ')', ']'];

/// Moves a particle from the start of `rest` to the end of `filled`, in the form that fits
/// `filled`, together with closing marks before it. Returns the remaining text. If `rest` does not
/// start with a particle, or the ending of `filled` is unknown, nothing changes.
pub(super) fn fit<'a>(filled: &mut String, rest: &'a str) -> &'a str {
    let after = rest.trim_start_matches(CLOSING);
    let marks = &rest[..rest.len() - after.len()];
    let pair = PAIRS.iter().find_map(|pair| Some((pair, after.strip_prefix(pair.0)?)));
    let Some((&(both, consonant, vowel), after)) = pair else {
        return rest;
    };
    filled.push_str(marks);
    filled.push_str(match ending(filled) {
        None => both,
        Some(Ending::Vowel) => vowel,
        Some(Ending::Rieul) if both == "(으)로" => vowel,
        Some(Ending::Rieul | Ending::Consonant) => consonant,
    });
    after
}

/// Ending of the last word of a text as Koreans read it aloud; `None` if it has no known letter.
/// Text in closing brackets is not read: in `모델(GPT)` the particle follows `모델`.
fn ending(text: &str) -> Option<Ending> {
    let text = text.trim_end_matches(|mark: char| !mark.is_alphanumeric() && !")]%".contains(mark));
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some(inside) = text.strip_suffix(close) {
            let (before, inside) = inside.rsplit_once(open).unwrap_or((inside, ""));
            return ending(before).or_else(|| ending(inside));
        }
    }
    match text.chars().next_back()? {
        hangul @ '가'..='힣' => Some(match (u32::from(hangul) - u32::from('가')) % 28 {
            0 => Ending::Vowel,
            8 => Ending::Rieul,
            _ => Ending::Consonant,
        }),
        '0' | '3' | '6' => Some(Ending::Consonant),
        '1' | '7' | '8' => Some(Ending::Rieul),
        '2' | '4' | '5' | '9' | '%' => Some(Ending::Vowel),
        letter if letter.is_ascii_alphabetic() => {
            let start = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).len();
            Some(latin(&text[start..]))
        }
        _ => None,
    }
}

/// Ending of a word of Latin letters. It is a rule of thumb: abbreviations are spelled, other words
/// are read as in English.
fn latin(word: &str) -> Ending {
    let lower = word.to_ascii_lowercase();
    let is_vowel = |letter: &u8| b"aeiouy".contains(letter);
    let is_spelled = word.len() == 1
        || !word.bytes().any(|letter| letter.is_ascii_lowercase())
        || !lower.bytes().any(|letter| is_vowel(&letter));
    let letters = lower.as_bytes();
    match letters {
        [.., b'l'] => Ending::Rieul,
        [.., b'm' | b'n'] => Ending::Consonant,
        [.., b'r'] if is_spelled => Ending::Rieul,
        _ if is_spelled => Ending::Vowel,
        [.., b'l', b'e'] => Ending::Rieul,
        [.., b'm' | b'n', b'e'] | [.., b'n', b'g'] => Ending::Consonant,
        [before @ .., stop @ (b'c' | b'k' | b'p' | b't')] => {
            let before = match before {
                [before @ .., b'c'] => before,
                [before @ .., double] if double == stop => before,
                _ => before,
            };
            // A stop after one short vowel closes the syllable, as in 챗; after others it begins
            // one, as in 스크립트.
            match before {
                [.., one, two] if is_vowel(two) && !is_vowel(one) => Ending::Consonant,
                [two] if is_vowel(two) => Ending::Consonant,
                _ => Ending::Vowel,
            }
        }
        _ => Ending::Vowel,
    }
}
