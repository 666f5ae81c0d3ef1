//! What a terminal would not show of a text is taken out of it: colours, cursor moves, control
//! characters.

/// Letters of somebody else's words in a sentence.
const TOLD: usize = 500;

/// The text without them, its ends trimmed; nothing else of it changes.
pub(crate) fn cleaned(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '\u{1b}' => match rest.next() {
                // A sequence ends with its first letter from @ to ~.
                Some('[') => {
                    for part in rest.by_ref() {
                        if ('@'..='~').contains(&part) {
                            break;
                        }
                    }
                }
                // A title or a link ends with a bell or with ESC \.
                Some(']') => {
                    while let Some(part) = rest.next() {
                        if part == '\u{7}' {
                            break;
                        }
                        if part == '\u{1b}' {
                            rest.next_if_eq(&'\\');
                            break;
                        }
                    }
                }
                _ => {}
            },
            '\n' | '\t' => clean.push(letter),
            '\r' if rest.peek() == Some(&'\n') => {}
            _ if letter.is_control() => {}
            _ => clean.push(letter),
        }
    }
    clean.trim().to_owned()
}

/// The beginning of what an agent or its server says, as a sentence of ours takes it.
pub(crate) fn excerpt(text: &str) -> String {
    cleaned(&text.chars().take(TOLD).collect::<String>())
}

#[cfg(test)]
mod tests;
