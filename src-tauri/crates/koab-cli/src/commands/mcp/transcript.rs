//! An attempt as a text that a model reads, of bounded length.

use crate::output::clean;
use crate::render::conduct;
use koab_api::shown;
use koab_api::{GoldenCall, MetricScores, Protocol, Speaker, Transcript, TranscriptAttempt, TranscriptCall};
use koab_core::sentence::Language;
use std::fmt::Write as _;

/// Letters of one text at most.
const OF_ONE: usize = 2_000;
/// Letters of the whole at most.
const OF_ALL: usize = 40_000;
/// Letters of the end of an attempt and its scores at most: they are what most readers want, and
/// stand last.
const OF_SCORES: usize = 20_000;
/// Where a text goes over several lines: only this product begins a line of its own.
const INDENT: &str = "\n    ";

/// The attempt with its calls, answers and scores.
pub(super) fn text(shown: &Transcript, agent: Option<&str>) -> String {
    let model = agent.map_or_else(|| shown.model.clone(), |agent| format!("{agent} · {}", shown.model));
    let head = format!("{} · {} · {model} · {}", shown.task, shown.level, shown.run);
    let mut text = fit(&head) + "\n";
    line(&mut text, "asked", &shown.instruction);
    if let Some(injection) = &shown.injection {
        line(&mut text, "failure put in", &injection.tool);
    }
    for golden in &shown.golden {
        line(&mut text, "expected", &expected(golden));
    }
    match &shown.attempt {
        Some(attempt) => self::attempt(&mut text, attempt),
        None => text.push_str("no attempt has ended\n"),
    }
    let scores = cut(&scores(shown), OF_SCORES);
    let room = OF_ALL.saturating_sub(scores.chars().count());
    let mut text = cut(&text, room);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text + &scores
}

/// How the attempt ended, its scores and why.
fn scores(shown: &Transcript) -> String {
    let mut text = String::new();
    if let Some(attempt) = &shown.attempt {
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
    if !shown.attempt_is_scored && shown.attempt.is_some() && !shown.metrics.is_empty() {
        text.push_str("the scores below are those of the first attempt that ended\n");
    }
    let protocol = shown.protocol.unwrap_or(Protocol::Corrected);
    for metric in &shown.metrics {
        score(&mut text, metric, protocol);
    }
    for verdict in &shown.verdicts {
        if let Some(reason) = &verdict.reason {
            line(&mut text, &format!("{} of {}", verdict.judge, verdict.metric), reason);
        }
    }
    text
}

fn expected(golden: &GoldenCall) -> String {
    let tool = golden.tool.as_deref().unwrap_or("no call");
    let made = match (golden.seeded, golden.call) {
        (true, _) => " (made before the attempt)",
        (false, Some(_)) => "",
        (false, None) => " (missing)",
    };
    format!("{tool} {}{made}", json(&golden.arguments))
}

fn attempt(text: &mut String, attempt: &TranscriptAttempt) {
    let mut made = vec![false; attempt.calls.len()];
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
            let said = turn.content.as_ref().map_or_else(|| turn.text.clone(), json);
            line(text, &who, &said);
        }
        for place in &turn.calls {
            if let Some(one) = attempt.calls.get(*place) {
                call(text, &who, one);
                made[*place] = true;
            }
        }
    }
    // Logs of others do not say which turn made a call.
    for (one, _) in attempt.calls.iter().zip(&made).filter(|(_, made)| !**made) {
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

fn line(text: &mut String, name: &str, said: &str) {
    let (name, said) = (fit(name), fit(said.trim()));
    // A text has no end of its own in a terminal or a file.
    let _never_fails = writeln!(text, "{name}: {said}");
}

/// A text of others, cut, with nothing in it that steers a terminal, turns the direction of a line
/// or begins a line of its own.
fn fit(text: &str) -> String {
    // Carriage returns with a line feed become line feeds here, so it comes before the indent.
    let text = clean(&cut(text, OF_ONE)).into_owned();
    text.replace(['\n', '\u{2028}', '\u{2029}'], INDENT)
}

/// The beginning of a text, and how much of it is not there.
fn cut(text: &str, most: usize) -> String {
    let letters = text.chars().count();
    if letters <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most).collect();
    format!("{start}… ({} more letters)", letters - most)
}
