//! Substitution compared with a model of it that looks at one character after the other.

use koab_scenarios::substitute::substitute;
use proptest::prelude::*;

/// Every occurrence from the left, none overlapping; nothing to find stands before every character and at the end.
fn replaced(line: &[char], find: &[char], replacement: &[char]) -> Vec<char> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < line.len() {
        if find.is_empty() {
            out.extend(replacement);
            out.push(line[at]);
            at += 1;
        } else if line[at..].starts_with(find) {
            out.extend(replacement);
            at += find.len();
        } else {
            out.push(line[at]);
            at += 1;
        }
    }
    if find.is_empty() {
        out.extend(replacement);
    }
    out
}

fn model(text: &str, pairs: &[(String, String)]) -> String {
    let mut lines: Vec<Vec<char>> = vec![Vec::new()];
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let newline = match c {
            '\n' if at > 0 && chars[at - 1] == '\r' => continue,
            '\n' | '\r' => true,
            _ => false,
        };
        let last = lines.len() - 1;
        lines[last].push(if newline { '\n' } else { *c });
        if newline {
            lines.push(Vec::new());
        }
    }
    let mut out = String::new();
    for mut line in lines.into_iter().filter(|line| !line.is_empty()) {
        for (find, replacement) in pairs {
            let (find, replacement): (Vec<char>, Vec<char>) =
                (find.chars().collect(), replacement.chars().collect());
            line = replaced(&line, &find, &replacement);
        }
        out.extend(line);
    }
    out
}

proptest! {
    #[test]
    fn it_is_the_models(text in "[ab한\r\n]{0,24}", pairs in proptest::collection::vec(("[ab한\n]{0,3}", "[ab한\n]{0,3}"), 0..4)) {
        let edited = substitute(&text, &pairs);
        prop_assert_eq!(&edited.text, &model(&text, &pairs));
        for at in edited.unused {
            let mut without = pairs.clone();
            without.remove(at);
            prop_assert_eq!(&edited.text, &model(&text, &without));
        }
    }
}
