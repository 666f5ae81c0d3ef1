//! Find and replace in one file of a trial, as scenario files define it.
//!
//! Text is edited line by line, including the newline, and all pairs are applied to a line in
//! order. So a later pair changes the output of an earlier pair, and a find string cannot match
//! across two lines. All newlines become `\n` first; files without edits keep their newlines.

/// An edited text, and the pairs that changed nothing in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substituted {
    /// Edited text with `\n` newlines.
    pub text: String,
    /// Positions of the pairs whose find string did not occur. The usual reason is a misspelt
    /// placeholder.
    pub unused: Vec<usize>,
}

/// Applies `pairs` of find string and replacement to `text`. An empty find string matches before
/// every character and at the end of every line.
pub fn substitute(text: &str, pairs: &[(String, String)]) -> Substituted {
    let text = unix_newlines(text);
    let mut used = vec![false; pairs.len()];
    let mut edited = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut line = line.to_owned();
        for ((find, replacement), used) in pairs.iter().zip(&mut used) {
            if line.contains(find.as_str()) {
                *used = true;
                line = line.replace(find.as_str(), replacement);
            }
        }
        edited.push_str(&line);
    }
    let unused = used.iter().enumerate().filter(|(_, used)| !**used);
    Substituted { text: edited, unused: unused.map(|(at, _)| at).collect() }
}

/// Converts `\r\n` and a lone `\r` to `\n`.
pub(crate) fn unix_newlines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
