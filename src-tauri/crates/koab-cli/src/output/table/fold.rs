//! Wraps text to a width.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Mark for text that was cut.
pub(super) const CUT: char = '…';

/// Wraps a text at spaces to lines of at most `width` columns. A word is broken only if it is wider
/// than a line.
pub(super) fn fold(text: &str, width: usize) -> Vec<String> {
    // A Korean letter is two columns wide.
    let width = width.max(2);
    if text.width() <= width {
        return vec![text.to_owned()];
    }
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() {
            if line.width() + 1 + word.width() <= width {
                line.push(' ');
                line.push_str(word);
                continue;
            }
            lines.push(std::mem::take(&mut line));
        }
        let mut taken = 0;
        for letter in word.chars() {
            let wide = letter.width().unwrap_or(0);
            if taken + wide > width {
                lines.push(std::mem::take(&mut line));
                taken = 0;
            }
            line.push(letter);
            taken += wide;
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Wraps a line at spaces and indents all lines after the first. No word is broken, so that paths
/// and commands can be copied; a long word may exceed `width`.
pub(super) fn hang(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_owned();
    }
    let words = line.trim_start();
    let margin = line.width() - words.width();
    let mut text = " ".repeat(margin);
    let mut taken = margin;
    for (place, word) in words.split(' ').enumerate() {
        if place > 0 && taken + 1 + word.width() > width {
            text.truncate(text.trim_end().len());
            text.push('\n');
            taken = margin + 2;
            text.extend(std::iter::repeat_n(' ', taken));
        } else if place > 0 {
            text.push(' ');
            taken += 1;
        }
        text.push_str(word);
        taken += word.width();
    }
    text
}

/// Removes all lines after the first `max_lines`. If lines were removed, the last line ends with
/// [`CUT`]. Returns whether lines were removed.
pub(super) fn cut(lines: &mut Vec<String>, max_lines: usize, width: usize) -> bool {
    if lines.len() <= max_lines {
        return false;
    }
    lines.truncate(max_lines);
    if let Some(last) = lines.last_mut() {
        while last.width() >= width.max(2) {
            last.pop();
        }
        last.push(CUT);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_folded_at_blanks_and_long_words_are_broken() {
        for (text, width, lines) in [
            ("", 5, &[""][..]),
            ("short", 5, &["short"]),
            ("a bc def", 4, &["a bc", "def"]),
            ("to abcdefghij end", 4, &["to", "abcd", "efgh", "ij", "end"]),
            ("한국어 한글", 5, &["한국", "어", "한글"]),
        ] {
            assert_eq!(fold(text, width), lines, "{text}");
        }
    }

    #[test]
    fn sentences_go_on_set_in_and_words_stay_whole() {
        for (line, text) in [
            ("  a line", "  a line"),
            ("  a line of text", "  a line\n    of\n    text"),
            ("at /a/path/of/a/file", "at\n  /a/path/of/a/file"),
            ("한국어로 한글", "한국어로\n  한글"),
        ] {
            assert_eq!(hang(line, 9), text, "{line}");
        }
    }

    #[test]
    fn what_is_cut_says_so() {
        let mut lines = fold("one two three four", 5);
        assert!(!cut(&mut lines, 4, 5));
        assert!(cut(&mut lines, 3, 5));
        assert_eq!(lines, ["one", "two", "thre…"]);
    }
}
