//! Removes characters that a terminal does not display: colours, cursor movements and control
//! characters.

/// Maximum length of a quotation in a message, in characters.
const MAX_EXCERPT_CHARS: usize = 500;

/// The text without control characters, and without blanks at its start and end. All other
/// characters are unchanged.
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

/// Beginning of a text from an agent or its server, for a quotation in a message.
pub(crate) fn excerpt(text: &str) -> String {
    cleaned(&text.chars().take(MAX_EXCERPT_CHARS).collect::<String>())
}

#[cfg(test)]
mod tests;
