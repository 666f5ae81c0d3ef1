//! Escaping of names from outside in pages and files, so that they are shown literally and never
//! interpreted.

use koab_report::markdown_cell;

/// Removes characters that XML cannot contain, and characters that change the direction of text
/// (UAX #9).
pub(crate) fn plain(text: &str) -> String {
    let is_kept = |one: &char| match one {
        '\n' => true,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    };
    text.chars().filter(is_kept).collect()
}

/// Name for a cell of a Markdown table, as a code span, so that links, images, tags and mentions in
/// it have no effect.
pub(crate) fn code(name: &str) -> String {
    // A table reads a backslash and a bar before the span does.
    format!("`{}`", markdown_cell(&plain(name).replace('`', "'")))
}

/// Sentence with escaped Markdown, since it may contain names from outside.
pub(crate) fn prose(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for one in plain(text).chars() {
        match one {
            '\n' => escaped.push(' '),
            // A backslash does not disable a mention.
            '@' => escaped.push_str("@<!-- -->"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '!' | '#' | '~' | '&' => {
                escaped.push('\\');
                escaped.push(one);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_neither_a_cell_nor_a_picture_nor_a_mention() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a\\|b"), "`a\\\\\\|b`", "a backslash ends no cell");
        assert_eq!(code("x` <img src=y>\u{202e}\u{ffff}"), "`x' <img src=y>`");
        assert_eq!(prose("![a](b) <b> @team"), "\\!\\[a\\](b) \\<b\\> @<!-- -->team");
        assert_eq!(plain("a\u{0}\u{fffe}\u{2066}b\n"), "ab\n");
    }
}
