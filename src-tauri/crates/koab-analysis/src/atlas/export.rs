//! Text exports of the atlas for papers and spreadsheets.

use super::{By, SortedAttempt, State, Tally, tally};
use koab_core::sentence::Language;
use koab_core::{say, sheet, text};
use koab_report::markdown_cell;

/// CSV with one line per finding, and one line for each lossy attempt without findings. It is UTF-8
/// with CRLF line ends, like the other tables of this product.
pub fn to_csv(attempts: &[SortedAttempt]) -> String {
    let mut rows = vec![
        [
            "model",
            "level",
            "task",
            "lost",
            "explained",
            "cause",
            "first",
            "owner",
            "metrics",
            "call",
            "step",
            "tool",
            "argument",
            "expected",
            "found",
            "quote",
        ]
        .map(ToOwned::to_owned)
        .to_vec(),
    ];
    for attempt in attempts.iter().filter(|attempt| attempt.sorted.state == State::Lossy) {
        let sorted = &attempt.sorted;
        let about = vec![
            attempt.model.clone(),
            attempt.level.to_string(),
            attempt.task.clone(),
            format!("{:.4}", sorted.lost),
            format!("{:.4}", sorted.explained),
        ];
        if sorted.findings.is_empty() {
            let mut row = about.clone();
            row.resize(rows[0].len(), String::new());
            row[5] = "unsorted".to_owned();
            rows.push(row);
        }
        let primary = sorted.primary();
        for finding in &sorted.findings {
            let number = |place: Option<u32>| place.map(|place| place.to_string()).unwrap_or_default();
            let text = |text: &Option<String>| match text.as_deref().unwrap_or_default() {
                number if number.parse::<f64>().is_ok() => number.to_owned(),
                text => sheet::guarded(text),
            };
            let metrics: Vec<&str> = finding.metrics.iter().map(|metric| metric.name()).collect();
            let first = if Some(finding.cause) == primary { "yes" } else { "no" };
            let mut row = about.clone();
            row.extend([
                finding.cause.to_string(),
                first.to_owned(),
                owner(finding.cause.owner()).to_owned(),
                metrics.join(" "),
                number(finding.call.map(|call| call + 1)),
                number(finding.step),
                text(&finding.tool),
                text(&finding.argument),
                text(&finding.expected),
                text(&finding.found),
                text(&finding.quote),
            ]);
            rows.push(row);
        }
    }
    sheet::crlf(rows)
}

fn owner(owner: super::CauseOwner) -> &'static str {
    use super::CauseOwner::{Judge, Model, Pack, Protocol, Service, Technical};
    match owner {
        Model => "model",
        Technical => "technical",
        Pack => "pack",
        Service => "service",
        Protocol => "protocol",
        Judge => "judge",
    }
}

/// Markdown with a table of causes by level. With several models there is also a table of causes by
/// model. Cells count lossy attempts by their first cause.
pub fn to_markdown(attempts: &[SortedAttempt], language: Language) -> String {
    let by_level = tally(attempts, By::Level);
    let by_model = tally(attempts, By::Model);
    let total = &by_level.total;
    let mut text = format!("# {}\n\n", language.text(text!("Failure atlas")));
    let percent = |part: f64, whole: f64| if whole > 0.0 { part / whole * 100.0 } else { 0.0 };
    let explained = percent(total.explained, total.lost);
    let unsorted = by_level.unsorted();
    let share = percent(f64::from(unsorted), f64::from(total.lossy));
    text.push_str(&language.say(&say!(
        "{attempts} attempts: {lossy} lost points, {unsorted} of these are unclassified ({share:.1}%); {capped} lost only points that nobody can get. Causes explain {explained:.1}% of the lost points.",
        attempts = total.attempts,
        lossy = total.lossy,
        capped = total.capped
    )));
    text.push('\n');
    text.push_str(&table(&by_level, language, language.text(text!("Cause by level"))));
    if by_model.columns.len() > 1 {
        text.push_str(&table(&by_model, language, language.text(text!("Cause by model"))));
    }
    text.push_str(&format!(
        "\n{}\n",
        language.text(text!(
            "Each count is of the attempts with this first cause; the last column counts the attempts that have it after another cause."
        ))
    ));
    text.push_str(&format!("\n## {}\n\n", language.text(text!("Rules"))));
    for (cause, _) in by_level.rows.iter().filter_map(|(cause, cells)| Some(((*cause)?, cells))) {
        let (name, rule) = cause.label(language);
        text.push_str(&format!("- **{name}** (`{cause}`): {rule}\n"));
    }
    text
}

/// Names of a tally's rows, including the row of unclassified attempts.
pub(super) fn names(tally: &Tally, language: Language) -> Vec<String> {
    let unsorted = language.text(text!("Unclassified"));
    let rows = tally.rows.iter();
    rows.map(|(cause, _)| cause.map_or(unsorted, |cause| cause.label(language).0).to_owned()).collect()
}

/// Rows of a table in one language. A row has the cause, the attempts of each column with this
/// first cause, their sum, and the attempts with this cause after another one.
pub fn counts(tally: &Tally, language: Language) -> Vec<Vec<String>> {
    let number = |count: u32| match count {
        0 => "·".to_owned(),
        some => some.to_string(),
    };
    let rows = names(tally, language).into_iter().zip(&tally.rows);
    rows.map(|(name, (_, cells))| {
        let behind = cells.last().map_or(0, |sum| sum.any - sum.first);
        let numbers = cells.iter().map(|cell| cell.first).chain([behind]);
        std::iter::once(name).chain(numbers.map(number)).collect()
    })
    .collect()
}

fn table(tally: &Tally, language: Language, title: &str) -> String {
    let (cause, sum, also) = (
        language.text(text!("Cause")),
        language.text(text!("All", "a sum")),
        language.text(text!("Also", "a cause")),
    );
    let columns: Vec<String> = tally.columns.iter().map(|name| markdown_cell(name)).collect();
    let mut text = format!("\n## {title}\n\n| {cause} | {} | {sum} | {also} |\n", columns.join(" | "));
    text.push_str(&format!("|---|{}\n", "---:|".repeat(columns.len() + 2)));
    for row in counts(tally, language) {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    let lossy: Vec<String> = tally
        .states
        .iter()
        .chain([&tally.total])
        .map(|states| format!("{} / {}", states.lossy, states.attempts))
        .collect();
    let label = language.text(text!("Lossy / all"));
    text.push_str(&format!("| **{label}** | {} | |\n", lossy.join(" | ")));
    text
}
