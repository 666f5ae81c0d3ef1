//! An attempt as text for a model, of limited length.

use crate::output::clean;
use crate::render::conduct;
use koab_api::shown;
use koab_api::{GoldenCall, MetricScores, Protocol, Speaker, Transcript, TranscriptAttempt, TranscriptCall};
use koab_core::sentence::Language;
use std::fmt::Write as _;

/// Maximum length of one value, in characters.
const MAX_VALUE_CHARS: usize = 2_000;
/// Maximum length of the whole text, in characters.
const MAX_CHARS: usize = 40_000;
/// Maximum length of the final answer with the scores, in characters. They are at the end of the
/// text. The text before them is cut to leave them room, because most readers want them.
const MAX_SCORE_CHARS: usize = 20_000;
/// Line break and indent inside a value. Only this program writes at the start of a line, so a
/// value cannot imitate other entries.
const INDENT: &str = "\n    ";

/// Text of an attempt with its calls, answers and scores.
pub(super) fn text(transcript: &Transcript, agent: Option<&str>) -> String {
    let model =
        agent.map_or_else(|| transcript.model.clone(), |agent| format!("{agent} · {}", transcript.model));
    let head = format!("{} · {} · {model} · {}", transcript.task, transcript.level, transcript.run);
    let mut text = fit(&head) + "\n";
    line(&mut text, "asked", &transcript.instruction);
    if let Some(injection) = &transcript.injection {
        line(&mut text, "failure put in", &injection.tool);
    }
    for golden in &transcript.golden {
        line(&mut text, "expected", &expected(golden));
    }
    match &transcript.attempt {
        Some(attempt) => self::attempt(&mut text, attempt),
        None => text.push_str("no attempt has ended\n"),
    }
    let scores = cut(&scores(transcript), MAX_SCORE_CHARS);
    let room = MAX_CHARS.saturating_sub(scores.chars().count());
    let mut text = cut(&text, room);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text + &scores
}

/// Text of the attempt's final answer, error and scores with their reasons.
fn scores(transcript: &Transcript) -> String {
    let mut text = String::new();
    if let Some(attempt) = &transcript.attempt {
        match &attempt.final_response {
            Some(answer) => line(&mut text, "final answer", answer),
            None => text.push_str("no final answer\n"),
        }
        if let Some(error) = &attempt.error {
            line(&mut text, "error", &Language::ENGLISH.say(error));
        }
        let conduct = attempt.agent.iter();
        for (name, value) in conduct.flat_map(|conduct| conduct::rows(conduct, Language::ENGLISH)) {
            line(&mut text, &format!("agent, {name}"), &value);
        }
    }
    if !transcript.attempt_is_scored && transcript.attempt.is_some() && !transcript.metrics.is_empty() {
        text.push_str("the scores below are those of the first attempt that ended\n");
    }
    let protocol = transcript.protocol.unwrap_or(Protocol::Corrected);
    for metric in &transcript.metrics {
        score(&mut text, metric, protocol);
    }
    for verdict in &transcript.verdicts {
        if let Some(reason) = &verdict.reason {
            line(&mut text, &format!("{} of {}", verdict.judge, verdict.metric), reason);
        }
    }
    text
}

fn expected(golden: &GoldenCall) -> String {
    let tool = golden.tool.as_deref().unwrap_or("no call");
    let note = match (golden.seeded, golden.call) {
        (true, _) => " (made before the attempt)",
        (false, Some(_)) => "",
        (false, None) => " (missing)",
    };
    format!("{tool} {}{note}", json(&golden.arguments))
}

fn attempt(text: &mut String, attempt: &TranscriptAttempt) {
    let mut rendered = vec![false; attempt.calls.len()];
    for turn in &attempt.turns {
        let who = match turn.speaker {
            Speaker::User => "user",
            Speaker::Assistant => "model",
            Speaker::Tool => "tool",
            Speaker::System => "system",
        };
        let who = match turn.step {
            Some(step) => format!("step {step}, {who}"),
            None if turn.seeded => format!("given, {who}"),
            None => who.to_owned(),
        };
        if !turn.text.is_empty() || turn.calls.is_empty() {
            let content = turn.content.as_ref().map_or_else(|| turn.text.clone(), json);
            line(text, &who, &content);
        }
        for place in &turn.calls {
            if let Some(one) = attempt.calls.get(*place) {
                call(text, &who, one);
                rendered[*place] = true;
            }
        }
    }
    // Logs of other programs do not say which turn made a call.
    for (one, _) in attempt.calls.iter().zip(&rendered).filter(|(_, rendered)| !**rendered) {
        let who = one.step.map_or_else(|| "model".to_owned(), |step| format!("step {step}, model"));
        call(text, &who, one);
    }
}

fn call(text: &mut String, who: &str, call: &TranscriptCall) {
    let arguments = call.unreadable.clone().unwrap_or_else(|| json(&call.arguments));
    line(text, who, &format!("calls {} {arguments}", call.tool));
    if let Some(error) = &call.error {
        line(text, "  refused", &Language::ENGLISH.say(error));
    }
    if let Some(result) = &call.result {
        line(text, "  answered", &json(result));
    }
}

fn score(text: &mut String, metric: &MetricScores, protocol: Protocol) {
    let score = match protocol {
        Protocol::Leaderboard => &metric.leaderboard,
        Protocol::Corrected => &metric.corrected,
    };
    if !score.applies {
        return;
    }
    let reason = score.reason.as_ref().map(|reason| Language::ENGLISH.say(reason));
    let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
    let value = match score.value {
        Some(value) => shown::score(Some(value)),
        None => "unscored".to_owned(),
    };
    line(text, &metric.metric.to_string(), &(value + &reason));
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn line(text: &mut String, name: &str, value: &str) {
    let (name, value) = (fit(name), fit(value.trim()));
    // A text has no length limit of its own in a terminal or a file.
    let _never_fails = writeln!(text, "{name}: {value}");
}

/// Text from a model or a tool, cut and cleaned. It cannot control a terminal, reverse the
/// direction of a line or begin a line.
fn fit(text: &str) -> String {
    // Cleaning turns CRLF into a line feed, so it is done before the indent.
    let text = clean(&cut(text, MAX_VALUE_CHARS)).into_owned();
    text.replace(['\n', '\u{2028}', '\u{2029}'], INDENT)
}

/// First `max_chars` characters of a text, with the number of characters that were cut.
fn cut(text: &str, max_chars: usize) -> String {
    let letters = text.chars().count();
    if letters <= max_chars {
        return text.to_owned();
    }
    let start: String = text.chars().take(max_chars).collect();
    format!("{start}… ({} more letters)", letters - max_chars)
}
