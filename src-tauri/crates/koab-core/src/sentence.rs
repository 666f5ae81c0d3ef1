//! What the engine says to people, in English and in Korean.
//!
//! The English sentence is the one that is kept: in reports, logs and `--json`. [`korean`] finds its Korean by the
//! phrase that it was made from, whoever kept it and however long ago, so that nothing but the sentence has to be stored
//! or carried along. A sentence that no catalogue knows stays as it is. The texts of the window itself are its own, in
//! `ui/src/locales`.
//!
//! [`sentences!`](crate::sentences) makes a catalogue that the compiler holds together: what can be said is a type, and
//! each of its variants has both languages.

use std::cell::Cell;

/// A sentence in both languages; `{name}` stands for what differs from one time to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// As it is written and kept.
    pub english: &'static str,
    /// As it is shown to those who read Korean; the same names in any order.
    pub korean: &'static str,
}

/// Names that stand for a whole sentence where a phrase begins with them. Any other stands for words there, so that a
/// sentence which is quoted behind `SR: ` is not taken for one that begins with it.
const SENTENCES: [&str; 4] = ["first", "found", "reason", "what"];

/// A piece of a phrase.
enum Piece<'a> {
    Text(&'a str),
    Name(&'a str),
}

/// An enum of sentences: `Display` is the English one, `PHRASES` the catalogue for [`korean`].
#[macro_export]
macro_rules! sentences {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($variant:ident { $($param:ident),* } = $english:literal, $korean:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        $vis enum $name {
            $(
                #[doc = $english]
                $variant { $(#[doc = concat!("`", stringify!($param), "` of the sentence.")] $param: String),* },
            )*
        }

        impl $name {
            /// Every sentence in both languages.
            $vis const PHRASES: &'static [$crate::sentence::Phrase] = &[
                $($crate::sentence::Phrase { english: $english, korean: $korean },)*
            ];
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $($name::$variant { $($param),* } => ::std::write!(f, $english),)*
                }
            }
        }

        impl From<$name> for String {
            fn from(sentence: $name) -> Self {
                sentence.to_string()
            }
        }
    };
}

/// The sentence in Korean, when one of the catalogues has it. What it quotes is put into Korean as well, as far as it
/// is such a sentence.
pub fn korean(catalogues: &[&[Phrase]], text: &str) -> Option<String> {
    let phrases = catalogues.iter().flat_map(|catalogue| catalogue.iter());
    let mut in_part = None;
    for phrase in phrases {
        let Some(values) = phrase.read(text) else { continue };
        let is_whole = Cell::new(true);
        let said = phrase.fill(&|name| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some(korean(catalogues, value).unwrap_or_else(|| {
                is_whole.set(is_whole.get() && !has_words(value));
                (*value).to_owned()
            }))
        });
        // A phrase that only joins others, such as `{metric}: {reason}`, says nothing when these are not known.
        if is_korean(&said) {
            if is_whole.get() {
                return Some(said);
            }
            // Another phrase may cut the sentence elsewhere and know all of it.
            in_part = in_part.or(Some(said));
        }
    }
    in_part
}

/// Whether a text has English words one after the other, unlike a name or a path.
fn has_words(text: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    text.split(' ')
        .collect::<Vec<_>>()
        .windows(2)
        .any(|pair| pair.iter().all(|word| is_word(word)))
}

/// What is wrong with catalogues that are asked together, one line a fault; for their tests. Each phrase has to come back
/// as its own Korean, with every name in its place, whatever stands before it.
pub fn faults(catalogues: &[&[Phrase]]) -> Vec<String> {
    let phrases = catalogues.iter().flat_map(|catalogue| catalogue.iter());
    phrases
        .filter_map(|phrase| {
            // What is filled in is Korean, so that phrases which only join others are seen as well.
            let filled = |text| fill(text, &|name| Some(format!("값-{name}")));
            let (wanted, found) = (filled(phrase.korean), korean(catalogues, &filled(phrase.english)));
            (found.as_ref() != Some(&wanted))
                .then(|| format!("{:?} becomes {found:?} instead of {wanted:?}", phrase.english))
        })
        .collect()
}

fn is_korean(text: &str) -> bool {
    text.chars().any(|c| ('가'..='힣').contains(&c))
}

impl Phrase {
    /// What stands for each name in a text that was made from the English phrase.
    fn read<'t>(&self, text: &'t str) -> Option<Vec<(&'static str, &'t str)>> {
        let mut values = Vec::new();
        let mut rest = text;
        let mut open: Option<&'static str> = None;
        let mut pieces = pieces(self.english).into_iter().peekable();
        while let Some(piece) = pieces.next() {
            let literal = match piece {
                Piece::Name(name) => {
                    open = Some(name);
                    continue;
                }
                Piece::Text(literal) => literal,
            };
            match open.take() {
                None => rest = rest.strip_prefix(literal)?,
                Some(name) => {
                    let at = if pieces.peek().is_none() {
                        rest.strip_suffix(literal)?.len()
                    } else {
                        rest.find(literal)?
                    };
                    let leads = values.is_empty() && rest.len() == text.len() && !SENTENCES.contains(&name);
                    let value = rest.get(..at).filter(|value| !value.is_empty())?;
                    if leads && (value.contains(": ") || value.contains("; ") || value.ends_with(':')) {
                        return None;
                    }
                    values.push((name, value));
                    rest = rest.get(at + literal.len()..)?;
                }
            }
        }
        match open {
            Some(_) if rest.is_empty() => None,
            Some(name) => {
                values.push((name, rest));
                Some(values)
            }
            None => rest.is_empty().then_some(values),
        }
    }

    fn fill(&self, value: &dyn Fn(&str) -> Option<String>) -> String {
        fill(self.korean, value)
    }
}

fn fill(phrase: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    pieces(phrase)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Name(name) => value(name).unwrap_or_else(|| format!("{{{name}}}")),
        })
        .collect()
}

fn pieces(phrase: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = phrase;
    while let Some((text, after)) = rest.split_once('{') {
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        pieces.push(Piece::Name(name));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::sentences! {
        enum Said {
            Missing { count, all } = "{count} of {all} answers are missing", "답 {all}개 중 {count}개가 없습니다";
            Failed { who, why } = "{who} failed: {why}", "{who} 실패: {why}";
            Named { metric, why } = "{metric}: {why}", "{metric}: {why}";
        }
    }

    const CATALOGUES: &[&[Phrase]] = &[Said::PHRASES];

    #[test]
    fn a_sentence_is_put_into_korean_with_what_it_quotes() {
        let missing = Said::Missing {
            count: "1".to_owned(),
            all: "3".to_owned(),
        };
        let failed = Said::Failed {
            who: "a/b".to_owned(),
            why: missing.to_string(),
        };
        assert_eq!(failed.to_string(), "a/b failed: 1 of 3 answers are missing");
        assert_eq!(
            korean(CATALOGUES, &failed.to_string()).as_deref(),
            Some("a/b 실패: 답 3개 중 1개가 없습니다")
        );
        assert_eq!(
            korean(CATALOGUES, "a/b failed: HTTP 500").as_deref(),
            Some("a/b 실패: HTTP 500")
        );
    }

    #[test]
    fn what_is_not_known_stays_as_it_is() {
        let named = Said::Named {
            metric: "SR".to_owned(),
            why: "1 of 3 answers are missing".to_owned(),
        };
        for text in [
            "",
            "HTTP 500",
            "SR: HTTP 500",
            " failed: x",
            "of answers are missing",
        ] {
            assert_eq!(korean(CATALOGUES, text), None, "{text}");
        }
        assert_eq!(
            korean(CATALOGUES, &named.to_string()).as_deref(),
            Some("SR: 답 3개 중 1개가 없습니다")
        );
    }

    #[test]
    fn a_phrase_that_another_hides_is_a_fault() {
        assert_eq!(faults(CATALOGUES), Vec::<String>::new());
        let hidden = [
            Phrase {
                english: "{who} is gone",
                korean: "{who} 없음",
            },
            Phrase {
                english: "run {id} is gone",
                korean: "실행 {id} 없음",
            },
        ];
        assert_eq!(
            faults(&[&hidden]),
            [r#""run {id} is gone" becomes Some("run 값-id 없음") instead of "실행 값-id 없음""#]
        );
    }
}
