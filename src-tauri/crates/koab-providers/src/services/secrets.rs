//! What must not be told, and taking it out of texts and answers. Services quote keys back: in errors, in links.

use koab_core::sensitive::Sensitive;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// What most programs write in a query as it is: letters, digits and `-._~`.
pub(crate) const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'_')
    .remove(b'-')
    .remove(b'.')
    .remove(b'~');

/// What stands in a key's place.
const BLANK: &str = "••••";

/// Shorter texts occur by chance.
const LEAST_LENGTH: usize = 6;

/// Keys and logins in every spelling in which they can come back.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets(Vec<Sensitive<String>>);

impl Secrets {
    /// Adds a key or a login.
    pub(super) fn add(&mut self, secret: &Sensitive<String>) {
        let plain = secret.expose().trim();
        if plain.len() < LEAST_LENGTH {
            return;
        }
        let encoded = utf8_percent_encode(plain, QUERY).to_string();
        let spellings = [
            plain.to_owned(),
            encoded.replace("%20", "+"),
            lower_hex(&encoded),
            encoded,
        ];
        for spelling in spellings {
            let spelling = Sensitive::new(spelling);
            if !self.0.contains(&spelling) {
                self.0.push(spelling);
            }
        }
        // The longest first: a key that begins with another one must not leave its end behind.
        self.0
            .sort_by_key(|spelling| std::cmp::Reverse(spelling.expose().len()));
    }

    /// The text without them.
    pub(super) fn without(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| {
            text.replace(secret.expose(), BLANK)
        })
    }

    /// Takes them out of every text of an answer, names of fields included.
    pub(super) fn blank(&self, value: &mut Value) {
        match value {
            Value::String(text) if self.is_in(text) => *text = self.without(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.blank(item)),
            Value::Object(fields) => {
                if fields.keys().any(|name| self.is_in(name)) {
                    *fields = std::mem::take(fields)
                        .into_iter()
                        .map(|(name, value)| (self.without(&name), value))
                        .collect();
                }
                fields.values_mut().for_each(|field| self.blank(field));
            }
            _ => {}
        }
    }

    fn is_in(&self, text: &str) -> bool {
        self.0.iter().any(|secret| text.contains(secret.expose()))
    }
}

/// `%2F` as `%2f`; the key's own letters stay.
fn lower_hex(encoded: &str) -> String {
    let mut pieces = encoded.split('%');
    let mut lower = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (hex, rest) = piece.split_at(piece.len().min(2));
        lower.push('%');
        lower.push_str(&hex.to_ascii_lowercase());
        lower.push_str(rest);
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_is_found_in_every_spelling_and_place() {
        let mut secrets = Secrets::default();
        for key in ["ab/C+d e_1", "ab/C+d e_1 longer", "x"] {
            secrets.add(&Sensitive::new(key.to_owned()));
        }
        let mut answer = json!({
            "link": "http://a?ttbkey=ab%2FC%2Bd%20e_1&x=1", "form": "k=ab%2FC%2Bd+e_1", "lower": "ab%2fC%2bd%20e_1",
            "list": [["ab/C+d e_1"], 1], "ab/C+d e_1": null, "x": "x", "longer": "ab/C+d e_1 longer.",
        });
        secrets.blank(&mut answer);
        assert_eq!(
            answer,
            json!({
                "link": "http://a?ttbkey=••••&x=1", "form": "k=••••", "lower": "••••",
                "list": [["••••"], 1], "••••": null, "x": "x", "longer": "••••.",
            })
        );
        assert!(!format!("{secrets:?}").contains("ab/C"));
    }
}
