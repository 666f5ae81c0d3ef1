//! Names in an answer: quoted texts, and the titles of links.

/// Pairs of quotation marks, opening and closing.
const MARKS: [(&str, &str); 7] =
    [("\"", "\""), ("“", "”"), ("‘", "’"), ("'", "'"), ("「", "」"), ("『", "』"), ("《", "》")];

/// Names in an answer, in order and without duplicates: quoted texts and link titles of 3 to 80
/// letters.
pub(in crate::atlas) fn names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in text.lines() {
        for (name, _) in quoted(line) {
            add(&mut names, name);
        }
        let mut rest = line;
        while let Some(to) = rest.find("](") {
            let from = rest[..to].rfind('[').map_or(to, |from| from + 1);
            add(&mut names, &rest[from..to]);
            rest = &rest[to + 2..];
        }
    }
    names
}

/// Names about which a sentence states something, in two lists: quoted names, and names in bold
/// type.
///
/// Such a name is followed by a Korean particle or ending, as in `"…"입니다`. Quoted names at the end
/// of a line also count.
pub(in crate::atlas) fn stated(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut names, mut bold) = (Vec::new(), Vec::new());
    for line in text.lines() {
        for (name, after) in quoted(line) {
            // A quoted text that nothing follows is the whole of an answer.
            let after = after.trim_start_matches('*');
            if after.trim().is_empty() || is_followed(after) {
                add(&mut names, name);
            }
        }
        for (at, part) in line.split("**").enumerate().skip(1).step_by(2) {
            let after: String = line.split("**").skip(at + 1).take(1).collect();
            if line.matches("**").count() > at && is_followed(&after) {
                add(&mut bold, part);
            }
        }
    }
    (names, bold)
}

/// Korean particles and endings that show that the text before them is a name.
const PARTICLES: [&str; 14] = [
    "입니다",
    "이에요",
    "예요",
    "이라는",
    "라는",
    "이 ",
    "가 ",
    "을 ",
    "를 ",
    "은 ",
    "는 ",
    "과 ",
    "와 ",
    "이며",
];

fn is_followed(after: &str) -> bool {
    PARTICLES.iter().any(|particle| after.starts_with(particle))
}

/// Quoted texts of a line, each with the rest of the line.
fn quoted(line: &str) -> Vec<(&str, &str)> {
    let mut quotes = Vec::new();
    for (open, close) in MARKS {
        let mut rest = line;
        while let Some(from) = rest.find(open) {
            let inner = &rest[from + open.len()..];
            let Some(to) = inner.find(close) else { break };
            rest = &inner[to + close.len()..];
            quotes.push((&inner[..to], rest));
        }
    }
    quotes
}

/// Words in a link title that show that the title is no name but only refers to the link.
const POINTERS: [&str; 8] = ["여기", "링크", "here", "보기", "바로가기", "더알아보기", "자세히", "http"];

fn add(found: &mut Vec<String>, name: &str) {
    let name = name.trim().trim_matches('*').trim_end_matches("...").trim_end_matches('…').trim();
    let letters = plain(name).chars().count();
    let points = POINTERS.iter().any(|pointer| plain(name).contains(pointer));
    if (3..=80).contains(&letters) && !points && !found.iter().any(|known| known == name) {
        found.push(name.to_owned());
    }
}

/// Letters and digits in lower case, so that texts with other spaces, punctuation or letter case
/// compare equal.
pub(in crate::atlas) fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
