//! Names of others in a page or a file that others read: shown as they are, and obeyed by nobody.

use koab_report::markdown_cell;

/// Without characters that XML cannot hold or that show a line in another order than it has (UAX
/// #9, explicit marks).
pub(crate) fn plain(text: &str) -> String {
    let is_kept = |one: &char| match one {
        '\n' => true,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    };
    text.chars().filter(is_kept).collect()
}

/// A name in a cell of a Markdown table: a code span, in which there are no links, pictures, tags
/// or mentions.
pub(crate) fn code(name: &str) -> String {
    // A table reads a backslash and a bar before the span does.
    format!("`{}`", markdown_cell(&plain(name).replace('`', "'")))
}

/// A sentence in Markdown, of which names of others may be a part.
pub(crate) fn prose(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for one in plain(text).chars() {
        match one {
            '\n' => shown.push(' '),
            // A backslash does not keep a mention from being one.
            '@' => shown.push_str("@<!-- -->"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '!' | '#' | '~' | '&' => {
                shown.push('\\');
                shown.push(one);
            }
            other => shown.push(other),
        }
    }
    shown
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
