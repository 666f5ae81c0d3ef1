//! Removal of secret values from texts, in all common spellings.
//!
//! Servers, tools and programs repeat keys in errors, links, headers and encoded texts. A
//! compressed or encrypted value is not found.

use crate::sensitive::Sensitive;
use crate::sentence::Sentence;
use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// Characters that most programs percent-encode in a query: all except letters, digits and `-._~`.
pub const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.').remove(b'~');
/// Characters that JavaScript's `encodeURIComponent` percent-encodes.
const SCRIPT: &AsciiSet = &QUERY.remove(b'!').remove(b'*').remove(b'\'').remove(b'(').remove(b')');
/// Minimum length of a value whose encoded spellings are searched. Encoded spellings of shorter
/// values occur by chance.
const MIN_ENCODED_BYTES: usize = 8;
/// Minimum length of a key whose first [`NAME_CHARS`] characters are also searched alone, since
/// programs print only the beginning of a key to name it.
const MIN_NAMED_BYTES: usize = 24;
/// Number of characters at the beginning of a key that are searched alone.
const NAME_CHARS: usize = 12;
/// Minimum length of an unbroken run of letters and digits in a random key. Words, paths and names
/// of models have shorter runs.
const MIN_ROW_CHARS: usize = 12;
/// Maximum depth of JSON texts within JSON texts that are searched, such as a tool call's arguments
/// in an answer in a log.
const MAX_JSON_DEPTH: usize = 3;

/// Secret values to search for, and the text that replaces them. Clones share the data.
#[derive(Clone)]
pub struct Secrets(Arc<Patterns>);

struct Patterns {
    blank: &'static str,
    least: usize,
    values: Vec<Sensitive<String>>,
    /// Spellings of the values, longest first, so that a longer spelling is replaced before a
    /// shorter one that begins it.
    spellings: Vec<Sensitive<String>>,
    /// Matchers for texts and for bytes; the matcher for bytes includes UTF-16. `None` without
    /// values.
    matchers: Option<(AhoCorasick, AhoCorasick)>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0.values).finish()
    }
}

impl Secrets {
    /// Creates a search for these values; `blank` is the replacement. Values shorter than `least`
    /// bytes are ignored, since they occur by chance.
    pub fn new<T: AsRef<str>>(
        blank: &'static str,
        least: usize,
        values: impl IntoIterator<Item = T>,
    ) -> Self {
        let values = values.into_iter().map(|value| value.as_ref().trim().to_owned());
        let values: Vec<String> = values.filter(|value| value.len() >= least.max(1)).collect();
        let in_utf16 = |value: &String| {
            [u16::to_le_bytes, u16::to_be_bytes]
                .map(|order| value.encode_utf16().flat_map(order).collect::<Vec<u8>>())
        };
        let mut bytes: Vec<Vec<u8>> = values.iter().flat_map(in_utf16).collect();
        let texts: BTreeSet<String> = values.iter().flat_map(|value| spellings(value)).collect();
        let mut texts: Vec<String> = texts.into_iter().collect();
        texts.sort_by_key(|spelling| std::cmp::Reverse(spelling.len()));
        bytes.extend(texts.iter().map(|text| text.clone().into_bytes()));
        let longest_first = || {
            let kind = MatchKind::LeftmostLongest;
            AhoCorasick::builder().match_kind(kind).build(&texts)
        };
        let matchers = (!texts.is_empty()).then(|| {
            let fits = "BUG: keys of some bytes fit into a matcher";
            (longest_first().expect(fits), AhoCorasick::new(&bytes).expect(fits))
        });
        Self(Arc::new(Patterns {
            blank,
            least,
            values: values.into_iter().map(Sensitive::new).collect(),
            spellings: texts.into_iter().map(Sensitive::new).collect(),
            matchers,
        }))
    }

    /// A copy of the search with one more value.
    #[must_use]
    pub fn and(&self, value: &str) -> Self {
        let value = value.trim();
        if self.0.values.iter().any(|known| known.expose() == value) {
            return self.clone();
        }
        let so_far = self.0.values.iter().map(|value| value.expose().as_str());
        Self::new(self.0.blank, self.0.least, so_far.chain([value]))
    }

    /// Whether there are no values to search for.
    pub fn is_empty(&self) -> bool {
        self.0.matchers.is_none()
    }

    /// Every spelling of every value, longest first.
    pub fn spellings(&self) -> impl Iterator<Item = &str> {
        self.0.spellings.iter().map(|spelling| spelling.expose().as_str())
    }

    /// Whether a text or file contains a secret value.
    pub fn are_in(&self, bytes: impl AsRef<[u8]>) -> bool {
        self.in_bytes().is_some_and(|matcher| matcher.is_match(bytes.as_ref()))
    }

    /// Positions and lengths in bytes of the secret values in a part of a file. Matches may
    /// overlap.
    pub fn places(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let matcher = self.in_bytes().into_iter();
        let hits = matcher.flat_map(|matcher| matcher.find_overlapping_iter(bytes));
        hits.map(|hit| (hit.start(), hit.len())).collect()
    }

    /// Length n of the longest spelling in bytes. The last n − 1 bytes of a part have to be
    /// searched again together with the next part.
    pub fn longest(&self) -> usize {
        self.in_bytes().map_or(0, AhoCorasick::max_pattern_len)
    }

    fn in_bytes(&self) -> Option<&AhoCorasick> {
        self.0.matchers.as_ref().map(|(_, bytes)| bytes)
    }

    /// Begins a search in data that arrives in parts.
    pub fn search(&self) -> Search<'_> {
        Search { secrets: self, end: Vec::new() }
    }

    /// Replaces the secret values in a text.
    pub fn text(&self, text: &str) -> String {
        let Some((texts, _)) = &self.0.matchers else {
            return text.to_owned();
        };
        let mut rest = String::with_capacity(text.len());
        texts.replace_all_with(text, &mut rest, |_, _, rest| {
            rest.push_str(self.0.blank);
            true
        });
        rest
    }

    /// Replaces the secret values in JSON, including names of fields and numbers.
    pub fn value(&self, value: Value) -> Value {
        if self.is_empty() {
            return value;
        }
        // First, since a piece that is masked alone hides the whole from the search.
        self.whole(self.without_pieces(value))
    }

    fn whole(&self, value: Value) -> Value {
        match value {
            Value::String(text) if self.are_in(&text) => self.text(&text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.whole(item)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, field)| (self.text(&name), self.whole(field))).collect()
            }
            Value::Number(number) if self.are_in(number.to_string()) => self.0.blank.into(),
            other => other,
        }
    }

    /// Replaces the secret values that are cut into pieces in the lists of JSON, and no others.
    pub fn without_pieces(&self, value: Value) -> Value {
        match value {
            Value::Array(mut items) => {
                self.mask_pieces(&mut items);
                items.into_iter().map(|item| self.without_pieces(item)).collect()
            }
            Value::Object(fields) => {
                fields.into_iter().map(|(name, field)| (name, self.without_pieces(field))).collect()
            }
            other => other,
        }
    }

    /// Replaces a secret value that is cut into the texts of several items, or into the same field
    /// of several items, such as the pieces of a streamed answer.
    fn mask_pieces(&self, items: &mut [Value]) {
        let Some((texts, _)) = &self.0.matchers else {
            return;
        };
        let mut by_field: BTreeMap<Option<String>, Vec<&mut Value>> = BTreeMap::new();
        for item in items {
            match item {
                Value::String(_) => by_field.entry(None).or_default().push(item),
                Value::Object(fields) => {
                    let of_text = fields.iter_mut().filter(|(_, field)| field.is_string());
                    of_text.for_each(|(name, field)| {
                        by_field.entry(Some(name.clone())).or_default().push(field);
                    });
                }
                _ => {}
            }
        }
        for pieces in by_field.into_values() {
            let joined: String = pieces.iter().filter_map(|piece| piece.as_str()).collect();
            // Short values occur by chance where texts meet.
            let hits = texts.find_iter(&joined).filter(|hit| hit.len() >= MIN_ENCODED_BYTES);
            let hits: Vec<_> = hits.map(|hit| hit.range()).collect();
            if hits.is_empty() {
                continue;
            }
            let mut end = 0;
            for piece in pieces {
                let (mut at, mut rest) = (end, String::new());
                end += piece.as_str().map_or(0, str::len);
                let first = hits.partition_point(|hit| hit.end <= at);
                for hit in hits[first..].iter().take_while(|hit| hit.start < end) {
                    if hit.start >= at {
                        rest += &joined[at..hit.start];
                        rest += self.0.blank;
                    }
                    at = hit.end.min(end);
                }
                *piece = (rest + &joined[at..end]).into();
            }
        }
    }

    /// Replaces the secret values in a JSON text, whose strings may be escaped in any way. A text
    /// without secret values is unchanged.
    ///
    /// The JSON is parsed first, so that the result is JSON even if a number is a secret value. A
    /// text that is not JSON is treated as plain text.
    pub fn json(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_owned();
        }
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return self.text(text);
        };
        let masked = self.value(value.clone());
        // The parsed JSON has only the last of duplicate names.
        if masked == value { self.text(text) } else { self.text(&masked.to_string()) }
    }

    /// Replaces the secret values in a sentence.
    pub fn sentence(&self, sentence: Sentence) -> Sentence {
        if self.is_empty() {
            return sentence;
        }
        let Ok(value) = serde_json::to_value(&sentence) else {
            return sentence;
        };
        let masked = self.value(value.clone());
        if masked == value {
            return sentence;
        }
        serde_json::from_value(masked).unwrap_or_else(|_| self.text(&sentence.to_string()).into())
    }
}

/// A search in data that arrives in parts.
pub struct Search<'a> {
    secrets: &'a Secrets,
    /// The end of the data so far, which may be the beginning of a secret value.
    end: Vec<u8>,
}

impl Search<'_> {
    /// Searches the next part of the data. Returns whether a secret value is in this part, or began
    /// in an earlier part and ends in this one.
    pub fn finds(&mut self, part: &[u8]) -> bool {
        self.end.extend_from_slice(part);
        let is_found = self.secrets.are_in(&self.end);
        let keep = self.secrets.longest().saturating_sub(1).min(self.end.len());
        self.end.drain(..self.end.len() - keep);
        is_found
    }
}

/// The possible spellings of a value in texts.
fn spellings(plain: &str) -> Vec<String> {
    let mut all = vec![plain.to_owned()];
    for set in [QUERY, SCRIPT, NON_ALPHANUMERIC] {
        let encoded = utf8_percent_encode(plain, set).to_string();
        all.extend([encoded.replace("%20", "+"), lower_hex(&encoded), encoded]);
    }
    if plain.len() < MIN_ENCODED_BYTES {
        all.extend(depths(plain));
        return all;
    }
    let each_byte = |form: fn(u8) -> String| plain.bytes().map(form).collect::<String>();
    let each_unit = |form: fn(u16) -> String| plain.encode_utf16().map(form).collect::<String>();
    let each_letter = |form: fn(char) -> String| plain.chars().map(form).collect::<String>();
    all.extend([
        plain.to_lowercase(),
        plain.to_uppercase(),
        plain.chars().rev().collect(),
        each_byte(|byte| format!("%{byte:02X}")),
        each_byte(|byte| format!("%{byte:02x}")),
        each_byte(|byte| format!("{byte:02X}")),
        each_byte(|byte| format!("{byte:02x}")),
        each_byte(|byte| format!("\\x{byte:02x}")),
        each_unit(|unit| format!("\\u{unit:04X}")),
        each_unit(|unit| format!("\\u{unit:04x}")),
        each_letter(|letter| format!("&#{};", u32::from(letter))),
        each_letter(|letter| format!("&#x{:x};", u32::from(letter))),
        plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;"),
    ]);
    // Within a longer Base64 text, a value has one of three spellings, apart from its ends.
    for lead in 0..3 {
        let text = [&vec![0; lead][..], plain.as_bytes()].concat();
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let encoded = engine.encode(&text);
            let begin = [0, 2, 3][lead];
            let end = encoded.len() - usize::from(text.len() % 3 != 0);
            all.extend(encoded.get(begin..end).map(str::to_owned));
        }
    }
    all.extend(first_characters(plain));
    // A spelling with a quote or a backslash is escaped again within JSON.
    let escaped: Vec<String> = all.iter().flat_map(|spelling| depths(spelling)).collect();
    all.extend(escaped);
    all
}

/// The first characters of a key, which programs print to name the key. `None` for values that are
/// not random keys, such as paths, and for keys that begin with a vendor's prefix of this length
/// (`sk-ant-api03`): a text may contain this prefix without any secret.
fn first_characters(plain: &str) -> Option<String> {
    let is_place = plain.starts_with(['/', '.', '~']) || plain.contains("://") || plain.contains("\\");
    let is_text = plain.starts_with(['-', '{', '[']) || plain.contains(char::is_whitespace);
    if plain.len() < MIN_NAMED_BYTES || is_place || is_text {
        return None;
    }
    let first: String = plain.chars().take(NAME_CHARS).collect();
    let is_digit = |letter: char| letter.is_ascii_digit();
    // Names, versions and lists have no other marks.
    let is_of_name = |letter: char| letter.is_alphanumeric() || "._:/@-,".contains(letter);
    if plain.contains(is_digit) && !plain.chars().all(is_of_name) {
        return Some(first);
    }
    let mut start = 0;
    for row in plain.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
        let letters = row.bytes().filter(u8::is_ascii_alphanumeric).count();
        if start < first.len() && letters >= MIN_ROW_CHARS && row.contains(is_digit) {
            return Some(first);
        }
        start += row.len();
    }
    None
}

/// A value as JSON escapes it, including JSON texts within JSON texts.
fn depths(plain: &str) -> Vec<String> {
    let mut depths: Vec<String> = Vec::new();
    for _ in 0..MAX_JSON_DEPTH {
        let quoted = Value::from(depths.last().map_or(plain, String::as_str)).to_string();
        depths.push(quoted[1..quoted.len() - 1].to_owned());
    }
    depths
}

/// Writes percent escapes in lower case (`%2F` as `%2f`); the letters of the value itself stay
/// unchanged.
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
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    use proptest::prelude::*;
    use serde_json::json;

    const KEY: &str = "sk-Canary/7+ \"x\"&é";

    /// Texts that hold the value, each in another spelling.
    fn holding(key: &str) -> Vec<String> {
        let quoted = Value::from(key).to_string();
        vec![
            format!("key {key}."),
            key.to_uppercase(),
            key.to_lowercase(),
            format!("http://h/?k={}&x=1", utf8_percent_encode(key, NON_ALPHANUMERIC)),
            lower_hex(&utf8_percent_encode(key, QUERY).to_string()),
            utf8_percent_encode(key, QUERY).to_string().replace("%20", "+"),
            STANDARD.encode(key),
            STANDARD.encode(format!("x{key}@")),
            STANDARD.encode(format!("xy{key}@host")),
            URL_SAFE.encode(format!("xyz{key}@host.")),
            hex::encode(key),
            hex::encode_upper(key),
            quoted.clone(),
            Value::from(quoted.clone()).to_string(),
            Value::from(Value::from(quoted).to_string()).to_string(),
            key.bytes().map(|byte| format!("%{byte:02X}")).collect(),
            key.chars().map(|letter| format!("&#{};", u32::from(letter))).collect(),
            key.chars().rev().collect(),
            Value::from(key.to_uppercase()).to_string(),
            Value::from(key.chars().rev().collect::<String>()).to_string(),
            Value::from(key.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<String>())
                .to_string(),
        ]
    }

    #[test]
    fn a_key_in_two_items_is_found_although_its_first_characters_are_in_one() {
        let secrets = Secrets::new("[key]", 6, ["sk-canary-7f3a9c2e41d84b6f"]);
        let pieces = json!(["see sk-canary-7f3a", "9c2e41d84b6f here", {"text": "sk-canary-7f3"}]);
        assert_eq!(secrets.value(pieces), json!(["see [key]", " here", {"text": "[key]3"}]));
    }

    #[test]
    fn the_first_characters_of_a_random_key_are_searched_alone() {
        for (value, first) in [
            ("sk-proj-4f7Qz81LmN0pXyTbV2cK", Some("sk-proj-4f7Q")),
            ("sk-canary-7f3a9c2e41d84b6f", Some("sk-canary-7f")),
            ("0123456789abcdef01234567", Some("0123456789ab")),
            ("sk-CaNaRy/7+q&Z1-Hb3\"Wm9xLpTd5", Some("sk-CaNaRy/7+")),
            ("sk-ant-api03-AbCd0123456789EfGhIj", None),
            ("--max-old-space-size=4096", None),
            ("gpt-4o,gpt-4o-mini,claude-3", None),
            ("claude-sonnet-4-5-20250929", None),
            ("LGAI-EXAONE-4.0-32B-Instruct-2024", None),
            ("/srv/data0123456789/folder/file", None),
            ("http://server0123456789.test/v1/models", None),
            ("a sentence of several plain words", None),
            ("short-0123456789ab", None),
        ] {
            assert_eq!(first_characters(value).as_deref(), first, "{value}");
            let secrets = Secrets::new("[key]", 6, [value]);
            let begin: String = value.chars().take(NAME_CHARS).collect();
            let masked = secrets.text(&format!("named {begin}, whole {value}."));
            match first {
                Some(_) => assert_eq!(masked, "named [key], whole [key]."),
                None => assert_eq!(masked, format!("named {begin}, whole [key].")),
            }
        }
    }

    #[test]
    fn a_value_is_found_and_taken_out_in_every_spelling() {
        let secrets = Secrets::new("••••", 1, [KEY]);
        for text in holding(KEY) {
            assert!(secrets.are_in(&text), "{text}");
            let left = secrets.text(&text);
            assert!(left.contains("••••") && !secrets.are_in(&left), "{text} leaves {left}");
        }
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let file: Vec<u8> = format!("a{KEY}b").encode_utf16().flat_map(order).collect();
            assert!(secrets.are_in(&file));
        }
        assert!(!secrets.are_in("sk-Canary and all else that is no key"));
        assert!(!format!("{secrets:?}").contains("Canary"));
    }

    #[test]
    fn answers_keep_their_form() {
        let secrets = Secrets::new("••••", 2, ["ab/C+d e_1", "ab/C+d e_1 longer", "12345678901", "", "x"]);
        let answer = json!({
            "link": "http://a?ttbkey=ab%2FC%2Bd%20e_1&x=1", "list": [["ab/C+d e_1"], 1, 12_345_678_901_u64],
            "ab/C+d e_1": null, "x": "x", "longer": "ab/C+d e_1 longer.",
        });
        let wanted = json!({
            "link": "http://a?ttbkey=••••&x=1", "list": [["••••"], 1, "••••"], "••••": null, "x": "x", "longer": "••••.",
        });
        assert_eq!(secrets.value(answer.clone()), wanted);
        assert_eq!(secrets.json(&answer.to_string()), wanted.to_string());
        let odd = "{\"b\":1,\n \"a\": 2.50}";
        assert_eq!(secrets.json(odd), odd, "spelled as it came");
        let escaped = r#"{"a": "\u0061b/C+d e_1"}"#;
        assert_eq!(secrets.json(escaped), r#"{"a":"••••"}"#);
        assert_eq!(Secrets::new("•", 1, [""; 2]).json("{ }"), "{ }");
    }

    #[test]
    fn a_value_in_pieces_is_taken_out() {
        let secrets = Secrets::new("••••", 1, ["sk-Canary/7+é", "1234"]);
        for (pieces, rest) in [
            (json!(["a sk-Ca", "nary", "/7+é b", "c"]), json!(["a ••••", "", " b", "c"])),
            (json!(["sk-Canary/7+", "éa sk-Cana", "ry/7+é"]), json!(["••••", "a ••••", ""])),
            (
                json!([{"t": "x", "s": "sk-Can"}, {"t": "x", "s": "ary/7+é"}]),
                json!([{"t": "x", "s": "••••"}, {"t": "x", "s": ""}]),
            ),
            (json!(["sk-Can", 1, {"s": "x"}, "ary/7+é"]), json!(["••••", 1, {"s": "x"}, ""])),
            (json!(["12", "34"]), json!(["12", "34"])),
            (json!([["sk-Canary"], "/7+é"]), json!([["sk-Canary"], "/7+é"])),
        ] {
            assert_eq!(secrets.value(pieces.clone()), rest, "{pieces}");
            assert_eq!(secrets.json(&pieces.to_string()), rest.to_string());
        }
    }

    #[test]
    fn short_values_are_looked_for_as_they_are() {
        let secrets = Secrets::new("••••", 1, ["ab1"]).and("xyz");
        assert!(
            secrets.are_in("xab1")
                && secrets.are_in("xyz")
                && !secrets.are_in("AB1")
                && !secrets.are_in("616231")
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        /// A secret is found wherever the file is cut into parts, and whatever text surrounds it.
        #[test]
        fn parts_make_no_difference(before in "[a-z+/=]{0,40}", after in "[a-z+/=]{0,40}", which in 0..21_usize, size in 1..30_usize) {
            let secrets = Secrets::new("••••", 1, [KEY]);
            let file = format!("{before} {} {after}", holding(KEY)[which]);
            let mut search = secrets.search();
            let found = file.as_bytes().chunks(size).map(|part| search.finds(part)).collect::<Vec<_>>();
            prop_assert!(found.contains(&true), "{}", file);
            prop_assert!(!secrets.search().finds(before.as_bytes()));
        }
    }
}
