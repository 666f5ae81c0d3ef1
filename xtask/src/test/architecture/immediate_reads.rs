//! Checks that stories compare the page's content with assertions that retry (`expect(…)`,
//! `expect.poll(…)`). Comparing a single read fails whenever the page is a moment late.

/// Folder of the stories, which are the end-to-end tests of the page in a browser.
const STORIES: &str = "ui/e2e/stories/";

/// Calls that compare values once, without a retry.
const COMPARISONS: [&str; 2] = ["equal(", "holds("];

/// Calls that read the page once, without a retry.
const READS: [&str; 15] = [
    ".allInnerTexts(",
    ".allTextContents(",
    ".count(",
    ".evaluate(",
    ".evaluateAll(",
    ".getAttribute(",
    ".innerHTML(",
    ".innerText(",
    ".inputValue(",
    ".isChecked(",
    ".isDisabled(",
    ".isEnabled(",
    ".isHidden(",
    ".isVisible(",
    ".textContent(",
];

/// Files with lines that read the page once and compare the value without a retry, and the number
/// of these lines. It may only decrease.
const ALLOWED: [(&str, usize); 0] = [];

/// Returns one sentence for each line that reads the page once and compares the value without a
/// retry, beyond the number in `ALLOWED`. If a file has fewer such lines than that number, the
/// sentence asks to lower the number.
pub(super) fn violations(name: &str, text: &str) -> Vec<String> {
    if !name.starts_with(STORIES) {
        return Vec::new();
    }
    let lines = lines(text);
    let allowed = ALLOWED.iter().find(|(file, _)| *file == name);
    let most = allowed.map_or(0, |(_, most)| *most);
    if lines.len() < most {
        return vec![format!(
            "{name} has {} immediate reads: lower its number in {} from {most}",
            lines.len(),
            file!()
        )];
    }
    let over = lines.into_iter().skip(most);
    over.map(|line| format!("{name}:{line} compares what it read once; `expect` looks again")).collect()
}

/// Line numbers of comparisons that await a read of the page.
fn lines(text: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    for comparison in COMPARISONS {
        for (at, _) in text.match_indices(comparison) {
            let begins_word = text[..at]
                .chars()
                .next_back()
                .is_none_or(|before| !before.is_alphanumeric() && before != '.' && before != '_');
            let call = call(&text[at + comparison.len()..]);
            let reads = READS.iter().any(|read| call.contains(read));
            if begins_word && call.contains("await ") && reads {
                lines.push(text[..at].matches('\n').count() + 1);
            }
        }
    }
    lines.sort_unstable();
    lines
}

/// Arguments of a call, up to the call's closing bracket.
fn call(rest: &str) -> &str {
    let mut open = 1;
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return &rest[..at];
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_compares_no_page_that_it_read_once() {
        for (text, found) in [
            ("equal(await page.locator('a').count(), 1);", vec![1]),
            ("x();\nholds(\n  (await row.innerText()).includes('b'),\n);", vec![2]),
            ("equal([1, await card.getAttribute('x')], [1, 'y']);", vec![1]),
            ("equal(await command(koab, home, 'runs'), []);", vec![]),
            ("equal(rows.count(), 2);", vec![]),
            ("equal(await ask(page, 'x'), 1); await page.textContent('p');", vec![]),
            ("await expect(page.locator('a')).toHaveCount(1);", vec![]),
            ("await expect.poll(() => rows.count()).toBe(1);", vec![]),
            ("sameequal(await page.locator('a').count(), 1);", vec![]),
        ] {
            assert_eq!(lines(text), found, "{text}");
        }
    }

    #[test]
    fn only_stories_are_looked_at() {
        let text = "equal(await page.locator('a').count(), 1);";
        assert_eq!(violations("ui/e2e/stories/runs.spec.ts", text).len(), 1);
        assert!(violations("ui/e2e/window.mjs", text).is_empty());
    }
}
