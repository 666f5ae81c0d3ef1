//! What looks like a key in a word of a command or in an address. A name too many that is cut costs
//! nothing; a key that is kept does.

use regex::Regex;
use std::sync::LazyLock;

/// What stands in the place of a value that was cut.
pub(crate) const BLANK: &str = "••••";
/// Beginnings of keys of well-known services.
const BEGINNINGS: [&str; 12] = [
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
/// Parts of names whose values are keys.
const NAMES: [&str; 8] = ["key", "token", "secret", "passw", "auth", "credential", "pwd", "cookie"];
/// Letters behind a beginning that make it a key.
const KEY: usize = 8;
/// Letters of a part of a path that nobody made up, where it has digits too.
const RANDOM: usize = 20;

/// A name of a key with the sign that its value follows: `name=`, `Name:`, `"name":` and, within a
/// longer text, `--name `.
static VALUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = format!(r"[A-Za-z0-9_.-]*(?i:{})[A-Za-z0-9_.-]*", NAMES.join("|"));
    Regex::new(&format!(r#"{name}\\?["']?\s*[=:]|(?:^|\s)--?{name}\s"#)).ok()
});

/// Whether what follows such a name is a key.
pub(crate) fn is_name_of_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|part| name.contains(part))
}

/// A word of a command as it is kept.
pub(crate) fn without_keys(word: &str) -> String {
    let word = without_address_keys(word);
    let found = VALUE.as_ref().and_then(|value| {
        value.find_iter(&word).find(|found| {
            // The host of an address and its port, or a scheme.
            let before = &word[..found.start()];
            let is_host = before.ends_with("://") || before.ends_with('@');
            !(found.as_str().ends_with(':') && (is_host || word[found.end()..].starts_with("//")))
        })
    });
    let word = match found {
        // What follows may have any sign, so all of it goes.
        Some(found) if !word[found.end()..].trim().is_empty() => {
            let space = if found.as_str().ends_with(':') { " " } else { "" };
            format!("{}{space}{BLANK}", &word[..found.end()])
        }
        _ => word,
    };
    match looks_like_key(&word) {
        true => BLANK.to_owned(),
        false => word,
    }
}

/// `scheme://name:password@host/path?query` without name, password, query and parts of the path
/// that look made by chance.
fn without_address_keys(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else {
        return word.to_owned();
    };
    let (head, has_query) = match rest.find(['?', '#']) {
        Some(at) => (&rest[..at], true),
        None => (rest, false),
    };
    let authority = head.split('/').next().unwrap_or_default();
    // A password may have any sign, a slash and a question mark too; a path may have an `@` as
    // well.
    let named = authority.contains('@') || authority.contains(':');
    let host = match head.rfind('@').filter(|_| named) {
        Some(at) => format!("{BLANK}@{}", without_random(&head[at + 1..])),
        None if named && rest.contains('@') => BLANK.to_owned(),
        None => without_random(head),
    };
    let query = if has_query { format!("?{BLANK}") } else { String::new() };
    format!("{scheme}://{host}{query}")
}

fn without_random(path: &str) -> String {
    let is_random = |part: &str| {
        let signs = part.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_~=+".contains(sign));
        let has = |is: fn(&char) -> bool| part.chars().any(|sign| is(&sign));
        part.len() >= RANDOM && signs && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
    };
    let parts = path.split('/').enumerate();
    let parts = parts.map(|(place, part)| if place > 0 && is_random(part) { BLANK } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn looks_like_key(word: &str) -> bool {
    BEGINNINGS.iter().any(|beginning| {
        word.match_indices(beginning).any(|(at, _)| {
            // In `mcp-task-manager` it is the end of a word.
            let begins = !word[..at].ends_with(|before: char| before.is_alphanumeric());
            begins && word.len() - at >= beginning.len() + KEY
        })
    })
}
