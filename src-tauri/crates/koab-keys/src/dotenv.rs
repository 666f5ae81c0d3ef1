//! Parser of `.env` files: `NAME=value` lines, by the rules that shells and the common loaders
//! share.
//!
//! Nothing is substituted: a `$` in a key stays a `$`. Messages name lines by number, never by
//! content.

use koab_core::sensitive::Sensitive;

/// Assignment of a value to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assignment {
    /// Line number, from 1.
    pub(crate) line: usize,
    /// Name as written in the file.
    pub(crate) name: String,
    /// Value without its quotes.
    pub(crate) value: Sensitive<String>,
}

/// Assignments of a file in order, and the numbers of lines that are not assignments.
pub(crate) fn parse(text: &str) -> (Vec<Assignment>, Vec<usize>) {
    let (mut found, mut strange) = (Vec::new(), Vec::new());
    for (line, text) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let (line, text) = (line + 1, text.trim());
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match assignment(text) {
            Some((name, value)) => {
                found.push(Assignment { line, name: name.to_owned(), value: Sensitive::new(value) })
            }
            None => strange.push(line),
        }
    }
    (found, strange)
}

fn assignment(text: &str) -> Option<(&str, String)> {
    let text = match text.strip_prefix("export") {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start(),
        _ => text,
    };
    let (name, value) = text.split_once('=')?;
    let name = name.trim_end();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(plain) {
        return None;
    }
    Some((name, value_of(value.trim_start())?))
}

/// Value without its quotes. `None` when a quote is not closed, or is followed by something other
/// than a comment.
fn value_of(text: &str) -> Option<String> {
    let (value, rest) = match text.chars().next() {
        Some('\'') => {
            let (value, rest) = text[1..].split_once('\'')?;
            (value.to_owned(), rest)
        }
        Some('"') => double_quoted(&text[1..])?,
        _ => {
            // A comment begins at a `#` after a blank. A `#` inside a key is part of the key.
            let end = text
                .char_indices()
                .find(|(at, c)| *c == '#' && text[..*at].ends_with([' ', '\t']))
                .map_or(text.len(), |(at, _)| at);
            let remark_only = text.starts_with('#');
            let value = if remark_only { "" } else { text[..end].trim_end() };
            return Some(value.to_owned());
        }
    };
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with('#')).then_some(value)
}

/// Text before the closing quote, with its escapes resolved, and the rest of the line.
fn double_quoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut chars) = (String::new(), text.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                escaped @ ('"' | '\\' | '$') => value.push(escaped),
                other => value.extend(['\\', other]),
            },
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_read_as_shells_read_them() {
        let text = "\u{feff}# keys\nA=1\r\n export B = two words # remark\nC='#3 $x' # remark\nD=\"a\\\"b\\\\c\\nd\"\nE=\n\
                    F=ab#c\nG=# nothing\nexported=7\n\n  # done";
        let (found, strange) = parse(text);
        let found: Vec<_> =
            found.iter().map(|a| (a.line, a.name.as_str(), a.value.expose().as_str())).collect();
        assert_eq!(
            found,
            [
                (2, "A", "1"),
                (3, "B", "two words"),
                (4, "C", "#3 $x"),
                (5, "D", "a\"b\\c\nd"),
                (6, "E", ""),
                (7, "F", "ab#c"),
                (8, "G", ""),
                (9, "exported", "7"),
            ]
        );
        assert_eq!(strange, Vec::<usize>::new());
    }

    #[test]
    fn lines_that_assign_nothing_are_named_by_number() {
        let (found, strange) = parse("sk-123\nA='open\nB=\"open\nC='x'y\n1A=2\nA B=3\n=4\nOK=5");
        assert_eq!((found.len(), strange), (1, vec![1, 2, 3, 4, 5, 6, 7]));
    }

    proptest! {
        #[test]
        fn anything_can_be_read(text in any::<String>()) {
            let (found, strange) = parse(&text);
            prop_assert!(found.len() + strange.len() <= text.lines().count());
        }

        #[test]
        fn a_quoted_value_comes_back(value in "[^'\r\n]*", escaped in "[^\r\n]*") {
            let double: String = escaped
                .chars()
                .flat_map(|c| matches!(c, '"' | '\\').then_some('\\').into_iter().chain([c]))
                .collect();
            let (found, strange) = parse(&format!("A='{value}'\nB=\"{double}\""));
            prop_assert!(strange.is_empty());
            prop_assert_eq!(found[0].value.expose(), &value);
            prop_assert_eq!(found[1].value.expose(), &escaped);
        }
    }
}
