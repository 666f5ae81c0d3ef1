//! Removes probable keys from words of a command and from URLs. A word that is removed by mistake
//! does no harm, but a key must not remain.

use regex::Regex;
use std::sync::LazyLock;

/// Replacement for a removed value.
pub(crate) const BLANK: &str = "••••";
/// Prefixes of keys of well-known services.
const KEY_PREFIXES: [&str; 12] = [
    "sk-",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "hf_",
    "AKIA",
    "AIza",
    "Bearer ",
];
/// Parts of names that mark their values as keys.
const NAMES: [&str; 8] = ["key", "token", "secret", "passw", "auth", "credential", "pwd", "cookie"];
/// Minimum number of characters after the prefix of a key.
const MIN_KEY_CHARS: usize = 8;
/// Minimum length of a path component that counts as random if it has letters and digits.
const MIN_RANDOM_CHARS: usize = 20;

/// Pattern of a name of a key with its separator: `name=`, `Name:`, `"name":` and, within a longer
/// text, `--name `.
static VALUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = format!(r"[A-Za-z0-9_.-]*(?i:{})[A-Za-z0-9_.-]*", NAMES.join("|"));
    Regex::new(&format!(r#"{name}\\?["']?\s*[=:]|(?:^|\s)--?{name}\s"#)).ok()
});

/// Whether a name suggests that its value is a key.
pub(crate) fn is_name_of_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|part| name.contains(part))
}

/// Removes keys from a word of a command.
pub(crate) fn without_keys(word: &str) -> String {
    let word = without_address_keys(word);
    let key_name = VALUE.as_ref().and_then(|value| {
        value.find_iter(&word).find(|name| {
            // A match may also be the host of a URL with its port, or a scheme.
            let before = &word[..name.start()];
            let is_host = before.ends_with("://") || before.ends_with('@');
            !(name.as_str().ends_with(':') && (is_host || word[name.end()..].starts_with("//")))
        })
    });
    let word = match key_name {
        // The value may contain any character, so the rest of the word is removed.
        Some(name) if !word[name.end()..].trim().is_empty() => {
            let space = if name.as_str().ends_with(':') { " " } else { "" };
            format!("{}{space}{BLANK}", &word[..name.end()])
        }
        _ => word,
    };
    if looks_like_key(&word) { BLANK.to_owned() } else { word }
}

/// Removes name, password, query and random-looking path components from
/// `scheme://name:password@host/path?query`.
fn without_address_keys(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else {
        return word.to_owned();
    };
    let (head, has_query) = match rest.find(['?', '#']) {
        Some(at) => (&rest[..at], true),
        None => (rest, false),
    };
    let authority = head.split('/').next().unwrap_or_default();
    // A password may contain any character, including slashes and question marks; a path may
    // contain an `@`.
    let has_login = authority.contains('@') || authority.contains(':');
    let host = match head.rfind('@').filter(|_| has_login) {
        Some(at) => format!("{BLANK}@{}", without_random(&head[at + 1..])),
        None if has_login && rest.contains('@') => BLANK.to_owned(),
        None => without_random(head),
    };
    let query = if has_query { format!("?{BLANK}") } else { String::new() };
    format!("{scheme}://{host}{query}")
}

fn without_random(path: &str) -> String {
    let is_random = |part: &str| {
        let signs = part.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_~=+".contains(sign));
        let has = |is: fn(&char) -> bool| part.chars().any(|sign| is(&sign));
        part.len() >= MIN_RANDOM_CHARS && signs && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
    };
    let parts = path.split('/').enumerate();
    let parts = parts.map(|(place, part)| if place > 0 && is_random(part) { BLANK } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn looks_like_key(word: &str) -> bool {
    KEY_PREFIXES.iter().any(|beginning| {
        word.match_indices(beginning).any(|(at, _)| {
            // In `mcp-task-manager` the prefix is the end of a word.
            let begins = !word[..at].ends_with(|before: char| before.is_alphanumeric());
            begins && word.len() - at >= beginning.len() + MIN_KEY_CHARS
        })
    })
}
